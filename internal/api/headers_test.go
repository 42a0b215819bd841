package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"hubquote/internal/api"
	"hubquote/internal/metrics"
	"hubquote/internal/ratelimit"
	"hubquote/internal/ratelimit/memory"
)

// Every response has the CORS headers and a request ID.
func TestHeadersOnEveryResponse(t *testing.T) {
	s := newServer(t, api.Options{})
	for _, target := range []string{valid(), valid("amount", "x"), valid("integratorId", alice), "/nowhere", "/", "/v3/swap/healthcheck", "/v3/app/tokens"} {
		h := get(s, target).Header()
		if h.Get("X-Request-Id") == "" || h.Get("Access-Control-Allow-Origin") != "*" ||
			h.Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(h.Get("Access-Control-Expose-Headers"), "Retry-After") {
			t.Errorf("%s: headers = %v, want a request ID, CORS headers and nosniff", target, h)
		}
	}
}

func TestQuotesAndErrorsAreNeverStored(t *testing.T) {
	s := newServer(t, api.Options{})
	for _, target := range []string{valid(), valid("srcChain", "10"), shielding(private), valid("amount", "x"), "/nowhere", "/v3/app/routers?srcChain=x"} {
		w := get(s, target)
		if got := w.Header().Get("Cache-Control"); got != "no-store" || w.Header().Get("ETag") != "" {
			t.Errorf("%s: Cache-Control = %q and ETag = %q, want no-store and none", target, got, w.Header().Get("ETag"))
		}
	}
}

func TestCatalogEndpointsHaveETags(t *testing.T) {
	s := newServer(t, api.Options{})
	for _, target := range []string{"/v3/app/routers", "/v3/app/tokens", "/v3/app/routes", "/openapi.json"} {
		etag := get(s, target).Header().Get("ETag")
		r := httptest.NewRequest("GET", target, nil)
		r.Header.Set("If-None-Match", etag)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if etag == "" || w.Code != 304 || w.Body.Len() != 0 {
			t.Errorf("%s: ETag = %q, then status %d with %d bytes, want a tag, then 304 with none", target, etag, w.Code, w.Body.Len())
		}
	}
}

func TestRequestID(t *testing.T) {
	s := newServer(t, api.Options{})
	ask := func(id string) string {
		r := httptest.NewRequest("GET", "/v3/swap/healthcheck", nil)
		r.Header.Set("X-Request-Id", id)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w.Header().Get("X-Request-Id")
	}
	for _, id := range []string{"a", "Trace_1.2-3", strings.Repeat("x", 64)} {
		if got := ask(id); got != id {
			t.Errorf("X-Request-Id = %q, want %q", got, id)
		}
	}
	for _, id := range []string{"", "a b", "<script>", "a\tb", "ä", strings.Repeat("x", 65)} {
		if got := ask(id); got == id || len(got) != 32 {
			t.Errorf("X-Request-Id for %q = %q, want a new one of 32 characters", id, got)
		}
	}
}

func TestPreflight(t *testing.T) {
	w := httptest.NewRecorder()
	newServer(t, api.Options{}).ServeHTTP(w, httptest.NewRequest("OPTIONS", "/v3/swap/quote", nil))
	if w.Code != 204 || w.Header().Get("Access-Control-Allow-Methods") != "GET, HEAD, OPTIONS" {
		t.Errorf("status = %d, headers = %v, want 204 and the methods", w.Code, w.Header())
	}
}

// A quote of any version names the catalog it was made from, where a browser can
// read it; an error names none.
func TestQuotesNameTheirCatalog(t *testing.T) {
	s := newServer(t, api.Options{})
	v1 := strings.Replace(valid(), "/v3/swap/quote", "/v1/quote", 1)
	for target, want := range map[string]string{
		valid(): embedded(t).Digest(), valid("revision", "1"): embedded(t).Digest(), v1: embedded(t).Digest(),
		valid("amount", "1"): "",
	} {
		h := get(s, target).Header()
		if got := h.Get("Hubquote-Catalog"); got != want || !strings.Contains(h.Get("Access-Control-Expose-Headers"), "Hubquote-Catalog") {
			t.Errorf("%s: Hubquote-Catalog = %q, exposed %q, want %q and its name", target, got, h.Get("Access-Control-Expose-Headers"), want)
		}
	}
}

