package main

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hubquote/test/fake"
	"hubquote/test/fake/fleet"
)

// Two replicas under load while a master of Redis is lost and replaced: every
// request is answered with a quote or a 429, no replica gives a client more than the
// limit, and in the end Redis decides again.
func TestRedisFailover(t *testing.T) {
	tests := []struct {
		name  string
		start func(t *testing.T) (url string, master *fake.Redis)
	}{
		{"sentinel", func(t *testing.T) (string, *fake.Redis) { s := fleet.NewSentinel(t); return s.URL(), s.Master }},
		{"cluster", func(t *testing.T) (string, *fake.Redis) { c := fleet.NewCluster(t); return c.URL(), c.Master(t) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			url, master := tt.start(t)
			pair := []*program{launch(t, "--redis", url), launch(t, "--redis", url)}
			l := newFailoverLoad(pair)
			fake.Eventually(t, "load", func() bool { return l.sent.Load() > 100 })
			master.Kill()
			for _, p := range pair {
				fake.Eventually(t, "decisions alone", func() bool { return p.metric("hubquote_limiter_fallback_total") != "0" })
			}
			for _, p := range pair {
				fake.Eventually(t, "recovery without a restart", func() bool { return p.check("limiter") == "ok" })
			}
			l.end(t)
		})
	}
}

// A failoverLoad is eight clients at each of two replicas.
type failoverLoad struct {
	began   time.Time
	sent    atomic.Int64
	ending  chan struct{}
	all     sync.WaitGroup
	mu      sync.Mutex
	allowed map[string]int // by replica and client
	other   map[int]int    // answers that are neither 200 nor 429
}

func newFailoverLoad(pair []*program) *failoverLoad {
	l := &failoverLoad{began: time.Now(), ending: make(chan struct{}), allowed: map[string]int{}, other: map[int]int{}}
	for _, p := range pair {
		for _, client := range []string{"192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.5", "192.0.2.6", "192.0.2.7", "192.0.2.8"} {
			l.all.Go(func() { l.ask(p, client) })
		}
	}
	return l
}

func (l *failoverLoad) ask(p *program, client string) {
	ticks := time.NewTicker(25 * time.Millisecond)
	defer ticks.Stop()
	for {
		select {
		case <-l.ending:
			return
		case <-ticks.C:
		}
		status := p.getAs(client, quotePath(laneTo(369).query, "")).status
		l.sent.Add(1)
		l.mu.Lock()
		switch status {
		case 200:
			l.allowed[p.public+" "+client]++
		case 429:
		default:
			l.other[status]++
		}
		l.mu.Unlock()
	}
}

func (l *failoverLoad) end(t *testing.T) {
	t.Helper()
	close(l.ending)
	l.all.Wait()
	most := budget * int(1+time.Since(l.began)/time.Minute) // a busy machine may need more than one window
	for who, n := range l.allowed {
		if n > most {
			t.Errorf("%s: %d requests were allowed, want at most %d", who, n, most)
		}
	}
	if len(l.other) > 0 {
		t.Errorf("answers = %v by status, want 200 and 429 only", l.other)
	}
}
