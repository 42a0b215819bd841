package term

import (
	"cmp"
	"context"
	"errors"
	"time"

	"hubquote/internal/contract"
	"hubquote/internal/settle/call"
	"hubquote/internal/settle/dispatch"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/roster"
	"hubquote/internal/settle/send"
	"hubquote/internal/settler/network"
	"hubquote/swap"
)

// carrying is the most gas that delivering a burn may take.
const carrying = 1_000_000

func (t *Term) carrySoon() {
	select {
	case t.ready <- struct{}{}:
	default:
	}
}

// carry gives the tasks that burns made to the lanes.
func (t *Term) carry(ctx context.Context) error {
	return every(ctx, cmp.Or(t.opts.Pace.Round, time.Second), t.ready, func() error {
		for id, room := range t.dispatcher.Free() {
			if err := t.carryOn(ctx, id, room-len(t.opts.Signers)*network.Of(id).InFlight/kept); err != nil {
				return err
			}
		}
		return nil
	})
}

// kept is the part of a lane, one in so many, that burns leave to orders: a
// thousand burns must not hold up a payment or a release.
const kept = 4

func (t *Term) carryOn(ctx context.Context, id swap.ChainID, room int) error {
	if room <= 0 {
		return nil
	}
	tasks, err := t.opts.Journal.TasksReady(ctx, id)
	if err != nil {
		return err
	}
	for _, task := range tasks {
		taken, err := t.deliver(ctx, task)
		if err != nil && ctx.Err() == nil {
			t.opts.Log.Warn("cannot deliver a burn", "task", task.ID, "chain", task.Chain, "err", err)
		}
		if taken {
			room--
		}
		if room <= 0 {
			break
		}
	}
	return nil
}

// deliver gives a task of a burn to a lane, unless one has it.
func (t *Term) deliver(ctx context.Context, task journal.Task) (taken bool, err error) {
	if task.Kind != order.Relay && task.Kind != order.Deliver || t.dispatcher.Has(task.ID) {
		return false, nil
	}
	c, err := t.Burns.Call(ctx, task)
	if err != nil {
		return false, err
	}
	return t.dispatcher.Do(dispatch.Job{Chain: c.Chain, Task: task, Call: send.Call{
		To: c.To, Data: c.Data, Gas: carrying, Tasks: []journal.Reserved{{Task: task.ID}}, Caps: t.opts.Limits.Exposure,
	}}), nil
}

// sweep sends what receivers have freed to their pools. It is tried with one
// task again and again: a receiver with nothing to sweep refuses.
func (t *Term) sweep(ctx context.Context) error {
	return every(ctx, cmp.Or(t.opts.Pace.Sweep, time.Hour), nil, func() error {
		for _, c := range t.roster {
			if c.Kind != roster.Receiver || t.opts.Networks[c.Chain] == nil {
				continue
			}
			if err := t.sweepOne(ctx, c.Pool); err != nil && ctx.Err() == nil {
				t.opts.Log.Warn("cannot sweep a receiver", "chain", c.Chain, "err", err)
			}
		}
		return nil
	})
}

func (t *Term) sweepOne(ctx context.Context, receiver order.Pool) error {
	var subject order.Hash
	copy(subject[12:], receiver.Address[:])
	task := journal.Task{Subject: subject, Kind: order.Sweep, Chain: receiver.Chain, Made: time.Now()}
	sent := false
	err := t.write(ctx, func(tx journal.Tx) error {
		tasks, err := tx.Tasks(ctx, subject)
		if err != nil {
			return err
		}
		for _, have := range tasks {
			sent = sent || have.Progress == order.Sent
			if have.Progress == order.Ready {
				task = have
			}
		}
		if !sent && task.ID == 0 {
			task.ID, err = tx.AddTask(ctx, task)
		}
		return err
	})
	if err != nil || sent || t.dispatcher.Has(task.ID) {
		return err
	}
	c := call.Sweep(receiver)
	t.dispatcher.Do(dispatch.Job{Chain: receiver.Chain, Task: task, Call: send.Call{
		To: c.At.Address, Data: c.Data, Gas: c.Gas, Tasks: []journal.Reserved{{Task: task.ID}}, Caps: t.opts.Limits.Exposure,
	}})
	return nil
}

// done takes note of what became of a job.
func (t *Term) done(ctx context.Context, j dispatch.Job, err error) {
	if len(j.Batch.Tasks) > 0 {
		t.Writer.Done(ctx, j, err)
		return
	}
	var refused *send.Refused
	switch {
	case err == nil:
		t.opts.Log.Info("sent", "kind", j.Task.Kind, "chain", j.Chain)
	case errors.As(err, &refused) && j.Task.Kind == order.Sweep: // nothing to sweep
	case errors.As(err, &refused):
		t.report(ctx, j, t.Burns.Refused(ctx, j.Task, contract.ErrorOf(refused.Data)))
	case errors.Is(err, send.ErrGas) && j.Task.Kind != order.Sweep:
		t.report(ctx, j, t.Burns.Refused(ctx, j.Task, err.Error()))
	default:
		t.report(ctx, j, err)
	}
}

func (t *Term) report(ctx context.Context, j dispatch.Job, err error) {
	if err != nil && !errors.Is(err, send.ErrBusy) && ctx.Err() == nil {
		t.opts.Log.Warn("not sent", "kind", j.Task.Kind, "chain", j.Chain, "err", err)
	}
}
