package upstream

import (
	"context"
	"errors"
	"net"
)

// A Fault is the kind of a failed call, one of a few fixed words. It replaces
// the error of net/http, which contains the URL, and the text of the upstream,
// which may repeat the key.
type Fault string

// The faults of any upstream. Packages add their own.
const (
	Canceled    Fault = "canceled"     // by us, or by a deadline that is not the upstream's
	Timeout     Fault = "timeout"      // no complete answer in time
	Unreachable Fault = "unreachable"  // no connection, or one that broke
	Redirected  Fault = "redirected"   // redirects are not followed
	Denied      Fault = "denied"       // the key is missing, wrong or used up
	RateLimited Fault = "rate_limited" // too many requests
	NotFound    Fault = "not_found"    // the upstream does not have it
	BadStatus   Fault = "bad_status"   // any other status but success
	TooLarge    Fault = "too_large"    // more bytes than the limit
	Malformed   Fault = "malformed"    // the answer cannot be parsed
)

func (f Fault) Error() string { return string(f) }

// FaultOf returns the fault in err's tree, or the empty fault if err is nil. An
// error without a fault came from parsing the answer, so it is [Malformed].
func FaultOf(err error) Fault {
	if err == nil {
		return ""
	}
	if f, ok := errors.AsType[Fault](err); ok {
		return f
	}
	return faultOr(err, Malformed)
}

func faultOr(err error, otherwise Fault) Fault {
	timeout, _ := errors.AsType[net.Error](err)
	switch {
	case errors.Is(err, context.Canceled):
		return Canceled
	case errors.Is(err, context.DeadlineExceeded), timeout != nil && timeout.Timeout():
		return Timeout
	}
	return otherwise
}
