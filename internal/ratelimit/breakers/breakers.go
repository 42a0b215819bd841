// Package breakers keeps a breaker for each part of an upstream that can be lost
// alone, such as a node of a cluster. With one for all, the answers of the other
// parts would hide the one that is lost.
package breakers

import (
	"sync"
	"sync/atomic"
	"time"

	"hubquote/internal/upstream"
)

// A Set is the breakers of all parts. Parts are known from their first use on.
type Set struct {
	breaker func() *upstream.Breaker

	mu    sync.Mutex
	parts map[string]*Part
}

// New returns a set whose parts get their breakers from a function.
func New(breaker func() *upstream.Breaker) *Set {
	return &Set{breaker: breaker, parts: map[string]*Part{}}
}

// A Part is the breaker of one part.
type Part struct {
	*upstream.Breaker
	made   time.Time
	failed atomic.Int64 // when a failure was last counted, in nanoseconds after made
}

// Of returns the part with a name.
func (s *Set) Of(name string) *Part {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.parts[name]
	if p == nil {
		p = &Part{Breaker: s.breaker(), made: time.Now()}
		s.parts[name] = p
	}
	return p
}

// Only forgets the parts without these names: a node that was replaced is not asked
// again, and would stay lost.
func (s *Set) Only(names map[string]bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name := range s.parts {
		if !names[name] {
			delete(s.parts, name)
		}
	}
}

// AnyOpen reports whether a part is lost.
func (s *Set) AnyOpen() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.parts {
		if p.State() != upstream.Closed {
			return true
		}
	}
	return false
}

// Record takes note of a call, and returns whether the breaker opened or closed.
func (p *Part) Record(start time.Time, err error) (changed bool) {
	switch {
	case err == nil:
		return p.Succeed()
	case p.isNews(start):
		return p.Fail()
	}
	p.Ignore()
	return false
}

// isNews reports whether a failed call began after the last failure that counted.
// Calls share round trips, so one late answer fails many that were under way: to
// the breaker they are one failure.
func (p *Part) isNews(start time.Time) bool {
	last := p.failed.Load()
	return int64(start.Sub(p.made)) >= last && p.failed.CompareAndSwap(last, int64(time.Since(p.made)))
}
