package writer

import (
	"context"
	"time"

	"hubquote/internal/settle/budget"
	"hubquote/internal/settle/evidence"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy"
	"hubquote/internal/settle/policy/step"
	"hubquote/internal/settle/watch"
	"hubquote/internal/settle/world"
	"hubquote/swap"
)

// An item is an order to decide about.
type item struct {
	o       journal.Order
	f       order.Facts
	wishes  []journal.Wish // open ones; the last counts
	step    step.Step
	task    int64 // the open task of the step, if it sends something
	alarmed bool  // a new alarm was raised
	stale   bool  // the step was decided without the latest news, and does not count
}

// due reads the orders that are due, and those that an operator wishes
// something for.
func (w *Writer) due(ctx context.Context, room int) ([]*item, error) {
	r := w.opts.Journal
	orders, err := r.OrdersDue(ctx, w.opts.Now(), room)
	if err != nil {
		return nil, err
	}
	wishes, err := w.wishes(ctx, &orders)
	if err != nil {
		return nil, err
	}
	facts, err := evidence.Of(ctx, r, orders)
	if err != nil {
		return nil, err
	}
	var items []*item
	for i := range orders {
		t := &item{o: orders[i], f: facts[i], wishes: wishes[orders[i].ID]}
		t.f.Forget(order.Agreed)
		if n := len(t.wishes); n > 0 {
			t.f.Wish = t.wishes[n-1].Verb
		}
		items = append(items, t)
	}
	return items, nil
}

// wishes reads the open wishes and adds the orders of those that are new. A wish
// that was decided about once stays open until its order has got there, and is
// looked at again with its order.
func (w *Writer) wishes(ctx context.Context, orders *[]journal.Order) (map[order.ID][]journal.Wish, error) {
	open, err := w.opts.Journal.WishesOpen(ctx)
	if err != nil || len(open) == 0 {
		clear(w.heard)
		return nil, err
	}
	listed := map[order.ID]bool{}
	for _, o := range *orders {
		listed[o.ID] = true
	}
	of := map[order.ID][]journal.Wish{}
	for _, wish := range open {
		if wish.Verb == order.WishTrust {
			continue // a chain's
		}
		of[wish.Subject] = append(of[wish.Subject], wish)
		if listed[wish.Subject] || w.heard[wish.ID] {
			continue
		}
		o, found, err := w.opts.Journal.Order(ctx, wish.Subject)
		switch {
		case err != nil:
			return nil, err
		case !found:
			err = w.end(ctx, wish, "there is no such order")
		default:
			listed[o.ID] = true
			*orders = append(*orders, o)
		}
		if err != nil {
			return nil, err
		}
	}
	return of, nil
}

func (w *Writer) end(ctx context.Context, wish journal.Wish, result string) error {
	return w.opts.Write(ctx, func(tx journal.Tx) error { return tx.EndWish(ctx, wish.ID, w.opts.Now(), result) })
}

// look puts the world together. Contracts are asked about only for orders that
// may be paid, released or returned now: an order that waits for finality or for
// its transaction costs no call.
func (w *Writer) look(ctx context.Context, items []*item) (*world.World, error) {
	around := &world.World{
		Tags: map[swap.ChainID]world.Tag{}, Contracts: map[order.Pool]world.Contract{},
		Fees: map[swap.ChainID]world.Fees{}, Left: map[world.Budget]swap.Amount{},
	}
	var pools []order.Pool
	seen := map[order.Pool]bool{}
	w.opts.Watch.Tags(around)
	for _, t := range items {
		for _, p := range t.pools() {
			if !seen[p] && !w.waits(t, around) {
				seen[p] = true
				pools = append(pools, p)
			}
		}
	}
	if err := w.opts.Watch.World(ctx, around, pools...); err != nil && ctx.Err() == nil {
		w.opts.Log.Warn("the state of some contracts is unknown", "err", err)
	}
	for chain, tag := range around.Tags {
		tag.Broken = tag.Broken || w.opts.Alerts.Stops(chain)
		around.Tags[chain] = tag
	}
	w.opts.Lanes.World(around)
	return around, budget.Complete(ctx, w.opts.Now(), w.opts.Journal, w.opts.Limits, around)
}

// waits reports whether an order waits for a block or for its transaction, whatever
// its contracts say. A pool that was removed is asked: its orders are cancelled.
func (w *Writer) waits(t *item, around *world.World) bool {
	s := policy.Next(w.opts.Now(), t.o.Order, t.f, *around, w.opts.Rules)
	payer, listed := w.opts.Roster.At(t.o.Dst)
	return s.Do == step.Wait && (s.Reason == order.Finality || s.Reason == order.InFlight) && listed && !payer.Removed
}

// pools are the contracts that the order's next step may depend on.
func (t *item) pools() []order.Pool {
	f := &t.f
	if f.Opened == nil || f.Opened.Proof < order.Agreed || f.Refunded != nil || f.Reclaimed != nil || f.Released != nil {
		return nil
	}
	if f.Paid != nil && !f.Paid.IsFinal() {
		return nil
	}
	if t.o.Unpayable() || f.Paid != nil {
		return []order.Pool{t.o.Src}
	}
	return []order.Pool{t.o.Src, t.o.Dst}
}

// decide asks policy about every order, and about those that something would be
// sent for, that are past their deadline, or whose facts contradict each other, a
// second time with what the contracts themselves say: the logs of one chain may be
// read before those of the other.
func (w *Writer) decide(ctx context.Context, items []*item, around *world.World) {
	now := w.opts.Now()
	var ask []journal.Order
	for _, t := range items {
		t.step = policy.Next(now, t.o.Order, t.f, *around, w.opts.Rules)
		if t.step.Do == step.Send || t.late(now) || t.step.Reason == order.Inconsistent {
			ask = append(ask, t.open())
		}
	}
	if len(ask) == 0 {
		return
	}
	records, err := w.opts.Watch.Records(ctx, ask)
	if err != nil && ctx.Err() == nil {
		w.opts.Log.Warn("the records of some orders are unknown", "err", err)
	}
	for _, t := range items {
		if r, asked := records[t.o.ID]; asked {
			t.again(now, r, around, w)
		}
	}
}

// open returns the order with the contracts whose record of it is not decided: a
// destination whose payment is final need not be asked.
func (t *item) open() journal.Order {
	o := t.o
	if t.f.Paid.IsFinal() {
		o.Dst = order.Pool{}
	}
	return o
}

func (t *item) again(now time.Time, r watch.Record, around *world.World, w *Writer) {
	t.f.Held, t.f.Settlement = r.Held, r.Settlement
	t.step = policy.Next(now, t.o.Order, t.f, *around, w.opts.Rules)
}

// late reports whether the order is past its deadline and still open, so that
// only the contracts can say what to do.
func (t *item) late(now time.Time) bool {
	return !now.Before(t.o.Deadline) && t.f.Refunded == nil && t.f.Reclaimed == nil && t.f.Released == nil
}
