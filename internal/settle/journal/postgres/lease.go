package postgres

import (
	"context"
	"fmt"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/journal/book"
	"hubquote/internal/settle/journal/table"
	"hubquote/internal/settle/journal/view"
)

// clock is the database's own time in milliseconds, at the moment a row is
// looked at: replicas' clocks differ, and a transaction's time stands still.
const clock = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

// Acquire implements [journal.Journal]. Taking over is an update of the row
// that every writing transaction holds FOR SHARE, so it waits for those of the
// old writer, and the old writer's next one finds another epoch.
func (j *Journal) Acquire(ctx context.Context, holder string) (journal.Writer, error) {
	w := &writer{j: j}
	err := j.transact(ctx, nil, func(q table.Querier) error {
		res, err := q.ExecContext(ctx, "UPDATE lease SET holder = $1, until = "+clock+" + $2 WHERE until < "+clock, holder, j.ttl.Milliseconds())
		if err != nil {
			return fmt.Errorf("take the lease: %w", err)
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return journal.ErrHeld
		}
		w.lease, err = book.Take(ctx, q, holder)
		return err
	})
	if err != nil {
		return nil, err
	}
	return w, nil
}

type writer struct {
	j     *Journal
	lease book.Lease
}

func (w *writer) Epoch() int64 { return w.lease.Epoch }

func (w *writer) Write(ctx context.Context, fn func(journal.Tx) error) error {
	return w.j.transact(ctx, nil, func(q table.Querier) error {
		if err := w.lease.Holds(ctx, q, "FOR SHARE"); err != nil {
			return err
		}
		return fn(book.Tx{View: view.View{Q: q}, Epoch: w.lease.Epoch})
	})
}

// Renew updates the row that an undecided write of this epoch still holds, so
// it returns after that write.
func (w *writer) Renew(ctx context.Context) error { return w.extend(ctx, w.j.ttl.Milliseconds()) }

// Release ends the lease now, so that a standby need not wait.
func (w *writer) Release(ctx context.Context) error { return w.extend(ctx, -1) }

func (w *writer) extend(ctx context.Context, ms int64) error {
	return w.j.transact(ctx, nil, func(q table.Querier) error {
		res, err := q.ExecContext(ctx, "UPDATE lease SET until = "+clock+" + $1 WHERE epoch = $2 AND token = $3", ms, w.lease.Epoch, w.lease.Token)
		if err != nil {
			return fmt.Errorf("renew the lease: %w", err)
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return journal.ErrLost
		}
		return nil
	})
}
