package final

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/watch/peer"
	"hubquote/internal/settle/watch/record"
	"hubquote/internal/settle/watch/scan"
	"hubquote/internal/settle/watch/vote"
)

// Tags asks for the tags when something waits for them, or a sweep is due. After an
// error nothing becomes final until the next call.
func (f *Final) Tags(ctx context.Context, open []journal.Fact, due bool) error {
	err := f.tags(ctx, open, due)
	f.doubt = err != nil
	return err
}

func (f *Final) tags(ctx context.Context, open []journal.Fact, due bool) error {
	f.rounds++
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
		before := f.State().Block
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
func (f *Final) below(open []journal.Fact) bool {
	final := f.State().Block.Number
	return slices.ContainsFunc(open, func(o journal.Fact) bool { return o.Block <= final })
}

// urgent are the events whose finality something is decided by.
var urgent = []order.Event{
	order.EventOpened, order.EventPaid, order.EventCancelled, order.EventRefunded, order.EventReclaimed, order.EventCredited, order.EventClaimed,
}

// waits returns the lowest block with a fact that could have that proof by now.
// Before three quarters of the usual time the tag is not asked for, if that is
// known: the clock of a local chain may be ahead.
func (f *Final) waits(open []journal.Fact, p order.Proof) (low uint64, waits bool) {
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
func (f *Final) resolve(ctx context.Context, tag string, low uint64, due bool) (peer.Block, []*peer.Peer, error) {
	p := f.opts.Voters.Peers[f.rounds%len(f.opts.Voters.Peers)]
	b, err := p.Block(ctx, tag)
	switch {
	case due && err == nil:
		return f.opts.Voters.Tag(ctx, tag, math.MaxUint64, vote.Hint{From: p, Block: b})
	case due:
		return f.opts.Voters.Tag(ctx, tag, math.MaxUint64)
	case err != nil || b.Number < low:
		return peer.Block{}, nil, nil // another one is asked with the next round
	}
	return f.opts.Voters.Tag(ctx, tag, b.Number, vote.Hint{From: p, Block: b})
}

// advance moves the final block, once the blocks that became final were read by
// K endpoints, because one may leave a log out.
func (f *Final) advance(ctx context.Context, final peer.Block, by []*peer.Peer) error {
	if err := f.check(ctx); err != nil {
		return fmt.Errorf("final: %w", err)
	}
	if !f.State().Broken.IsZero() {
		return nil
	}
	if final.Number > f.anchor.Number {
		last, err := f.readFinal(ctx, final, by)
		if err == nil && last < final.Number { // the next round goes on from there
			final, by, err = vote.Voters{Peers: by, K: f.opts.Voters.K}.Block(ctx, last)
		}
		if err == nil {
			err = f.saveFinal(ctx, final)
		}
		if err != nil {
			return fmt.Errorf("final: %w", err)
		}
	}
	f.final = by
	f.set(func(s *State) { s.Block = final })
	return nil
}

// saveFinal keeps the block up to which all logs were read by K endpoints, and its
// hash, which the next pass checks.
func (f *Final) saveFinal(ctx context.Context, b peer.Block) error {
	err := f.opts.Write(ctx, func(book *record.Book) error {
		return book.Tx.SetCursor(ctx, journal.Cursor{Chain: f.opts.Chain, Pass: Pass, Number: b.Number, Hash: b.Hash})
	})
	if err != nil {
		return err
	}
	f.anchor = b
	f.opts.Head.ReadTwice(b.Number)
	return nil
}

// readFinal reads the blocks that became final and returns the last that was
// read. An endpoint that fails is passed over.
func (f *Final) readFinal(ctx context.Context, final peer.Block, by []*peer.Peer) (last uint64, err error) {
	before, readers, many := f.opts.News(), []*peer.Peer(nil), 0
	last = final.Number
	var errs []error
	for readers, many = f.readers(final.Number, by); many > 0 && len(readers) > 0; readers = readers[1:] {
		end, err := f.readAt(ctx, readers[0], final, last, slices.Contains(by, readers[0]))
		if err != nil {
			errs = append(errs, err)
			continue
		}
		last, many = end, many-1
	}
	if f.opts.News() > before && !f.anchor.Hash.IsZero() {
		f.opts.Log.Warn("an endpoint left logs out; another tells the head from now on", "chain", f.opts.Chain)
		f.opts.Head.Change()
	}
	if many > 0 {
		return 0, errors.Join(append(errs, vote.ErrSplit)...)
	}
	return last, nil
}

// readers returns the endpoints that may read what became final, those that call
// it so first, and how many must. The one that told the head of all these blocks
// counts as one.
func (f *Final) readers(final uint64, by []*peer.Peer) (list []*peer.Peer, many int) {
	f.passes++
	turn := f.passes % len(by)
	list = f.opts.Voters.First(slices.Concat(by[turn:], by[:turn])).Peers
	teller, alone := f.opts.Head.Teller(final)
	if !alone || f.opts.Voters.K == 1 {
		return list, f.opts.Voters.K
	}
	return slices.DeleteFunc(list, func(p *peer.Peer) bool { return p == teller }), f.opts.Voters.K - 1
}

// readAt reads the blocks since the last final one at one endpoint. One that does
// not have the final block has no logs there either, and would say that there are
// none.
func (f *Final) readAt(ctx context.Context, p *peer.Peer, final peer.Block, to uint64, has bool) (last uint64, err error) {
	if !has {
		b, err := p.At(ctx, final.Number)
		if err != nil {
			return 0, err
		}
		if b.Hash != final.Hash {
			return 0, errors.New("the endpoint does not have the final block")
		}
	}
	none := func(uint64, bool) *journal.Cursor { return nil }
	_, last, err = f.opts.Scanner.Scan(ctx, p, scan.Pass{From: f.anchor.Number + 1, To: to, Save: none, Check: f.opts.Check})
	if err == nil && last <= f.anchor.Number {
		err = errors.New("the endpoint answers too little in a round")
	}
	return last, err
}
