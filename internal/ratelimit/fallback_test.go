package ratelimit_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hubquote/internal/ratelimit"

	"pgregory.net/rapid"
)

var _ ratelimit.Limiter = (*ratelimit.Fallback)(nil)

var errDown = errors.New("down")

func cancelled(t *testing.T) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx, cancel
}

// A remote does as it is told. It is for what a real Redis cannot be made to do
// at a given moment.
type remote func() (ratelimit.Decision, error)

func (r remote) Take(context.Context, ratelimit.Client) (ratelimit.Decision, error) { return r() }

// A watch is a Fallback and what it told those who listen.
type watch struct {
	*ratelimit.Fallback
	asked, alone atomic.Int32
	mu           sync.Mutex
	changes      []bool
}

func newWatch(tb testing.TB, r ratelimit.Remote, pause time.Duration) *watch {
	tb.Helper()
	w := new(watch)
	f, err := ratelimit.NewFallback(ratelimit.FallbackOptions{
		Remote: r,
		Local:  newMemory(tb, ratelimit.MemoryOptions{}),
		Pause:  pause,
		Asked:  func(time.Duration, error) { w.asked.Add(1) },
		Alone:  func() { w.alone.Add(1) },
		Changed: func(degraded bool, cause error) {
			if degraded != (cause != nil) {
				tb.Errorf("degraded is %v because of %v", degraded, cause)
			}
			w.mu.Lock()
			defer w.mu.Unlock()
			w.changes = append(w.changes, degraded)
		},
	})
	if err != nil {
		tb.Fatal(err)
	}
	w.Fallback = f
	return w
}

func TestFallbackOptions(t *testing.T) {
	local := newMemory(t, ratelimit.MemoryOptions{})
	tests := []struct {
		name string
		o    ratelimit.FallbackOptions
	}{
		{"no remote", ratelimit.FallbackOptions{Local: local}},
		{"no local", ratelimit.FallbackOptions{Remote: remote(nil)}},
		{"negative pause", ratelimit.FallbackOptions{Remote: remote(nil), Local: local, Pause: -1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := ratelimit.NewFallback(tt.o); err == nil {
				t.Error("no complaint")
			}
		})
	}
}

func TestNobodyHasToListen(t *testing.T) {
	down := remote(func() (ratelimit.Decision, error) { return ratelimit.Decision{}, errDown })
	f, err := ratelimit.NewFallback(ratelimit.FallbackOptions{Remote: down, Local: newMemory(t, ratelimit.MemoryOptions{})})
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if !f.Take(t.Context(), client("192.0.2.1")).Allowed {
			t.Error("refused")
		}
	}
}

// TestRedisIsKilled is the whole story with a real Redis: shared, lost, alone,
// back.
func TestRedisIsKilled(t *testing.T) {
	s, c := startServer(t), client("192.0.2.1")
	w := newWatch(t, s.redis(ratelimit.RedisOptions{}), time.Millisecond)
	other := s.redis(ratelimit.RedisOptions{})
	for range 5 {
		must(t, other, c)
		w.Take(t.Context(), c)
	}
	if d := w.Take(t.Context(), c); d.Remaining != 19 || w.alone.Load() != 0 {
		t.Errorf("with Redis: %+v, %d decided alone; want 19 remaining, as two replicas had eleven requests", d, w.alone.Load())
	}

	s.kill()
	if d := w.Take(t.Context(), c); d.Remaining != 23 || w.alone.Load() != 1 {
		t.Errorf("without Redis: %+v, %d decided alone; want 23 remaining, as this replica allowed six and this one", d, w.alone.Load())
	}
	for range 100 {
		w.Take(t.Context(), c)
	}
	if d := w.Take(t.Context(), c); d.Allowed || !w.Degraded() {
		t.Errorf("without Redis, after a hundred: %+v, degraded is %v", d, w.Degraded())
	}

	s.start()
	visitor := uint32(0)
	eventually(t, "Redis decides again", func() bool {
		visitor++
		w.Take(t.Context(), numbered(visitor))
		return !w.Degraded()
	})
	if want := []bool{true, false}; !slices.Equal(w.changes, want) {
		t.Errorf("changes %v, want %v", w.changes, want)
	}
	before := w.alone.Load()
	if d := w.Take(t.Context(), c); d.Allowed {
		t.Errorf("with a new Redis that knows nobody: %+v, want refused, as this replica remembers", d)
	}
	if d := w.Take(t.Context(), client("198.51.100.1")); d.Remaining != 29 || w.alone.Load() != before {
		t.Errorf("with a new Redis: %+v", d)
	}
}

