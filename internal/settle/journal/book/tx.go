// Package book is the writing half of the journal, the same for every database:
// its schema, its lease and its transactions. Only a writer with the last epoch
// may use a [Tx].
package book

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/journal/table"
	"hubquote/internal/settle/journal/view"
	"hubquote/internal/settle/order"
	"hubquote/swap"
)

// A Tx writes inside a transaction of the writer with this epoch.
type Tx struct {
	view.View
	Epoch int64
}

var _ journal.Tx = Tx{}

// SetCursor implements [journal.Tx].
func (t Tx) SetCursor(ctx context.Context, c journal.Cursor) error {
	return view.Cursors.Put(ctx, t.Q, c)
}

// SetCensus implements [journal.Tx].
func (t Tx) SetCensus(ctx context.Context, c journal.Census) error {
	return view.Census.Put(ctx, t.Q, c)
}

// PutFact implements [journal.Tx].
func (t Tx) PutFact(ctx context.Context, f journal.Fact) error {
	return errors.Join(view.Facts.Put(ctx, t.Q, f), t.Due(ctx, f.Order))
}

// due is another value each time, so that a decision that was made without the
// news can be told from one that was made with it.
const due = "UPDATE orders SET not_before = CASE WHEN not_before > 0 THEN 0 ELSE not_before - 1 END WHERE id = "

// Due implements [journal.Tx]. A burn's key is no order, and nothing happens.
func (t Tx) Due(ctx context.Context, id order.ID) error {
	_, err := t.Q.ExecContext(ctx, due+"$1", id)
	return err
}

// PutBurn implements [journal.Tx].
func (t Tx) PutBurn(ctx context.Context, b journal.Burn) error { return view.Burns.Put(ctx, t.Q, b) }

// SetNonce implements [journal.Tx].
func (t Tx) SetNonce(ctx context.Context, n journal.Nonce) error { return view.Nonces.Put(ctx, t.Q, n) }

// PutOrder implements [journal.Tx].
func (t Tx) PutOrder(ctx context.Context, o journal.Order) error {
	if !o.State.Valid() {
		return fmt.Errorf("order %v: unknown state %q", o.ID, o.State)
	}
	if err := t.Due(ctx, o.ID); err != nil {
		return err
	}
	kept := []string{"state", "reason", "since", "not_before", "revision", "refused_why", "refused_end", "refused_at", "refusals"}
	err := view.Orders.Put(ctx, t.Q, o, kept...)
	if err != nil || o.Proof < order.Final {
		return err
	}
	_, err = t.Q.ExecContext(ctx, "UPDATE tasks SET reserved = '0' WHERE subject = $1 AND reserved <> '0'", o.ID)
	return err
}

// SetState implements [journal.Tx].
func (t Tx) SetState(ctx context.Context, id order.ID, d journal.Decision) error {
	o, found, err := t.Order(ctx, id)
	switch {
	case err != nil:
		return err
	case !found:
		return fmt.Errorf("order %v: %w", id, table.ErrAbsent)
	case !d.State.Valid():
		return fmt.Errorf("order %v: unknown state %q", id, d.State)
	}
	if d.State.Step() < o.State.Step() {
		o.Revision++
	}
	if d.State != o.State {
		o.Since = d.At
	}
	return table.Change(ctx, t.Q, "UPDATE orders SET state = $1, reason = $2, since = $3, not_before = $4, revision = $5 WHERE id = $6",
		d.State, d.Reason, (*table.Moment)(&o.Since), (*table.Moment)(&d.NotBefore), o.Revision, id)
}

// SetRefusal implements [journal.Tx].
func (t Tx) SetRefusal(ctx context.Context, id order.ID, r order.Refusal) error {
	return table.Change(ctx, t.Q, "UPDATE orders SET refused_why = $1, refused_end = $2, refused_at = $3, refusals = $4 WHERE id = $5",
		r.Why, r.ForGood, (*table.Moment)(&r.At), r.Times, id)
}

// AddTask implements [journal.Tx].
func (t Tx) AddTask(ctx context.Context, task journal.Task) (int64, error) {
	last, _, err := view.Tasks.One(ctx, t.Q, "ORDER BY id DESC LIMIT 1")
	if err != nil {
		return 0, err
	}
	task.ID, task.Progress, task.Reserved = last.ID+1, order.Ready, swap.Amount{}
	return task.ID, view.Tasks.Insert(ctx, t.Q, task)
}

