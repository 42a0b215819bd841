package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"hubquote/internal/command"
	"hubquote/internal/service"
	"hubquote/swap"
	"hubquote/test/fake"
	"hubquote/test/reference"
)

// newService returns the service of these flags of serve, in this process.
func newService(t *testing.T, args ...string) *service.Service {
	t.Helper()
	s := command.Std{Program: "hubquote", Out: io.Discard, Err: io.Discard, Env: func(string) (string, bool) { return "", false }}
	c, err := readSettings(args, s)
	if err != nil {
		t.Fatal(err)
	}
	opts, err := c.options(s)
	if err != nil {
		t.Fatal(err)
	}
	quotes, err := service.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(quotes.Close)
	return quotes
}

// allDown are the flags of upstreams that are all down.
func allDown(t *testing.T) (args []string) {
	address, err := fake.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	for chain := range rates {
		args = append(args, "--rpc", fmt.Sprintf("%d=http://%s", chain, address))
	}
	return append(args, "--issuer", "http://"+address, "--redis", "redis://"+address)
}

// directPaths returns a request for every pair without a burn. Shielding ones
// encrypt their recipient, which takes about a hundred times as long as the others.
func directPaths(t *testing.T) (shielding, others []string) {
	t.Helper()
	c := reference.Catalog(t)
	for _, r := range c.Routes() {
		path := quotePath(fmt.Sprintf("srcChain=%s&srcToken=%s&dstChain=%s&dstToken=%s&amount=%s",
			r.Src.ID, r.SrcToken.Address, r.Dst.ID, r.DstToken.Address, r.Limits.Min.Dec()), "")
		switch {
		case r.Kind != swap.Direct:
		case r.Shields():
			shielding = append(shielding, strings.Replace(path, publicRecipient, privateRecipient, 1))
		default:
			others = append(others, path)
		}
	}
	return shielding, others
}

// With every upstream down, 100,000 plain quotes succeed, and no goroutine is left.
func TestPlainQuotesNeedNoUpstream(t *testing.T) {
	// The library tries to reconnect to Redis for up to a second after its use.
	search := goleak.IgnoreAnyFunction("github.com/redis/go-redis/v9/internal/pool.(*ConnPool).tryDial")
	leaks := goleak.IgnoreCurrent()
	t.Cleanup(func() { goleak.VerifyNone(t, leaks, search) })
	quotes := newService(t, allDown(t)...)
	quotes.Refresh()
	h := quotes.Handler()
	ask := func(client uint32, path string) {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.RemoteAddr = fmt.Sprintf("10.%d.%d.%d:1", client>>16, client>>8&255, client&255)
		rec := httptest.NewRecorder()
		if h.ServeHTTP(rec, r); rec.Code != 200 {
			t.Errorf("%s = %d %s, want 200", path, rec.Code, rec.Body)
		}
	}
	shielding, others := directPaths(t)
	var clients atomic.Uint32
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for _, path := range shielding {
				ask(clients.Add(1), path)
			}
			for i := range 25_000 {
				ask(clients.Add(1), others[i%len(others)])
			}
		})
	}
	all.Wait()
}
