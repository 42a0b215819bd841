package ratelimit

import (
	"context"
	"fmt"
	"hash/maphash"
	"math"
	"sync/atomic"
	"time"
)

// MemoryOptions configure a [Memory]. The zero value is a working default.
type MemoryOptions struct {
	// Policy is what a client may do. Zero means [Standard].
	Policy Policy

	// Clients is how many clients are remembered. Zero means a million, which
	// take less than 220 MB; nothing is set aside before they come.
	Clients int

	// Now is the clock, which must not run backwards. Nil means [time.Now],
	// which does not: only its monotonic part is used, so setting the
	// machine's clock changes nothing.
	Now func() time.Time
}

// A Memory is a [Limiter] for one process.
//
// It is bounded: when all places are taken, the client that was not seen for
// the longest time is forgotten and may start anew. Exactness is therefore
// promised only while no more than [MemoryOptions.Clients] make requests within
// one window. The places of clients that have been idle for a window are used
// first, as nothing is lost with them. There is no goroutine and no timer.
//
// "The longest time" is a little vague, so that the order is cheap to keep: it
// is told in sixteenths of a window, and among the clients that share a lock,
// one in 64 of them all.
type Memory struct {
	policy  Policy
	span    int64 // the policy's window, in microseconds
	limit   int64
	now     func() time.Time
	start   time.Time
	seed    maphash.Seed // secret, so that nobody can aim at one shard
	shards  []shard
	clients atomic.Int64
}

const (
	defaultClients = 1_000_000
	maxClients     = math.MaxInt32
	maxShards      = 64
	minShardSize   = 1024 // below this, one order of all clients is worth more than a second lock
)

// NewMemory returns a limiter that knows no client yet.
func NewMemory(o MemoryOptions) (*Memory, error) {
	policy, err := o.Policy.orStandard()
	if err != nil {
		return nil, err
	}
	if o.Clients < 0 || o.Clients > maxClients {
		return nil, fmt.Errorf("clients: %d: up to %d are supported", o.Clients, maxClients)
	}
	if o.Clients == 0 {
		o.Clients = defaultClients
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	m := &Memory{
		policy: policy,
		span:   policy.Window.Microseconds(),
		limit:  int64(o.Clients),
		now:    o.Now,
		start:  o.Now(),
		seed:   maphash.MakeSeed(),
		shards: make([]shard, min(maxShards, max(1, o.Clients/minShardSize))),
	}
	for i := range m.shards {
		m.shards[i].reset()
	}
	return m, nil
}

// Clients returns how many clients are remembered.
func (m *Memory) Clients() int { return int(m.clients.Load()) }

// Take counts one request of c if it is allowed.
func (m *Memory) Take(_ context.Context, c Client) Decision {
	s, w := m.enter(c)
	defer s.mu.Unlock()
	allowed := int(w.count) < m.policy.Requests
	if allowed {
		w.add(s.now)
	}
	return m.decision(allowed, w, s.now)
}

// look decides as Take does, but counts nothing.
func (m *Memory) look(c Client) Decision {
	s, w := m.enter(c)
	defer s.mu.Unlock()
	return m.decision(int(w.count) < m.policy.Requests, w, s.now)
}

// enter locks the shard of c, and returns it with the window of c as of now.
func (m *Memory) enter(c Client) (*shard, *window) {
	now := m.now().Sub(m.start).Microseconds()
	hash := maphash.Comparable(m.seed, c)
	s := &m.shards[(hash>>32)%uint64(len(m.shards))]
	s.mu.Lock()
	m.advance(s, now)
	id := s.find(c, uint32(hash))
	switch {
	case id == 0:
		id = m.admit(s, c, uint32(hash))
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
	s.now = max(s.now, now) // whoever had the lock before may have read the clock later
}

// admit gives c an entry in s. It is the entry of the client not seen for the
// longest time, if that one has been idle for a window or all places are taken.
func (m *Memory) admit(s *shard, c Client, hash uint32) uint32 {
	id, full := s.oldest(), m.clients.Add(1) > m.limit
	if id != 0 && (full || s.at(id).window.newest <= s.now-m.span) {
		m.clients.Add(-1)
		s.remove(id, uint32(maphash.Comparable(m.seed, s.at(id).client)))
	} else {
		id = s.grow()
	}
	s.put(id, c, hash)
	return id
}

func (m *Memory) decision(allowed bool, w *window, now int64) Decision {
	d := Decision{Allowed: allowed, Remaining: m.policy.Requests - int(w.count)}
	if w.count > 0 {
		d.Reset = time.Duration(w.oldest()+m.span-now) * time.Microsecond
	}
	return d
}