func TestEarlierVersionsSayTheyAreDeprecated(t *testing.T) {
	s := newServer(t, api.Options{})
	v1 := strings.Replace(valid(), "/v3/swap/quote", "/v1/quote", 1)
	for _, target := range []string{v1, strings.Replace(v1, "/v1/quote", "/swap/v1/quote", 1), valid("revision", "1")} {
		w := get(s, target)
		if w.Code != 200 || w.Header().Get("Deprecation") == "" || !strings.Contains(w.Header().Get("Link"), `rel="successor-version"`) {
			t.Errorf("%s: status = %d, headers = %v, want 200, Deprecation and a successor", target, w.Code, w.Header())
		}
	}
	if w := get(s, valid()); w.Header().Get("Deprecation") != "" {
		t.Errorf("Deprecation of the current version = %q, want none", w.Header().Get("Deprecation"))
	}
}

// A burn of v1 that pays its sender warns contract wallets, where a browser can
// read it; no other answer does.
func TestBurnToTheSenderWarns(t *testing.T) {
	const (
		zero = "0x0000000000000000000000000000000000000000"
		want = "a contract wallet must not send this burn: its address on the hub may not be its own; name a recipient"
	)
	v1 := func(change ...string) string { return "/v1" + strings.TrimPrefix(valid(change...), "/v3/swap") }
	s := newServer(t, api.Options{})
	for _, tt := range []struct{ name, target, want string }{
		{"a burn without a recipient", v1("srcChain", "137", "recipient", ""), want},
		{"a burn to the zero address", v1("srcChain", "137", "recipient", zero), want},
		{"the same at the other path", "/swap" + v1("srcChain", "42161", "recipient", ""), want},
		{"a burn with a recipient", v1("srcChain", "137"), ""},
		{"a deposit without a recipient", v1("recipient", ""), ""},
		{"a burn that is refused", v1("srcChain", "137", "recipient", "", "amount", "1"), ""},
		{"a burn of v3", valid("srcChain", "137"), ""},
	} {
		w := get(s, tt.target)
		if got := w.Header().Get("Hubquote-Warning"); got != tt.want {
			t.Errorf("%s: status %d, warning %q, want %q", tt.name, w.Code, got, tt.want)
		}
		if got := w.Header().Get("Access-Control-Expose-Headers"); !strings.Contains(got, "Hubquote-Warning") {
			t.Errorf("%s: exposed headers %q, want the warning among them", tt.name, got)
		}
	}
}

func TestRateLimitHeaders(t *testing.T) {
	limiter, err := memory.New(ratelimit.Standard())
	if err != nil {
		t.Fatal(err)
	}
	h := get(newServer(t, api.Options{Limiter: limiter}), valid()).Header()
	if h.Get("RateLimit-Policy") != `"client";q=30;w=60` || h.Get("RateLimit") != `"client";r=29;t=60` {
		t.Errorf("RateLimit-Policy = %s and RateLimit = %s, want 30 in 60 seconds and 29 left", h.Get("RateLimit-Policy"), h.Get("RateLimit"))
	}
}

