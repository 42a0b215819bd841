package memory_test

import (
	"testing"
	"time"

	"hubquote/internal/ratelimit"
	"hubquote/internal/ratelimit/memory"
	"hubquote/test/limiter"
)

var _ ratelimit.Local = (*memory.Large)(nil)

func newLarge(tb testing.TB, p ratelimit.Policy, room int, now func() time.Time) *memory.Large {
	tb.Helper()
	l, err := memory.NewLargeSized(p, room, now)
	if err != nil {
		tb.Fatal(err)
	}
	return l
}

func TestLargeLimiter(t *testing.T) {
	limiter.Run(t, func(p ratelimit.Policy, c *limiter.Clock) limiter.Take {
		l := newLarge(t, p, 1_000_000, c.Now)
		return func(c ratelimit.Client) ratelimit.Decision { return l.Take(t.Context(), c) }
	})
}

// Three hundred requests in a minute are allowed, and not one more in any minute.
func TestLargePolicyIsExact(t *testing.T) {
	clock, c := limiter.NewClock(), limiter.Client("192.0.2.1")
	l := newLarge(t, ratelimit.Policy{Requests: 300, Window: time.Minute}, 1_000_000, clock.Now)
	for i := range 300 {
		if d := l.Take(t.Context(), c); !d.Allowed || d.Remaining != 299-i {
			t.Fatalf("request %d: %+v, want it allowed with %d left", i+1, d, 299-i)
		}
		clock.Advance(100 * time.Millisecond)
	}
	d := l.Take(t.Context(), c)
	if d.Allowed || d.Reset != 30*time.Second {
		t.Errorf("request 301 after 30 s: %+v, want it refused for 30 s more", d)
	}
	clock.Advance(d.Reset)
	if d := l.Take(t.Context(), c); !d.Allowed {
		t.Errorf("a request after the wait: %+v, want it allowed", d)
	}
	if d := l.Peek(c); d.Allowed {
		t.Errorf("one more: %+v, want it refused", d)
	}
}

// What is remembered is bounded: the client that was idle the longest is forgotten.
func TestLargeForgetsTheIdle(t *testing.T) {
	clock := limiter.NewClock()
	l := newLarge(t, ratelimit.Policy{Requests: 2, Window: time.Minute}, 3*(memory.ClientWords+1), clock.Now)
	for n := range uint32(10) {
		l.Take(t.Context(), limiter.Numbered(n+1))
		clock.Advance(time.Millisecond)
	}
	if got := l.Clients(); got != 3 {
		t.Errorf("%d clients are remembered, want 3", got)
	}
	if d := l.Peek(limiter.Numbered(10)); d.Remaining != 1 {
		t.Errorf("the last client has %d requests left, want 1", d.Remaining)
	}
	clock.Advance(time.Minute)
	l.Take(t.Context(), limiter.Numbered(99))
	if got := l.Clients(); got != 1 {
		t.Errorf("%d clients are remembered after a minute, want 1", got)
	}
}
