package upstream

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"time"
)

// A Fault is how a call went wrong, in one of a few fixed words. It takes the
// place of the error that net/http gives, which names the URL, and of what the
// upstream said, which may repeat the key.
type Fault string

// How a call can go wrong.
const (
	Canceled    Fault = "canceled"     // by us; says nothing about the upstream
	Timeout     Fault = "timeout"      // no whole answer in time
	Unreachable Fault = "unreachable"  // no connection, or one that broke
	Redirected  Fault = "redirected"   // elsewhere, where we do not go
	Denied      Fault = "denied"       // the key is missing, wrong or used up
	RateLimited Fault = "rate_limited" // we ask too often
	BadStatus   Fault = "bad_status"   // any other status but success
	TooLarge    Fault = "too_large"    // more bytes than any answer has
	Malformed   Fault = "malformed"    // bytes that are no answer
)

func (f Fault) Error() string { return string(f) }

// FaultOf returns the fault in err's tree, and nothing for no error. An error
// from elsewhere is a failure to make sense of the answer: [Malformed].
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

const (
	maxBody    = 1 << 20 // bytes of an answer; a block of a busy chain has a fifth of it
	maxHeaders = 64 << 10

	// connectTimeout bounds what a call leaves behind: a connection attempt
	// outlives the caller that gave up on it.
	connectTimeout = 2 * time.Second
	idleTimeout    = 90 * time.Second
)

// Client returns an HTTP client that follows no redirect, reads no more than a
// megabyte, does not decompress, and ignores proxies in the environment. Its
// calls are over base, or over connections of its own when base is nil. Every
// error it returns has a [Fault] inside, but must not be printed itself:
// net/http wraps it in the URL.
func Client(base http.RoundTripper) *http.Client {
	if base == nil {
		base = &http.Transport{
			DialContext:            (&net.Dialer{Timeout: connectTimeout}).DialContext,
			TLSHandshakeTimeout:    connectTimeout,
			IdleConnTimeout:        idleTimeout,
			MaxIdleConnsPerHost:    16,
			MaxResponseHeaderBytes: maxHeaders,
			DisableCompression:     true,
			ForceAttemptHTTP2:      true,
		}
	}
	return &http.Client{Transport: guard{base}}
}

// A guard lets only complete, successful and reasonably small answers through.
type guard struct{ base http.RoundTripper }

func (g guard) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := g.base.RoundTrip(r)
	if err != nil {
		return nil, faultOr(err, Unreachable)
	}
	if f := refuse(resp); f != "" {
		_ = resp.Body.Close()
		return nil, f
	}
	resp.Body = &body{ReadCloser: resp.Body, left: maxBody}
	return resp, nil
}

// CloseIdleConnections makes the method of [http.Client] of that name work.
func (g guard) CloseIdleConnections() {
	if c, ok := g.base.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

func refuse(resp *http.Response) Fault {
	switch code := resp.StatusCode; {
	case code >= 300 && code < 400:
		return Redirected
	case code == http.StatusUnauthorized, code == http.StatusPaymentRequired, code == http.StatusForbidden:
		return Denied
	case code == http.StatusTooManyRequests:
		return RateLimited
	case code < 200 || code >= 300:
		return BadStatus
	case resp.ContentLength > maxBody:
		return TooLarge
	}
	return ""
}

// A body is a response body that ends with a fault when it does not end well.
type body struct {
	io.ReadCloser
	left int
}

func (b *body) Read(p []byte) (int, error) {
	if len(p) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	if n > b.left {
		b.left = 0
		return 0, TooLarge
	}
	b.left -= n
	if err != nil && err != io.EOF {
		err = faultOr(err, Unreachable)
	}
	return n, err
}
