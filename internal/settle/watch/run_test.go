package watch_test

import (
	"context"
	"errors"
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
