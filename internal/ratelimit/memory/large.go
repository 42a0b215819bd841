package memory

import (
	"container/list"
	"context"
	"fmt"
	"sync"
	"time"

	"hubquote/internal/ratelimit"
)

// A Large is a [ratelimit.Limiter] for policies of more requests than a [Memory]
// has room for. It is exact, and its memory is bounded: beyond that it forgets the
// client that was idle for the longest time. One lock is enough for it, as such
// budgets are few.
type Large struct {
	policy ratelimit.Policy
	room   int // words that it may hold
	now    func() time.Time
	start  time.Time

	mu      sync.Mutex
	clients map[ratelimit.Client]*list.Element // of *history
	recent  list.List                          // of *history, the client seen last first
	held    int                                // words, roughly
}

// A history is a client's counted requests, oldest first, as times since the start.
type history struct {
	client ratelimit.Client
	times  []time.Duration
}

const (
	// largeRoom is 160 MB in words.
	largeRoom = 20_000_000

	// clientWords is what a client takes besides its requests, and growing its
	// list of them.
	clientWords = 40

	// MaxRequests is the most that a policy may allow.
	MaxRequests = 100_000
)

// NewLarge returns a limiter without clients.
func NewLarge(p ratelimit.Policy) (*Large, error) { return newLarge(p, largeRoom, time.Now) }

// NewLargeFor is [NewLarge] with room for so many clients that use all of their
// budget.
func NewLargeFor(p ratelimit.Policy, clients int) (*Large, error) {
	return newLarge(p, clients*(clientWords+p.Requests), time.Now)
}

func newLarge(p ratelimit.Policy, room int, now func() time.Time) (*Large, error) {
	if p.Requests < 1 || p.Requests > MaxRequests || p.Window < time.Millisecond || p.Window > maxWindow {
		return nil, fmt.Errorf("rate limit of %d requests in %v: from 1 to %d requests in %v to %v are supported",
			p.Requests, p.Window, MaxRequests, time.Millisecond, maxWindow)
	}
	return &Large{policy: p, room: room, now: now, start: now(), clients: map[ratelimit.Client]*list.Element{}}, nil
}

// Clients returns the number of clients in memory.
func (l *Large) Clients() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.clients)
}

// Take counts one request of c if it is allowed.
func (l *Large) Take(_ context.Context, c ratelimit.Client) ratelimit.Decision {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now().Sub(l.start)
	h := l.history(c, now)
	allowed := len(h.times) < l.policy.Requests
	if allowed {
		h.times = append(h.times, now)
		l.held++
		l.forget(h)
	}
	return l.decision(allowed, h, now)
}

// Peek decides as Take does, but counts nothing.
func (l *Large) Peek(c ratelimit.Client) ratelimit.Decision {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now().Sub(l.start)
	h := l.history(c, now)
	return l.decision(len(h.times) < l.policy.Requests, h, now)
}

// history returns the requests of c in the window that ends now.
func (l *Large) history(c ratelimit.Client, now time.Duration) *history {
	e := l.clients[c]
	if e == nil {
		l.dropIdle(now)
		e = l.recent.PushFront(&history{client: c})
		l.clients[c] = e
		l.held += clientWords
	}
	l.recent.MoveToFront(e)
	h := e.Value.(*history)
	old := 0
	for old < len(h.times) && now-h.times[old] >= l.policy.Window {
		old++
	}
	h.times = h.times[:copy(h.times, h.times[old:])]
	l.held -= old
	return h
}

// dropIdle forgets clients whose window is empty, the longest idle first.
func (l *Large) dropIdle(now time.Duration) {
	for e := l.recent.Back(); e != nil; e = l.recent.Back() {
		h := e.Value.(*history)
		if n := len(h.times); n > 0 && now-h.times[n-1] < l.policy.Window {
			return
		}
		l.drop(e)
	}
}

// forget makes room by the clients that were idle for the longest time, except
// the one that is being served.
func (l *Large) forget(serving *history) {
	for l.held > l.room {
		e := l.recent.Back()
		if e.Value.(*history) == serving {
			return
		}
		l.drop(e)
	}
}

func (l *Large) drop(e *list.Element) {
	h := l.recent.Remove(e).(*history)
	delete(l.clients, h.client)
	l.held -= clientWords + len(h.times)
}

func (l *Large) decision(allowed bool, h *history, now time.Duration) ratelimit.Decision {
	d := ratelimit.Decision{Allowed: allowed, Remaining: l.policy.Requests - len(h.times)}
	if len(h.times) > 0 {
		d.Reset = l.policy.Window - (now - h.times[0])
	}
	return d
}
