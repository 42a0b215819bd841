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

	"pgregory.net/rapid"

	"hubquote/internal/ratelimit"
	"hubquote/internal/ratelimit/memory"
	"hubquote/test/limiter"
)

var _ ratelimit.Limiter = (*ratelimit.Fallback)(nil)

var errDown = errors.New("down")

// A watch is a Fallback that counts the calls of its callbacks.
type watch struct {
	*ratelimit.Fallback
	asked, alone atomic.Int32
	mu           sync.Mutex
	changes      []bool
}

func newMemory(tb testing.TB) *memory.Memory {
	tb.Helper()
	m, err := memory.New(ratelimit.Standard())
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

func newWatch(tb testing.TB, r ratelimit.Remote) *watch {
	tb.Helper()
	w := new(watch)
	f, err := ratelimit.NewFallback(ratelimit.FallbackOptions{
		Remote: r,
		Local:  newMemory(tb),
		Asked:  func(time.Duration, error) { w.asked.Add(1) },
		Alone:  func() { w.alone.Add(1) },
		Changed: func(degraded bool, cause error) {
			if degraded != (cause != nil) {
				tb.Errorf("Changed(%v, %v), want an error if and only if degraded", degraded, cause)
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
	local := newMemory(t)
	tests := []struct {
		name string
		o    ratelimit.FallbackOptions
	}{
		{"no remote", ratelimit.FallbackOptions{Local: local}},
		{"no local", ratelimit.FallbackOptions{Remote: limiter.Remote(nil)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := ratelimit.NewFallback(tt.o); err == nil {
				t.Error("NewFallback has no error, want one")
			}
		})
	}
}

func TestCallbacksAreOptional(t *testing.T) {
	down := limiter.Remote(func() (ratelimit.Decision, error) { return ratelimit.Decision{}, errDown })
	f, err := ratelimit.NewFallback(ratelimit.FallbackOptions{Remote: down, Local: newMemory(t)})
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if !f.Take(t.Context(), limiter.Client("192.0.2.1")).Allowed {
			t.Error("Take = refused, want allowed")
		}
	}
}

// TestRecovery has a remote that is down until second 5, and is slow, so that
// concurrent requests wait for it at the same time.
func TestRecovery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		w := newWatch(t, limiter.Remote(func() (ratelimit.Decision, error) {
			if time.Sleep(50 * time.Millisecond); time.Since(start) < 5*time.Second {
				return ratelimit.Decision{}, errDown
			}
			return ratelimit.Decision{Allowed: true, Remaining: 7}, nil
		}))
		clients := atomic.Uint32{}
		take := func() ratelimit.Decision { return w.Take(t.Context(), limiter.Numbered(clients.Add(1))) }

		take()
		take()
		if w.Degraded() {
			t.Error("Degraded after two failures = true, want false")
		}
		take()
		if !w.Degraded() {
			t.Error("Degraded after three failures = false, want true")
		}
		if take(); w.asked.Load() != 3 {
			t.Errorf("%d calls of the remote, want 3: the breaker is open", w.asked.Load())
		}

		time.Sleep(time.Second)
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() { take() })
		}
		all.Wait()
		if asked := w.asked.Load(); asked != 4 {
			t.Errorf("%d of a hundred requests called the remote, want 1", asked-3)
		}

		time.Sleep(time.Second - 50*time.Millisecond)
		if take(); w.asked.Load() != 4 {
			t.Errorf("%d calls of the remote, want 4: the pause is not over", w.asked.Load())
		}
		time.Sleep(4 * time.Second)
		if d := take(); d.Remaining != 7 || w.Degraded() {
			t.Errorf("after recovery: %+v, Degraded = %v; want 7 remaining, false", d, w.Degraded())
		}
		if want := []bool{true, false}; !slices.Equal(w.changes, want) {
			t.Errorf("changes = %v, want %v", w.changes, want)
		}
	})
}

