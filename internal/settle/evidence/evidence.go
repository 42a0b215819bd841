// Package evidence puts together what the journal knows about one order, in the
// form that policy decides by. It only arranges; it judges nothing.
package evidence

import (
	"context"
	"slices"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/burn"
)

// Of reads what is known about orders, each by its place in the list. The
// contracts' own records and an operator's wish are the caller's to add.
func Of(ctx context.Context, r journal.Reader, orders []journal.Order) ([]order.Facts, error) {
	ids := make([]order.ID, len(orders))
	for i := range orders {
		ids[i] = orders[i].ID
	}
	rows, err := r.FactsBy(ctx, ids)
	if err != nil {
		return nil, err
	}
	tasks, err := r.TasksBy(ctx, ids)
	if err != nil {
		return nil, err
	}
	list := make([]order.Facts, len(orders))
	for i := range orders {
		if list[i], err = of(ctx, r, &orders[i], rows[ids[i]], tasks[ids[i]]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func of(ctx context.Context, r journal.Reader, o *journal.Order, rows []journal.Fact, tasks []journal.Task) (order.Facts, error) {
	f := Arrange(o, rows, tasks)
	back := f.Refunded
	if back == nil {
		back = f.Reclaimed
	}
	if !o.Burn || back == nil {
		return f, nil
	}
	burns, err := r.BurnsByTx(ctx, back.Tx)
	f.Unminted = unminted(burns, o.ID, f.Refunded != nil)
	return f, err
}

// Arrange sorts rows into facts.
func Arrange(o *journal.Order, rows []journal.Fact, tasks []journal.Task) order.Facts {
	f := order.Facts{Was: order.Memory{State: o.State, Reason: o.Reason, Since: o.Since}}
	for i := range rows {
		place(&f, &rows[i])
	}
	for _, t := range tasks {
		f.Tasks = append(f.Tasks, order.Task{Kind: t.Kind, Progress: t.Progress})
	}
	if o.Refusal.Times > 0 {
		refusal := o.Refusal
		f.Skipped = &refusal
	}
	return f
}

// place puts a row where it belongs. Of several for one event the best proved
// counts. One that was final and is gone means that finality was broken.
func place(f *order.Facts, row *journal.Fact) {
	if row.Gone {
		if row.Proof >= order.Final {
			f.Fell = row.Chain
		}
		return
	}
	at := map[order.Event]**order.Fact{
		order.EventOpened: &f.Opened, order.EventPaid: &f.Paid, order.EventCancelled: &f.Cancelled, order.EventRefunded: &f.Refunded,
		order.EventReleased: &f.Released, order.EventReclaimed: &f.Reclaimed, order.EventCredited: &f.Credited, order.EventClaimed: &f.Claimed,
	}[row.Event]
	if at != nil && (*at == nil || (*at).Proof < row.Proof) {
		*at = &row.Fact
	}
}

// unminted reports whether what was burned back is still to be minted. A refund
// always burns, so one whose burn is not known yet is unminted too; an owner
// who reclaims may take the deposit where it is. A burn that only one endpoint gave
// counts while no other is known.
func unminted(burns []journal.Burn, id order.ID, refunded bool) bool {
	back := slices.DeleteFunc(slices.Clone(burns), func(b journal.Burn) bool {
		return b.Way != string(burn.Back) || b.Order != id && !b.Order.IsZero()
	})
	if known := journal.Real(back); len(known) > 0 {
		back = known
	}
	waits := func(b journal.Burn) bool { // to be delivered, or its mint can still be reorganised away
		return !b.NextAsk.IsZero() && !b.Arrived()
	}
	return refunded && len(back) == 0 || slices.ContainsFunc(back, waits)
}
