package memory_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"hubquote/internal/ratelimit"
	"hubquote/internal/ratelimit/memory"
	"hubquote/test/limiter"
)

var _ ratelimit.Local = (*memory.Memory)(nil)

func newMemory(tb testing.TB, p ratelimit.Policy, clients int, now func() time.Time) *memory.Memory {
	tb.Helper()
	m, err := memory.NewSized(p, clients, now)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// standard returns the limiter that programs use, with another clock.
func standard(tb testing.TB, now func() time.Time) *memory.Memory {
	tb.Helper()
	return newMemory(tb, ratelimit.Standard(), memory.DefaultClients, now)
}

// one is a policy of a single request.
var one = ratelimit.Policy{Requests: 1, Window: time.Minute}

func TestLimiter(t *testing.T) {
	limiter.Run(t, func(p ratelimit.Policy, c *limiter.Clock) limiter.Take {
		m := newMemory(t, p, memory.DefaultClients, c.Now)
		return func(c ratelimit.Client) ratelimit.Decision { return m.Take(t.Context(), c) }
	})
}

func TestNewRefuses(t *testing.T) {
	tests := []struct {
		name   string
		policy ratelimit.Policy
	}{
		{"no requests", ratelimit.Policy{Window: time.Minute}},
		{"more requests than there is room for", ratelimit.Policy{Requests: 31, Window: time.Minute}},
		{"no window", ratelimit.Policy{Requests: 30}},
		{"a window longer than 32 bits can hold", ratelimit.Policy{Requests: 30, Window: 2 * time.Hour}},
		{"a window of half microseconds", ratelimit.Policy{Requests: 30, Window: time.Minute + 500}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := memory.New(tt.policy); err == nil {
				t.Errorf("New(%+v) has no error, want one", tt.policy)
			}
		})
	}
}

// Peek decides as Take does and counts nothing.
func TestPeekCountsNothing(t *testing.T) {
	m, c := newMemory(t, one, 10, limiter.NewClock().Now), limiter.Client("192.0.2.1")
	for range 3 {
		if !m.Peek(c).Allowed {
			t.Fatal("Peek = refused, want allowed")
		}
	}
	m.Take(t.Context(), c)
	if m.Peek(c).Allowed {
		t.Error("Peek after Take = allowed, want refused")
	}
}

// counted returns which of the clients 0 to n-1 a limiter with a policy of one
// request has counted. Its own requests are counted too, so it works only once.
func counted(t *testing.T, m *memory.Memory, n uint32) (known []uint32) {
	for i := range n {
		if !m.Take(t.Context(), limiter.Numbered(i)).Allowed {
			known = append(known, i)
		}
	}
	return known
}

func TestLeastRecentClientIsEvicted(t *testing.T) {
	tests := []struct {
		name    string
		clients []uint32 // ten seconds apart, so all within a window
		client  uint32
		evicted bool
	}{
		{"none while there is room", []uint32{0, 1, 2}, 0, false},
		{"the first", []uint32{0, 1, 2, 3}, 0, true},
		{"not the second", []uint32{0, 1, 2, 3}, 1, false},
		{"not the first if it made another request", []uint32{0, 1, 2, 0, 3}, 0, false},
		{"the second if the first made another request", []uint32{0, 1, 2, 0, 3}, 1, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			clock := limiter.NewClock()
			m := newMemory(t, one, 3, clock.Now)
			for _, c := range tt.clients {
				m.Take(t.Context(), limiter.Numbered(c))
				clock.Advance(10 * time.Second)
			}
			if got := m.Take(t.Context(), limiter.Numbered(tt.client)).Allowed; got != tt.evicted {
				t.Errorf("client %d: allowed = %v, want %v", tt.client, got, tt.evicted)
			}
		})
	}
}

func TestMemoryIsBounded(t *testing.T) {
	const limit = 10_000
	clock := limiter.NewClock()
	m := newMemory(t, one, limit, clock.Now)
	for i := range uint32(20 * limit) {
		if !m.Take(t.Context(), limiter.Numbered(i)).Allowed {
			t.Fatalf("first request of client %d = refused, want allowed", i)
		}
		if m.Take(t.Context(), limiter.Numbered(i)).Allowed {
			t.Fatalf("second request of client %d = allowed, want refused", i)
		}
		if m.Clients() > limit {
			t.Fatalf("Clients = %d, want at most %d", m.Clients(), limit)
		}
	}
	// The newest half cannot have been evicted: each shard has far more slots than
	// it has clients of that half.
	for i := uint32(20*limit - limit/2); i < 20*limit; i++ {
		if m.Take(t.Context(), limiter.Numbered(i)).Allowed {
			t.Fatalf("request of client %d = allowed, want refused: it was evicted before older ones", i)
		}
	}
}

func TestAllSlotsAreUsedBeforeAClientIsEvicted(t *testing.T) {
	const limit = 100_000
	m := newMemory(t, one, limit, limiter.NewClock().Now)
	for i := range uint32(limit) {
		m.Take(t.Context(), limiter.Numbered(i))
	}
	if known := counted(t, m, limit); len(known) != limit {
		t.Errorf("%d clients are known, want %d", len(known), limit)
	}
}

