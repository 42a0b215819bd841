package record

import (
	"context"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/watch/event"
)

// claim finds the orders that an account was owed for at a contract. A claim
// takes all that was owed before it.
func (b *Book) claim(ctx context.Context, e event.Event, p order.Proof) error {
	credits, err := b.Tx.FactsOf(ctx, e.Chain, order.EventCredited)
	if err != nil {
		return err
	}
	for _, c := range credits {
		if c.Block > e.Block || c.Block == e.Block && c.Log > e.Log {
			continue
		}
		mine, err := b.owed(ctx, c, e, p)
		if err != nil {
			return err
		}
		if mine {
			e.Fact.Order = c.Order
			if err := b.Put(ctx, e, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// owed reports whether a credit is of the account that claims, and not claimed
// before. An earlier claim that is less proved does not count: it may be
// invented.
func (b *Book) owed(ctx context.Context, c journal.Fact, e event.Event, p order.Proof) (bool, error) {
	o, found, err := b.Tx.Order(ctx, c.Order)
	if err != nil || !found || e.At != o.Src && e.At != o.Dst {
		return false, err
	}
	owner, err := event.Owner(&o.Order, e.At)
	if err != nil || owner != e.Account {
		return false, err
	}
	facts, err := b.facts(ctx, c.Order)
	for _, f := range facts {
		earlier := f.Block < e.Block || f.Block == e.Block && f.Log < e.Log
		if f.Event == order.EventClaimed && !f.Gone && earlier && f.Chain == e.Chain && f.Proof >= p {
			return false, err
		}
	}
	return true, err
}