// A remote that fails again soon after it was back is left alone for longer, so that
// one which answers single calls only does not make the state change all the time.
func TestSecondLossIsTriedLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down, clients := true, uint32(0)
		w := newWatch(t, limiter.Remote(func() (ratelimit.Decision, error) {
			if down {
				return ratelimit.Decision{}, errDown
			}
			return ratelimit.Decision{Allowed: true}, nil
		}))
		take := func(n int) {
			for range n {
				clients++
				w.Take(t.Context(), limiter.Numbered(clients))
				time.Sleep(time.Millisecond)
			}
		}
		take(3)
		down = false
		time.Sleep(time.Second)
		take(1)
		down = true
		take(3)
		asked := w.asked.Load()
		time.Sleep(1500 * time.Millisecond)
		if take(1); w.asked.Load() != asked {
			t.Error("the remote was tried 1.5 seconds after its second loss, want 2 seconds")
		}
		time.Sleep(time.Second)
		if take(1); w.asked.Load() != asked+1 {
			t.Error("the remote was not tried 2.5 seconds after its second loss, want it tried")
		}
	})
}

func TestRefusedClientDoesNotUseTheTrial(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down := true
		w := newWatch(t, limiter.Remote(func() (ratelimit.Decision, error) {
			if down {
				return ratelimit.Decision{}, errDown
			}
			return ratelimit.Decision{Allowed: true}, nil
		}))
		for range 30 {
			w.Take(t.Context(), limiter.Client("192.0.2.1"))
		}
		down = false
		for range 20 {
			time.Sleep(100 * time.Millisecond)
			w.Take(t.Context(), limiter.Client("192.0.2.1"))
		}
		if w.Take(t.Context(), limiter.Client("192.0.2.2")); w.Degraded() {
			t.Error("Degraded = true, want false: the trial was used for a refused client")
		}
	})
}

func TestFailuresWithASuccessBetweenOpenNoBreaker(t *testing.T) {
	n := 0
	w := newWatch(t, limiter.Remote(func() (ratelimit.Decision, error) {
		if n++; n%3 == 0 {
			return ratelimit.Decision{Allowed: true, Remaining: 29}, nil
		}
		return ratelimit.Decision{}, errDown
	}))
	for i := range uint32(100) {
		w.Take(t.Context(), limiter.Numbered(i))
	}
	if w.Degraded() || w.asked.Load() != 100 {
		t.Errorf("Degraded = %v after %d calls, want false after 100: every third succeeded", w.Degraded(), w.asked.Load())
	}
}

// halves is a remote of two parts, of which one may be lost. Clients with an odd
// number are of that one.
type halves struct {
	lost, replaced *atomic.Bool
	asked          *atomic.Int32 // calls of the lost part
}

func (h halves) Part(c ratelimit.Client) string {
	switch {
	case c.String()[len(c.String())-1]%2 == 0:
		return "one"
	case h.replaced.Load():
		return "three"
	}
	return "two"
}

func (h halves) Take(_ context.Context, c ratelimit.Client) (ratelimit.Decision, error) {
	if h.lost.Load() && h.Part(c) == "two" {
		h.asked.Add(1)
		return ratelimit.Decision{}, errDown
	}
	return ratelimit.Decision{Allowed: true, Remaining: 29}, nil
}

// A part that is lost is noticed and left alone although the other part answers, and
// forgotten when it is replaced or back.
func TestOneLostPartIsNoticed(t *testing.T) {
	for _, end := range []string{"it is back", "it is replaced"} {
		t.Run(end, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := halves{new(atomic.Bool), new(atomic.Bool), new(atomic.Int32)}
				w := newWatch(t, h)
				h.lost.Store(true)
				for i := range uint32(100) {
					w.Take(t.Context(), limiter.Numbered(i))
				}
				if got := h.asked.Load(); !w.Degraded() || w.alone.Load() != 50 || got != 3 {
					t.Errorf("Degraded = %t, %d decided alone after %d calls of the lost part; want true, 50 after 3", w.Degraded(), w.alone.Load(), got)
				}
				h.lost.Store(end != "it is back")
				h.replaced.Store(end == "it is replaced")
				time.Sleep(5 * time.Second)
				w.Look(t.Context(), limiter.Numbered(1000), limiter.Numbered(1001))
				if want := []bool{true, false}; w.Degraded() || !slices.Equal(w.changes, want) {
					t.Errorf("Degraded = %t, changes = %v; want false, %v", w.Degraded(), w.changes, want)
				}
			})
		})
	}
}

