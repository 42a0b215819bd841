package ratelimit

import (
	"sync"
	"time"
)

// A breaker remembers whether it makes sense to ask. It opens after a few
// failures in a row; from then on one caller at a time, after each pause, tries
// again for all.
type breaker struct {
	pause time.Duration

	mu       sync.Mutex
	failures int       // in a row
	retry    time.Time // while open: when the next caller may try
}

// tolerance is the number of failures in a row that opens a breaker. One late
// answer is no reason to stop asking.
const tolerance = 3

// ask reports whether the caller should ask.
func (b *breaker) ask(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failures < tolerance {
		return true
	}
	if now.Before(b.retry) {
		return false
	}
	b.retry = now.Add(b.pause)
	return true
}

// report tells how asking went, and returns whether that opened or closed b.
func (b *breaker) report(now time.Time, err error) (changed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	before := b.failures
	if err == nil {
		b.failures = 0
	} else {
		b.failures++
		b.retry = now.Add(b.pause)
	}
	return (before < tolerance) != (b.failures < tolerance)
}

func (b *breaker) open() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.failures >= tolerance
}
