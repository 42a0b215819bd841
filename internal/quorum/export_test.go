package quorum

import "time"

// The following are exported for the tests.
const (
	MaxLag     = maxLag
	MaxLookups = maxLookups
	RetryAfter = retryAfter
	Timeout    = callTimeout
	Budget     = lookupTimeout
)

var (
	Pin    = pin
	InStep = inStep
)

// SetTimeouts changes the times of one call and of one lookup.
func (o *Options) SetTimeouts(call, lookup time.Duration) {
	o.callTimeout, o.lookupTimeout = call, lookup
}
