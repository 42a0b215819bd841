package send

import (
	"context"
	"errors"
	"time"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/policy/lane"
	"hubquote/internal/settle/sign"
)

// An entry is a nonce that is in no block.
type entry struct {
	row  journal.Nonce
	tx   lane.Tx
	memo *memo
	last journal.Attempt // the one that offers most
	kept bool            // a filler that is kept back
	new  bool            // not looked at since the start
}

// push moves the nonces on that are in no block. Once the lowest is left out,
// nodes have perhaps dropped those above it too, so they are all sent again.
func (l *Lane) push(ctx context.Context, rows []journal.Nonce) (errs error) {
	left := false
	for i, n := range rows {
		e, err := l.entry(ctx, n)
		if err == nil {
			l.place(&e, i == 0)
			var moved bool
			moved, err = l.move(ctx, e, left)
			left = left || moved && e.tx.Lowest
		}
		errs = errors.Join(errs, err)
	}
	return errs
}

func (l *Lane) entry(ctx context.Context, n journal.Nonce) (e entry, err error) {
	attempts, err := l.opts.Journal.Attempts(ctx, n.Chain, n.Key, n.Nonce)
	if err != nil {
		return e, err
	}
	wanted, err := l.wanted(ctx, n)
	if err != nil {
		return e, err
	}
	e = entry{row: n, last: journal.Attempt{Nonce: n.Nonce}, new: l.memos[n.Nonce] == nil}
	for _, a := range attempts {
		if e.last.Raw == nil || a.Cap.Gt(&e.last.Cap) {
			e.last = a
		}
	}
	e.memo = l.note(e.last)
	e.kept = n.Filler && len(attempts) > 0 && e.last.Sends == 0
	e.tx = lane.Tx{Void: !wanted, Filler: l.empty(e.last), Attempts: len(attempts), Tip: e.last.Tip, Cap: e.last.Cap}
	return e, nil
}

// empty reports whether an attempt is nothing, to oneself.
func (l *Lane) empty(a journal.Attempt) bool {
	t, err := sign.Parse(a.Raw)
	return err == nil && t.To == l.key && len(t.Data) == 0
}

// place notes whether the nonce is the lowest. One that has become the lowest
// starts to wait now: the blocks before could not take it.
func (l *Lane) place(e *entry, lowest bool) {
	if lowest && (l.since.IsZero() || l.lowest != e.row.Nonce) {
		l.lowest, l.since, l.capped = e.row.Nonce, time.Now(), false
		e.memo.head = l.head
	}
	e.tx.Lowest, e.tx.Sent = lowest, e.memo.head
}

// move does what policy says about a nonce, and reports whether it did
// something. Left is whether a lower one was left out of blocks.
func (l *Lane) move(ctx context.Context, e entry, left bool) (bool, error) {
	age := stale
	if e.tx.Void || e.tx.Lowest && l.head >= e.tx.Sent+l.opts.Limits.After {
		age = fresh
	}
	if err := l.refresh(ctx, age); err != nil {
		return false, err
	}
	m := lane.Bump(l.head, e.tx, l.purse.Fees, l.opts.Limits)
	if e.tx.Lowest && m.Do != lane.Keep {
		l.capped = m.Page
	}
	switch m.Do {
	case lane.Keep:
		if !e.kept && (e.new || left || time.Since(e.memo.at) >= l.opts.Resend) {
			l.launch(ctx, e.last)
		}
		return false, nil
	case lane.Resend:
		e.memo.head = l.head
		l.launch(ctx, e.last)
		return true, nil
	}
	return true, l.replace(ctx, e, m)
}

// replace signs another attempt for a nonce, commits it, and sends it.
func (l *Lane) replace(ctx context.Context, e entry, m lane.Move) error {
	a, err := l.again(ctx, e, m)
	if err != nil {
		return err
	}
	if err := l.commit(ctx, a, func(tx journal.Tx) error { return tx.AddAttempt(ctx, a) }); err != nil {
		return err
	}
	l.opts.Log.Info("a transaction is replaced", "nonce", a.Nonce, "tx", a.Hash, "cap", a.Cap.Dec(), "filler", m.Do == lane.Fill)
	e.memo.head = l.head
	l.launch(ctx, a)
	return nil
}

func (l *Lane) again(ctx context.Context, e entry, m lane.Move) (journal.Attempt, error) {
	if m.Do == lane.Fill {
		return l.filler(ctx, e.row.Nonce, m)
	}
	t, err := sign.Parse(e.last.Raw)
	if err != nil {
		return journal.Attempt{}, err
	}
	t.Tip, t.Cap = m.Tip, m.Cap
	return l.sign(ctx, t)
}
