package quorum

import "time"

// The following are exported for the tests.
const (
	MaxLag     = maxLag
	MaxApart   = maxApart
	RetryAfter = retryAfter
	Timeout    = callTimeout
	Budget     = lookupTimeout
)

var (
	CommonBlocks = commonBlocks
	InStep       = inStep
)

// SetTimeouts changes the times of one call and of one lookup.
func (o *Options) SetTimeouts(call, lookup time.Duration) {
	o.callTimeout, o.lookupTimeout = call, lookup
}
