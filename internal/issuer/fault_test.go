package issuer_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"hubquote/internal/issuer"
	"hubquote/internal/upstream"
	"hubquote/swap"
	"hubquote/test/fake"
)

// canary is in every part of the URL.
const canary = "SECRETKEY123"

func answers(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) }
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "/"+canary)
		http.Error(w, r.URL.String(), code)
	}
}

func bomb() []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write(make([]byte, 4<<20))
	_ = z.Close()
	return out.Bytes()
}

// With every fault of one source, that source has no rate, the other has one,
// all connections are closed, and no part of the URL is in any output.
func TestFaults(t *testing.T) {
	zipped := bomb()
	tests := []struct {
		name   string
		handle http.HandlerFunc
		want   upstream.Fault
	}{
		{"closed without a response", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, upstream.Unreachable},
		{"cut in the middle", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, `[{"finalityThreshold":1000,"minimumFee":1`)
			panic(http.ErrAbortHandler)
		}, upstream.Unreachable},
		{"slow", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, upstream.Timeout},
		{"HTML", answers(`<title>` + canary + `</title>`), upstream.Malformed},
		{"empty body", answers(""), upstream.Malformed},
		{"no rows", answers("[]"), issuer.NoTier},
		{"a fee that is no number", answers(`[{"finalityThreshold":1000,"minimumFee":"` + canary + `"}]`), issuer.BadRate},
		{"huge body", func(w http.ResponseWriter, _ *http.Request) {
			for err := error(nil); err == nil; {
				_, err = io.WriteString(w, strings.Repeat(" ", 1<<16))
			}
		}, upstream.TooLarge},
		{"huge Content-Length", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", strconv.Itoa(1<<30))
		}, upstream.TooLarge},
		{"gzip bomb", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(zipped)
		}, upstream.Malformed},
		{"redirect", status(http.StatusFound), upstream.Redirected},
		{"no such key", status(http.StatusForbidden), upstream.Denied},
		{"too many requests", status(http.StatusTooManyRequests), upstream.RateLimited},
		{"server error", status(http.StatusInternalServerError), upstream.BadStatus},
		{"not found", status(http.StatusNotFound), upstream.NotFound},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newFixture(t, tt.handle)
			if got := s.faults[arbitrum.Source]; got != tt.want {
				t.Errorf("fault = %q, want %q", got, tt.want)
			}
			knows(t, s.live, avalanche, 0)
			s.log(unknown(t, s.live, arbitrum))
			s.close(t)
		})
	}
}

func TestUnreachableIssuer(t *testing.T) {
	refused := make(chan issuer.Refresh, 1)
	l := start(t, issuer.Options{
		URL:     mustURL(t, "https://"+canary+".invalid/"+canary),
		Burns:   []*swap.Burn{arbitrum},
		Observe: func(r issuer.Refresh) { refused <- r },
	})
	if r := <-refused; r.Fault != upstream.Unreachable && r.Fault != upstream.Timeout {
		t.Errorf("fault = %q, want %q or %q", r.Fault, upstream.Unreachable, upstream.Timeout)
	}
	unknown(t, l, arbitrum)
}

// A fixture is the issuer on a real socket, failing for arbitrum only.
type fixture struct {
	live   *issuer.Live
	faults map[swap.Domain]upstream.Fault // of the first refresh of each source
	proxy  *fake.Proxy
	output bytes.Buffer // everything that could reach a log, a metric or a client
}

func newFixture(t *testing.T, handle http.HandlerFunc) *fixture {
	s := &fixture{faults: map[swap.Domain]upstream.Fault{}}
	a := newAPI()
	a.SetHandle(func(w http.ResponseWriter, r *http.Request) bool {
		faulty := r.URL.Path == "/"+canary+arbitrumPath
		if faulty {
			handle(w, r)
		}
		return faulty
	})
	s.proxy = fake.Serve(t, a)
	transport := &http.Transport{DisableCompression: true, DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, s.proxy.Addr().String())
	}}
	refreshes := make(chan issuer.Refresh, 100)
	s.live = start(t, issuer.Options{
		URL: mustURL(t, "http://"+canary+"u:"+canary+"p@"+canary+".example/"+canary+"?key="+canary+"#"+canary),
		// The working source comes first, because a 429 for the other stops both.
		Burns:     []*swap.Burn{avalanche, arbitrum},
		Transport: transport,
		Observe:   func(r issuer.Refresh) { refreshes <- r },
	})
	for len(s.faults) < 2 {
		r := <-refreshes
		s.faults[r.Source] = r.Fault
		fmt.Fprintf(&s.output, "%+v\n", r)
	}
	return s
}

// log keeps an error in every form in which a log would show it.
func (s *fixture) log(err error) {
	fmt.Fprintf(&s.output, "%v %+v %#v %q\n", err, err, err, err)
	slog.New(slog.NewJSONHandler(&s.output, nil)).Error("quote", "err", err)
	slog.New(slog.NewTextHandler(&s.output, nil)).Error("quote", "err", err)
}

func (s *fixture) close(t *testing.T) {
	t.Helper()
	s.live.Close()
	fake.Eventually(t, "all connections are closed", func() bool { return s.proxy.Connections() == 0 })
	health, err := json.Marshal(s.live.Health())
	fmt.Fprintf(&s.output, "%s %v\n%+v\n%+v", health, err, s.live.Health(), s.live)
	if strings.Contains(strings.ToLower(s.output.String()), strings.ToLower(canary)) {
		t.Errorf("output contains the key, want it hidden:\n%s", s.output.String())
	}
}
