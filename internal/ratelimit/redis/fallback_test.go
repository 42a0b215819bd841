package redis_test

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hubquote/internal/ratelimit"
	"hubquote/internal/ratelimit/memory"
	"hubquote/internal/ratelimit/redis"
	"hubquote/internal/upstream"
	"hubquote/test/fake"
	"hubquote/test/limiter"
)

// A watch is a Fallback that counts the calls of its callbacks.
type watch struct {
	*ratelimit.Fallback
	asked, alone atomic.Int32
	mu           sync.Mutex
	changes      []bool
}

func newWatch(tb testing.TB, r *redis.Redis) *watch {
	tb.Helper()
	local, err := memory.New(ratelimit.Standard())
	if err != nil {
		tb.Fatal(err)
	}
	w := new(watch)
	w.Fallback, err = ratelimit.NewFallback(ratelimit.FallbackOptions{
		Remote: r, Local: local,
		Asked: func(time.Duration, error) { w.asked.Add(1) },
		Alone: func() { w.alone.Add(1) },
		Changed: func(degraded bool, _ error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.changes = append(w.changes, degraded)
		},
	})
	if err != nil {
		tb.Fatal(err)
	}
	return w
}

// TestRedisIsKilled runs the fallback with a real Redis that works, is killed, and
// starts again.
func TestRedisIsKilled(t *testing.T) {
	s, c := fake.NewRedis(t), limiter.Client("192.0.2.1")
	w := newWatch(t, open(t, s.URL(), ratelimit.Standard(), ""))
	other := open(t, s.URL(), ratelimit.Standard(), "")
	for range 5 {
		must(t, other, c)
		w.Take(t.Context(), c)
	}
	if d := w.Take(t.Context(), c); d.Remaining != 19 || w.alone.Load() != 0 {
		t.Errorf("with Redis: %+v, %d decided alone; want 19 remaining, as two replicas had eleven requests", d, w.alone.Load())
	}

	s.Kill()
	if d := w.Take(t.Context(), c); d.Remaining != 23 || w.alone.Load() != 1 {
		t.Errorf("without Redis: %+v, %d decided alone; want 23 remaining, as this replica allowed six and this one", d, w.alone.Load())
	}
	for range 100 {
		w.Take(t.Context(), c)
	}
	if d := w.Take(t.Context(), c); d.Allowed || !w.Degraded() {
		t.Errorf("without Redis, after a hundred requests: %+v, Degraded = %v; want refused, true", d, w.Degraded())
	}

	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	client := uint32(0)
	fake.Eventually(t, "Redis decides again", func() bool {
		client++
		w.Take(t.Context(), limiter.Numbered(client))
		return !w.Degraded()
	})
	if want := []bool{true, false}; !slices.Equal(w.changes, want) {
		t.Errorf("changes = %v, want %v", w.changes, want)
	}
	before := w.alone.Load()
	if d := w.Take(t.Context(), c); d.Allowed {
		t.Errorf("with an empty Redis: %+v, want refused, as this replica has counted 30 requests", d)
	}
	if d := w.Take(t.Context(), limiter.Client("198.51.100.1")); d.Remaining != 29 || w.alone.Load() != before {
		t.Errorf("with an empty Redis, a new client: %+v, %d decided alone; want 29 remaining, %d", d, w.alone.Load(), before)
	}
}

func TestRedisIsFrozen(t *testing.T) {
	s := fake.NewRedis(t)
	w := newWatch(t, openFor(t, s.URL(), ratelimit.Standard(), "", 20*time.Millisecond))
	if err := s.Freeze(); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	for i := range uint32(100) {
		if d := w.Take(t.Context(), limiter.Numbered(i)); !d.Allowed || d.Remaining != 29 {
			t.Fatalf("client %d: %+v, want allowed with 29 remaining", i, d)
		}
	}
	// A busy machine may take longer than the second between two attempts.
	most := upstream.BreakAfter + int32(time.Since(start)/time.Second)
	if asked := w.asked.Load(); asked < upstream.BreakAfter || asked > most || w.alone.Load() != 100 {
		t.Errorf("Redis was waited for %d times in %d decisions, want 3 in 100", asked, w.alone.Load())
	}
}