func TestRedisIsFrozen(t *testing.T) {
	s := startServer(t)
	w := newWatch(t, s.redis(ratelimit.RedisOptions{Timeout: 20 * time.Millisecond}), time.Hour)
	s.freeze()
	defer s.thaw()
	for i := range uint32(100) {
		if d := w.Take(t.Context(), numbered(i)); !d.Allowed || d.Remaining != 29 {
			t.Fatalf("client %d: %+v", i, d)
		}
	}
	if asked := w.asked.Load(); asked != 3 || w.alone.Load() != 100 {
		t.Errorf("Redis was waited for %d times in %d decisions, want 3 in 100", asked, w.alone.Load())
	}
}

// TestTheWayBack has a remote that is down until second 5, and answers late, so
// that all that wait for it wait at once.
func TestTheWayBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		w := newWatch(t, remote(func() (ratelimit.Decision, error) {
			if time.Sleep(50 * time.Millisecond); time.Since(start) < 5*time.Second {
				return ratelimit.Decision{}, errDown
			}
			return ratelimit.Decision{Allowed: true, Remaining: 7}, nil
		}), time.Second)
		visitor := atomic.Uint32{}
		visit := func() ratelimit.Decision { return w.Take(t.Context(), numbered(visitor.Add(1))) }

		visit()
		visit()
		if w.Degraded() {
			t.Error("degraded after two failures")
		}
		visit()
		if !w.Degraded() {
			t.Error("not degraded after three failures")
		}
		if visit(); w.asked.Load() != 3 {
			t.Error("asked while it was clear that there would be no answer")
		}

		time.Sleep(time.Second)
		var crowd sync.WaitGroup
		for range 100 {
			crowd.Go(func() { visit() })
		}
		crowd.Wait()
		if asked := w.asked.Load(); asked != 4 {
			t.Errorf("%d of a hundred tried again, want one", asked-3)
		}

		time.Sleep(time.Second - 50*time.Millisecond)
		if visit(); w.asked.Load() != 4 {
			t.Error("tried again before the pause was over")
		}
		time.Sleep(4 * time.Second)
		if d := visit(); d.Remaining != 7 || w.Degraded() {
			t.Errorf("the remote is back: %+v, degraded is %v", d, w.Degraded())
		}
		if want := []bool{true, false}; !slices.Equal(w.changes, want) {
			t.Errorf("changes %v, want %v", w.changes, want)
		}
	})
}

func TestARefusedClientDoesNotDelayTheWayBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down := true
		w := newWatch(t, remote(func() (ratelimit.Decision, error) {
			if down {
				return ratelimit.Decision{}, errDown
			}
			return ratelimit.Decision{Allowed: true}, nil
		}), time.Second)
		for range 30 {
			w.Take(t.Context(), client("192.0.2.1"))
		}
		down = false
		for range 20 {
			time.Sleep(100 * time.Millisecond)
			w.Take(t.Context(), client("192.0.2.1"))
		}
		if w.Take(t.Context(), client("192.0.2.2")); w.Degraded() {
			t.Error("the attempt was spent on a client that had no request left")
		}
	})
}

