// Package finish ends the tasks whose transaction is in a block. A receipt says
// nothing about an order, since a batch skips orders and succeeds: a task is
// done when an event that endpoints agree on names its order, or the contract's
// own record shows the effect, and void when the record shows that there was none.
package finish

import (
	"context"
	"time"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/watch"
	"hubquote/swap"
)

// A Watcher knows how far the logs of a chain are in the journal, and asks the
// contracts.
type Watcher interface {
	Passed(chain swap.ChainID) uint64
	Records(ctx context.Context, orders []journal.Order) (map[order.ID]watch.Record, error)
}

// events are what a task of each kind leaves behind. Claims name no order, and
// count as pushed; burns end their own tasks.
var events = map[order.Kind]order.Event{
	order.Pay: order.EventPaid, order.Cancel: order.EventCancelled, order.Release: order.EventReleased,
	order.Refund: order.EventRefunded, order.Reclaim: order.EventReclaimed,
}

// Round ends what can be ended, and returns those tasks.
func Round(ctx context.Context, r journal.Reader, write func(context.Context, func(journal.Tx) error) error, w Watcher) ([]journal.Task, error) {
	mined, err := r.TasksMined(ctx)
	if err != nil || len(mined) == 0 {
		return nil, err
	}
	ends := map[int64]order.Progress{}
	var silent []journal.Mined // no event names their order
	for _, m := range mined {
		switch end, err := told(ctx, r, w, m); {
		case err != nil:
			return nil, err
		case end == order.Ready:
		case end == order.Sent:
			silent = append(silent, m)
		default:
			ends[m.ID] = end
		}
	}
	if err := ask(ctx, r, w, silent, ends); err != nil || len(ends) == 0 {
		return nil, err
	}
	return apply(ctx, write, mined, ends)
}

func apply(ctx context.Context, write func(context.Context, func(journal.Tx) error) error, mined []journal.Mined, ends map[int64]order.Progress) (done []journal.Task, err error) {
	err = write(ctx, func(tx journal.Tx) error {
		done = nil
		for _, m := range mined {
			end, over := ends[m.ID]
			if !over {
				continue
			}
			if err := tx.EndTask(ctx, m.ID, end); err != nil {
				return err
			}
			m.Progress = end
			done = append(done, m.Task)
		}
		return nil
	})
	return done, err
}

// told returns how the journal says that a task ended, [order.Ready] when it is
// too early to tell or not ours to, and [order.Sent] when it says nothing.
func told(ctx context.Context, r journal.Reader, w Watcher, m journal.Mined) (order.Progress, error) {
	event, ours := events[m.Kind]
	switch {
	case m.State == journal.NonceForeign:
		return order.Void, nil
	case m.Kind == order.Claim || m.Kind == order.Sweep:
		return order.Done, nil
	case !ours || w.Passed(m.Chain) < m.Block:
		return order.Ready, nil
	}
	facts, err := r.Facts(ctx, m.Subject)
	progress := order.Sent
	for _, f := range facts {
		skipped := f.Event == order.EventSkipped && f.Block == m.Block && f.Proof < order.Agreed
		switch {
		case f.Chain != m.Chain || f.Event != event && !skipped || f.Gone:
		case f.Proof >= order.Agreed:
			return order.Done, err
		case time.Since(f.Time).Abs() < judging: // the clocks of chains may be ahead
			progress = order.Ready // a refusal, once it is agreed on, says when to try again
		}
	}
	return progress, err
}

// judging is how long an event that one endpoint tells is waited for: others are
// asked about it right away, and the contracts need not be asked as well.
const judging = time.Minute

// ask has the contracts judge. What they do not answer stays open.
func ask(ctx context.Context, r journal.Reader, w Watcher, silent []journal.Mined, ends map[int64]order.Progress) error {
	var orders []journal.Order
	for _, m := range silent {
		o, found, err := r.Order(ctx, m.Subject)
		if err != nil {
			return err
		}
		if found {
			orders = append(orders, changed(m.Kind, o))
		}
	}
	if len(orders) == 0 {
		return nil
	}
	records, _ := w.Records(ctx, orders) // what could not be asked is not known
	for _, m := range silent {
		if end, known := judge(m, records[m.Subject]); known {
			ends[m.ID] = end
		}
	}
	return nil
}

// changed returns the order with the one contract whose record a task changes.
func changed(k order.Kind, o journal.Order) journal.Order {
	if k == order.Pay || k == order.Cancel {
		o.Src = order.Pool{}
	} else {
		o.Dst = order.Pool{}
	}
	return o
}

// judge compares a task with the record that it would have changed. A record
// from before its block says nothing.
func judge(m journal.Mined, r watch.Record) (order.Progress, bool) {
	var done bool
	switch m.Kind {
	case order.Pay, order.Cancel:
		want := map[order.Kind]order.Settlement{order.Pay: order.SettledPaid, order.Cancel: order.SettledCancelled}
		if !r.Settlement.OK || r.Settlement.Block < m.Block {
			return "", false
		}
		done = r.Settlement.Value == want[m.Kind]
	default:
		if !r.Held.OK || r.Held.Block < m.Block {
			return "", false
		}
		done = r.Held.Value == order.NotHeld
	}
	if done {
		return order.Done, true
	}
	return order.Void, true
}
