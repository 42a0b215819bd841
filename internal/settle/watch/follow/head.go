package follow

import (
	"context"
	"errors"
	"fmt"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/watch/peer"
	"hubquote/internal/settle/watch/scan"
	"hubquote/internal/settle/watch/vote"
)

const (
	// overlap is how many blocks are read again with every look, so that a
	// short reorganisation is seen without asking for it.
	overlap = 32

	// slack is how many blocks an endpoint may be behind what several have before
	// another is tried.
	slack = 16

	// jump is how many blocks the head may be, on one endpoint's word, above the
	// last one that several had. One that names a block far ahead would have all
	// others taken for late.
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
	read := min(f.read, head)
	from := max(f.opts.First, read+1-min(overlap, read+1))
	open, err := f.opts.Journal.FactsOpen(ctx, f.opts.Chain)
	if err != nil {
		return nil, err
	}
	seen, last, err := f.scanner.Scan(ctx, p, scan.Pass{From: from, To: head, Save: f.saveHead, There: f.there})
	f.reads(p, max(last, read))
	if err != nil || f.scanner.Cut() && last < read+jump { // it hardly gets on
		f.change()
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

// reads notes that an endpoint told the logs up to a block. One whose head is
// lower than what was read takes nothing back.
func (f *Follower) reads(p *peer.Peer, last uint64) {
	f.read = last
	f.tellers[p] = max(f.tellers[p], last)
	f.set(func(s *State) { s.Passed = max(s.Passed, last) })
}

// there returns a block that K endpoints have, at a number or as high as they do.
func (f *Follower) there(ctx context.Context, number uint64) (uint64, error) {
	if number <= f.common {
		return f.common, nil
	}
	head, err := f.voters.Reach(ctx, peer.Latest, number, f.named)
	if err != nil {
		return 0, err
	}
	f.share(head)
	return head, nil
}

// share notes the head that K endpoints have. What one of them had told far above
// it was not so.
func (f *Follower) share(head uint64) {
	f.common = head
	if head+jump < f.read {
		f.read = head
	}
	f.set(func(s *State) {
		if head+jump < s.Passed {
			s.Passed = head
		}
	})
}

// change has another endpoint tell the head.
func (f *Follower) change() { f.teller, f.quiet, f.top = f.teller+1, 0, 0 }

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
	for range f.opts.Peers {
		p := f.opts.Peers[f.teller%len(f.opts.Peers)]
		b, err := p.Block(ctx, peer.Latest)
		if err != nil {
			errs = append(errs, err)
		} else if best == nil || b.Number > head {
			best, head = p, b.Number
			f.named = vote.Hint{From: p, Block: b}
		}
		if err == nil && b.Number+slack >= f.common {
			break
		}
		f.change()
	}
	if best == nil {
		return nil, 0, errors.Join(errs...)
	}
	f.bore(head)
	if head > f.common+jump {
		there, err := f.there(ctx, head)
		if err != nil || there+jump < head {
			f.change()
		}
		return best, min(head, there), err
	}
	return best, head, nil
}

// bore has another endpoint tell when this one names no higher head than before.
func (f *Follower) bore(head uint64) {
	f.quiet++
	if head > f.top {
		f.quiet, f.top = 0, head
	}
	if f.quiet >= bored {
		f.change()
	}
}
