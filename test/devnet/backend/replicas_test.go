package backend_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"hubquote/swap"
	"hubquote/test/devnet/devnettest"
	"hubquote/test/fake"
	"hubquote/test/fake/postgres"
)

// A fleet is two settlers that fight for one journal in Postgres.
type fleet struct {
	*world
	server  *postgres.Server
	proxies []*fake.Proxy
	seats   []*lives
	client  http.Client
}

func newFleet(t *testing.T, w *world) *fleet {
	t.Helper()
	server, err := postgres.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f := &fleet{world: w, server: server, client: http.Client{Timeout: time.Second, Transport: &http.Transport{DisableKeepAlives: true}}}
	t.Cleanup(func() { _ = f.server.Close() })
	url, err := server.Empty(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		l := &lives{Child: w.where, count: w.count}
		p := fake.NewProxy(t, server.Address())
		p.Watch("commit\x00", func(answered bool) { l.request("commit", answered) })
		l.Journal, l.Holder = strings.Replace(url, server.Address().String(), p.Addr().String(), 1)+"&connect_timeout=2", fmt.Sprint("settler", i)
		if l.Listen, err = fake.FreeAddress(); err != nil {
			t.Fatal(err)
		}
		f.proxies, f.seats = append(f.proxies, p), append(f.seats, l)
	}
	return f
}

// keep starts a settler again whenever it ends, until ctx ends.
func (l *lives) keep(ctx context.Context, t *testing.T) {
	for ctx.Err() == nil {
		p, said := l.start(t, nil)
		if p == nil {
			return
		}
		select {
		case <-p.Exited:
		case <-ctx.Done():
			_ = p.Signal(syscall.SIGCONT)
			p.Kill()
		}
		l.set(nil, nil)
		if text := said.String(); t.Failed() || strings.Contains(text, "DATA RACE") || strings.Contains(text, "panic:") {
			t.Errorf("a settler said:\n%s", text)
		}
		fake.Sleep(ctx, 200*time.Millisecond)
	}
}

// writer returns the seat that says it is the writer, or nil, and its epoch.
func (f *fleet) writer() (w *lives, epoch int64) {
	for _, l := range f.seats {
		resp, err := f.client.Get("http://" + l.Listen + "/v1/health")
		if err != nil {
			continue
		}
		var health struct {
			Role  string
			Epoch int64
		}
		err = json.NewDecoder(resp.Body).Decode(&health)
		_ = resp.Body.Close()
		if err == nil && health.Role == "writer" {
			return l, health.Epoch
		}
	}
	return nil, 0
}

// another waits until there is a writer of a later epoch, and tells how long that
// took. It may have the seat of the one before, which is started again at once.
func (f *fleet) another(t *testing.T, than int64, after string) {
	t.Helper()
	begin := time.Now()
	until(t, func() string { return "another settler takes over" }, func() bool {
		_, epoch := f.writer()
		return epoch > than
	})
	t.Logf("takeover after the writer was %s: %.1f s", after, time.Since(begin).Seconds())
	f.count.add("takeovers after the writer was " + after)
}

// Two settlers share a journal while the writer is killed at its commits and
// stopped, and while the database is restarted and fails over, once with every
// commit and once without the last. Nothing is paid twice and nothing is lost.
func TestReplicas(t *testing.T) {
	defer goleak.VerifyNone(t)
	t.Run("all", func(t *testing.T) {
		n := devnettest.Net(t, "../../..", swap.Hub, 8453)
		orders := newOrders(t, n, 60)
		f := newFleet(t, newWorld(t, n))
		var sending sync.WaitGroup
		defer func() { t.Logf("\n%s", f.count) }()
		during(func() {
			steps := []func(*testing.T){f.killed(true), f.killed(false), f.stopped, f.restarted, f.failedOver(true), f.failedOver(false)}
			for i, step := range steps {
				some := orders[i*10 : i*10+10]
				sending.Go(func() { sendAll(t, n, some) })
				step(t)
			}
			sending.Wait()
			awaitSettled(t, n, orders, f.seats[0].explain)
			f.seats[0].audit(t)
		},
			func(ctx context.Context) { f.calm(ctx, t) },
			func(ctx context.Context) { f.seats[0].keep(ctx, t) },
			func(ctx context.Context) { f.seats[1].keep(ctx, t) })
		f.figures(t)
	})
}

// present waits for a writer and returns it.
func (f *fleet) present(t *testing.T) (w *lives, epoch int64) {
	t.Helper()
	until(t, func() string { return "a settler is the writer" }, func() bool { w, epoch = f.writer(); return w != nil })
	return w, epoch
}

func (f *fleet) killed(early bool) func(*testing.T) {
	return func(t *testing.T) {
		t.Helper()
		before := f.count.of("kills")
		w, epoch := f.present(t)
		w.mu.Lock()
		w.end = &end{kind: "commit", left: 5 + dice.n(20), early: early}
		w.mu.Unlock()
		until(t, func() string { return "the writer is killed at a commit" }, func() bool { return f.count.of("kills") > before })
		f.another(t, epoch, "killed")
	}
}

func (f *fleet) stopped(t *testing.T) {
	t.Helper()
	before := f.count.of("stops")
	w, epoch := f.present(t)
	w.mu.Lock()
	p := w.now
	w.end = &end{kind: "commit", left: 5 + dice.n(20), stop: true}
	w.mu.Unlock()
	until(t, func() string { return "the writer is stopped at a commit" }, func() bool { return f.count.of("stops") > before })
	f.another(t, epoch, "stopped")
	_ = p.Signal(syscall.SIGCONT)
}

func (f *fleet) restarted(t *testing.T) {
	t.Helper()
	f.present(t)
	f.server.Kill()
	if err := f.server.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.count.add("restarts of Postgres")
	f.present(t)
}

// failedOver kills the server and promotes a replica: one that has every commit
// that was answered, or one that was cut off a while before.
func (f *fleet) failedOver(all bool) func(*testing.T) {
	return func(t *testing.T) {
		t.Helper()
		f.present(t)
		replica, err := f.server.Replica(t.Context(), all)
		if err != nil {
			t.Fatal(err)
		}
		name := "failovers without loss"
		if !all {
			name = "failovers that lost commits"
			replica.Kill()
		}
		fake.Sleep(t.Context(), 3*time.Second) // the writer commits meanwhile
		f.server.Kill()
		if !all {
			err = replica.Restart(t.Context())
		}
		if err == nil {
			err = replica.Promote(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		_ = f.server.Close()
		f.server = replica
		for i, p := range f.proxies {
			p.Point(replica.Address())
			f.seats[i].before = nil
		}
		f.count.add(name)
		f.present(t)
	}
}
