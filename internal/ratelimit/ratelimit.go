// Package ratelimit answers one question: may this client make one more
// request? The answer is exact: yes, if and only if fewer requests than the
// policy's number were allowed to this client in the window that ends now.
//
// A bucket that refills, or a counter that is reset on the minute, lets up to
// twice the number through in one window; here the moment of every allowed
// request is kept, in whole microseconds, until it has left the window (D25).
// Refused requests are not counted, so a client that waits for [Decision.Reset]
// is let in.
package ratelimit

import (
	"context"
	"fmt"
	"time"
)

// A Limiter decides request by request. It has no error to return: a caller
// always needs an answer, so what happens when a backend is gone is the
// limiter's own business. [Memory] and [Fallback] are limiters; [Redis] alone
// is not.
type Limiter interface {
	Take(ctx context.Context, c Client) Decision
}

// A Decision is the answer to one request.
type Decision struct {
	Allowed   bool
	Remaining int           // how many more would be allowed at this moment
	Reset     time.Duration // until Remaining grows by one: what a refused client has to wait
}

// A Policy is how many requests a client may make in a window of time,
// wherever on the time line the window is laid.
type Policy struct {
	Requests int
	Window   time.Duration
}

const (
	// maxRequests is the room an entry in memory has; each one more costs four
	// bytes a client.
	maxRequests = 30

	// maxWindow keeps the moments of one window apart when they are stored in
	// 32 bits of microseconds, which repeat after 71 minutes.
	maxWindow = time.Hour
)

// Standard returns the policy of the service: 30 requests in any 60 seconds.
// A zero Policy in this package's options means this one.
func Standard() Policy { return Policy{Requests: 30, Window: time.Minute} }

// orStandard returns the policy to use for the one given in options.
func (p Policy) orStandard() (Policy, error) {
	switch {
	case p == Policy{}:
		return Standard(), nil
	case p.Requests < 1 || p.Requests > maxRequests:
		return p, fmt.Errorf("policy: %d requests: from 1 to %d are supported", p.Requests, maxRequests)
	case p.Window < time.Millisecond || p.Window > maxWindow:
		return p, fmt.Errorf("policy: window of %v: from %v to %v is supported", p.Window, time.Millisecond, maxWindow)
	case p.Window%time.Microsecond != 0:
		return p, fmt.Errorf("policy: window of %v: time is counted in whole microseconds", p.Window)
	}
	return p, nil
}
