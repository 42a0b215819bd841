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

// server is when the server started that answers. Another one, or the same after a
// restart, may have lost writes and kept the lease: its writer ends, and the next
// compares its nonces with the chain first.
const server = "(extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint"

var servers = table.New("lease", 0, server, func(n *int64) []any { return []any{n} })

// Acquire implements [journal.Journal]. Taking over is an update of the row
// that every writing transaction holds FOR SHARE, so it waits for those of the
// old writer, and the old writer's next one finds another epoch.
func (j *Journal) Acquire(ctx context.Context, holder string) (journal.Writer, error) {
	w := &writer{j: j, turn: make(chan struct{}, 1)}
	err := j.transact(ctx, nil, func(q table.Querier) error {
		res, err := q.ExecContext(ctx, "UPDATE lease SET holder = $1, until = "+clock+" + $2 WHERE until < "+clock, holder, j.ttl.Milliseconds())
		if err != nil {
			return fmt.Errorf("take the lease: %w", err)
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return journal.ErrHeld
		}
		if w.server, _, err = servers.One(ctx, q, ""); err != nil {
			return err
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
	j      *Journal
	lease  book.Lease
	server int64         // that gave the lease
	turn   chan struct{} // held by the write under way
}

// same restricts a query of the lease to the server that gave it.
func (w *writer) same() string { return fmt.Sprintf(" AND "+server+" = %d", w.server) }

func (w *writer) Epoch() int64 { return w.lease.Epoch }

// Write lets one write go after the other, as a file does. Most of them change what
// they have read, and the database would let two read the same: a decision about an
// order would then undo the news that came meanwhile, and two payments would reserve
// the same exposure.
func (w *writer) Write(ctx context.Context, fn func(journal.Tx) error) error {
	select {
	case w.turn <- struct{}{}:
		defer func() { <-w.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	return w.j.transact(ctx, nil, func(q table.Querier) error {
		if err := w.lease.Holds(ctx, q, w.same()+" FOR SHARE"); err != nil {
			return err
		}
		return fn(book.Tx{View: view.View{Q: q}, Epoch: w.lease.Epoch})
	})
}

// Renew updates the row that an undecided write of this epoch still holds, so
// it returns after that write.
func (w *writer) Renew(ctx context.Context) error {
	return w.extend(ctx, w.j.ttl.Milliseconds(), w.same())
}

// Release ends the lease now, so that a standby need not wait.
func (w *writer) Release(ctx context.Context) error { return w.extend(ctx, -1, "") }

func (w *writer) extend(ctx context.Context, ms int64, where string) error {
	return w.j.transact(ctx, nil, func(q table.Querier) error {
		res, err := q.ExecContext(ctx, "UPDATE lease SET until = "+clock+" + $1 WHERE epoch = $2 AND token = $3"+where, ms, w.lease.Epoch, w.lease.Token)
		if err != nil {
			return fmt.Errorf("renew the lease: %w", err)
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return journal.ErrLost
		}
		return nil
	})
}