func TestIdleClientsMakeRoom(t *testing.T) {
	clock := limiter.NewClock()
	m := standard(t, clock.Now)
	for day := range uint32(10) {
		for i := range uint32(1000) {
			m.Take(t.Context(), limiter.Numbered(day*1000+i))
			clock.Advance(59 * time.Millisecond)
		}
		clock.Advance(time.Second)
	}
	if n := m.Clients(); n > 2000 {
		t.Errorf("Clients after a minute with 1000 new ones = %d, want at most 2000", n)
	}
	clock.Advance(time.Hour)
	for i := range uint32(1000) {
		m.Take(t.Context(), limiter.Numbered(i))
	}
	if n := m.Clients(); n > 1000 {
		t.Errorf("Clients after an idle hour and 1000 new ones = %d, want at most 1000", n)
	}
}

func TestAMillionClientsFit(t *testing.T) {
	m, perClient := fill(t, million/10)
	if m.Clients() != million/10 {
		t.Errorf("Clients = %d, want %d", m.Clients(), million/10)
	}
	if t.Logf("%.0f bytes per client", perClient); perClient >= 220 {
		t.Errorf("%.0f bytes per client, want fewer than 220", perClient)
	}
}

func TestGoroutinesShareABudgetExactly(t *testing.T) {
	const clients, goroutines = 100, 8
	m := standard(t, limiter.NewClock().Now)
	var allowed [clients]atomic.Int32
	var all sync.WaitGroup
	for range goroutines {
		all.Go(func() {
			for i := range uint32(clients * 20) {
				if m.Take(t.Context(), limiter.Numbered(i%clients)).Allowed {
					allowed[i%clients].Add(1)
				}
			}
		})
	}
	all.Wait()
	for i := range allowed {
		if n := allowed[i].Load(); n != 30 {
			t.Errorf("%d requests of client %d were allowed, want 30", n, i)
		}
	}
}

// The race detector checks this test. All clients evict each other, while the
// clock of one goroutine is ahead of another's.
func TestConcurrentEviction(t *testing.T) {
	m := newMemory(t, ratelimit.Policy{Requests: 3, Window: time.Millisecond}, 4096, time.Now)
	var all sync.WaitGroup
	for worker := range uint32(8) {
		all.Go(func() {
			for i := range uint32(20_000) {
				d := m.Take(t.Context(), limiter.Numbered(i*worker%9000))
				if d.Remaining < 0 || d.Remaining > 2 || d.Reset < 0 || d.Reset > time.Millisecond {
					t.Errorf("Take = %+v, want 0 to 2 remaining and a Reset of at most 1ms", d)
				}
			}
		})
	}
	all.Wait()
	if m.Clients() > 4096 {
		t.Errorf("Clients = %d, want at most 4096", m.Clients())
	}
}

// Two goroutines may read the clock in one order and get the lock in the other.
func TestClockReadBeforeTheLock(t *testing.T) {
	clock, c := limiter.NewClock(), limiter.Client("192.0.2.1")
	m := standard(t, clock.Now)
	clock.Advance(time.Second)
	m.Take(t.Context(), c)
	clock.Advance(-time.Microsecond)
	want := ratelimit.Decision{Allowed: true, Remaining: 28, Reset: time.Minute}
	if got := m.Take(t.Context(), c); got != want {
		t.Errorf("Take = %+v, want %+v", got, want)
	}
}

func TestMemoryUsesTimeNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, c := standard(t, time.Now), limiter.Client("192.0.2.1")
		for range 30 {
			m.Take(t.Context(), c)
		}
		d := m.Take(t.Context(), c)
		if d.Allowed {
			t.Fatal("Take of the 31st request = allowed, want refused")
		}
		time.Sleep(d.Reset - time.Microsecond)
		if m.Take(t.Context(), c).Allowed {
			t.Error("Take a microsecond before Reset = allowed, want refused")
		}
		time.Sleep(time.Microsecond)
		if !m.Take(t.Context(), c).Allowed {
			t.Error("Take after Reset = refused, want allowed")
		}
	})
}

func TestWallClockIsNotUsed(t *testing.T) {
	for _, step := range []time.Duration{-24 * time.Hour, 24 * time.Hour} {
		t.Run(step.String(), func(t *testing.T) {
			now, c := time.Now(), limiter.Client("192.0.2.1")
			m := standard(t, func() time.Time { return now })
			for range 30 {
				m.Take(t.Context(), c)
			}
			now = withWallClock(t, now.Add(20*time.Second), step)
			want := ratelimit.Decision{Reset: 40 * time.Second}
			if got := m.Take(t.Context(), c); got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

// withWallClock returns t as it would be if the machine's clock had been set by
// d. The standard library has no way to move one of a Time's two
// clocks alone, so this counts on its layout, and checks that it got it right.
func withWallClock(tb testing.TB, t time.Time, d time.Duration) time.Time {
	moved := t
	*(*uint64)(unsafe.Pointer(&moved)) += uint64(d/time.Second) << 30
	if moved.Sub(t) != 0 || moved.Round(0).Sub(t.Round(0)) != d {
		tb.Fatalf("time.Time has another layout: %v moved by %v is %v", t, d, moved)
	}
	return moved
}
