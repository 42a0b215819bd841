package issuer

import (
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"time"

	"hubquote/internal/upstream"
	"hubquote/swap"
)

// The issuer allows 35 requests per second, and blocks an address for five
// minutes if it sends more. Sixteen sources send at most two per second, and even
// then not at once.
const (
	refreshEvery = 30 * time.Second
	retryEvery   = 10 * time.Second       // after a failure
	stagger      = 100 * time.Millisecond // from one source to the next
	blocked      = 5 * time.Minute

	fetchTimeout = 5 * time.Second
)

// Start begins to refresh, until ctx ends or Close is called. It is called once,
// before Close, and does not wait for the first rates.
func (l *Live) Start(ctx context.Context) {
	ctx, l.stop = context.WithCancel(ctx)
	for i, s := range l.order {
		l.running.Go(func() { l.keep(ctx, s, time.Duration(i)*stagger) })
	}
}

// Close ends all refreshing and all connections.
func (l *Live) Close() {
	l.stop()
	l.running.Wait()
	l.client.CloseIdleConnections()
}

// keep refreshes one source in a goroutine of its own, so that no other waits for
// it. The offset keeps the sources apart when all may start at the same time.
func (l *Live) keep(ctx context.Context, s *source, offset time.Duration) {
	for wait := offset; sleep(ctx, wait); {
		if resume := l.resume.Load(); resume != nil && time.Now().Before(*resume) {
			wait = time.Until(*resume) + offset
			continue
		}
		wait = jitter(refreshEvery)
		if l.refresh(ctx, s) != "" {
			wait = jitter(retryEvery)
		}
	}
}

func (l *Live) refresh(ctx context.Context, s *source) upstream.Fault {
	start := time.Now()
	value, err := l.fetch(ctx, s)
	f := upstream.FaultOf(err)
	switch f {
	case "":
		s.rate.Store(&rate{value, start})
	case upstream.RateLimited:
		resume := time.Now().Add(blocked)
		l.resume.Store(&resume)
	}
	s.fault.Store(&f)
	l.observe(Refresh{Source: s.burn.Source, Took: time.Since(start), Fault: f})
	return f
}

// fetch returns an error that may contain the URL, so callers keep only its fault.
func (l *Live) fetch(ctx context.Context, s *source) (swap.IssuerRate, error) {
	answer, err := l.get(ctx, s.url)
	if err != nil {
		return 0, err
	}
	rows, err := parseAnswer(answer)
	if err != nil {
		return 0, err
	}
	return burnRate(rows, s.burn)
}

func (l *Live) get(ctx context.Context, url upstream.URL) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url.Reveal(), nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "application/json")
	resp, err := l.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	return io.ReadAll(resp.Body)
}

// jitter returns d plus or minus a tenth, so that replicas that started together
// do not send requests together.
func jitter(d time.Duration) time.Duration { return d*9/10 + rand.N(d/5) }

// sleep waits for d, and reports whether ctx is still valid then.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}
