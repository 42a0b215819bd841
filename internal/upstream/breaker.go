package upstream

import (
	"sync"
	"time"
)

// A BreakerState tells whether an upstream is called.
type BreakerState string

// The states of a breaker.
const (
	Closed   BreakerState = "closed"    // it is called
	Open     BreakerState = "open"      // it failed repeatedly and is not called
	HalfOpen BreakerState = "half_open" // the pause is over: one call at a time tries it
)

// BreakAfter is the number of failures in a row that opens a breaker. One late
// answer is no reason to stop calling.
const BreakAfter = 3

// A Breaker stops calls to an upstream that keeps failing, so that callers do
// not spend their time on it. After each pause it admits one call as a trial.
type Breaker struct {
	pause time.Duration

	mu       sync.Mutex
	failures int       // in a row
	retry    time.Time // when an open breaker becomes half open
	trying   bool      // the trial of a half-open breaker is under way

	longest time.Duration // of a damped breaker's pauses; zero for another breaker
	factor  time.Duration // by which the pause is longer at present
	closed  time.Time     // when it last closed
}

// NewBreaker returns a closed breaker. The pause is the time from a failure to
// the next trial.
func NewBreaker(pause time.Duration) *Breaker { return &Breaker{pause: pause} }

// settled is how long a damped breaker must stay closed until its pause is the
// first one again.
const settled = 30 * time.Second

// NewDampedBreaker returns a breaker whose pause doubles, up to the longest, each
// time that it opens again soon after it has closed, and that is closed only by a
// trial. An upstream that fails under the full load and not under one call would
// otherwise make it open and close all the time.
func NewDampedBreaker(pause, longest time.Duration) *Breaker {
	return &Breaker{pause: pause, longest: longest}
}

// Allow reports whether a call may be made. Every call that is allowed must be
// followed by one of [Breaker.Succeed], [Breaker.Fail] and [Breaker.Ignore].
func (b *Breaker) Allow() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch b.state() {
	case Open:
		return false
	case HalfOpen:
		if b.trying {
			return false
		}
		b.trying = true
	}
	return true
}

// Succeed records a successful call, and returns whether it closed the breaker.
func (b *Breaker) Succeed() (changed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	changed = b.failures >= BreakAfter
	if changed && b.longest > 0 && !b.trying {
		return false // a call that began before the breaker opened
	}
	if changed {
		b.closed = time.Now()
	}
	b.trying, b.failures = false, 0
	return changed
}

// Fail records a failed call, and returns whether it opened the breaker.
func (b *Breaker) Fail() (changed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.trying = false
	b.failures++
	if b.failures == BreakAfter {
		b.damp()
	}
	b.retry = time.Now().Add(b.pause * max(1, b.factor))
	return b.failures == BreakAfter
}

// damp chooses the pause of a breaker that opens.
func (b *Breaker) damp() {
	switch {
	case b.longest == 0:
	case b.closed.IsZero() || time.Since(b.closed) > settled:
		b.factor = 1
	case b.pause*b.factor*2 <= b.longest:
		b.factor *= 2
	}
}

// Ignore records a call whose outcome says nothing about the upstream.
func (b *Breaker) Ignore() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.trying = false
}

// State returns the present state.
func (b *Breaker) State() BreakerState {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.state()
}

func (b *Breaker) state() BreakerState {
	switch {
	case b.failures < BreakAfter:
		return Closed
	case time.Now().Before(b.retry):
		return Open
	}
	return HalfOpen
}
