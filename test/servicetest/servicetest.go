// Package servicetest runs the quote service for a test.
//
// It is the service that operators run. It ends with the test, after the
// requests in progress.
package servicetest

import (
	"cmp"
	"context"
	"net/http"
	"testing"
	"time"

	"hubquote/internal/ratelimit"
	"hubquote/internal/ratelimit/memory"
	"hubquote/internal/service"
	"hubquote/test/reference"
)

// Generous is a limit that no test reaches. The limiter runs as it does for
// operators.
var Generous = ratelimit.Policy{Requests: memory.MaxRequests, Window: time.Second}

// New returns a service that listens nowhere, for tests that call its Handler.
// The catalog is the embedded one unless opts has another.
func New(t testing.TB, opts service.Options) *service.Service {
	t.Helper()
	if opts.Catalog == nil {
		embedded := reference.Catalog(t)
		opts.Catalog = embedded
	}
	opts.Version = cmp.Or(opts.Version, "test")
	s, err := service.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// Start runs a service on a free port of the loopback interface, unless opts
// names an address, and returns its base URL.
func Start(t testing.TB, opts service.Options) string {
	t.Helper()
	opts.Listen = cmp.Or(opts.Listen, "127.0.0.1:0")
	s := New(t, opts)
	if err := s.Listen(); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- s.Run(ctx) }()
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		stop()
		if err := <-ended; err != nil {
			t.Errorf("the service ended with %v, want no error", err)
		}
	})
	return "http://" + s.Addr().String()
}
