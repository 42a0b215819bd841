// Package send turns calls into mined transactions of one key on one chain.
//
// Nonce, signed bytes and tasks are committed to the journal together before
// the bytes leave this process. From then on a failure means "perhaps sent":
// the same nonce is sent again, replaced or filled until the chain has used it.
// A receipt decides about a nonce, never about an order.
package send

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"hubquote/internal/quorum/node"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/policy/lane"
	"hubquote/internal/settle/send/peers"
	"hubquote/internal/settle/sign"
	"hubquote/swap"
)

// Options configure a [Lane]. All but Head, Final, Resend and Log are
// required.
type Options struct {
	Chain swap.ChainID
	Nodes []*node.Node // in order of preference; every transaction is sent to all

	// K is how many nodes must agree on what became of a nonce, and on a call
	// that reverts. One is enough only where a single node is trusted.
	K int

	Signer   *sign.Signer
	Limits   lane.Limits
	InFlight int    // transactions that may be sent and not mined: 16, or 1 on chains with odd pools
	Mempool  bool   // false: a higher fee buys nothing, so transactions are sent again and not replaced
	Gas      uint64 // of a usual call: the purse is counted in these

	Journal journal.Reader
	Write   func(ctx context.Context, fn func(journal.Tx) error) error // of the present writer
	Renew   func(ctx context.Context) error                            // of the present writer

	// Head returns the number of the latest block, when the caller polls it
	// anyway. Nil means that the lane asks its own nodes.
	Head func(ctx context.Context) (uint64, error)

	// Final returns the number of the final block, when the caller knows it by
	// enough endpoints. Nil means that the lane asks its own nodes.
	Final func(ctx context.Context) (uint64, error)

	// Resend is how long bytes may lie before they are sent again, also when no
	// block is made. Zero means 30 seconds.
	Resend time.Duration

	// Log receives one line per event that an operator should know. Nil
	// discards them.
	Log *slog.Logger
}

// A Lane is one key on one chain. Its methods may be called from several
// goroutines; one runs at a time.
type Lane struct {
	opts  Options
	peers *peers.Peers
	key   swap.Address

	mu     sync.Mutex
	ready  bool             // reconciled
	first  uint64           // the nonce to begin with when the journal has none
	open   int              // nonces that are sent and not mined
	memos  map[uint64]*memo // of these nonces
	lowest uint64           // the lowest of them
	since  time.Time        // when it became the lowest
	head   uint64           // the latest block that is known
	seen   uint64           // the head of the last look
	looked time.Time        // when that was
	final  tag
	purse  purse

	capped  bool
	foreign int
}

// A memo is what is remembered about a nonce while it is open. A lane that
// starts again without it sends everything once more.
type memo struct {
	head uint64      // when its last attempt was made, or it became the lowest
	at   time.Time   // when it was last sent; zero: not by this lane
	used uint64      // the head at which it was first found used by other bytes, or 0
	cost swap.Amount // the most that its last attempt can cost
}

// New returns a lane that sends nothing until [Lane.Reconcile].
func New(o Options) (*Lane, error) {
	if o.Chain == 0 || o.Signer == nil || o.InFlight < 1 || o.Gas == 0 || o.Limits.Cap.IsZero() || o.Limits.After == 0 || o.Journal == nil || o.Write == nil || o.Renew == nil {
		return nil, errors.New("send: an option is missing: only Head, Final, Resend and Log may be left out")
	}
	p, err := peers.New(o.Nodes, o.K, o.Signer.Address())
	if err != nil {
		return nil, fmt.Errorf("send: chain %d: %w", o.Chain, err)
	}
	if o.Resend == 0 {
		o.Resend = 30 * time.Second
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.Log = o.Log.With("chain", o.Chain, "key", o.Signer.Address())
	return &Lane{opts: o, peers: p, key: o.Signer.Address(), memos: map[uint64]*memo{}}, nil
}

// Close waits for calls that are under way.
func (l *Lane) Close() { l.peers.Close() }

// Free returns how many more transactions may be in flight: none before
// [Lane.Reconcile] has succeeded.
func (l *Lane) Free() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.free()
}

func (l *Lane) free() int {
	if !l.ready {
		return 0
	}
	return max(0, l.opts.InFlight-l.open)
}

// Health is the state of a lane for metrics and alerts.
type Health struct {
	Open    int       // nonces that are sent and not mined
	Lowest  uint64    // the lowest of them
	Since   time.Time // when the lowest became the lowest; zero when none is open
	Capped  bool      // the lowest offers all that the fee cap allows: page
	Foreign int       // nonces used by bytes that are not in the journal, since the start: page
}

// Health returns the present health, from memory.
func (l *Lane) Health() Health {
	l.mu.Lock()
	defer l.mu.Unlock()
	h := Health{Open: l.open, Capped: l.capped, Foreign: l.foreign}
	if l.open > 0 {
		h.Lowest, h.Since = l.lowest, l.since
	}
	return h
}
