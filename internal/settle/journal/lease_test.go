package journal_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/journal/postgres"
	"hubquote/internal/settle/journal/sqlite"
	"hubquote/internal/settle/order"
	"hubquote/test/fake"
)

// alter changes a journal behind its back.
func alter(t testing.TB, kind, at, query string) {
	t.Helper()
	driver := map[string]string{"sqlite": "sqlite", "postgres": "pgx"}[kind]
	if kind == "sqlite" {
		at = "file:" + strings.NewReplacer("?", "%3f", "#", "%23", " ", "%20").Replace(at)
	}
	db, err := sql.Open(driver, at)
	if err == nil {
		_, err = db.Exec(query)
	}
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestOneWriter(t *testing.T) {
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			at := place(t, kind)
			a, b := mustOpen(t, kind, at), mustOpen(t, kind, at)
			first, err := a.Acquire(t.Context(), "a")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := b.Acquire(t.Context(), "b"); !errors.Is(err, journal.ErrHeld) {
				t.Errorf("second Acquire = %v, want ErrHeld", err)
			}
			must(t, first, put(deposit(1, order.Final)))
			if n, err := length(b.OrdersBySource(t.Context(), order.Hash{10})); n != 1 || err != nil {
				t.Errorf("a standby reads %d orders, %v, want 1", n, err)
			}
			if err := b.AddWish(t.Context(), journal.Wish{ID: hash(1), Verb: order.WishPark}); err != nil {
				t.Errorf("a wish beside the writer = %v, want nil", err)
			}
			if err := errors.Join(first.Renew(t.Context()), first.Release(t.Context())); err != nil {
				t.Fatal(err)
			}
			second := await(t, b)
			if second.Epoch() != first.Epoch()+1 {
				t.Errorf("epoch = %d, want %d", second.Epoch(), first.Epoch()+1)
			}
			if err := write(t, first, put(deposit(2, order.Final))); !errors.Is(err, journal.ErrLost) {
				t.Errorf("Write of the old writer = %v, want ErrLost", err)
			}
			if err := first.Renew(t.Context()); !errors.Is(err, journal.ErrLost) {
				t.Errorf("Renew of the old writer = %v, want ErrLost", err)
			}
			must(t, second, put(deposit(3, order.Final)))
		})
	}
}

// await takes the journal as a standby does: it asks until the lease has ended.
func await(t testing.TB, j journal.Journal) journal.Writer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for {
		w, err := j.Acquire(ctx, "standby")
		if err == nil {
			return w
		}
		if !errors.Is(err, journal.ErrHeld) {
			t.Fatal(err)
		}
		time.Sleep(ttl / 30) // the interval of a standby, not a wait for an event
	}
}

// TestTakeover takes the journal from a process that was killed, and from one
// that was stopped and goes on later.
func TestTakeover(t *testing.T) {
	for name, sig := range map[string]syscall.Signal{"killed": syscall.SIGKILL, "stopped": syscall.SIGSTOP, "stopped inside a transaction": syscall.SIGSTOP} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := place(t, "postgres")
			j := mustOpen(t, "postgres", at)
			mode := "quick"
			if strings.HasSuffix(name, "transaction") {
				mode = "quick, inside"
			}
			c := startChild(t, mode, at)
			c.lines(t, 5)
			if err := c.Signal(sig); err != nil {
				t.Fatal(err)
			}
			begin := time.Now()
			w := await(t, j)
			if took := time.Since(begin); took > 5*ttl {
				t.Errorf("the takeover took %v, want about %v", took, ttl)
			}
			before := check(t, j)
			must(t, w, commit(signed(9999, uint64(len(before.Nonces)))))
			_ = c.Signal(syscall.SIGCONT)
			if out := c.rest(); sig == syscall.SIGSTOP && !slices.Contains(out, "then "+journal.ErrLost.Error()) {
				t.Errorf("the old writer said %q when it went on, want ErrLost", out)
			}
			after := check(t, j)
			if got, want := len(after.Attempts), len(before.Attempts)+1; got != want {
				t.Errorf("%d attempts after the old writer went on, want %d: it must commit nothing", got, want)
			}
		})
	}
}

// TestTakeoverWaitsForAWrite lets the lease end while its writer is in the middle
// of a transaction. The standby waits for it, and then sees what it wrote.
func TestTakeoverWaitsForAWrite(t *testing.T) {
	at := place(t, "postgres")
	b := mustOpen(t, "postgres", at)
	a := mustOpen(t, "quick", at)
	count := counter(t, at)
	w, err := a.Acquire(t.Context(), "slow")
	if err != nil {
		t.Fatal(err)
	}
	taken := make(chan error, 1)
	err = w.Write(t.Context(), func(tx journal.Tx) error {
		if err := tx.PutOrder(t.Context(), deposit(1, order.Final)); err != nil {
			return err
		}
		const ended = "SELECT count(*) FROM lease WHERE until < extract(epoch FROM clock_timestamp()) * 1000"
		for count(ended) == 0 { // asking keeps the transaction from standing still
			if _, _, err := tx.Order(t.Context(), hash(1)); err != nil {
				return err
			}
		}
		go func() {
			_, err := b.Acquire(t.Context(), "standby")
			taken <- err
		}()
		for waiting := 0; waiting == 0; {
			if _, _, err := tx.Order(t.Context(), hash(1)); err != nil {
				return err
			}
			select {
			case err := <-taken:
				return fmt.Errorf("the standby took over (%v) while a write was under way", err)
			default:
				waiting = count("SELECT count(*) FROM pg_locks WHERE NOT granted")
			}
		}
		return nil
	})
	if err != nil {
		t.Fatalf("Write = %v, want nil", err)
	}
	if err := <-taken; err != nil {
		t.Fatal(err)
	}
	if _, found, err := b.Order(t.Context(), hash(1)); !found || err != nil {
		t.Errorf("the standby finds the order = %v, %v, want true", found, err)
	}
	if err := write(t, w, put(deposit(2, order.Final))); !errors.Is(err, journal.ErrLost) {
		t.Errorf("Write after the takeover = %v, want ErrLost", err)
	}
}

