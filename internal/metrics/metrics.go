// Package metrics has the Prometheus metrics of the server. No label has a value
// that a client chose, so the number of series is bounded.
package metrics

import (
	"cmp"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics are the counters of one server. A nil *Metrics counts nothing.
type Metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	latency  *prometheus.HistogramVec
	quotes   *prometheus.CounterVec
	limiter  *prometheus.CounterVec
	alone    prometheus.Counter
	upstream *prometheus.HistogramVec

	allowed, refused prometheus.Counter            // of limiter
	kinds            map[string]prometheus.Counter // of quotes
}

// Info identifies the running program, as labels of a series that is always 1.
type Info struct {
	Version    string
	Catalog    string // its digest
	Deployment string // its name
	Reference  bool   // whether it exists on no public chain
}

// New returns metrics with their own registry, for quotes of these kinds.
func New(info Info, kinds ...string) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "hubquote_requests_total", Help: "Requests answered, by path, status and error code.",
		}, []string{"path", "status", "code"}),
		latency: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "hubquote_request_seconds", Help: "Time from the parsed header to the last byte of the answer, by path.",
			Buckets: prometheus.ExponentialBuckets(25e-6, 4, 10),
		}, []string{"path"}),
		quotes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "hubquote_quotes_total", Help: "Quotes given, by route kind.",
		}, []string{"kind"}),
		limiter: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "hubquote_limiter_decisions_total", Help: "Decisions of the rate limiter.",
		}, []string{"decision"}),
		alone: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "hubquote_limiter_fallback_total", Help: "Decisions made from this replica's memory because Redis did not answer.",
		}),
		upstream: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "hubquote_upstream_seconds", Help: "Calls to upstreams, by upstream and outcome, which is ok or the kind of fault.",
			Buckets: prometheus.ExponentialBuckets(1e-3, 2, 12),
		}, []string{"upstream", "outcome"}),
	}
	built := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "hubquote_info", Help: "Always 1; the labels say what is running.",
		ConstLabels: prometheus.Labels{"version": info.Version, "catalog": info.Catalog, "deployment": info.Deployment, "reference": strconv.FormatBool(info.Reference)},
	})
	built.Set(1)
	// A series that begins with its first event hides that event from rate().
	m.allowed, m.refused = m.limiter.WithLabelValues("allowed"), m.limiter.WithLabelValues("refused")
	m.kinds = map[string]prometheus.Counter{}
	for _, kind := range kinds {
		m.kinds[kind] = m.quotes.WithLabelValues(kind)
	}
	m.registry.MustRegister(m.requests, m.latency, m.quotes, m.limiter, m.alone, m.upstream, built,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Plain returns metrics with nothing but the program's own figures, for a
// program that adds its gauges.
func Plain() *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry()}
	m.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Handler serves the metrics.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// A Path counts the answers of one path. A nil *Path counts nothing.
type Path struct {
	name     string
	requests *prometheus.CounterVec
	ok       prometheus.Counter // cached, as most answers are 200
	latency  prometheus.Observer
}

// Path returns the counters of one path.
func (m *Metrics) Path(name string) *Path {
	if m == nil {
		return nil
	}
	return &Path{
		name: name, requests: m.requests,
		ok:      m.requests.WithLabelValues(name, strconv.Itoa(http.StatusOK), ""),
		latency: m.latency.WithLabelValues(name),
	}
}

// Request counts one answer. The code is empty for a success.
func (p *Path) Request(status int, code string, took time.Duration) {
	if p == nil {
		return
	}
	if status == http.StatusOK {
		p.ok.Inc()
	} else {
		p.requests.WithLabelValues(p.name, strconv.Itoa(status), code).Inc()
	}
	p.latency.Observe(took.Seconds())
}

// Quote counts one quote of one of the kinds that New was given.
func (m *Metrics) Quote(kind string) {
	if m != nil {
		m.kinds[kind].Inc()
	}
}

// Limited counts one decision of the rate limiter.
func (m *Metrics) Limited(ok bool) {
	switch {
	case m == nil:
	case ok:
		m.allowed.Inc()
	default:
		m.refused.Inc()
	}
}

// Alone counts one decision made without the Redis the replicas share.
func (m *Metrics) Alone() {
	if m != nil {
		m.alone.Inc()
	}
}

// Upstream counts one call to an upstream. The fault is empty for a success.
func (m *Metrics) Upstream(upstream, fault string, took time.Duration) {
	if m != nil {
		m.upstream.WithLabelValues(upstream, cmp.Or(fault, "ok")).Observe(took.Seconds())
	}
}

// A Gauge is read at scrape time.
type Gauge struct {
	Name, Help string
	Labels     map[string]string
	Read       func() float64
}

// Watch adds gauges. Two of the same name must differ in the values of their
// labels.
func (m *Metrics) Watch(gauges ...Gauge) {
	for _, g := range gauges {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: g.Name, Help: g.Help, ConstLabels: g.Labels,
		}, g.Read))
	}
}
