// Package memory is a rate limiter for one process. It is exact while no more
// than a million clients make requests within one window. Its memory is bounded.
package memory

import (
	"context"
	"fmt"
	"hash/maphash"
	"sync/atomic"
	"time"

	"hubquote/internal/ratelimit"
)

// A Memory is a [ratelimit.Limiter].
//
// When all slots are taken, the client that was idle for the longest time is
// evicted; its next request starts with an empty window. The slots of clients that
// have been idle for a window are reused first, because their windows are empty.
// There is no goroutine and no timer.
//
// The order of idle clients is approximate, so that it is cheap to keep. It has a
// resolution of a sixteenth of a window, and covers only the clients of one shard,
// which is one client in 64.
type Memory struct {
	policy  ratelimit.Policy
	span    int64 // the policy's window, in microseconds
	limit   int64
	now     func() time.Time
	start   time.Time
	seed    maphash.Seed // secret, so that an attacker cannot aim at one shard
	shards  []shard
	clients atomic.Int64
}

const (
	// defaultClients is how many clients are known at most. They take less than
	// 220 MB, which is allocated as they come.
	defaultClients = 1_000_000

	maxShards    = 64
	minShardSize = 1024 // below this, an exact order of all clients is worth more than a second lock

	// maxWindow keeps the times of one window apart when they are stored in 32
	// bits of microseconds, which repeat after 71 minutes.
	maxWindow = time.Hour
)

// New returns a limiter without clients. It has room for the times of 30
// requests per client, in a window of up to an hour.
func New(p ratelimit.Policy) (*Memory, error) { return newMemory(p, defaultClients, time.Now) }

// newMemory takes a clock that must not run backwards. That of [time.Now] does
// not: only its monotonic part is used.
func newMemory(p ratelimit.Policy, clients int, now func() time.Time) (*Memory, error) {
	if p.Requests < 1 || p.Requests > maxRequests || p.Window < time.Millisecond || p.Window > maxWindow || p.Window%time.Microsecond != 0 {
		return nil, fmt.Errorf("rate limit of %d requests in %v: from 1 to %d requests in whole microseconds from %v to %v are supported",
			p.Requests, p.Window, maxRequests, time.Millisecond, maxWindow)
	}
	m := &Memory{
		policy: p,
		span:   p.Window.Microseconds(),
		limit:  int64(clients),
		now:    now,
		start:  now(),
		seed:   maphash.MakeSeed(),
		shards: make([]shard, min(maxShards, max(1, clients/minShardSize))),
	}
	for i := range m.shards {
		m.shards[i].reset()
	}
	return m, nil
}

// Clients returns the number of clients in memory.
func (m *Memory) Clients() int { return int(m.clients.Load()) }

// Take counts one request of c if it is allowed.
func (m *Memory) Take(_ context.Context, c ratelimit.Client) ratelimit.Decision {
	s, w := m.enter(c)
	defer s.mu.Unlock()
	allowed := int(w.count) < m.policy.Requests
	if allowed {
		w.add(s.now)
	}
	return m.decision(allowed, w, s.now)
}

// Peek decides as Take does, but counts nothing.
func (m *Memory) Peek(c ratelimit.Client) ratelimit.Decision {
	s, w := m.enter(c)
	defer s.mu.Unlock()
	return m.decision(int(w.count) < m.policy.Requests, w, s.now)
}

// enter locks the shard of c, and returns it with the window of c as of now.
func (m *Memory) enter(c ratelimit.Client) (*shard, *window) {
	now := m.now().Sub(m.start).Microseconds()
	s := &m.shards[maphash.Comparable(m.seed, c)%uint64(len(m.shards))]
	s.mu.Lock()
	m.advance(s, now)
	id := s.index[c]
	switch {
	case id == 0:
		id = m.admit(s, c)
	case s.now-s.at(id).seen >= m.span/16:
		s.unlink(id)
		s.link(id)
	}
	w := &s.at(id).window
	w.expire(s.now - m.span)
	return s, w
}

// advance sets the time of s, and empties s if all its clients are idle.
func (m *Memory) advance(s *shard, now int64) {
	if now-s.now >= m.span {
		m.clients.Add(-int64(s.clients()))
		s.reset()
	}
	s.now = max(s.now, now) // the last holder of the lock may have read the clock later
}

// admit gives c an entry in s. It is the entry of the client that was idle for the
// longest time, if that is a window or all slots are taken.
func (m *Memory) admit(s *shard, c ratelimit.Client) uint32 {
	id, full := s.oldest(), m.clients.Add(1) > m.limit
	if id != 0 && (full || s.at(id).window.newest <= s.now-m.span) {
		m.clients.Add(-1)
		s.remove(id)
	} else {
		id = s.grow()
	}
	s.put(id, c)
	return id
}

func (m *Memory) decision(allowed bool, w *window, now int64) ratelimit.Decision {
	d := ratelimit.Decision{Allowed: allowed, Remaining: m.policy.Requests - int(w.count)}
	if w.count > 0 {
		d.Reset = time.Duration(w.oldest()+m.span-now) * time.Microsecond
	}
	return d
}
