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
	"sync/atomic"
	"time"

	"hubquote/internal/quorum/node"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/policy/lane"
	"hubquote/internal/settle/send/nonces"
	"hubquote/internal/settle/send/outbox"
	"hubquote/internal/settle/send/peers"
	"hubquote/internal/settle/send/purse"
	"hubquote/internal/settle/sign"
	"hubquote/swap"
)

// Options configure a [Lane]. All but Head, Final, Gone, Resend and Log are
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

	// Gone counts the times that the chain lost blocks with transactions of ours,
	// as far as the caller knows. Nil means that the lane looks for itself.
	Gone func() uint64

	// Resend is how long to wait before bytes are sent again, also when no
	// block is made. Zero means 30 seconds.
	Resend time.Duration

	// Log receives one line per event that an operator should know. Nil
	// discards them.
	Log *slog.Logger
}

// A Lane is one key on one chain. Its methods may be called from several
// goroutines; one runs at a time, but [Lane.Free] and [Lane.Health] never wait.
type Lane struct {
	opts  Options
	peers *peers.Peers

	mu     sync.Mutex
	outbox outbox.Outbox
	nonces *nonces.Nonces
	purse  purse.Purse
	final  tag
	ready  bool             // reconciled
	idle   bool             // the journal has no open nonce
	first  uint64           // the nonce to begin with when the journal has none
	head   uint64           // the latest block that is known
	seen   uint64           // the head of the last look
	looked time.Time        // when that was
	gone   uint64           // how often blocks were lost before that
	memos  map[uint64]*memo // of the nonces that are in no block
	now    Health

	free   atomic.Int64
	health atomic.Pointer[Health]
}

// New returns a lane that sends nothing until [Lane.Reconcile].
func New(o Options) (*Lane, error) {
	if o.Chain == 0 || o.Signer == nil || o.InFlight < 1 || o.Gas == 0 || o.Limits.Cap.IsZero() || o.Limits.After == 0 || o.Journal == nil || o.Write == nil || o.Renew == nil {
		return nil, errors.New("send: an option is missing: only Head, Final, Gone, Resend and Log may be left out")
	}
	key := o.Signer.Address()
	p, err := peers.New(o.Nodes, o.K, key)
	if err != nil {
		return nil, fmt.Errorf("send: chain %d: %w", o.Chain, err)
	}
	if o.Resend == 0 {
		o.Resend = 30 * time.Second
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.Log = o.Log.With("chain", o.Chain, "key", key)
	l := &Lane{opts: o, peers: p}
	l.outbox = outbox.Outbox{Chain: o.Chain, Signer: o.Signer, Peers: p, Journal: o.Journal, Write: o.Write, Renew: o.Renew, Log: o.Log}
	l.nonces = nonces.New(nonces.Nonces{Chain: o.Chain, Key: key, Peers: p, Journal: o.Journal, Write: o.Write, Final: l.tag, After: o.Limits.After, Log: o.Log})
	l.purse = purse.Purse{Peers: p, Limits: o.Limits, Fees: lane.Fees{Mempool: o.Mempool}}
	l.show()
	return l, nil
}

// Close waits for calls that are under way.
func (l *Lane) Close() { l.peers.Close() }

// Free returns how many more transactions may be in flight: none before
// [Lane.Reconcile] has succeeded.
func (l *Lane) Free() int { return int(l.free.Load()) }

// Health is the state of a lane for metrics and alerts.
type Health struct {
	Open    int       // nonces that are in no block
	Lowest  uint64    // the lowest of them
	Since   time.Time // when it became the lowest; zero when none is open
	Capped  bool      // it offers all that the fee cap allows: page
	Foreign int       // nonces used by bytes that are not in the journal, since the start: page
}

// Health returns the present health, from memory.
func (l *Lane) Health() Health { return *l.health.Load() }

// show publishes the state for the methods that do not wait.
func (l *Lane) show() {
	h := l.now
	h.Open, h.Foreign = len(l.memos), l.nonces.Foreign
	if h.Open == 0 {
		h.Lowest, h.Since, h.Capped = 0, time.Time{}, false
	}
	l.now = h
	l.health.Store(&h)
	free := 0
	if l.ready {
		free = max(0, l.opts.InFlight-h.Open)
	}
	l.free.Store(int64(free))
}
