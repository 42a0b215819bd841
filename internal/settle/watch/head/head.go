// Package head reads the logs of one chain up to its head, at one endpoint. It
// changes the endpoint when that one fails, is behind, or names no new block, and
// knows which endpoints told the blocks that were not read twice yet.
package head

import (
	"context"
	"fmt"
	"maps"
	"sync/atomic"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/watch/peer"
	"hubquote/internal/settle/watch/scan"
	"hubquote/internal/settle/watch/vote"
	"hubquote/swap"
)

const (
	// overlap is how many blocks are read again with every look, so that a
	// short reorganisation is seen without a request of its own.
	overlap = 32

	// slack is how many blocks an endpoint may be behind what several have before
	// another is tried.
	slack = 16

	// Jump is how many blocks above the last one that several had the head of a
	// single endpoint may be. With a block far ahead, that endpoint would make all
	// others look late.
	Jump = 256

	// unmoved is after how many looks at the same head the endpoint is changed.
	unmoved = 12

	// saveEvery is how far the cursor moves before it is written when nothing
	// else is.
	saveEvery = 512
)

// Pass is the name of the head's cursor in the journal.
const Pass = "head"

// Options configure a [Head]. All are required.
type Options struct {
	Chain   swap.ChainID
	Voters  vote.Voters
	Scanner *scan.Scanner
	Journal journal.Reader
	Check   func() scan.Check // for each look: of what one endpoint tells, before it is written
}

// A Head reads one chain. Only Passed may be called at any time; the other methods
// must be called one at a time.
type Head struct {
	opts   Options
	first  uint64    // block to begin with
	teller int       // the endpoint that tells the head
	top    uint64    // the highest head that it named
	quiet  int       // looks since
	named  vote.Hint // the head of this look
	common uint64    // the head that K endpoints had when they were last asked
	read   uint64    // up to here it has read
	saved  uint64    // the cursor in the journal

	tellers map[*peer.Peer]uint64 // up to which block each told what is not read twice yet; nil: not known which
	passed  atomic.Uint64
}

// New returns a head that begins with block 0.
func New(opts Options) *Head { return &Head{opts: opts, tellers: map[*peer.Peer]uint64{}} }

// Begin sets the first block of the chain.
func (h *Head) Begin(first uint64) { h.first = first }

// Resume goes on behind a block. The endpoint that told it is not known after
// a restart.
func (h *Head) Resume(last uint64, restarted bool) {
	h.saved, h.read = last, last
	h.passed.Store(last)
	if restarted {
		h.tellers[nil] = last
	}
}

// Passed is the block up to which logs are in the journal, as one endpoint tells
// them.
func (h *Head) Passed() uint64 { return h.passed.Load() }

// Common is the head that K endpoints had when they were last asked.
func (h *Head) Common() uint64 { return h.common }

// Look reads the logs up to the head at one endpoint. It returns the blocks of
// facts that were in that range before and are not there any more.
func (h *Head) Look(ctx context.Context) (suspects map[order.Hash]bool, err error) {
	p, head, err := h.tell(ctx)
	if err != nil {
		return nil, fmt.Errorf("head: %w", err)
	}
	read := min(h.read, head)
	from := max(h.first, read+1-min(overlap, read+1))
	open, err := h.opts.Journal.FactsOpen(ctx, h.opts.Chain)
	if err != nil {
		return nil, err
	}
	seen, last, err := h.opts.Scanner.Scan(ctx, p, scan.Pass{From: from, To: head, Save: h.save, There: h.there, Check: h.opts.Check()})
	h.note(p, max(last, read))
	if err != nil || h.opts.Scanner.Cut() && last < read+Jump { // too slow
		h.Change()
	}
	if err != nil {
		return nil, fmt.Errorf("head: %w", err)
	}
	suspects = map[order.Hash]bool{}
	for _, o := range open {
		if from <= o.Block && (o.Block <= last || last == head) && !seen[scan.Spot{Tx: o.Tx, Log: o.Log, Hash: o.Hash}] {
			suspects[o.Hash] = true
		}
	}
	return suspects, nil
}

// note records that an endpoint told the logs up to a block. A head that is lower
// than what was read takes nothing back.
func (h *Head) note(p *peer.Peer, last uint64) {
	h.read = last
	h.tellers[p] = max(h.tellers[p], last)
	h.passed.Store(max(h.Passed(), last))
}

// save returns the cursor when something was found, and otherwise only now and
// then.
func (h *Head) save(last uint64, found bool) *journal.Cursor {
	if !found && last < h.saved+saveEvery {
		return nil
	}
	h.saved = last
	return &journal.Cursor{Chain: h.opts.Chain, Pass: Pass, Number: last}
}

// Teller returns the endpoint that alone told all blocks up to a number, if there
// is just one.
func (h *Head) Teller(to uint64) (p *peer.Peer, alone bool) {
	if len(h.tellers) != 1 || h.read < to {
		return nil, false
	}
	for p = range h.tellers {
		alone = true
	}
	return p, alone
}

// ReadTwice forgets which endpoints told the blocks up to a number, which were
// read again at others.
func (h *Head) ReadTwice(to uint64) {
	maps.DeleteFunc(h.tellers, func(_ *peer.Peer, last uint64) bool { return last <= to })
}

// Doubt counts all that was read as told by an endpoint that is not known.
func (h *Head) Doubt() { h.tellers[nil] = h.read }
