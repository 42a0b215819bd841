package writer

import (
	"context"
	"errors"
	"slices"
	"time"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/step"
	"hubquote/internal/settle/wish"
	"hubquote/internal/settle/world"
)

// record writes every decision, its task and the ends of wishes in one
// transaction, then tells the alerts.
func (w *Writer) record(ctx context.Context, items []*item) error {
	now := w.opts.Now()
	err := w.opts.Write(ctx, func(tx journal.Tx) error {
		have, err := present(ctx, tx, items)
		if err != nil {
			return err
		}
		for _, t := range items {
			if err := w.put(ctx, tx, now, t, have); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, t := range items {
		if t.stale {
			t.step = step.Step{}
			w.Changed()
			continue
		}
		for _, x := range t.wishes {
			w.heard[x.ID] = true
		}
		w.opts.Alerts.Set(now, t.o.ID, slices.DeleteFunc(t.step.Alerts, func(a step.Alert) bool { return keeps(&t.step, a) }))
		if t.step.State != t.o.State {
			w.opts.Log.Info("order", "id", t.o.ID, "was", t.o.State, "is", t.step.State, "reason", t.step.Reason, "from", t.o.Src.Chain, "to", t.o.Dst.Chain)
		}
	}
	return nil
}

// An instant is what may have changed since the orders were read.
type instant struct {
	notBefore map[order.ID]time.Time
	tasks     map[order.Hash][]journal.Task
}

func present(ctx context.Context, tx journal.Tx, items []*item) (have instant, err error) {
	ids := make([]order.ID, len(items))
	for i, t := range items {
		ids[i] = t.o.ID
	}
	if have.notBefore, err = tx.NotBefore(ctx, ids); err == nil {
		have.tasks, err = tx.TasksBy(ctx, ids)
	}
	return have, err
}

func (w *Writer) put(ctx context.Context, tx journal.Tx, now time.Time, t *item, have instant) error {
	if t.stale = !have.notBefore[t.o.ID].Equal(t.o.NotBefore); t.stale {
		return nil // news came since it was read: it is still due
	}
	t.alarmed = false
	if err := errors.Join(w.keep(ctx, tx, now, t), w.plan(ctx, tx, now, t, have.tasks[t.o.ID])); err != nil {
		return err
	}
	if t.f.Wish == order.WishRetry && t.f.Skipped != nil {
		if err := tx.SetRefusal(ctx, t.o.ID, order.Refusal{}); err != nil {
			return err
		}
	}
	for i, open := range t.wishes {
		text, over := wish.Result(open.Verb, t.step)
		if last := i == len(t.wishes)-1; !last {
			text, over = "replaced by a later wish", true
		}
		if over {
			if err := tx.EndWish(ctx, open.ID, now, text); err != nil {
				return err
			}
		}
	}
	return tx.SetState(ctx, t.o.ID, journal.Decision{State: t.step.State, Reason: t.step.Reason, At: now, NotBefore: w.next(now, t)})
}

// plan makes the task of a step, unless it is there, and ends ready ones that
// the step does not want. One that a lane has is left to it, and nothing else is
// sent for the order meanwhile.
func (w *Writer) plan(ctx context.Context, tx journal.Tx, now time.Time, t *item, tasks []journal.Task) (err error) {
	want := t.step.Send
	t.task = 0
	for _, have := range tasks {
		wanted := want != nil && have.Kind == want.Kind && have.Basis == string(want.Basis)
		switch {
		case have.Progress == order.Sent && want != nil && have.Kind == want.Kind, have.Progress == order.Ready && !wanted && w.opts.Lanes.Has(have.ID):
			t.step.Send, t.step.Do, want = nil, step.Wait, nil // an earlier one is under way, or with a lane
		case have.Progress != order.Ready:
		case wanted:
			t.task = have.ID
		default:
			if err := tx.EndTask(ctx, have.ID, order.Void); err != nil {
				return err
			}
		}
	}
	if want == nil || t.task != 0 {
		return nil
	}
	t.task, err = tx.AddTask(ctx, journal.Task{
		Subject: t.o.ID, Kind: want.Kind, Chain: want.At.Chain, Basis: string(want.Basis), Tag: want.Tag, Made: now, Loss: loses(want),
	})
	return err
}

func loses(t *step.Task) bool {
	for _, n := range t.Needs {
		if n.Budget.Limit == world.Subsidy {
			return true
		}
	}
	return false
}

// The longest pauses before an order is looked at again without news.
const (
	rarely = 10 * time.Minute // for one that only news can move
	seldom = time.Minute      // for one that waits for a pool or a chain
)

// newsOnly are the reasons that end with a fact, which makes the order due.
var newsOnly = map[order.Reason]bool{
	order.Finality: true, order.InFlight: true, order.Reorganised: true, order.Undelivered: true, order.Unclaimed: true, order.Operator: true,
	order.Inconsistent: true, order.Deadline: true,
}

// next is when the order is looked at again. What waits for a pool or a chain
// is looked at the more rarely the longer it has waited, and the more of them there
// are, so that a hundred thousand cost little.
func (w *Writer) next(now time.Time, t *item) time.Time {
	pause := rarely
	if !newsOnly[t.step.Reason] {
		since := t.o.Since
		if t.step.State != t.o.State {
			since = now
		}
		again := w.opts.Again
		if t.step.Do == step.Wait {
			again *= time.Duration(max(1, w.full))
		}
		pause = min(max(now.Sub(since)/8, again), max(seldom, w.opts.Again))
	}
	at := now.Add(pause)
	if u := t.step.Until; !u.IsZero() && u.Before(at) {
		return u
	}
	return at
}
