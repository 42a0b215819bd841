package follow

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/watch/peer"
	"hubquote/internal/settle/watch/vote"
)

// tags asks for the tags when something waits for them, or a sweep is due.
func (f *Follower) tags(ctx context.Context, open []journal.Fact, due bool) error {
	if low, waits := f.waits(open, order.Safe); f.opts.Safe && waits {
		b, by, err := f.resolve(ctx, peer.Safe, low, false)
		if err != nil {
			return err
		}
		f.safe = by
		f.set(func(s *State) { s.Safe = b.Number }) // it may have fallen
	}
	if low, waits := f.waits(open, order.Final); waits || due {
		b, by, err := f.resolve(ctx, peer.Final, low, due)
		if err != nil {
			return err
		}
		before := f.State().Final
		if b.Number > before.Number || before.Hash.IsZero() && !b.Hash.IsZero() {
			return f.advance(ctx, b, by)
		}
		if b.Hash == before.Hash {
			f.final = append(f.final, slices.DeleteFunc(by, func(p *peer.Peer) bool { return slices.Contains(f.final, p) })...)
		}
	}
	if due || f.below(open) {
		return f.check(ctx)
	}
	return nil
}

// below reports whether a fact that is not final is in a block that counts as
// final: one that was left out, or one of another chain than the final block's.
func (f *Follower) below(open []journal.Fact) bool {
	final := f.State().Final.Number
	return slices.ContainsFunc(open, func(o journal.Fact) bool { return o.Block <= final })
}

// urgent are the events whose finality something is decided by.
var urgent = []order.Event{
	order.EventOpened, order.EventPaid, order.EventCancelled, order.EventRefunded, order.EventReclaimed, order.EventCredited, order.EventClaimed,
}

// waits returns the lowest block with a fact that could have that proof by now.
// Before three quarters of the usual time the tag is not asked for, if that is
// known: the clock of a local chain may be ahead.
func (f *Follower) waits(open []journal.Fact, p order.Proof) (low uint64, waits bool) {
	low = math.MaxUint64
	for _, o := range open {
		early := p == order.Final && f.opts.Usual > 0 && time.Since(o.Time) < f.opts.Usual*3/4
		matters := slices.Contains(urgent, o.Event) && (p == order.Final || o.Event == order.EventOpened)
		if o.Proof < p && matters && !early {
			low, waits = min(low, o.Block), true
		}
	}
	return low, waits
}

// resolve asks one endpoint for a tag, another each time, and the others only
// when that one names what is waited for. With due it asks all. It returns who
// calls the block so.
func (f *Follower) resolve(ctx context.Context, tag string, low uint64, due bool) (peer.Block, []*peer.Peer, error) {
	f.asked++
	p := f.opts.Peers[f.asked%len(f.opts.Peers)]
	b, err := p.Block(ctx, tag)
	switch {
	case due && err == nil:
		return f.voters.Tag(ctx, tag, math.MaxUint64, vote.Hint{From: p, Block: b})
	case due:
		return f.voters.Tag(ctx, tag, math.MaxUint64)
	case err != nil || b.Number < low:
		return peer.Block{}, nil, nil // another one is asked with the next round
	}
	return f.voters.Tag(ctx, tag, b.Number, vote.Hint{From: p, Block: b})
}

// advance moves the final block. The blocks that became final are read again at
// another endpoint than the one that told the head, because an endpoint may
// leave a log out.
func (f *Follower) advance(ctx context.Context, final peer.Block, by []*peer.Peer) error {
	p := f.opts.Peers[(f.teller+1+f.asked%max(1, len(f.opts.Peers)-1))%len(f.opts.Peers)]
	if err := f.check(ctx); err != nil {
		return fmt.Errorf("final: %w", err)
	}
	if !f.State().Broken.IsZero() {
		return nil
	}
	if final.Number > f.anchor.Number {
		before := f.news
		if _, err := f.scanner.Scan(ctx, p, f.anchor.Number+1, final.Number, f.saveFinal(final)); err != nil {
			return fmt.Errorf("final: %w", err)
		}
		if f.news > before && !f.anchor.Hash.IsZero() {
			f.opts.Log.Warn("an endpoint left logs out; another tells the head from now on", "chain", f.opts.Chain)
			f.teller++
		}
		f.anchor = final
	}
	f.final = by
	f.set(func(s *State) { s.Final = final })
	return nil
}

// saveFinal writes the cursor with what was found, and at the end with the hash
// that the next pass checks.
func (f *Follower) saveFinal(final peer.Block) func(uint64, bool) *journal.Cursor {
	return func(last uint64, found bool) *journal.Cursor {
		c := &journal.Cursor{Chain: f.opts.Chain, Pass: finalPass, Number: last}
		switch {
		case last == final.Number:
			c.Hash = final.Hash
		case !found:
			return nil
		}
		return c
	}
}
