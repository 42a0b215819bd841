// Package final keeps the final block of one chain: K endpoints call it final, and
// all logs up to it were read twice. It finds out when that block is lost.
package final

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/watch/head"
	"hubquote/internal/settle/watch/peer"
	"hubquote/internal/settle/watch/record"
	"hubquote/internal/settle/watch/scan"
	"hubquote/internal/settle/watch/vote"
	"hubquote/swap"
)

// Options configure a [Final]. All are required but where zero has a meaning.
type Options struct {
	Chain   swap.ChainID
	Voters  vote.Voters
	Usual   time.Duration // until a block is final; zero: not known
	Safe    bool          // ask for the safe tag too
	Head    *head.Head
	Scanner *scan.Scanner
	Journal journal.Reader
	Write   func(ctx context.Context, fn func(*record.Book) error) error
	Check   scan.Check // of what one endpoint tells, before it is written
	News    func() int // orders that had news, counted by every write
	Resumed func()     // called when an operator has accepted the loss of a final block
	Log     *slog.Logger
}

// A Final keeps the final block of one chain. Only State may be called at any time;
// the other methods must be called one at a time.
type Final struct {
	opts   Options
	first  uint64       // block to begin with
	rounds int          // in which tags were looked at: another endpoint is asked first in each
	passes int          // counts the passes: another endpoint reads in each
	anchor peer.Block   // the cursor: all logs up to here were read twice
	doubt  bool         // the final block could not be checked: nothing becomes final
	safe   []*peer.Peer // that call the safe block so
	final  []*peer.Peer // that call the final block so

	mu    sync.Mutex // guards state
	state State
}

// A State is what is known about the final block.
type State struct {
	Block peer.Block
	Safe  uint64

	// Disputed says that endpoints have another block than the last final one,
	// and that too few of them call theirs final to say that it is lost.
	Disputed bool

	Broken order.Hash // the final block that was lost, or zero
	Lost   uint64     // final blocks that were found to be lost, since the start
}

// Pass is the name of the cursor in the journal.
const Pass = "final"

// New returns a Final that begins with block 0.
func New(opts Options) *Final { return &Final{opts: opts} }

// Begin sets the first block of the chain.
func (f *Final) Begin(first uint64) { f.first = first }

// Load sets the block of the cursor.
func (f *Final) Load(b peer.Block) { f.anchor = b }

// Remember takes the last final fact for the final block when the pass before was
// stopped before its end and has no hash: a reorganisation meanwhile must show.
func (f *Final) Remember(ctx context.Context) error {
	if f.Known() {
		return nil
	}
	fact, found, err := f.opts.Journal.FactFinal(ctx, f.opts.Chain)
	if found {
		f.anchor = peer.Block{Number: fact.Block, Hash: fact.Hash}
	}
	return err
}

// Known reports whether the hash of the cursor's block is known.
func (f *Final) Known() bool { return !f.anchor.Hash.IsZero() }

// Back returns a block some way before that of the cursor.
func (f *Final) Back() uint64 { return f.anchor.Number - min(farBack, f.anchor.Number) }

// State returns what is known now.
func (f *Final) State() State {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.state
}

func (f *Final) set(change func(*State)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(&f.state)
}

// By returns the endpoints that call the final block so.
func (f *Final) By() []*peer.Peer { return f.final }

// Reach is the proof that a block with that number gives when these endpoints
// have it. K of them must call a block at or above it final or safe themselves:
// one that does not may be on a fork.
func (f *Final) Reach(number uint64, by []*peer.Peer) order.Proof {
	switch s := f.State(); {
	case !s.Broken.IsZero():
		return order.Agreed
	case number <= s.Block.Number && !f.doubt && f.enough(by, f.final):
		return order.Final
	case f.opts.Safe && number <= s.Safe && f.enough(by, f.safe):
		return order.Safe
	}
	return order.Agreed
}

// enough reports whether K endpoints are among both.
func (f *Final) enough(some, others []*peer.Peer) bool {
	n := 0
	for _, p := range some {
		if slices.Contains(others, p) {
			n++
		}
	}
	return n >= f.opts.Voters.K
}
