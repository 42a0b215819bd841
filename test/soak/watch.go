package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"hubquote/test/fake"
)

// watcher reads the health and metrics of replicas. It keeps no connections, so
// that they do not count as goroutines of the replicas.
var watcher = &http.Client{Timeout: 2 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}

func ask(ctx context.Context, url string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	return watcher.Do(r)
}

// health returns the status of the health check, or zero, and whether the
// issuer's fees are known.
func (r *replica) health(ctx context.Context) (status int, fees bool) {
	resp, err := ask(ctx, "http://"+r.address()+"/v3/swap/healthcheck")
	if err != nil {
		return 0, false
	}
	defer resp.Body.Close()
	var body struct {
		Checks []struct{ Name, Status string }
	}
	if json.NewDecoder(resp.Body).Decode(&body) != nil {
		return 0, false
	}
	for _, c := range body.Checks {
		fees = fees || c.Name == "issuer fee" && c.Status == "ok"
	}
	return resp.StatusCode, fees
}

func (r *replica) awaitFees(ctx context.Context) error {
	return fake.Until(ctx, func() bool { _, fees := r.health(ctx); return fees })
}

// A sample is the memory of a process at some time.
type sample struct {
	at       time.Time
	resident int // bytes
}

// watch takes samples of the replica's processes.
func (r *replica) watch(ctx context.Context) {
	for fake.Sleep(ctx, 500*time.Millisecond) {
		if s, err := r.scrape(r.current()); err == nil {
			r.report.sample(r.number, s)
		}
	}
}

// scrape reads the metrics of a process. If the process has decided alone since the
// last scrape, it was at some moment after that scrape began.
func (r *replica) scrape(p *process) (s sample, err error) {
	began := time.Now()
	resp, err := ask(context.Background(), "http://"+p.admin+"/metrics")
	if err != nil {
		return s, err
	}
	defer resp.Body.Close()
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(resp.Body)
	if err != nil {
		return s, err
	}
	s = sample{began, int(valueOf(families["process_resident_memory_bytes"]))}
	if s.resident == 0 {
		return s, errors.New("no metrics")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := valueOf(families["hubquote_limiter_fallback_total"]); n > p.alone {
		r.report.decidedAlone(span{p.scraped, time.Now()})
		p.alone = n
	}
	p.scraped = began
	return s, nil
}

// valueOf returns the value of a metric without labels, or zero.
func valueOf(f *dto.MetricFamily) float64 {
	if len(f.GetMetric()) == 0 {
		return 0
	}
	m := f.GetMetric()[0]
	return m.GetGauge().GetValue() + m.GetCounter().GetValue()
}

// metricsLost is called when the last metrics of a process could not be read. The
// process may have decided alone since the scrape before.
func (r *replica) metricsLost(p *process) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.report.decidedAlone(span{p.scraped, time.Now()})
}

// idle returns the number of goroutines of an idle replica, which is the lowest of
// several readings. If before is not zero, it waits until there are at most as many
// as before, or until a timeout.
func (r *replica) idle(before int) (fewest int) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for n := 0; (n < 10 || before > 0 && fewest > before) && fake.Sleep(ctx, 100*time.Millisecond); n++ {
		if now := r.goroutines(ctx); now > 0 && (fewest == 0 || now < fewest) {
			fewest = now
		}
	}
	return fewest
}

// goroutines returns the number of goroutines of the replica, or zero. It reads a
// profile, because the metrics are collected by a varying number of goroutines
// that are included in the count.
func (r *replica) goroutines(ctx context.Context) (n int) {
	resp, err := ask(ctx, "http://"+r.current().admin+"/debug/pprof/goroutine?debug=1")
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	_, _ = fmt.Fscanf(resp.Body, "goroutine profile: total %d", &n)
	return n
}
