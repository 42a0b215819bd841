// Package postgres keeps the journal in a Postgres database, for a fleet. One
// replica writes, by a lease whose epoch every writing transaction holds, so
// that a writer that was only stopped can commit nothing after another took
// over.
package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/journal/book"
	"hubquote/internal/settle/journal/table"
	"hubquote/internal/settle/journal/view"
)

// Options say which database, and how long a lease lives. Only URL is required.
type Options struct {
	// URL is a connection string. It may hold a password, and is in no error.
	URL string

	// TTL is how long a lease lives without a renewal: 9 s unless set. Renew
	// three times as often.
	TTL time.Duration

	// Idle is how long a transaction may stand still before the database ends
	// it: 5 s unless set. It must be shorter than TTL, since a writer that is
	// stopped inside a transaction holds the lease for that long.
	Idle time.Duration

	// Visit leaves the schema as it is, and refuses another than that of this
	// program: a command beside the settler must not change its tables.
	Visit bool
}

// A Journal is a database.
type Journal struct {
	view.View
	db        *sql.DB
	ttl, idle time.Duration
}

var _ journal.Journal = (*Journal)(nil)

var errURL = errors.New("not a Postgres connection string: write postgres://user@host/database")

// idle is how many connections are kept: to open one costs more than many queries.
const idle = 16

// migrating is the advisory lock of migrations: any number, always the same.
const migrating = 0x5e771e

// Open connects to the journal and brings its schema up to date, unless it is a
// visit.
func Open(ctx context.Context, o Options) (*Journal, error) {
	cfg, err := pgx.ParseConfig(o.URL)
	if err != nil {
		return nil, errURL
	}
	j := &Journal{ttl: o.TTL, idle: o.Idle}
	if j.ttl == 0 {
		j.ttl = 9 * time.Second
	}
	if j.idle == 0 {
		j.idle = 5 * time.Second
	}
	if j.idle >= j.ttl {
		return nil, fmt.Errorf("the journal's idle limit %v must be shorter than the lease of %v", j.idle, j.ttl)
	}
	j.db = stdlib.OpenDB(*cfg)
	j.db.SetMaxIdleConns(idle)
	j.Q = j.db
	schema := migrate
	if o.Visit {
		schema = book.Current
	}
	if err := errors.Join(j.durable(ctx), j.transact(ctx, nil, func(q table.Querier) error { return schema(ctx, q) })); err != nil {
		return nil, errors.Join(fmt.Errorf("journal: %w", err), j.db.Close())
	}
	return j, nil
}

func migrate(ctx context.Context, q table.Querier) error {
	if _, err := q.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", migrating); err != nil {
		return err
	}
	return book.Migrate(ctx, q)
}

// durable refuses a database that answers before a commit is on disk: a nonce
// would be signed twice after a crash.
func (j *Journal) durable(ctx context.Context) error {
	var mode string
	err := j.db.QueryRowContext(ctx, "SHOW synchronous_commit").Scan(&mode)
	if err == nil && mode == "off" {
		return errors.New("synchronous_commit is off: set it to on for this database or role")
	}
	return err
}

// transact runs fn in a transaction that the database ends when it stands
// still. Only a failed commit without an answer has an unknown outcome.
func (j *Journal) transact(ctx context.Context, o *sql.TxOptions, fn func(table.Querier) error) error {
	tx, err := j.db.BeginTx(ctx, o)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	_, err = tx.ExecContext(ctx, fmt.Sprintf("SET LOCAL idle_in_transaction_session_timeout = %d", j.idle.Milliseconds()))
	if err == nil {
		err = fn(tx)
	}
	if err != nil {
		_ = tx.Rollback() // the database does the same when the connection is lost
		return err
	}
	err = tx.Commit()
	if answer := (*pgconn.PgError)(nil); err == nil || errors.As(err, &answer) || errors.Is(err, pgx.ErrTxCommitRollback) {
		return err
	}
	return errors.Join(journal.ErrUnknown, err)
}

// All implements [journal.Reader].
func (j *Journal) All(ctx context.Context) (img *journal.Image, err error) {
	err = j.transact(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}, func(q table.Querier) error {
		img, err = view.View{Q: q}.All(ctx)
		return err
	})
	return img, err
}

// AddWish implements [journal.Journal].
func (j *Journal) AddWish(ctx context.Context, w journal.Wish) error {
	return book.AddWish(ctx, j.db, w)
}

// Close implements [journal.Journal].
func (j *Journal) Close() error { return j.db.Close() }
