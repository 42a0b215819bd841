package integrator

import (
	"sync"
	"time"

	"hubquote/internal/upstream"
)

// A BreakerState tells whether an endpoint is being asked.
type BreakerState string

// The states of a breaker.
const (
	Closed   BreakerState = "closed"    // it is asked
	Open     BreakerState = "open"      // it failed again and again, and is left alone
	HalfOpen BreakerState = "half_open" // it was left alone long enough: one lookup tries it
)

const (
	breakAfter = 3               // failures in a row
	breakPause = 5 * time.Second // until it is tried again
)

// A breaker leaves a failing endpoint alone, so that lookups do not spend their
// time on it. It is also what is known about the endpoint's health.
type breaker struct {
	mu       sync.Mutex
	failures int       // in a row
	retry    time.Time // when an open breaker lets one lookup through
	trying   bool      // that lookup is under way
	success  time.Time // the last one; zero before it
	fault    upstream.Fault
}

// enter reports whether a lookup may use the endpoint. Each enter that may is
// followed by one leave.
func (b *breaker) enter() bool {
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

// leave records how the endpoint did: an empty fault is success.
func (b *breaker) leave(f upstream.Fault) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.trying, b.fault = false, f
	switch f {
	case "":
		b.failures, b.success = 0, time.Now()
	case BadEntry:
		// It may be the entry that is bad, and anyone can ask for that one
		// again and again: it must not keep others from asking for theirs.
	default:
		b.failures++
		b.retry = time.Now().Add(breakPause)
	}
}

func (b *breaker) state() BreakerState {
	switch {
	case b.failures < breakAfter:
		return Closed
	case time.Now().Before(b.retry):
		return Open
	}
	return HalfOpen
}

func (b *breaker) health() EndpointHealth {
	b.mu.Lock()
	defer b.mu.Unlock()
	h := EndpointHealth{Breaker: b.state(), Fault: b.fault, Answered: !b.success.IsZero()}
	if h.Answered {
		h.Age = time.Since(b.success)
	}
	return h
}
