// Package limiter has the tests that every rate limiter must pass, and a clock for
// them.
package limiter

import (
	"context"
	"encoding/binary"
	"net/netip"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hubquote/internal/ratelimit"
)

// A Clock does not move until it is advanced.
type Clock struct{ now time.Time }

// NewClock returns a clock at some time.
func NewClock() *Clock { return &Clock{time.Date(2026, 1, 2, 3, 4, 5, 678_000, time.UTC)} }

// Now returns the time of the clock.
func (c *Clock) Now() time.Time { return c.now }

// Advance moves the clock; a negative time sets it back.
func (c *Clock) Advance(d time.Duration) { c.now = c.now.Add(d) }

// Client returns the client of an address.
func Client(addr string) ratelimit.Client { return ratelimit.ClientOf(netip.MustParseAddr(addr)) }

// Numbered returns one of four billion clients.
func Numbered(n uint32) ratelimit.Client {
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], n)
	return ratelimit.ClientOf(netip.AddrFrom4(b))
}

// A Remote is a function in place of Redis, for failures that cannot be caused in
// a real Redis at a given moment.
type Remote func() (ratelimit.Decision, error)

// Take returns what the function returns.
func (r Remote) Take(context.Context, ratelimit.Client) (ratelimit.Decision, error) { return r() }

// Part is the same for all clients.
func (r Remote) Part(ratelimit.Client) string { return "" }

// A Take is one limiter's decision; its errors fail the test.
type Take func(ratelimit.Client) ratelimit.Decision

// A Backend returns limiters without clients, with the given clock.
type Backend func(ratelimit.Policy, *Clock) Take

// Run runs all tests.
func Run(t *testing.T, b Backend) {
	t.Run("window", func(t *testing.T) { testWindow(t, b) })
	t.Run("clients", func(t *testing.T) { testClients(t, b) })
	t.Run("model", func(t *testing.T) { testModel(t, b) })
}

func testWindow(t *testing.T, b Backend) {
	const µs = time.Microsecond
	clock, c := NewClock(), Client("192.0.2.1")
	take := b(ratelimit.Standard(), clock)
	steps := []struct {
		name    string
		advance time.Duration
		times   int // number of requests; the last decision is compared
		want    ratelimit.Decision
	}{
		{"the first", 0, 1, ratelimit.Decision{Allowed: true, Remaining: 29, Reset: 60 * time.Second}},
		{"the second, ten seconds later", 10 * time.Second, 1, ratelimit.Decision{Allowed: true, Remaining: 28, Reset: 50 * time.Second}},
		{"the thirtieth", 10 * time.Second, 28, ratelimit.Decision{Allowed: true, Remaining: 0, Reset: 40 * time.Second}},
		{"the thirty-first", 0, 1, ratelimit.Decision{Reset: 40 * time.Second}},
		{"refused requests do not count", 0, 100, ratelimit.Decision{Reset: 40 * time.Second}},
		{"just before the first is a minute old", 40*time.Second - µs, 1, ratelimit.Decision{Reset: µs}},
		{"when the first is a minute old", µs, 1, ratelimit.Decision{Allowed: true, Remaining: 0, Reset: 10 * time.Second}},
		{"only one request has left the window", 0, 1, ratelimit.Decision{Reset: 10 * time.Second}},
		{"when the second is a minute old", 10 * time.Second, 1, ratelimit.Decision{Allowed: true, Remaining: 0, Reset: 10 * time.Second}},
		{"when twenty-eight are a minute old", 10 * time.Second, 28, ratelimit.Decision{Allowed: true, Remaining: 0, Reset: 40 * time.Second}},
		{"none more than twenty-eight", 0, 1, ratelimit.Decision{Reset: 40 * time.Second}},
		{"after a long time", 1000 * time.Hour, 1, ratelimit.Decision{Allowed: true, Remaining: 29, Reset: 60 * time.Second}},
	}
	for _, tt := range steps {
		clock.Advance(tt.advance)
		var got ratelimit.Decision
		for range tt.times {
			got = take(c)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// testClients checks that each client has a budget of its own.
func testClients(t *testing.T, b Backend) {
	take := b(ratelimit.Policy{Requests: 1, Window: time.Minute}, NewClock())
	for _, addr := range []string{"192.0.2.1", "192.0.2.2", "::1", "2001:db8::1", "2001:db8:0:1::1"} {
		if !take(Client(addr)).Allowed {
			t.Errorf("first request of %s = refused, want allowed", addr)
		}
	}
	for _, addr := range []string{"::ffff:192.0.2.1", "2001:db8::2"} {
		if take(Client(addr)).Allowed {
			t.Errorf("second request of %s = allowed, want refused", addr)
		}
	}
}

// testModel compares every decision with that of a list of the times at which a
// request was allowed.
func testModel(t *testing.T, b Backend) {
	rapid.Check(t, func(t *rapid.T) {
		// Redis drops idle keys by its own clock, which goes on while the
		// test's stands still; no test takes half a minute.
		policy := ratelimit.Policy{
			Requests: rapid.IntRange(1, 30).Draw(t, "requests"),
			Window:   time.Duration(rapid.Int64Range(30e6, 3600e6).Draw(t, "window")) * time.Microsecond,
		}
		clock, allowed := NewClock(), model{policy: policy}
		take := b(policy, clock)
		for range rapid.IntRange(1, 100).Draw(t, "steps") {
			clock.Advance(AnyPause(policy.Window).Draw(t, "pause"))
			c := Numbered(rapid.Uint32Range(0, 2).Draw(t, "client"))
			got, want := take(c), allowed.take(c, clock.now)
			if got != want {
				t.Fatalf("decision = %+v, want %+v", got, want)
			}
		}
	})
}

// AnyPause draws a pause. It is mostly zero, and otherwise near the end of a window
// or of 32 bits of microseconds.
func AnyPause(window time.Duration) *rapid.Generator[time.Duration] {
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
