package ratelimit

import (
	"time"

	"hubquote/internal/ratelimit/breakers"
	"hubquote/internal/upstream"
)

// SetRetryAfter changes the time between attempts to reach a lost Remote.
func (f *Fallback) SetRetryAfter(d time.Duration) {
	f.breakers = breakers.New(func() *upstream.Breaker { return upstream.NewBreaker(d) })
}
