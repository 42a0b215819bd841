package watch_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/watch"
	"hubquote/test/devnet/devnettest"
)

// Run watches until it is told to stop, and stops by itself when another writer
// has the journal.
func TestRun(t *testing.T) {
	r := newRig(t)
	r.restart(func(c *watch.Chain) { c.Poll = 10 * time.Millisecond })
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- r.watcher.Run(ctx) }()
	_, id := r.deposit()
	r.mine(src, 2)
	devnettest.Eventually(t, "the deposit is final", func() bool { return r.fact(id, order.EventOpened) == order.Final })
	devnettest.Eventually(t, "the head passed the deposit", func() bool { return r.watcher.Passed(src) >= r.order(id).SrcBlock })
	stop()
	if err := <-ended; err != nil {
		t.Errorf("Run = %v, want nil after it was told to stop", err)
	}
	if err := r.writer.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	other, err := r.journal.Acquire(t.Context(), "other")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Release(t.Context()) }()
	go func() { ended <- r.watcher.Run(t.Context()) }()
	if err := <-ended; !errors.Is(err, journal.ErrLost) {
		t.Errorf("Run = %v, want %v", err, journal.ErrLost)
	}
}

// With a new journal a chain whose first block cannot be found is asked again, and
// keeps no other from being watched. How long it fails is told.
func TestAChainThatCannotBegin(t *testing.T) {
	r := newRig(t)
	var unreachable atomic.Bool
	unreachable.Store(true)
	r.restart(func(c *watch.Chain) {
		first, gone := c.First, c.ID == dst
		c.First, c.Begin = 0, func(context.Context) (uint64, error) {
			if gone && unreachable.Load() {
				return 0, errors.New("no endpoint answers")
			}
			return first, nil
		}
	})
	_, id := r.deposit()
	r.mine(src, 2)
	for range 3 {
		if err := r.watcher.Round(t.Context()); err == nil {
			t.Fatal("a round succeeded, want the error of the chain that cannot begin")
		}
	}
	if got := r.fact(id, order.EventOpened); got != order.Final {
		t.Errorf("the deposit on the other chain has proof %d, want %d", got, order.Final)
	}
	if r.health(dst).Down.IsZero() || !r.health(src).Down.IsZero() || r.watcher.Passed(dst) != 0 {
		t.Errorf("down since %v and %v, passed %d; want the chain that cannot begin, which has read nothing",
			r.health(dst).Down, r.health(src).Down, r.watcher.Passed(dst))
	}
	unreachable.Store(false)
	r.round()
	if !r.health(dst).Down.IsZero() || r.watcher.Passed(dst) < r.first[dst]-1 {
		t.Errorf("down since %v, passed %d, want it read from %d on", r.health(dst).Down, r.watcher.Passed(dst), r.first[dst])
	}
}

// A chain with too few endpoints is refused, unless one is trusted.
func TestOptions(t *testing.T) {
	r := newRig(t)
	for name, c := range map[string]struct {
		nodes, k int
		ok       bool
	}{
		"three":                          {3, 0, true},
		"two":                            {2, 0, false},
		"one, trusted":                   {1, 1, true},
		"more must agree than there are": {3, 4, false},
	} {
		chain := watch.Chain{ID: src, K: c.k}
		r.dial(&chain)
		chain.Nodes = chain.Nodes[:c.nodes]
		opts := watch.Options{Chains: []watch.Chain{chain}, Contracts: r.contracts, Journal: r.journal, Write: r.writer.Write}
		if _, err := watch.New(t.Context(), opts); (err == nil) != c.ok {
			t.Errorf("%s: New: %v, want success %v", name, err, c.ok)
		}
	}
}
