package ratelimit_test

import (
	"fmt"
	"testing"
	"time"

	"hubquote/internal/ratelimit"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A clock stands still until it is told to go on.
type clock struct{ now time.Time }

func newClock() *clock { return &clock{time.Date(2026, 1, 2, 3, 4, 5, 678_000, time.UTC)} }

func (c *clock) Now() time.Time          { return c.now }
func (c *clock) advance(d time.Duration) { c.now = c.now.Add(d) }

// A take is one limiter's decision, with its errors made fatal.
type take func(ratelimit.Client) ratelimit.Decision

// A backend makes limiters that know no client, with the clock given.
type backend func(ratelimit.Policy, *clock) take

// forEachBackend runs a test of the window against everything that has one.
func forEachBackend(t *testing.T, test func(*testing.T, backend)) {
	t.Run("memory", func(t *testing.T) {
		test(t, func(p ratelimit.Policy, c *clock) take {
			m := newMemory(t, ratelimit.MemoryOptions{Policy: p, Now: c.Now})
			return func(c ratelimit.Client) ratelimit.Decision { return m.Take(t.Context(), c) }
		})
	})
	t.Run("redis", func(t *testing.T) {
		s, made := startServer(t), 0
		test(t, func(p ratelimit.Policy, c *clock) take {
			made++
			r := s.redis(ratelimit.RedisOptions{Policy: p, Prefix: fmt.Sprintf("%d:", made)})
			r.SetClock(c.Now)
			return func(c ratelimit.Client) ratelimit.Decision { return must(t, r, c) }
		})
	})
}

func must(tb testing.TB, r *ratelimit.Redis, c ratelimit.Client) ratelimit.Decision {
	tb.Helper()
	d, err := r.Take(tb.Context(), c)
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

func TestWindow(t *testing.T) {
	forEachBackend(t, func(t *testing.T, b backend) {
		const µs = time.Microsecond
		clock, c := newClock(), client("192.0.2.1")
		take := b(ratelimit.Policy{}, clock)
		steps := []struct {
			name    string
			advance time.Duration
			times   int // how often to ask; the last answer counts
			want    ratelimit.Decision
		}{
			{"the first", 0, 1, ratelimit.Decision{Allowed: true, Remaining: 29, Reset: 60 * time.Second}},
			{"the second, ten seconds later", 10 * time.Second, 1, ratelimit.Decision{Allowed: true, Remaining: 28, Reset: 50 * time.Second}},
			{"the thirtieth", 10 * time.Second, 28, ratelimit.Decision{Allowed: true, Remaining: 0, Reset: 40 * time.Second}},
			{"the thirty-first", 0, 1, ratelimit.Decision{Reset: 40 * time.Second}},
			{"refused ones do not count", 0, 100, ratelimit.Decision{Reset: 40 * time.Second}},
			{"just before the first is a minute old", 40*time.Second - µs, 1, ratelimit.Decision{Reset: µs}},
			{"when the first is a minute old", µs, 1, ratelimit.Decision{Allowed: true, Remaining: 0, Reset: 10 * time.Second}},
			{"only one place was free", 0, 1, ratelimit.Decision{Reset: 10 * time.Second}},
			{"the second's place", 10 * time.Second, 1, ratelimit.Decision{Allowed: true, Remaining: 0, Reset: 10 * time.Second}},
			{"twenty-eight places at once", 10 * time.Second, 28, ratelimit.Decision{Allowed: true, Remaining: 0, Reset: 40 * time.Second}},
			{"and no more", 0, 1, ratelimit.Decision{Reset: 40 * time.Second}},
			{"after a long time", 1000 * time.Hour, 1, ratelimit.Decision{Allowed: true, Remaining: 29, Reset: 60 * time.Second}},
		}
		for _, tt := range steps {
			clock.advance(tt.advance)
			var got ratelimit.Decision
			for range tt.times {
				got = take(c)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.name, diff)
			}
		}
	})
}

func TestClientsDoNotShareABudget(t *testing.T) {
	forEachBackend(t, func(t *testing.T, b backend) {
		take := b(ratelimit.Policy{Requests: 1, Window: time.Minute}, newClock())
		for _, addr := range []string{"192.0.2.1", "192.0.2.2", "::1", "2001:db8::1", "2001:db8:0:1::1"} {
			if !take(client(addr)).Allowed {
				t.Errorf("%s was refused its only request", addr)
			}
		}
		for _, addr := range []string{"::ffff:192.0.2.1", "2001:db8::2"} {
			if take(client(addr)).Allowed {
				t.Errorf("%s was allowed a second request", addr)
			}
		}
	})
}

// TestModel compares every answer with that of a list of all moments at which a
// request was allowed.
func TestModel(t *testing.T) {
	forEachBackend(t, func(t *testing.T, b backend) {
		rapid.Check(t, func(t *rapid.T) {
			// Redis drops idle keys by its own clock, which goes on while the
			// test's stands still; no test takes half a minute.
			policy := ratelimit.Policy{
				Requests: rapid.IntRange(1, 30).Draw(t, "requests"),
				Window:   time.Duration(rapid.Int64Range(30e6, 3600e6).Draw(t, "window")) * time.Microsecond,
			}
			clock, allowed := newClock(), model{policy: policy}
			take := b(policy, clock)
			for range rapid.IntRange(1, 100).Draw(t, "steps") {
				clock.advance(anyPause(policy.Window).Draw(t, "pause"))
				c := numbered(rapid.Uint32Range(0, 2).Draw(t, "client"))
				got, want := take(c), allowed.take(c, clock.now)
				if got != want {
					t.Fatalf("got %+v, want %+v", got, want)
				}
			}
		})
	})
}

// anyPause draws mostly none, else one near the edges of a window or of what 32
// bits of microseconds can tell apart.
func anyPause(window time.Duration) *rapid.Generator[time.Duration] {
	w, none := window.Microseconds(), rapid.Just(int64(0))
	edges := rapid.SampledFrom([]int64{1, w / 30, w / 2, w - 1, w, w + 1, 1 << 32, 1<<32 + w - 1})
	pauses := rapid.OneOf(none, none, none, edges, rapid.Int64Range(0, w))
	return rapid.Map(pauses, func(n int64) time.Duration { return time.Duration(n) * time.Microsecond })
}

type model struct {
	policy  ratelimit.Policy
	allowed map[ratelimit.Client][]time.Time
}

func (m *model) take(c ratelimit.Client, now time.Time) (d ratelimit.Decision) {
	var recent []time.Time
	for _, t := range m.allowed[c] {
		if now.Sub(t) < m.policy.Window {
			recent = append(recent, t)
		}
	}
	if d.Allowed = len(recent) < m.policy.Requests; d.Allowed {
		recent = append(recent, now)
	}
	if m.allowed == nil {
		m.allowed = make(map[ratelimit.Client][]time.Time)
	}
	m.allowed[c] = recent
	d.Remaining = m.policy.Requests - len(recent)
	d.Reset = recent[0].Add(m.policy.Window).Sub(now)
	return d
}