// Requests that wait at the same time share a round trip. When it is late they all
// fail, which is one failure and no reason to stop asking; three such are.
func TestOneLateAnswerOpensNoBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWatch(t, limiter.Remote(func() (ratelimit.Decision, error) {
			time.Sleep(50 * time.Millisecond)
			return ratelimit.Decision{}, errDown
		}))
		for late := 1; late <= 3; late++ {
			var all sync.WaitGroup
			for i := range uint32(100) {
				all.Go(func() { w.Take(t.Context(), limiter.Numbered(i)) })
			}
			all.Wait()
			if got, want := w.Degraded(), late == 3; got != want {
				t.Errorf("Degraded after %d late answers to a hundred requests = %t, want %t", late, got, want)
			}
		}
	})
}

func TestConcurrentRequestsStayWithinTheLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWatch(t, limiter.Remote(func() (ratelimit.Decision, error) {
			time.Sleep(10 * time.Millisecond)
			return ratelimit.Decision{Allowed: true}, nil
		}))
		var allowed atomic.Int32
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() {
				if w.Take(t.Context(), limiter.Client("192.0.2.1")).Allowed {
					allowed.Add(1)
				}
			})
		}
		all.Wait()
		if allowed.Load() != 30 {
			t.Errorf("%d of a hundred requests were allowed, want 30", allowed.Load())
		}
	})
}

func TestLowerRemainingIsReturned(t *testing.T) {
	n := 0
	w := newWatch(t, limiter.Remote(func() (ratelimit.Decision, error) {
		if n++; n < 3 {
			return ratelimit.Decision{}, errDown
		}
		return ratelimit.Decision{Allowed: true, Remaining: 31 - 2*n, Reset: time.Minute}, nil
	}))
	for _, want := range []int{29, 28, 25, 23} {
		if got := w.Take(t.Context(), limiter.Client("192.0.2.1")).Remaining; got != want {
			t.Errorf("Remaining after %d requests = %d, want %d", n, got, want)
		}
	}
	w = newWatch(t, limiter.Remote(func() (ratelimit.Decision, error) {
		return ratelimit.Decision{Allowed: true, Remaining: 29, Reset: time.Minute}, nil
	}))
	for _, want := range []int{29, 28, 27} {
		if got := w.Take(t.Context(), limiter.Client("192.0.2.1")).Remaining; got != want {
			t.Errorf("Remaining = %d, want %d: this replica allowed more than the remote knows", got, want)
		}
	}
}

func TestRefusalOfTheRemoteIsFinal(t *testing.T) {
	refusal := ratelimit.Decision{Reset: 12 * time.Second}
	w := newWatch(t, limiter.Remote(func() (ratelimit.Decision, error) { return refusal, nil }))
	for range 40 {
		if got := w.Take(t.Context(), limiter.Client("192.0.2.1")); got != refusal {
			t.Fatalf("Take = %+v, want %+v", got, refusal)
		}
	}
}

// A step is a request after a pause, and the remote's answer to it.
type step struct {
	pause         time.Duration
	down, allowed bool
}

// The remote fails, allows and refuses at random.
func TestNoReplicaAllowsMoreThanThePolicy(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		policy := ratelimit.Policy{Requests: rapid.IntRange(1, 5).Draw(rt, "requests"), Window: time.Minute}
		steps := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) step {
			return step{limiter.AnyPause(policy.Window).Draw(rt, "pause"), rapid.Bool().Draw(rt, "down"), rapid.Bool().Draw(rt, "allowed")}
		}), 1, 60).Draw(rt, "steps")
		synctest.Test(t, func(t *testing.T) { checkPolicy(t, policy, steps) })
	})
}

func checkPolicy(t *testing.T, policy ratelimit.Policy, steps []step) {
	local, err := memory.New(policy)
	if err != nil {
		t.Fatal(err)
	}
	var now step
	f, err := ratelimit.NewFallback(ratelimit.FallbackOptions{
		Local: local,
		Remote: limiter.Remote(func() (ratelimit.Decision, error) {
			if now.down {
				return ratelimit.Decision{}, errDown
			}
			return ratelimit.Decision{Allowed: now.allowed, Remaining: 5}, nil
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	f.SetRetryAfter(time.Nanosecond)
	var allowed []time.Time
	for _, now = range steps {
		time.Sleep(now.pause)
		if d := f.Take(t.Context(), limiter.Numbered(0)); d.Allowed {
			allowed = append(allowed, time.Now())
		}
		if i := len(allowed) - 1 - policy.Requests; i >= 0 && allowed[len(allowed)-1].Sub(allowed[i]) < policy.Window {
			t.Fatalf("%d requests were allowed in less than a window, want at most %d; %+v", policy.Requests+1, policy.Requests, steps)
		}
	}
}
