// Package watch reads the chains with pools and receivers, and writes orders
// and facts into the journal.
//
// It has two passes. The first reads logs up to the head at one endpoint: what
// it finds is told, and enough to show. The second asks several endpoints of
// different operators: a log is accepted when K of them give it in a block that
// is canonical, and final when that block is at or below the finality tag. That
// something did not happen is never concluded from logs; the contracts are asked.
package watch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"hubquote/internal/quorum"
	"hubquote/internal/quorum/node"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/pace"
	"hubquote/internal/settle/roster"
	"hubquote/internal/settle/watch/follow"
	"hubquote/internal/settle/watch/peer"
	"hubquote/swap"
)

// What zero stands for in a [Chain].
const (
	defaultK     = 2
	leastNodes   = 3
	defaultRange = 2_000
)

// A Chain is a network with pools or a receiver.
type Chain struct {
	ID swap.ChainID

	// Nodes are the endpoints, in order of preference. Their MaxBlockAge must
	// be negative, because old blocks are read too.
	Nodes []*node.Node

	// State asks the same endpoints for the contracts' state near the head.
	State *quorum.Nodes

	// K is how many endpoints must agree. Zero means 2, and needs three
	// endpoints. One trusts a single endpoint.
	K int

	// First is the block to begin with when the journal has no cursor: the one
	// that the oldest contract was deployed in, or fifteen days back.
	First uint64

	// Begin finds First when the journal has no cursor. It is asked until it
	// answers, and no other chain waits for it. Nil means that First is right.
	Begin func(context.Context) (uint64, error)

	// Poll is the pause between two looks at the head. Zero means [pace.Head].
	Poll time.Duration

	// Sweep is how often everything that became final is read again at another
	// endpoint. Zero means [pace.Sweep].
	Sweep time.Duration

	// Usual is how long a block usually takes to become final. After three
	// times that the tag counts as stalled. Zero means that it never does.
	Usual time.Duration

	// Safe says that the safe tag is asked for too.
	Safe bool

	// Range is how many blocks are asked for at once. Zero means 2,000. It
	// halves when an endpoint refuses.
	Range uint64
}

// Options configure a [Watcher]. All but Changed and Log are required.
type Options struct {
	Chains    []Chain
	Contracts roster.Roster

	Journal journal.Reader
	Write   func(ctx context.Context, fn func(journal.Tx) error) error // of the present writer

	// Changed is called after a commit with the orders that have news. It must
	// return at once.
	Changed func(ids ...order.ID)
	Log     *slog.Logger
}

// A Watcher watches all chains.
type Watcher struct {
	opts   Options
	chains []*chain
}

// A chain is one that is watched.
type chain struct {
	Chain
	*follow.Follower
	peers []*peer.Peer
	down  atomic.Pointer[time.Time] // since when no round succeeds
}

// New returns a watcher that begins where the journal's cursors are. It asks no
// endpoint yet.
func New(ctx context.Context, opts Options) (*Watcher, error) {
	if opts.Journal == nil || opts.Write == nil || len(opts.Chains) == 0 || len(opts.Contracts) == 0 {
		return nil, errors.New("watch: Options.Journal, Write, Chains and Contracts are required")
	}
	if opts.Changed == nil {
		opts.Changed = func(...order.ID) {}
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	w := &Watcher{opts: opts}
	for _, c := range opts.Chains {
		if err := c.complete(); err != nil {
			return nil, fmt.Errorf("watch: chain %d: %w", c.ID, err)
		}
		started, err := w.follow(ctx, c)
		if err != nil {
			return nil, fmt.Errorf("watch: chain %d: %w", c.ID, err)
		}
		w.chains = append(w.chains, started)
	}
	return w, nil
}

// complete fills in what zero stands for.
func (c *Chain) complete() error {
	c.K = cmp.Or(c.K, defaultK)
	c.Poll = cmp.Or(c.Poll, pace.Head)
	c.Sweep = cmp.Or(c.Sweep, pace.Sweep)
	c.Range = cmp.Or(c.Range, defaultRange)
	switch {
	case c.State == nil:
		return errors.New("no quorum to ask for the contracts: set Chain.State")
	case c.K > 1 && len(c.Nodes) < leastNodes:
		return fmt.Errorf("%d endpoints, want %d of different operators, or trust a single one", len(c.Nodes), leastNodes)
	case len(c.Nodes) < c.K:
		return fmt.Errorf("%d endpoints, and %d must agree", len(c.Nodes), c.K)
	}
	return nil
}

func (w *Watcher) follow(ctx context.Context, c Chain) (*chain, error) {
	started := &chain{Chain: c}
	for _, n := range c.Nodes {
		started.peers = append(started.peers, peer.New(n))
	}
	var err error
	started.Follower, err = follow.New(ctx, follow.Options{
		Chain: c.ID, Peers: started.peers, State: c.State, K: c.K, First: c.First, Begin: c.Begin, Range: c.Range, Sweep: c.Sweep,
		Usual: c.Usual, Safe: c.Safe, Contracts: w.opts.Contracts,
		Journal: w.opts.Journal, Write: w.opts.Write, Changed: w.opts.Changed, Log: w.opts.Log,
	})
	return started, err
}

// Run watches until ctx ends, or until another writer has the journal. What an
// endpoint does wrong is no error.
func (w *Watcher) Run(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var watching sync.WaitGroup
	for _, c := range w.chains {
		watching.Go(func() {
			if err := w.watch(ctx, c); err != nil {
				stop(err)
			}
		})
	}
	watching.Wait()
	if cause := context.Cause(ctx); errors.Is(cause, journal.ErrLost) {
		return cause
	}
	return nil
}

func (w *Watcher) watch(ctx context.Context, c *chain) error {
	for ctx.Err() == nil {
		err := c.Follower.Round(ctx)
		c.note(err)
		switch {
		case errors.Is(err, journal.ErrLost):
			return err
		case err != nil && ctx.Err() == nil:
			w.opts.Log.Warn("watching a chain", "chain", c.ID, "err", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(c.Poll):
		}
	}
	return nil
}

// note remembers since when rounds fail.
func (c *chain) note(err error) {
	now := time.Now()
	if err == nil {
		c.down.Store(nil)
	} else {
		c.down.CompareAndSwap(nil, &now)
	}
}

// Round looks once at every chain: its head, and all that waits for proof. It
// returns what could not be asked, and goes on with the rest.
func (w *Watcher) Round(ctx context.Context) error {
	return w.each(func(c *chain) error {
		err := c.Follower.Round(ctx)
		c.note(err)
		return err
	})
}
