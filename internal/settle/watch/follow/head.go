package follow

import (
	"context"
	"errors"
	"fmt"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/watch/peer"
	"hubquote/internal/settle/watch/scan"
)

const (
	// overlap is how many blocks are read again with every look, so that a
	// short reorganisation is seen without asking for it.
	overlap = 32

	// slack is how many blocks an endpoint may be behind what was read before
	// another is tried.
	slack = 16

	// jump is how many blocks the head may move on one endpoint's word. One that
	// names a block far ahead would have all others taken for late.
	jump = 256

	// bored is after how many looks at an unmoved head another endpoint tells.
	bored = 12

	// saveEvery is how far the head cursor moves before it is written when
	// nothing else is.
	saveEvery = 512
)

// look reads the logs up to the head at one endpoint. It returns the blocks of
// facts that were in that range before and are not there any more.
func (f *Follower) look(ctx context.Context) (suspects map[order.Hash]bool, err error) {
	p, head, err := f.tell(ctx)
	if err != nil {
		return nil, fmt.Errorf("head: %w", err)
	}
	passed := min(f.State().Passed, head)
	from := max(f.opts.First, passed+1-min(overlap, passed+1))
	open, err := f.opts.Journal.FactsOpen(ctx, f.opts.Chain)
	if err != nil {
		return nil, err
	}
	seen, err := f.scanner.Scan(ctx, p, from, head, f.saveHead)
	if err != nil {
		f.teller++
		return nil, fmt.Errorf("head: %w", err)
	}
	f.set(func(s *State) { s.Passed = head })
	suspects = map[order.Hash]bool{}
	for _, o := range open {
		if from <= o.Block && !seen[scan.Spot{Tx: o.Tx, Log: o.Log, Hash: o.Hash}] {
			suspects[o.Hash] = true
		}
	}
	return suspects, nil
}

// saveHead writes the cursor with what was found, and else only now and then.
func (f *Follower) saveHead(last uint64, found bool) *journal.Cursor {
	if !found && last < f.saved+saveEvery {
		return nil
	}
	f.saved = last
	return &journal.Cursor{Chain: f.opts.Chain, Pass: headPass, Number: last}
}

// tell returns the endpoint that tells the head, and the head. It is the one of
// last time, unless that fails, is behind, or has not moved for long.
func (f *Follower) tell(ctx context.Context) (best *peer.Peer, head uint64, err error) {
	var errs []error
	passed := f.State().Passed
	for range f.opts.Peers {
		p := f.opts.Peers[f.teller%len(f.opts.Peers)]
		b, err := p.Block(ctx, peer.Latest)
		if err != nil {
			errs = append(errs, err)
		} else if best == nil || b.Number > head {
			best, head = p, b.Number
		}
		if err == nil && b.Number+slack >= passed {
			break
		}
		f.teller++
	}
	if best == nil {
		return nil, 0, errors.Join(errs...)
	}
	f.bore(head == passed)
	if head > passed+jump {
		there, err := f.voters.Reach(ctx, peer.Latest, head)
		return best, min(head, there), err
	}
	return best, head, nil
}

// bore has another endpoint tell when the head of this one stands still.
func (f *Follower) bore(still bool) {
	f.quiet++
	if !still {
		f.quiet = 0
	}
	if f.quiet >= bored {
		f.quiet, f.teller = 0, f.teller+1
	}
}