// Only a proxy that the operator named may name its client.
func TestClientAddress(t *testing.T) {
	tests := []struct {
		name      string
		peer      string
		forwarded string
		counted   string
	}{
		{"an untrusted peer is the client", "203.0.113.9:5000", "198.51.100.1", "203.0.113.9"},
		{"a trusted proxy names the client", "10.0.0.1:5000", "198.51.100.1", "198.51.100.1"},
		{"addresses before the proxy's own do not count", "10.0.0.1:5000", "1.2.3.4, 198.51.100.1, 10.0.0.2", "198.51.100.1"},
		{"a proxy without a header is the client", "10.0.0.1:5000", "", "10.0.0.1"},
		{"IPv6 counts by /64", "[2001:db8:1:2:3::4]:5000", "", "2001:db8:1:2::9"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rec := &recordingLimiter{}
			s := newServer(t, api.Options{Limiter: rec, TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}})
			r := httptest.NewRequest("GET", valid(), nil)
			r.RemoteAddr = tt.peer
			if tt.forwarded != "" {
				r.Header.Set("X-Forwarded-For", tt.forwarded)
			}
			s.ServeHTTP(httptest.NewRecorder(), r)
			if want := ratelimit.ClientOf(netip.MustParseAddr(tt.counted)); rec.last != want {
				t.Errorf("client = %v, want %v", rec.last, want)
			}
		})
	}
}

// A recordingLimiter allows every request and records its client.
type recordingLimiter struct{ last ratelimit.Client }

func (l *recordingLimiter) Take(_ context.Context, c ratelimit.Client) ratelimit.Decision {
	l.last = c
	return ratelimit.Decision{Allowed: true}
}

func TestHealth(t *testing.T) {
	state := api.CheckOK
	s := newServer(t, api.Options{Version: "1.2.3", Commit: "abc", Checks: func() []api.Check {
		return []api.Check{{Name: "registry", Status: state}}
	}})
	ask := func() (int, string) {
		w := get(s, "/v3/swap/healthcheck")
		var body struct {
			Status, Version, Commit string
			Catalog                 struct{ Digest, Deployment string }
		}
		if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
			t.Fatal(err)
		}
		if body.Version != "1.2.3" || body.Commit != "abc" || body.Catalog.Digest != embedded(t).Digest() {
			t.Errorf("body = %+v, want the version, commit and catalog of the program", body)
		}
		return w.Code, body.Status
	}
	if code, status := ask(); code != 200 || status != "ok" {
		t.Errorf("with upstreams up: %d %s, want 200 ok", code, status)
	}
	state = api.CheckDown
	if code, status := ask(); code != 200 || status != "degraded" {
		t.Errorf("with an upstream down: %d %s, want 200 degraded", code, status)
	}
	s.Drain()
	if code, status := ask(); code != 503 || status != "draining" {
		t.Errorf("before a stop: %d %s, want 503 draining", code, status)
	}
	if w := get(s, valid()); w.Code != 200 {
		t.Errorf("status of a quote while draining = %d, want 200", w.Code)
	}
}

// A log line says what failed, never for whom or how much; a metric is counted
// under the pattern, never under the path of the request.
func TestLogsAndMetricsHoldNothingPrivate(t *testing.T) {
	var log bytes.Buffer
	m := metrics.New(metrics.Info{}, "DIRECT")
	s := newServer(t, api.Options{
		Metrics: m,
		Log:     slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	for _, target := range []string{valid(), shielding(private), shielding(private[:120]), valid("integratorId", alice), valid("amount", "9876543"), "/secret-path"} {
		get(s, target)
	}
	shown := log.String() + get(m.Handler(), "/metrics").Body.String()
	for _, secret := range []string{"0zk1", alice, strings.ToLower(alice), "9876543", "secret-path", "srcToken"} {
		if strings.Contains(shown, secret) {
			t.Errorf("log or metrics have %q, want nothing of a request", secret)
		}
	}
	for line := range strings.Lines(log.String()) {
		if !json.Valid([]byte(line)) {
			t.Errorf("log line = %s, want one JSON object", line)
		}
	}
	for _, want := range []string{
		`hubquote_requests_total{code="AMOUNT_TOO_LOW",path="/v3/swap/quote",status="400"} 1`,
		`hubquote_requests_total{code="NOT_FOUND",path="",status="404"} 1`,
		`hubquote_quotes_total{kind="DIRECT"} 2`,
	} {
		if !strings.Contains(shown, want) {
			t.Errorf("metrics have no %s", want)
		}
	}
}
