package source

import (
	"context"
	"maps"
	"sync"

	"hubquote/internal/settle/burns/chain"
	"hubquote/internal/settle/burns/scan"
	"hubquote/internal/settle/order"
)

// How many transactions that endpoints do not agree on are read in one round, once
// more and for the first time: an endpoint can name any number that no other has.
// What is left is read at another endpoint.
const (
	again   = 100
	strange = 200
)

// A reader reads ranges of blocks. It is used by one goroutine at a time.
type reader struct {
	mu      sync.Mutex
	chain   *chain.Chain
	scanner *scan.Scanner
	span    uint64 // blocks of one question for logs
	most    uint64
	looks   map[order.Hash]look // at transactions
	large   map[uint64]bool     // blocks that are too large to be read
	swept   uint64              // the last block of its sweeps
	round   int                 // that it is in
	again   int                 // transactions that may be read once more in it
	strange int                 // transactions that endpoints may not agree on in it
}

// A look is what is known about a transaction that was read.
type look struct {
	in    order.Hash // its block
	to    uint64     // a block that it is not above
	whole bool       // two endpoints say the same about it
	gap   int        // rounds until it is read again otherwise
	next  int        // the round of that
}

func newReader(c *chain.Chain, o *Options) *reader {
	return &reader{chain: c, scanner: scan.New(c, o.Terms), span: o.Range, most: o.Range, looks: map[order.Hash]look{}, large: map[uint64]bool{}}
}

// begin begins a round.
func (r *reader) begin() { r.round, r.again, r.strange = r.round+1, again, strange }

// due reports whether a transaction is to be read. One that endpoints agree on is
// read again in another block; one that they do not, in growing gaps, since those
// that do not have it may only be late.
func (r *reader) due(h scan.Hint) bool {
	was, known := r.looks[h.Tx]
	switch {
	case !known:
		return r.strange > 0
	case was.whole && was.in == h.Block, !was.whole && r.round < was.next, r.again == 0:
		return false
	}
	r.again--
	return true
}

// looked notes that a transaction was read. An endpoint that names too many that no
// other has is left.
func (r *reader) looked(h scan.Hint, to uint64, whole bool) {
	was, known := r.looks[h.Tx]
	if !whole && !known {
		if r.strange--; r.strange == 0 {
			r.chain.Leave()
		}
	}
	gap := max(1, 2*was.gap)
	r.looks[h.Tx] = look{in: h.Block, to: to, whole: whole, gap: gap, next: r.round + gap}
}

// keep records the burns of transactions that are due.
func (s *Source) keep(ctx context.Context, hints []scan.Hint, block uint64, r *reader) error {
	for _, h := range hints {
		if !r.due(h) {
			continue
		}
		found, complete, err := r.scanner.Tx(ctx, h.Tx)
		if err != nil {
			err = s.leftOut(err, "tx", h.Tx)
			complete = err == nil
		}
		if err == nil {
			err = s.put(ctx, found)
		}
		if err != nil {
			return err
		}
		r.looked(h, block, complete)
	}
	return nil
}

// forget drops what is not read again.
func (r *reader) forget(before uint64) {
	maps.DeleteFunc(r.looks, func(_ order.Hash, l look) bool { return l.to < before })
	maps.DeleteFunc(r.large, func(block uint64, _ bool) bool { return block < before })
}

// reach returns the last block of a question, which is before one that is too large
// to be read.
func (r *reader) reach(from, head uint64) uint64 {
	to := min(from+r.span-1, head)
	for block := range r.large {
		if from < block && block <= to {
			to = block - 1
		}
	}
	return to
}
