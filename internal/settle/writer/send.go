package writer

import (
	"context"
	"errors"
	"time"

	"hubquote/internal/contract"
	"hubquote/internal/settle/call"
	"hubquote/internal/settle/dispatch"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/lane"
	"hubquote/internal/settle/policy/step"
	"hubquote/internal/settle/send"
	"hubquote/internal/settle/watch/event"
	"hubquote/internal/settle/world"
)

// send packs the steps into calls and gives them to the lanes. What does not
// fit is due again soon.
func (w *Writer) send(ctx context.Context, items []*item, around *world.World) error {
	steps, byID := w.sendable(ctx, items)
	bodies := map[order.ID][]byte{}
	for id, t := range byID {
		bodies[id] = t.o.Body
	}
	gas := func(k order.Kind, at order.Pool) lane.Gas { return call.Gas(w.opts.Roster, k, at) }
	for _, b := range w.split(lane.Pack(steps, *around, gas, w.opts.Lanes.Free())) {
		c, err := call.Of(b, bodies, w.opts.Roster)
		if err != nil {
			return err
		}
		w.opts.Lanes.Do(dispatch.Job{Chain: b.At.Chain, Batch: b, Call: send.Call{
			To: c.At.Address, Data: c.Data, Gas: c.Gas, Least: c.Least, Tasks: reserved(b, byID), Caps: w.opts.Limits.Exposure,
		}})
	}
	return nil
}

// sendable returns the steps whose task no lane has yet. A payment before
// finality is proved again first.
func (w *Writer) sendable(ctx context.Context, items []*item) ([]step.Step, map[order.ID]*item) {
	var again []journal.Order
	for _, t := range items {
		if t.step.Do == step.Send && t.step.Send.Reproof {
			again = append(again, t.o)
		}
	}
	proved := map[order.ID]bool{}
	if len(again) > 0 {
		var err error
		if proved, err = w.opts.Watch.Reprove(ctx, again); err != nil && ctx.Err() == nil {
			w.opts.Log.Warn("some deposits cannot be proved again", "err", err)
		}
	}
	var steps []step.Step
	byID := map[order.ID]*item{}
	for _, t := range items {
		if t.step.Do == step.Send && t.task != 0 && !w.opts.Lanes.Has(t.task) && (!t.step.Send.Reproof || proved[t.o.ID]) {
			steps = append(steps, t.step)
			byID[t.o.ID] = t
		}
	}
	return steps, byID
}

func reserved(b lane.Batch, byID map[order.ID]*item) (list []journal.Reserved) {
	for _, t := range b.Tasks {
		list = append(list, journal.Reserved{Task: byID[t.Order].task, Amount: t.Reserve()})
	}
	return list
}

// split takes orders whose batch was refused out of their batches, so that one
// bad order does not hold up the others.
func (w *Writer) split(batches []lane.Batch) (list []lane.Batch) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, b := range batches {
		rest := lane.Batch{Kind: b.Kind, At: b.At}
		for _, t := range b.Tasks {
			if w.single[t.Order] {
				list = append(list, lane.Batch{Kind: b.Kind, At: b.At, Tasks: []step.Task{t}})
				continue
			}
			rest.Tasks = append(rest.Tasks, t)
		}
		if len(rest.Tasks) > 0 {
			list = append(list, rest)
		}
	}
	return list
}

// Done takes note of what became of a job with a batch.
func (w *Writer) Done(ctx context.Context, j dispatch.Job, err error) {
	w.alone(j.Batch, false)
	var refused *send.Refused
	switch {
	case err == nil:
		w.opts.Log.Info("sent", "kind", j.Batch.Kind, "chain", j.Chain, "orders", len(j.Batch.Tasks))
	case errors.As(err, &refused) || errors.Is(err, send.ErrGas):
		w.opts.Log.Warn("refused", "kind", j.Batch.Kind, "chain", j.Chain, "orders", len(j.Batch.Tasks), "why", explain(refused), "err", err)
		if e := w.refused(ctx, j, refused); e != nil && ctx.Err() == nil {
			w.opts.Log.Warn("cannot record a refusal", "err", e)
		}
	case errors.Is(err, send.ErrBusy): // it is due again soon
	case ctx.Err() == nil:
		w.opts.Log.Warn("not sent", "kind", j.Batch.Kind, "chain", j.Chain, "err", err)
	}
	w.Changed()
}

func (w *Writer) alone(b lane.Batch, alone bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, t := range b.Tasks {
		delete(w.single, t.Order)
		if alone {
			w.single[t.Order] = true
		}
	}
}

// refused decides about a call that would revert. A batch is tried one by one;
// a payment that may owe is the order's own refusal; a claim counts as pushed;
// all else is tried again later, or at once when there is news.
func (w *Writer) refused(ctx context.Context, j dispatch.Job, r *send.Refused) error {
	if len(j.Batch.Tasks) > 1 {
		w.alone(j.Batch, true)
		return nil
	}
	t, task := j.Batch.Tasks[0], j.Call.Tasks[0].Task
	return w.opts.Write(ctx, func(tx journal.Tx) error {
		o, _, err := tx.Order(ctx, t.Order)
		if err != nil {
			return err
		}
		end := order.Void
		if t.Kind == order.Claim {
			end = order.Done
		}
		if err := tx.EndTask(ctx, task, end); err != nil {
			return err
		}
		news := o.NotBefore.Before(time.UnixMilli(1)) // as [journal.Tx.Due] leaves it
		now := w.opts.Now()
		if why := refusal(r, o.Refusal.Times+1, now); t.Kind == order.Pay && t.Alone && why.Why != "" {
			if err := tx.SetRefusal(ctx, o.ID, why); err != nil {
				return err
			}
		}
		if news {
			return nil // what came since it was decided is looked at first
		}
		return tx.SetState(ctx, o.ID, journal.Decision{State: o.State, Reason: o.Reason, At: now, NotBefore: now.Add(w.opts.Rules.RetryAfter)})
	})
}

// refusal is what the contract's error says about the order, for the nth time.
func refusal(r *send.Refused, times int, now time.Time) order.Refusal {
	why := event.RefusalOf(selector(r))
	why.At, why.Times = now, times
	return why
}

func selector(r *send.Refused) (s [4]byte) {
	if r != nil {
		s = r.Selector()
	}
	return s
}

func explain(r *send.Refused) string {
	if r == nil {
		return ""
	}
	return contract.ErrorOf(r.Data)
}
