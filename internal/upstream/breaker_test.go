package upstream_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hubquote/internal/upstream"
)

const pause = 5 * time.Second

// opened returns a breaker that has just opened.
func opened() *upstream.Breaker {
	b := upstream.NewBreaker(pause)
	for range upstream.BreakAfter {
		b.Allow()
		b.Fail()
	}
	return b
}

func wantState(t *testing.T, b *upstream.Breaker, want upstream.BreakerState) {
	t.Helper()
	if got := b.State(); got != want {
		t.Errorf("State = %s, want %s", got, want)
	}
}

func wantAllow(t *testing.T, b *upstream.Breaker, want bool) {
	t.Helper()
	if got := b.Allow(); got != want {
		t.Errorf("Allow = %t, want %t", got, want)
	}
}

func TestBreakerOpensAfterFailuresInARow(t *testing.T) {
	b := upstream.NewBreaker(pause)
	for i := range upstream.BreakAfter {
		wantState(t, b, upstream.Closed)
		wantAllow(t, b, true)
		if got, want := b.Fail(), i == upstream.BreakAfter-1; got != want {
			t.Errorf("failure %d: Fail = %t, want %t", i+1, got, want)
		}
	}
	wantState(t, b, upstream.Open)
	wantAllow(t, b, false)
}

func TestBreakerStaysClosedWhenSuccessIsBetween(t *testing.T) {
	b := upstream.NewBreaker(pause)
	for range 10 {
		b.Fail()
		b.Fail()
		if b.Succeed() {
			t.Error("Succeed = true for a closed breaker, want false")
		}
	}
	wantState(t, b, upstream.Closed)
}

func TestBreakerIgnoresOtherOutcomes(t *testing.T) {
	b := upstream.NewBreaker(pause)
	for range 10 {
		wantAllow(t, b, true)
		b.Ignore()
	}
	wantState(t, b, upstream.Closed)
}

func TestBreakerAdmitsOneTrialAfterEachPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := opened()
		time.Sleep(pause - time.Nanosecond)
		wantAllow(t, b, false)
		time.Sleep(time.Nanosecond)
		wantState(t, b, upstream.HalfOpen)
		wantAllow(t, b, true)
		wantAllow(t, b, false)
		if b.Fail() {
			t.Error("Fail = true for an open breaker, want false")
		}
		wantAllow(t, b, false)
		time.Sleep(pause)
		wantAllow(t, b, true)
		if !b.Succeed() {
			t.Error("Succeed = false for the trial, want true")
		}
		wantState(t, b, upstream.Closed)
		wantAllow(t, b, true)
		wantAllow(t, b, true)
	})
}

// A trial without a result does not close the breaker, and the next call may
// try at once.
func TestBreakerTriesAgainAfterAnIgnoredTrial(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := opened()
		time.Sleep(pause)
		wantAllow(t, b, true)
		b.Ignore()
		wantState(t, b, upstream.HalfOpen)
		wantAllow(t, b, true)
	})
}

func TestBreakerAdmitsOneOfManyGoroutines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := opened()
		time.Sleep(pause)
		var admitted atomic.Int32
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() {
				if b.Allow() {
					admitted.Add(1)
				}
			})
		}
		all.Wait()
		if got := admitted.Load(); got != 1 {
			t.Errorf("%d goroutines were admitted, want 1", got)
		}
	})
}

// A breaker that opens again soon after it has closed pauses for longer, up to a
// limit, and is itself again after a quiet time.
func TestDampedBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := upstream.NewDampedBreaker(pause, 4*pause)
		for i, want := range []time.Duration{1, 2, 4, 4} {
			for range upstream.BreakAfter {
				wantAllow(t, b, true)
				b.Fail()
			}
			time.Sleep(want*pause - time.Nanosecond)
			if state := b.State(); state != upstream.Open {
				t.Errorf("opening %d: state = %s just before %d pauses, want %s", i+1, state, want, upstream.Open)
			}
			time.Sleep(time.Nanosecond)
			wantAllow(t, b, true)
			b.Succeed()
			wantState(t, b, upstream.Closed)
		}
		time.Sleep(time.Minute)
		for range upstream.BreakAfter {
			b.Fail()
		}
		time.Sleep(pause)
		wantState(t, b, upstream.HalfOpen)
	})
}

// A call that began before the breaker opened does not close it.
func TestDampedBreakerIsClosedByATrialOnly(t *testing.T) {
	b := upstream.NewDampedBreaker(pause, pause)
	wantAllow(t, b, true)
	for range upstream.BreakAfter {
		b.Fail()
	}
	if b.Succeed() {
		t.Error("Succeed = true for a call before the breaker opened, want false")
	}
	wantState(t, b, upstream.Open)
}
