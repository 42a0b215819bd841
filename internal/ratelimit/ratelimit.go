// Package ratelimit decides whether a client may make one more request. The
// decision is exact: the request is allowed if and only if fewer requests than
// the policy's number were allowed to this client in the window that ends now.
//
// A bucket that refills, or a counter that is reset every minute, allows up to
// twice the number in one window; here the time of every allowed request is kept,
// in whole microseconds, until it has left the window (D25). Refused requests are
// not counted, so a client that waits for [Decision.Reset] is allowed.
package ratelimit

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Limiter decides request by request. It returns no error, because a caller
// always needs a decision; the limiter handles the failure of a backend itself.
// Package memory has one for a single process; [Fallback] is one for replicas.
type Limiter interface {
	// Take counts one request of c if it is allowed.
	Take(ctx context.Context, c Client) Decision
}

// A Decision is the answer to one request.
type Decision struct {
	Allowed   bool
	Remaining int           // number of requests that would be allowed at this moment
	Reset     time.Duration // until Remaining grows by one, and a refused client may try again
}

// A Policy is the number of requests that a client may make in any window of that
// length.
type Policy struct {
	Requests int
	Window   time.Duration
}

var errPolicy = errors.New("write requests and window, such as 30/60s: from 1 to 100000 requests, in whole milliseconds up to an hour")

// ParsePolicy reads a policy as [Policy.String] writes it.
func ParsePolicy(s string) (p Policy, err error) {
	requests, window, ok := strings.Cut(s, "/")
	if p.Requests, err = strconv.Atoi(requests); err != nil || !ok || strconv.Itoa(p.Requests) != requests {
		return Policy{}, errPolicy
	}
	if p.Window, err = time.ParseDuration(window); err != nil {
		return Policy{}, errPolicy
	}
	if p.Requests < 1 || p.Requests > 100_000 || p.Window < time.Millisecond || p.Window > time.Hour || p.Window%time.Millisecond != 0 {
		return Policy{}, errPolicy
	}
	return p, nil
}

// String writes a policy in seconds where that is exact: 30/60s.
func (p Policy) String() string {
	if p.Window%time.Second == 0 {
		return fmt.Sprintf("%d/%ds", p.Requests, p.Window/time.Second)
	}
	return fmt.Sprintf("%d/%s", p.Requests, p.Window)
}

// UnmarshalText is [ParsePolicy].
func (p *Policy) UnmarshalText(text []byte) (err error) {
	*p, err = ParsePolicy(string(text))
	return err
}

// MarshalText is [Policy.String].
func (p Policy) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// Standard returns the policy of the service: 30 requests in any 60 seconds.
func Standard() Policy { return Policy{Requests: 30, Window: time.Minute} }

// Status is the budget of a client for asking where its swaps are: 60 requests in
// any 60 seconds. It is one of its own, so that a page that waits for a swap can
// still quote.
func Status() Policy { return Policy{Requests: 60, Window: time.Minute} }
