package ratelimit

import (
	"time"

	"hubquote/internal/upstream"
)

// SetRetryAfter changes the time between attempts to reach a lost Remote.
func (f *Fallback) SetRetryAfter(d time.Duration) { f.breaker = upstream.NewBreaker(d) }
