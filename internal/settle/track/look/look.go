// Package look asks a chain about a transaction that the journal does not have.
// It is bounded whatever callers do: one call at a time for a hash, a few each
// second in all, and what was not found is not asked again for a while.
package look

import (
	"context"
	"sync"
	"time"

	"hubquote/internal/quorum/node"
	"hubquote/swap"
)

// Bounds of the calls.
const (
	perSecond = 5
	timeout   = 1500 * time.Millisecond
	first     = 10 * time.Second // until a hash is asked about again; doubles
	last      = 10 * time.Minute
	maxKept   = 10_000
)

// A Looker asks the chains it has nodes of.
type Looker struct {
	nodes map[swap.ChainID]*node.Node
	ours  map[swap.Address]bool
	now   func() time.Time

	mu     sync.Mutex
	kept   map[key]*answer
	tokens float64
	filled time.Time
}

type key struct {
	chain swap.ChainID
	tx    swap.Hash
}

type answer struct {
	reason string
	until  time.Time
	pause  time.Duration
	asking chan struct{} // closed when the call under way is done, or nil
}

// New returns a looker with one node for each chain. A transaction can have an
// order only if one of our contracts is in its logs.
func New(nodes map[swap.ChainID]*node.Node, ours []swap.Address) *Looker {
	set := map[swap.Address]bool{}
	for _, a := range ours {
		set[a] = true
	}
	return &Looker{nodes: nodes, ours: set, now: time.Now, kept: map[key]*answer{}, tokens: perSecond, filled: time.Now()}
}

// Look returns why the journal has no order for the transaction: one of the
// reasons of [swap.Tracking].
func (l *Looker) Look(ctx context.Context, chain swap.ChainID, tx swap.Hash) string {
	n := l.nodes[chain]
	if n == nil {
		return swap.WhyNotFound
	}
	a, mine := l.enter(key{chain, tx})
	if mine {
		reason := l.ask(context.WithoutCancel(ctx), n, tx) // others may wait for the same answer
		l.leave(a, reason)
		return reason
	}
	if a == nil {
		return swap.WhyNotFound
	}
	return l.await(ctx, a)
}

// enter returns what is known of a hash, and whether the caller must ask. It
// returns nil when too much is asked already.
func (l *Looker) enter(k key) (a *answer, mine bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	a = l.kept[k]
	if a != nil && (a.asking != nil || now.Before(a.until)) {
		return a, false
	}
	l.tokens = min(perSecond, l.tokens+now.Sub(l.filled).Seconds()*perSecond)
	l.filled = now
	if l.tokens < 1 {
		return a, false
	}
	l.tokens--
	if a == nil {
		if len(l.kept) >= maxKept {
			l.forget(now)
		}
		a = &answer{reason: swap.WhyNotFound, pause: first}
		l.kept[k] = a
	}
	a.asking = make(chan struct{})
	return a, true
}

// forget drops what may be asked again, or everything when that is nothing.
func (l *Looker) forget(now time.Time) {
	for k, a := range l.kept {
		if a.asking == nil && !now.Before(a.until) {
			delete(l.kept, k)
		}
	}
	if len(l.kept) >= maxKept {
		clear(l.kept)
	}
}

func (l *Looker) leave(a *answer, reason string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	a.reason, a.until = reason, l.now().Add(a.pause)
	a.pause = min(2*a.pause, last)
	close(a.asking)
	a.asking = nil
}

func (l *Looker) await(ctx context.Context, a *answer) string {
	l.mu.Lock()
	asking := a.asking
	l.mu.Unlock()
	if asking != nil {
		select {
		case <-asking:
		case <-ctx.Done():
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return a.reason
}
