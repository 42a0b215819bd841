package follow

import (
	"context"
	"errors"
	"slices"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/watch/event"
	"hubquote/internal/settle/watch/judge"
	"hubquote/internal/settle/watch/record"
	"hubquote/internal/settle/watch/scan"
)

// errInvents means that others deny what an endpoint tells.
var errInvents = errors.New("the endpoint tells what others do not have")

const (
	// mostTold is how many new events one look may write on one endpoint's word. More
	// are judged first: they would be in the way of the others, and stay in the
	// journal when they are denied.
	mostTold = 64

	// some is how many blocks with new events are judged at first, so that an endpoint
	// that makes them up costs few questions, and twice as many when those are true.
	some = 16
)

// sparing lets a look tell a few new events, and has the rest judged.
func (f *Follower) sparing() scan.Check {
	told := 0
	return func(ctx context.Context, events []event.Event) error {
		fresh, err := f.fresh(ctx, events)
		if told += len(fresh); err != nil || told <= mostTold {
			return err
		}
		return f.verify(ctx, fresh)
	}
}

// verified has all new events judged before they are written.
func (f *Follower) verified(ctx context.Context, events []event.Event) error {
	fresh, err := f.fresh(ctx, events)
	if err != nil {
		return err
	}
	return f.verify(ctx, fresh)
}

// verify has several endpoints judge what one tells, and writes what they have. It
// ends with the first that they deny.
func (f *Follower) verify(ctx context.Context, fresh []journal.Fact) error {
	groups := judge.Groups(fresh)
	for n := some; len(groups) > 0; n = min(2*n, atOnce) {
		n = min(n, len(groups))
		verdicts, err := f.judge.All(ctx, groups[:n])
		if err != nil {
			return err
		}
		groups = groups[n:]
		if slices.ContainsFunc(verdicts, (*judge.Verdict).Denied) {
			return errInvents
		}
		err = f.write(ctx, func(b *record.Book) error {
			if err := b.Expect(ctx, judge.Events(verdicts)); err != nil {
				return err
			}
			for _, v := range verdicts {
				v.Facts = nil // which are among its events
				if err := v.Record(ctx, b, f.final.Reach(v.Number, v.By)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// fresh returns the events that the journal does not have. A claim names no order
// and is found by its transaction.
func (f *Follower) fresh(ctx context.Context, events []event.Event) (list []journal.Fact, err error) {
	var ids []order.ID
	for _, e := range events {
		ids = append(ids, e.Fact.Order)
	}
	known, err := f.opts.Journal.FactsBy(ctx, ids)
	if err != nil {
		return nil, err
	}
	for _, e := range events {
		have := known[e.Fact.Order]
		if e.Fact.Order.IsZero() {
			if have, err = f.opts.Journal.FactsByTx(ctx, e.Tx); err != nil {
				return nil, err
			}
		}
		if !slices.ContainsFunc(have, func(k journal.Fact) bool { return same(k, e.Fact) }) {
			fact := e.Fact
			fact.Proof = order.Told
			list = append(list, fact)
		}
	}
	return list, nil
}

// same reports whether the journal's fact is an event that is told.
func same(k, e journal.Fact) bool {
	return !k.Gone && k.Event == e.Event && k.Chain == e.Chain && k.Tx == e.Tx && k.Log == e.Log && k.Hash == e.Hash
}