// counter asks the database itself, through one connection: to open one for each
// question takes longer on a busy machine than a transaction may stand still.
func counter(t testing.TB, at string) func(query string) int {
	t.Helper()
	db, err := sql.Open("pgx", at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return func(query string) (n int) {
		if err := db.QueryRow(query).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
}

// TestUnknownCommit cuts the connection around a commit and reads the outcome
// back.
func TestUnknownCommit(t *testing.T) {
	for name, arrives := range map[string]bool{"after it arrived": true, "before it arrived": false} {
		t.Run(name, func(t *testing.T) {
			url := database(t)
			server := shared.server.Address()
			p := fake.NewProxy(t, server)
			j, err := postgres.Open(t.Context(), postgres.Options{URL: strings.Replace(url, server.String(), p.Addr().String(), 1)})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = j.Close() }()
			w, err := j.Acquire(t.Context(), "test")
			if err != nil {
				t.Fatal(err)
			}
			p.CutAt("commit\x00", arrives)
			err = write(t, w, commit(signed(1, 5)))
			if !errors.Is(err, journal.ErrUnknown) {
				t.Fatalf("Write = %v, want ErrUnknown", err)
			}
			if err := w.Renew(t.Context()); err != nil {
				t.Fatal(err)
			}
			_, found, err := j.Attempt(t.Context(), signed(1, 5).Hash)
			if err != nil || found != arrives {
				t.Errorf("Attempt = %v, %v, want %v", found, err, arrives)
			}
			check(t, j)
		})
	}
}

// TestServerCrash ends the database itself. What was committed is there when it
// is back. The writer ends, since a server that is back, or another, may have lost
// writes and kept the lease: the next writer compares nonces with the chain first.
func TestServerCrash(t *testing.T) {
	at := place(t, "postgres")
	j, err := postgres.Open(t.Context(), postgres.Options{URL: at})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = j.Close() }()
	w, err := j.Acquire(t.Context(), "test")
	if err != nil {
		t.Fatal(err)
	}
	must(t, w, commit(signed(1, 5)))
	shared.server.Kill()
	if err := write(t, w, commit(signed(2, 6))); err == nil || errors.Is(err, journal.ErrLost) {
		t.Errorf("Write without a server = %v, want a failure that is not ErrLost", err)
	}
	if err := shared.server.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := write(t, w, commit(signed(2, 6))); !errors.Is(err, journal.ErrLost) {
		t.Errorf("Write after a restart = %v, want ErrLost", err)
	}
	if err := w.Renew(t.Context()); !errors.Is(err, journal.ErrLost) {
		t.Errorf("Renew after a restart = %v, want ErrLost", err)
	}
	if err := w.Release(t.Context()); err != nil {
		t.Errorf("Release after a restart = %v, want the lease free for the next writer", err)
	}
	must(t, await(t, j), commit(signed(2, 6)))
	if img := check(t, j); len(img.Attempts) != 2 {
		t.Errorf("%d attempts, want 2", len(img.Attempts))
	}
}

func TestPostgresOptions(t *testing.T) {
	secret := "hunter2"
	for name, o := range map[string]postgres.Options{
		"a bad URL":                        {URL: "postgres://u:" + secret + "@[bad"},
		"a server that is not there":       {URL: "postgres://u:" + secret + "@127.0.0.1:1/x?sslmode=disable&connect_timeout=2"},
		"an idle limit as long as the TTL": {URL: "postgres://u:" + secret + "@127.0.0.1:1/x", TTL: time.Second, Idle: time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := postgres.Open(context.Background(), o)
			if err == nil || strings.Contains(err.Error(), secret) {
				t.Errorf("Open = %v, want an error without the password", err)
			}
		})
	}
	at := database(t) + "&synchronous_commit=off"
	if _, err := postgres.Open(t.Context(), postgres.Options{URL: at}); err == nil || !strings.Contains(err.Error(), "synchronous_commit") {
		t.Errorf("Open of a database that forgets = %v, want an error that names synchronous_commit", err)
	}
}

// A visit changes no table: it refuses a journal of another schema, and says what
// to do.
func TestAVisitChangesNoTable(t *testing.T) {
	visit := map[string]func(at string) (journal.Journal, error){
		"sqlite": func(at string) (journal.Journal, error) { return sqlite.Visit(t.Context(), at) },
		"postgres": func(at string) (journal.Journal, error) {
			return postgres.Open(t.Context(), postgres.Options{URL: at, Visit: true})
		},
	}
	for kind, visit := range visit {
		t.Run(kind, func(t *testing.T) {
			at := place(t, kind)
			if _, err := visit(at); err == nil {
				t.Error("a visit opened a journal that is not there, want an error")
			}
			_ = mustOpen(t, kind, at).Close()
			j, err := visit(at)
			if err != nil {
				t.Fatalf("a visit to a journal of this schema = %v, want nil", err)
			}
			_ = j.Close()
			alter(t, kind, at, "DELETE FROM schema_version WHERE version = (SELECT MAX(version) FROM schema_version)")
			for range 2 { // the first changed nothing
				if _, err := visit(at); err == nil || !strings.Contains(err.Error(), "start settler run of this version first") {
					t.Errorf("a visit to a journal of an earlier schema: %v, want to be told what to do", err)
				}
			}
		})
	}
}
