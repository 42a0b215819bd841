// Package fake has the test doubles and launchers that tests, the soak and the
// devnet share: a JSON-RPC node, the issuer's API, a TCP proxy, a real Redis, and
// processes that end with the program that started them.
package fake

import (
	"context"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"
)

// A Network is an [http.RoundTripper] without sockets. It passes requests to
// handlers by host, and works inside a synctest bubble.
type Network map[string]http.Handler

// RoundTrip returns the response of the handler for the request's host.
func (n Network) RoundTrip(r *http.Request) (*http.Response, error) {
	rec := httptest.NewRecorder()
	n[r.URL.Host].ServeHTTP(rec, r)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return rec.Result(), nil
}

// FreeAddress returns an address of the loopback interface without a listener, which
// the system gives to nobody before the listener is there, or while it is restarted.
func FreeAddress() (string, error) {
	l, err := listen()
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// listen opens a port of the loopback interface that stays free when it is closed:
// one below those that the system gives to connections, and to who asks for any.
func listen() (l net.Listener, err error) {
	for range 100 {
		if l, err = net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(10_000+rand.IntN(12_000)))); err == nil {
			return l, nil
		}
	}
	return nil, err
}

// Sleep waits for d, and reports whether ctx is still valid then.
func Sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

// Until polls done until it returns true or ctx ends.
func Until(ctx context.Context, done func() bool) error {
	for !done() {
		if !Sleep(ctx, 20*time.Millisecond) {
			return ctx.Err()
		}
	}
	return nil
}

// patience is enough for a machine that is busy with other work.
const patience = 2 * time.Minute

// Eventually fails the test if done does not return true in time.
func Eventually(tb testing.TB, event string, done func() bool) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if Until(ctx, done) != nil {
		tb.Fatalf("not after %s: want %s", patience, event)
	}
}