func TestLateFailuresDoNotAddUp(t *testing.T) {
	n := 0
	w := newWatch(t, remote(func() (ratelimit.Decision, error) {
		if n++; n%3 == 0 {
			return ratelimit.Decision{Allowed: true, Remaining: 29}, nil
		}
		return ratelimit.Decision{}, errDown
	}), time.Hour)
	for i := range uint32(100) {
		w.Take(t.Context(), numbered(i))
	}
	if w.Degraded() || w.asked.Load() != 100 {
		t.Errorf("gave up after %d questions although every third was answered", w.asked.Load())
	}
}

func TestACrowdDoesNotSlipThroughWhileTheRemoteThinks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWatch(t, remote(func() (ratelimit.Decision, error) {
			time.Sleep(10 * time.Millisecond)
			return ratelimit.Decision{Allowed: true}, nil
		}), 0)
		var allowed atomic.Int32
		var crowd sync.WaitGroup
		for range 100 {
			crowd.Go(func() {
				if w.Take(t.Context(), client("192.0.2.1")).Allowed {
					allowed.Add(1)
				}
			})
		}
		crowd.Wait()
		if allowed.Load() != 30 {
			t.Errorf("%d of a hundred were allowed, want 30", allowed.Load())
		}
	})
}

func TestTheStricterViewIsShown(t *testing.T) {
	n := 0
	w := newWatch(t, remote(func() (ratelimit.Decision, error) {
		if n++; n < 3 {
			return ratelimit.Decision{}, errDown
		}
		return ratelimit.Decision{Allowed: true, Remaining: 31 - 2*n, Reset: time.Minute}, nil
	}), 0)
	for _, want := range []int{29, 28, 25, 23} {
		if got := w.Take(t.Context(), client("192.0.2.1")).Remaining; got != want {
			t.Errorf("%d remain after %d requests, want %d", got, n, want)
		}
	}
	w = newWatch(t, remote(func() (ratelimit.Decision, error) {
		return ratelimit.Decision{Allowed: true, Remaining: 29, Reset: time.Minute}, nil
	}), 0)
	for _, want := range []int{29, 28, 27} {
		if got := w.Take(t.Context(), client("192.0.2.1")).Remaining; got != want {
			t.Errorf("%d remain although this replica allowed more: want %d", got, want)
		}
	}
}

func TestTheRemotesRefusalStands(t *testing.T) {
	refusal := ratelimit.Decision{Reset: 12 * time.Second}
	w := newWatch(t, remote(func() (ratelimit.Decision, error) { return refusal, nil }), 0)
	for range 40 {
		if got := w.Take(t.Context(), client("192.0.2.1")); got != refusal {
			t.Fatalf("got %+v, want %+v", got, refusal)
		}
	}
}

// TestNoReplicaAllowsMoreThanThePolicy holds for a remote that answers, fails,
// forgets and allows whatever it likes.
func TestNoReplicaAllowsMoreThanThePolicy(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		clock := newClock()
		policy := ratelimit.Policy{Requests: rapid.IntRange(1, 5).Draw(rt, "requests"), Window: time.Minute}
		f, err := ratelimit.NewFallback(ratelimit.FallbackOptions{
			Local: newMemory(t, ratelimit.MemoryOptions{Policy: policy, Now: clock.Now, Clients: 10}),
			Pause: time.Nanosecond,
			Remote: remote(func() (ratelimit.Decision, error) {
				if rapid.Bool().Draw(rt, "down") {
					return ratelimit.Decision{}, errDown
				}
				return ratelimit.Decision{Allowed: rapid.Bool().Draw(rt, "allowed"), Remaining: 5}, nil
			}),
		})
		if err != nil {
			rt.Fatal(err)
		}
		var allowed []time.Time
		for range rapid.IntRange(1, 60).Draw(rt, "steps") {
			clock.advance(anyPause(policy.Window).Draw(rt, "pause"))
			if d := f.Take(t.Context(), numbered(0)); d.Allowed {
				allowed = append(allowed, clock.now)
			}
			if i := len(allowed) - 1 - policy.Requests; i >= 0 && allowed[len(allowed)-1].Sub(allowed[i]) < policy.Window {
				rt.Fatalf("%d requests were allowed in less than a window", policy.Requests+1)
			}
		}
	})
}