// EndTask implements [journal.Tx].
func (t Tx) EndTask(ctx context.Context, id int64, p order.Progress) error {
	ends := map[order.Progress]string{order.Done: "progress = 'done'", order.Void: "progress = 'void', reserved = '0'"}
	set, ok := ends[p]
	if !ok {
		return fmt.Errorf("task %d cannot end as %q", id, p)
	}
	if err := table.Change(ctx, t.Q, "UPDATE tasks SET "+set+" WHERE id = $1", id); err != nil {
		return err
	}
	_, err := t.Q.ExecContext(ctx, due+"(SELECT subject FROM tasks WHERE id = $1)", id)
	return err
}

// Commit implements [journal.Tx].
func (t Tx) Commit(ctx context.Context, a journal.Attempt, carried []journal.Reserved, caps map[order.Pool]swap.Amount) error {
	if err := t.follows(ctx, a); err != nil {
		return err
	}
	n := journal.Nonce{Chain: a.Chain, Key: a.Key, Nonce: a.Nonce, State: journal.NonceSent, Filler: len(carried) == 0}
	if err := view.Nonces.Insert(ctx, t.Q, n); err != nil {
		return err
	}
	for _, c := range carried {
		err := table.Change(ctx, t.Q, "UPDATE tasks SET progress = 'sent', reserved = "+
			"CASE WHEN EXISTS (SELECT 1 FROM orders WHERE orders.id = subject AND proof >= 4) THEN '0' ELSE $1 END WHERE id = $2 AND progress = 'ready'", &c.Amount, c.Task)
		if err != nil {
			return fmt.Errorf("task %d: %w", c.Task, errors.Join(journal.ErrTask, err))
		}
		if err := view.Links.Insert(ctx, t.Q, journal.Link{Chain: a.Chain, Key: a.Key, Nonce: a.Nonce, Task: c.Task}); err != nil {
			return err
		}
	}
	if len(carried) > 0 { // a filler reserves nothing and must never wait
		if err := t.within(ctx, caps); err != nil {
			return err
		}
	}
	return t.AddAttempt(ctx, a)
}

// follows reports an error unless the nonce is the next one, or fills the gap
// just below those the journal knows.
func (t Tx) follows(ctx context.Context, a journal.Attempt) error {
	const ours = "WHERE chain = $1 AND key = $2 ORDER BY nonce "
	low, found, err := view.Nonces.One(ctx, t.Q, ours+"LIMIT 1", a.Chain, (*table.Address)(&a.Key))
	if err != nil || !found {
		return err
	}
	high, _, err := view.Nonces.One(ctx, t.Q, ours+"DESC LIMIT 1", a.Chain, (*table.Address)(&a.Key))
	if err == nil && a.Nonce != high.Nonce+1 && a.Nonce+1 != low.Nonce {
		err = fmt.Errorf("nonce %d on chain %d, have %d to %d: %w", a.Nonce, a.Chain, low.Nonce, high.Nonce, journal.ErrNonce)
	}
	return err
}

// within reports an error if more is reserved than the caps allow. A token
// without a cap may have no exposure at all.
func (t Tx) within(ctx context.Context, caps map[order.Pool]swap.Amount) error {
	sums, err := t.Exposure(ctx)
	for token, sum := range sums {
		if limit := caps[token]; sum.Gt(&limit) {
			return fmt.Errorf("chain %d, token %v: %s of %s: %w", token.Chain, token.Address, sum.Dec(), limit.Dec(), journal.ErrExposure)
		}
	}
	return err
}

// AddAttempt implements [journal.Tx].
func (t Tx) AddAttempt(ctx context.Context, a journal.Attempt) error {
	n, found, err := view.Nonces.One(ctx, t.Q, "WHERE chain = $1 AND key = $2 AND nonce = $3", a.Chain, (*table.Address)(&a.Key), a.Nonce)
	if err != nil || !found || n.State != journal.NonceSent {
		return errors.Join(journal.ErrNonce, err)
	}
	a.Epoch, a.Sent, a.Sends, a.LastError = t.Epoch, time.Time{}, 0, ""
	return view.Attempts.Insert(ctx, t.Q, a)
}

// MarkSent implements [journal.Tx].
func (t Tx) MarkSent(ctx context.Context, hash order.Hash, at time.Time, failure string) error {
	return table.Change(ctx, t.Q, "UPDATE attempts SET sent = CASE WHEN sent = 0 THEN $1 ELSE sent END, sends = sends + 1, last_error = $2 WHERE hash = $3",
		at.UnixMilli(), failure, hash)
}

// EndWish implements [journal.Tx].
func (t Tx) EndWish(ctx context.Context, id order.Hash, at time.Time, result string) error {
	return table.Change(ctx, t.Q, "UPDATE wishes SET done = $1, result = $2 WHERE id = $3 AND done = 0", at.UnixMilli(), result, id)
}
