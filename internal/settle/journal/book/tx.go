// Package book is the writing half of the journal, the same for every database:
// its schema, its lease and its transactions. Only a writer with the last epoch
// may use a [Tx].
package book

import (
	"context"
	"errors"
	"fmt"
	"strings"
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

// now is another value each time, so that a decision that was made without the
// news can be told from one that was made with it.
const now = "not_before = CASE WHEN orders.not_before > 0 THEN 0 ELSE orders.not_before - 1 END"

const due = "UPDATE orders SET " + now + " WHERE id = "

// proved is what a deposit that is seen again changes: nothing that was decided.
var proved = now + ", " + view.Orders.Set("state", "reason", "since", "not_before", "revision", "refused_why", "refused_end", "refused_at", "refusals")

// Due implements [journal.Tx]. A burn's key is no order, and nothing happens.
func (t Tx) Due(ctx context.Context, id order.ID) error {
	_, err := t.Q.ExecContext(ctx, due+"$1", id)
	return err
}

// PutBurn implements [journal.Tx].
func (t Tx) PutBurn(ctx context.Context, b journal.Burn) error {
	was, _, err := t.Burn(ctx, b.Key)
	if err == nil && was.Arrived() && !b.Arrived() {
		_, err = t.Q.ExecContext(ctx, "UPDATE orders SET revision = revision + 1 WHERE id = $1", was.Order)
	}
	return errors.Join(err, view.Burns.Put(ctx, t.Q, b), t.Due(ctx, b.Order))
}

// SetNonce implements [journal.Tx].
func (t Tx) SetNonce(ctx context.Context, n journal.Nonce) error { return view.Nonces.Put(ctx, t.Q, n) }

// PutAlarm implements [journal.Tx].
func (t Tx) PutAlarm(ctx context.Context, a journal.Alarm) error { return view.Alarms.Put(ctx, t.Q, a) }

// EndAlarm implements [journal.Tx].
func (t Tx) EndAlarm(ctx context.Context, a journal.Alarm) error {
	return table.Change(ctx, t.Q, "DELETE FROM alarms WHERE chain = $1 AND name = $2 AND subject = $3", a.Chain, a.Name, a.Subject)
}

// PutOrder implements [journal.Tx].
func (t Tx) PutOrder(ctx context.Context, o journal.Order) error {
	if !o.State.Valid() {
		return fmt.Errorf("order %v: unknown state %q", o.ID, o.State)
	}
	err := view.Orders.Merge(ctx, t.Q, o, proved)
	if err != nil || o.Proof < order.Final {
		return err
	}
	_, err = t.Q.ExecContext(ctx, "UPDATE tasks SET reserved = '0' WHERE subject = $1 AND reserved <> '0'", o.ID)
	return err
}

// SetState implements [journal.Tx].
func (t Tx) SetState(ctx context.Context, id order.ID, d journal.Decision) error {
	if !d.State.Valid() {
		return fmt.Errorf("order %v: unknown state %q", id, d.State)
	}
	err := table.Change(ctx, t.Q, "UPDATE orders SET since = CASE WHEN state = $1 THEN since ELSE $2 END, "+
		"revision = revision + CASE WHEN state IN ("+later(d.State)+") THEN 1 ELSE 0 END, state = $1, reason = $3, not_before = $4 WHERE id = $5",
		d.State, (*table.Moment)(&d.At), d.Reason, (*table.Moment)(&d.NotBefore), id)
	if err != nil {
		return fmt.Errorf("order %v: %w", id, err)
	}
	return nil
}

// later lists the states on later steps than this one, for a query.
func later(s order.State) string {
	list := []string{"''"}
	for _, other := range s.After() {
		list = append(list, "'"+string(other)+"'")
	}
	return strings.Join(list, ", ")
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

// EndWish implements [journal.Tx].
func (t Tx) EndWish(ctx context.Context, id order.Hash, at time.Time, result string) error {
	return table.Change(ctx, t.Q, "UPDATE wishes SET done = $1, result = $2 WHERE id = $3 AND done = 0", at.UnixMilli(), result, id)
}
