package quorum

import (
	"time"

	"hubquote/internal/quorum/endpoint"
	"hubquote/internal/quorum/heads"
)

// The following are exported for the tests.
const (
	MaxLag     = heads.MaxLag
	MaxLookups = endpoint.MaxLookups
	RetryAfter = endpoint.RetryAfter
	Timeout    = callTimeout
	Budget     = lookupTimeout
)

// SetTimeouts changes the times of one call and of one lookup.
func (o *Options) SetTimeouts(call, lookup time.Duration) {
	o.callTimeout, o.lookupTimeout = call, lookup
}
