// Package sqlite keeps the journal in a file, for one settler on one host. A
// lock on a file beside it keeps a second one out, also after a crash, since
// the kernel drops the lock with the process.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"syscall"

	_ "modernc.org/sqlite" // the driver

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/journal/book"
	"hubquote/internal/settle/journal/table"
	"hubquote/internal/settle/journal/view"
)

// A Journal is a file. All that is written goes through one connection: its pages
// stay in memory, and one who waits for another is called when it is done, where
// SQLite would sleep and look.
type Journal struct {
	view.View
	reads  *prepared
	writes *prepared
	path   string
}

var _ journal.Journal = (*Journal)(nil)

// Open opens or creates the journal at path, and brings its schema up to date.
func Open(ctx context.Context, path string) (*Journal, error) {
	return open(ctx, path, os.O_CREATE|os.O_RDWR, book.Migrate)
}

// Visit opens a journal that is there, and leaves its schema as it is: a command
// beside the settler must not change its tables.
func Visit(ctx context.Context, path string) (*Journal, error) {
	return open(ctx, path, os.O_RDWR, book.Current)
}

func open(ctx context.Context, path string, flag int, schema func(context.Context, table.Querier) error) (*Journal, error) {
	f, err := os.OpenFile(path, flag, 0o600)
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	_ = f.Close()
	reads, err1 := sql.Open("sqlite", source(path, "deferred", few))
	writes, err2 := sql.Open("sqlite", source(path, "immediate", many))
	if err := errors.Join(err1, err2); err != nil {
		return nil, fmt.Errorf("journal %s: %w", path, err)
	}
	writes.SetMaxOpenConns(1)
	j := &Journal{reads: newPrepared(reads), writes: newPrepared(writes), path: path}
	j.Q = j.reads
	if err := j.transact(ctx, func(q table.Querier) error { return schema(ctx, q.(compiled).Tx) }); err != nil {
		return nil, errors.Join(fmt.Errorf("journal %s: %w", path, err), j.Close())
	}
	return j, nil
}

// How many pages of 4 KiB a connection keeps. Orders and transactions are found by
// their hashes, so that what is written next to each other is far apart in the file.
const (
	few  = 500
	many = 8000
)

// source sets what each connection needs: a commit is on disk when it returns,
// and a transaction that writes takes the lock when it begins, not when it ends.
func source(path, lock string, pages int) string {
	v := url.Values{"_txlock": {lock}, "_pragma": {
		"busy_timeout(5000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)", fmt.Sprintf("cache_size(%d)", pages),
	}}
	return (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: v.Encode()}).String()
}

// transact runs fn in a transaction, and keeps nothing unless it returns nil.
func (j *Journal) transact(ctx context.Context, fn func(table.Querier) error) error {
	tx, err := j.writes.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer j.writes.learn()
	if err := fn(compiled{tx, j.writes}); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// All implements [journal.Reader]. It holds up no writer.
func (j *Journal) All(ctx context.Context) (*journal.Image, error) {
	tx, err := j.reads.BeginTx(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("begin: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // it changed nothing
	return view.View{Q: tx}.All(ctx)
}

// AddWish implements [journal.Journal].
func (j *Journal) AddWish(ctx context.Context, w journal.Wish) error {
	return book.AddWish(ctx, j.writes.DB, w)
}

// Close implements [journal.Journal].
func (j *Journal) Close() error { return errors.Join(j.reads.Close(), j.writes.Close()) }

// Acquire implements [journal.Journal].
func (j *Journal) Acquire(ctx context.Context, holder string) (journal.Writer, error) {
	lock, err := os.OpenFile(j.path+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("journal lock: %w", err)
	}
	w := &writer{j: j, lock: lock}
	err = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = journal.ErrHeld
	}
	if err == nil {
		err = j.transact(ctx, func(q table.Querier) error {
			w.lease, err = book.Take(ctx, q, holder)
			return err
		})
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("journal %s: %w", j.path, err), lock.Close())
	}
	return w, nil
}

type writer struct {
	j     *Journal
	lock  *os.File
	lease book.Lease
}

func (w *writer) Epoch() int64 { return w.lease.Epoch }

// Write checks the epoch too: a lock that was lost, on a file system without
// them or by a copied file, must not go unnoticed.
func (w *writer) Write(ctx context.Context, fn func(journal.Tx) error) error {
	return w.j.transact(ctx, func(q table.Querier) error {
		if err := w.lease.Holds(ctx, q, ""); err != nil {
			return err
		}
		return fn(book.Tx{View: view.View{Q: q}, Epoch: w.lease.Epoch})
	})
}

func (w *writer) Renew(ctx context.Context) error {
	return w.Write(ctx, func(journal.Tx) error { return nil })
}

func (w *writer) Release(context.Context) error { return w.lock.Close() }
