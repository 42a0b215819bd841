package upstream

import (
	"io"
	"net"
	"net/http"
	"time"
)

const (
	maxBody    = 1 << 20 // bytes of a response; a block of a busy chain is a fifth of that
	maxHeaders = 64 << 10

	// connectTimeout bounds connection attempts, which continue after the
	// caller's context has ended.
	connectTimeout = 2 * time.Second
	idleTimeout    = 90 * time.Second
)

// Client returns an HTTP client that follows no redirect, reads at most a
// megabyte, does not decompress, and ignores proxies in the environment. It
// uses base, or its own connections when base is nil. Every error it returns
// has a [Fault] in its tree, but must not be printed itself: net/http adds the
// URL to it.
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

// A guard passes on only complete, successful and small responses.
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
	case code == http.StatusNotFound:
		return NotFound
	case code < 200 || code >= 300:
		return BadStatus
	case resp.ContentLength > maxBody:
		return TooLarge
	}
	return ""
}

// A body is a response body of limited size whose errors are faults.
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
