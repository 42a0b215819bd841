// Package watch reads the chains with pools and receivers, and writes orders
// and facts into the journal.
//
// It has two passes. The first reads logs up to the head at one endpoint: what
// it finds is told, and enough to show. The second asks several endpoints of
// different operators: a log is believed when K of them give it in a block that
// is canonical, and final when that block is at or below the finality tag. That
// something did not happen is never believed from logs; the contracts are asked.
package watch

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"hubquote/internal/quorum"
	"hubquote/internal/quorum/node"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/roster"
	"hubquote/internal/settle/world"
	"hubquote/swap"
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

	// Poll is the pause between two looks at the head. Zero means 5 seconds.
	Poll time.Duration

	// Sweep is how often everything that became final is read again at another
	// endpoint. Zero means 2 minutes.
	Sweep time.Duration

	// Usual is how long a block usually takes to become final. After three
	// times that the tag counts as stalled. Zero means that it never does.
	Usual time.Duration

	// Safe says that the safe tag is asked for too.
	Safe bool

	// Range is how many blocks are asked for at once. Zero means 2,000. It
	// halves when an endpoint refuses.
	Range uint64

	// Lost are final blocks that the chain has lost and that the operator has
	// dealt with. The chain is trusted again from the next final block on.
	Lost []order.Hash
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
	opts Options
}

// New returns a watcher that asks nothing yet.
func New(opts Options) (*Watcher, error) { return nil, errors.New("not built yet") }

// Run watches until ctx ends, or until the journal fails. An endpoint that
// fails is no error.
func (w *Watcher) Run(ctx context.Context) error { return nil }

// Round looks once at every chain: its head, and all that waits for proof. It
// returns what could not be asked, and goes on with the rest.
func (w *Watcher) Round(ctx context.Context) error { return nil }

// Passed returns the block up to which the logs of a chain are in the journal,
// as one endpoint tells them.
func (w *Watcher) Passed(chain swap.ChainID) uint64 { return 0 }

// World fills in the tags of all chains, and the state and limits of these
// contracts, which it asks for now by quorum near the head. What is not known
// stays absent, and the error says why; the rest is filled in all the same.
func (w *Watcher) World(ctx context.Context, into *world.World, pools ...order.Pool) error {
	return nil
}

// A Record is what the contracts say about an order.
type Record struct {
	Held       order.Known[order.Deposit]
	Settlement order.Known[order.Settlement]
}

// Records asks the contracts about orders, by quorum near the head, in one call
// per contract and a hundred orders. What is not known stays so, and the error
// says why.
func (w *Watcher) Records(ctx context.Context, orders []journal.Order) (map[order.ID]Record, error) {
	return nil, nil
}

// Reprove asks K endpoints whether the deposits of these orders are still in
// their blocks. It returns those that are; for the others, facts have changed
// or no answer could be had. Payments before finality need it.
func (w *Watcher) Reprove(ctx context.Context, orders []journal.Order) (map[order.ID]bool, error) {
	return nil, nil
}

// Health is the state of one chain.
type Health struct {
	Chain     swap.ChainID
	Head      uint64 // passed
	Final     uint64
	FinalTime time.Time
	Stalled   bool
	Broken    order.Hash   // the final block that was lost, or zero
	Missing   []order.Pool // contracts that have orders we do not know
	Endpoints []Endpoint   // in the order of the configuration
}

// An Endpoint is the state of one endpoint.
type Endpoint struct {
	Fault     string // of its last call; empty when it succeeded
	Calls     uint64 // in all
	Disagreed uint64 // how often K others agreed on something else
}

// Health returns the present state, from memory.
func (w *Watcher) Health() []Health { return nil }
