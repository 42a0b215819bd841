// Package view is the reading half of the journal, the same for every database.
// It asks inside a transaction or outside, and changes nothing.
package view

import (
	"context"
	"time"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/journal/table"
	"hubquote/internal/settle/order"
	"hubquote/swap"
)

// A View answers the questions of [journal.Reader] on a database or inside a
// transaction.
type View struct{ Q table.Querier }

// Order implements [journal.Reader].
func (v View) Order(ctx context.Context, id order.ID) (journal.Order, bool, error) {
	return Orders.One(ctx, v.Q, "WHERE id = $1", id)
}

// OrdersDue implements [journal.Reader].
func (v View) OrdersDue(ctx context.Context, now time.Time, limit int) ([]journal.Order, error) {
	return Orders.All(ctx, v.Q, "WHERE state <> 'closed' AND not_before <= $1 ORDER BY not_before, id LIMIT $2", now.UnixMilli(), limit)
}

// OrdersBySource implements [journal.Reader].
func (v View) OrdersBySource(ctx context.Context, tx order.Hash) ([]journal.Order, error) {
	return Orders.All(ctx, v.Q, "WHERE src_tx = $1 ORDER BY src_log, running", tx)
}

// Facts implements [journal.Reader].
func (v View) Facts(ctx context.Context, id order.ID) ([]journal.Fact, error) {
	return Facts.All(ctx, v.Q, "WHERE order_id = $1 ORDER BY at, chain, tx, log", id)
}

// FactsByTx implements [journal.Reader].
func (v View) FactsByTx(ctx context.Context, tx order.Hash) ([]journal.Fact, error) {
	return Facts.All(ctx, v.Q, "WHERE tx = $1 ORDER BY log", tx)
}

// Tasks implements [journal.Reader].
func (v View) Tasks(ctx context.Context, subject order.Hash) ([]journal.Task, error) {
	return Tasks.All(ctx, v.Q, "WHERE subject = $1 ORDER BY id", subject)
}

// TasksReady implements [journal.Reader].
func (v View) TasksReady(ctx context.Context, chain swap.ChainID) ([]journal.Task, error) {
	return Tasks.All(ctx, v.Q, "WHERE chain = $1 AND progress = 'ready' ORDER BY id", chain)
}

// TasksOf implements [journal.Reader].
func (v View) TasksOf(ctx context.Context, chain swap.ChainID, key swap.Address, nonce uint64) ([]journal.Task, error) {
	return Tasks.All(ctx, v.Q, "WHERE id IN (SELECT task FROM links WHERE chain = $1 AND key = $2 AND nonce = $3) ORDER BY id", chain, (*table.Address)(&key), nonce)
}

// TxsOpen implements [journal.Reader].
func (v View) TxsOpen(ctx context.Context, chain swap.ChainID, key swap.Address) ([]journal.Nonce, error) {
	return Nonces.All(ctx, v.Q, "WHERE chain = $1 AND key = $2 AND state IN ('sent', 'mined') ORDER BY nonce", chain, (*table.Address)(&key))
}

// TxsFrom implements [journal.Reader].
func (v View) TxsFrom(ctx context.Context, chain swap.ChainID, key swap.Address, nonce uint64) ([]journal.Nonce, error) {
	return Nonces.All(ctx, v.Q, "WHERE chain = $1 AND key = $2 AND nonce >= $3 ORDER BY nonce", chain, (*table.Address)(&key), nonce)
}

// TxLast implements [journal.Reader].
func (v View) TxLast(ctx context.Context, chain swap.ChainID, key swap.Address) (journal.Nonce, bool, error) {
	return Nonces.One(ctx, v.Q, "WHERE chain = $1 AND key = $2 ORDER BY nonce DESC LIMIT 1", chain, (*table.Address)(&key))
}

// Attempts implements [journal.Reader].
func (v View) Attempts(ctx context.Context, chain swap.ChainID, key swap.Address, nonce uint64) ([]journal.Attempt, error) {
	return Attempts.All(ctx, v.Q, "WHERE chain = $1 AND key = $2 AND nonce = $3 ORDER BY made, hash", chain, (*table.Address)(&key), nonce)
}

// Attempt implements [journal.Reader].
func (v View) Attempt(ctx context.Context, hash order.Hash) (journal.Attempt, bool, error) {
	return Attempts.One(ctx, v.Q, "WHERE hash = $1", hash)
}

// WishesOpen implements [journal.Reader].
func (v View) WishesOpen(ctx context.Context) ([]journal.Wish, error) {
	return Wishes.All(ctx, v.Q, "WHERE done = 0 ORDER BY at, id")
}

// Cursors implements [journal.Reader].
func (v View) Cursors(ctx context.Context) ([]journal.Cursor, error) {
	return Cursors.All(ctx, v.Q, "ORDER BY chain, pass")
}

// Alarms implements [journal.Reader].
func (v View) Alarms(ctx context.Context) ([]journal.Alarm, error) {
	return Alarms.All(ctx, v.Q, "ORDER BY chain, name, subject")
}

// All implements [journal.Reader]. It is of one moment only inside a
// transaction that keeps one.
func (v View) All(ctx context.Context) (*journal.Image, error) {
	img := &journal.Image{}
	var errs [12]error
	img.Epoch, _, errs[0] = Lease.One(ctx, v.Q, "")
	img.Orders, errs[1] = Orders.All(ctx, v.Q, "ORDER BY id")
	img.Facts, errs[2] = Facts.All(ctx, v.Q, "ORDER BY order_id, event, chain, tx, log")
	img.Burns, errs[3] = Burns.All(ctx, v.Q, "ORDER BY key")
	img.Tasks, errs[4] = Tasks.All(ctx, v.Q, "ORDER BY id")
	img.Nonces, errs[5] = Nonces.All(ctx, v.Q, "ORDER BY chain, key, nonce")
	img.Links, errs[6] = Links.All(ctx, v.Q, "ORDER BY chain, key, nonce, task")
	img.Attempts, errs[7] = Attempts.All(ctx, v.Q, "ORDER BY hash")
	img.Wishes, errs[8] = Wishes.All(ctx, v.Q, "ORDER BY id")
	img.Cursors, errs[9] = Cursors.All(ctx, v.Q, "ORDER BY chain, pass")
	img.Census, errs[10] = Census.All(ctx, v.Q, "ORDER BY chain, contract")
	img.Alarms, errs[11] = v.Alarms(ctx)
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return img, nil
}
