package send

import (
	"context"
	"errors"
	"time"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/pace"
	"hubquote/internal/settle/policy/lane"
	"hubquote/swap"
)

// A memo is the lane's memory of a nonce while it is in no block. After a restart,
// without memos, the lane sends all open transactions once more.
type memo struct {
	head uint64      // when its last attempt was made, or it became the lowest
	at   time.Time   // when it was last sent; zero: not by this lane
	cost swap.Amount // the most that its last attempt can cost
}

// An entry is a nonce that is in no block.
type entry struct {
	row  journal.Nonce
	tx   lane.Tx
	memo *memo
	last journal.Attempt // the one that offers most
	kept bool            // a filler that is kept back
}

// push moves the nonces on that are in no block. Once the lowest is left out,
// nodes have perhaps dropped those above it too, so they are all sent again.
func (l *Lane) push(ctx context.Context, rows []journal.Nonce) (err error) {
	if l.retain(rows); len(rows) == 0 {
		return nil
	}
	// How many blocks left one out is not for a single node to say.
	if l.head, err = l.peers.Height(ctx); err != nil {
		return err
	}
	left := false
	for i, row := range rows {
		moved, failed := l.advance(ctx, row, i == 0, left)
		left, err = left || moved && i == 0, errors.Join(err, failed)
	}
	return err
}

// advance does what policy says about one nonce, and reports whether blocks have
// left it out.
func (l *Lane) advance(ctx context.Context, row journal.Nonce, lowest, left bool) (bool, error) {
	e, err := l.entry(ctx, row)
	if err != nil {
		return false, err
	}
	l.place(&e, lowest)
	return l.move(ctx, e, left)
}

// retain forgets the nonces that are in a block, and makes a memo for new ones.
func (l *Lane) retain(rows []journal.Nonce) {
	kept := map[uint64]*memo{}
	for _, row := range rows {
		if kept[row.Nonce] = l.memos[row.Nonce]; kept[row.Nonce] == nil {
			kept[row.Nonce] = &memo{head: l.head}
		}
	}
	l.memos = kept
}

func (l *Lane) entry(ctx context.Context, row journal.Nonce) (e entry, err error) {
	attempts, err := l.opts.Journal.Attempts(ctx, row.Chain, row.Key, row.Nonce)
	if err != nil {
		return e, err
	}
	wanted, err := l.nonces.Wanted(ctx, row)
	if err != nil {
		return e, err
	}
	e = entry{row: row, memo: l.memos[row.Nonce]}
	for _, a := range attempts {
		if e.last.Raw == nil || a.Cap.Gt(&e.last.Cap) {
			e.last = a
		}
	}
	e.memo.price(e.last)
	e.kept = row.Filler && e.last.Sends == 0
	e.tx = lane.Tx{Void: !wanted, Filler: l.outbox.Empty(e.last), Attempts: len(attempts), Tip: e.last.Tip, Cap: e.last.Cap}
	return e, nil
}

func (m *memo) price(a journal.Attempt) { m.cost.Mul(m.cost.SetUint64(a.Gas), &a.Cap) }

// place notes whether the nonce is the lowest. One that has become the lowest
// starts to wait now: the blocks before could not take it.
func (l *Lane) place(e *entry, lowest bool) {
	if lowest && (l.now.Since.IsZero() || l.now.Lowest != e.row.Nonce) {
		l.now.Lowest, l.now.Since, l.now.Capped = e.row.Nonce, time.Now(), false
		e.memo.head = l.head
	}
	e.memo.head = min(e.memo.head, l.head) // a node may have named a block that is not there
	e.tx.Lowest, e.tx.Sent = lowest, e.memo.head
}

// move asks policy and does what it says. Left is whether blocks have left a
// lower nonce out.
func (l *Lane) move(ctx context.Context, e entry, left bool) (bool, error) {
	age := pace.Plan
	if e.tx.Void || e.tx.Lowest && l.head >= e.tx.Sent+l.opts.Limits.After {
		age = pace.Fresh
	}
	if err := l.purse.Refresh(ctx, age); err != nil {
		return false, err
	}
	m := lane.Bump(l.head, e.tx, l.purse.Fees, l.opts.Limits)
	if e.tx.Lowest && m.Do != lane.Keep {
		l.now.Capped = m.Page
	}
	switch m.Do {
	case lane.Keep:
		if left || !e.kept && time.Since(e.memo.at) >= l.opts.Resend {
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
func (l *Lane) replace(ctx context.Context, e entry, m lane.Move) (err error) {
	var a journal.Attempt
	if m.Do == lane.Fill {
		a, err = l.outbox.Filler(ctx, e.row.Nonce, m.Tip, m.Cap)
	} else {
		a, err = l.outbox.Again(ctx, e.last, m.Tip, m.Cap)
	}
	if err != nil {
		return err
	}
	if err := l.outbox.Commit(ctx, a, func(tx journal.Tx) error { return tx.AddAttempt(ctx, a) }); err != nil {
		return err
	}
	l.opts.Log.Info("a transaction is replaced", "nonce", a.Nonce, "tx", a.Hash, "cap", a.Cap.Dec(), "filler", m.Do == lane.Fill)
	e.memo.head = l.head
	l.launch(ctx, a)
	return nil
}

// launch sends a committed attempt and remembers when.
func (l *Lane) launch(ctx context.Context, a journal.Attempt) {
	m := l.memos[a.Nonce]
	if m == nil {
		m = &memo{head: l.head}
		l.memos[a.Nonce] = m
	}
	m.price(a)
	m.at = time.Now()
	l.outbox.Launch(ctx, a)
}
