package metrics_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"hubquote/internal/metrics"
)

func scrape(m *metrics.Metrics) string {
	rec := httptest.NewRecorder()
	m.Handler().ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	return rec.Body.String()
}

func TestEventsAreCounted(t *testing.T) {
	m := metrics.New(metrics.Info{Version: "v", Catalog: "c", Deployment: "d", Reference: true}, "DIRECT")
	m.Watch(metrics.Gauge{Name: "level", Labels: map[string]string{"side": "left"}, Read: func() float64 { return 7 }})
	count(m)
	got := scrape(m)
	for _, want := range []string{
		`hubquote_info{catalog="c",deployment="d",reference="true",version="v"} 1`,
		`hubquote_requests_total{code="CODE",path="/p",status="400"} 1`,
		`hubquote_request_seconds_count{path="/p"} 1`,
		`hubquote_quotes_total{kind="DIRECT"} 1`,
		`hubquote_limiter_decisions_total{decision="refused"} 1`,
		`hubquote_limiter_fallback_total 1`,
		`hubquote_upstream_seconds_count{outcome="ok",upstream="u"} 1`,
		`hubquote_upstream_seconds_count{outcome="timeout",upstream="u"} 1`,
		`level{side="left"} 7`,
	} {
		if !strings.Contains(got, "\n"+want+"\n") {
			t.Errorf("metrics =\n%s\nwant %s in them", got, want)
		}
	}
}

// count records one event of each kind.
func count(m *metrics.Metrics) {
	m.Path("/p").Request(400, "CODE", time.Millisecond)
	m.Quote("DIRECT")
	m.Limited(false)
	m.Alone()
	m.Upstream("u", "", time.Millisecond)
	m.Upstream("u", "timeout", time.Millisecond)
}

func TestNilCountsNothing(*testing.T) { count(nil) }

// Prometheus sees an increase only in a series that was there before it.
func TestDecisionsStartAtZero(t *testing.T) {
	got := scrape(metrics.New(metrics.Info{}))
	for _, decision := range []string{"allowed", "refused"} {
		if want := `hubquote_limiter_decisions_total{decision="` + decision + `"} 0`; !strings.Contains(got, want) {
			t.Errorf("metrics =\n%s\nwant %s in them", got, want)
		}
	}
}
