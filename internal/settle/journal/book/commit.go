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
