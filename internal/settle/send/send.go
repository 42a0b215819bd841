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
	"log/slog"
	"sync"
	"time"

	"hubquote/internal/quorum/node"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/lane"
	"hubquote/internal/settle/sign"
	"hubquote/swap"
)

// Options configure a [Lane]. All but Final, Resend and Log are required.
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
	opts Options

	mu sync.Mutex
}

// New returns a lane that sends nothing until [Lane.Reconcile].
func New(o Options) (*Lane, error) { return nil, errors.New("not built yet") }

// Close waits for broadcasts that are under way.
func (l *Lane) Close() {}

// Reconcile compares the journal's nonces with the chain's, at the start and
// after every takeover. A nonce that was mined and has no row is recorded as
// foreign. Nonces that nodes hold for this key without a row get a filler, which
// is sent only if they are left out of blocks.
func (l *Lane) Reconcile(ctx context.Context) error { return nil }

// Free returns how many more transactions may be in flight: none before
// [Lane.Reconcile] has succeeded.
func (l *Lane) Free() int { return 0 }

// Fees are what gas costs now, and how far the purse goes.
type Fees struct {
	lane.Fees
	WithinCap bool   // the base fee and the tip are within the fee cap
	Calls     uint64 // usual calls that the purse pays for, less what is in flight
}

// Fees returns the present fees. They are asked for only when the last answer is
// old, so an idle lane costs a few calls a minute.
func (l *Lane) Fees(ctx context.Context) (Fees, error) { return Fees{}, nil }

// A Call is a transaction to make.
type Call struct {
	To   swap.Address
	Data []byte

	// Gas is the highest gas limit. Least is the lowest: a batch that gets too
	// little gas stops early instead of failing, so the estimate of one is worth
	// nothing, and Least must be enough for all its items. Zero means the
	// estimate and a quarter.
	Gas, Least uint64

	Tasks []journal.Reserved
	Caps  map[order.Pool]swap.Amount // of the exposure
}

// What [Lane.Send] answers besides [*Refused] and the journal's errors. In all
// cases nothing was committed and nothing was sent.
var (
	ErrBusy = errors.New("no transaction may be added now: wait until one is mined")
	ErrGas  = errors.New("the call needs more gas than its limit: make the batch smaller or raise the limit")
	ErrFees = errors.New("gas costs more than the fee cap: wait, or raise the cap")
)

// A Refused is a call that would revert, by [Options].K nodes.
type Refused struct {
	Data []byte // what the contract returned; its first four bytes name the error
}

// Selector is the four bytes that name the contract's error, or zero when it
// returned none.
func (r *Refused) Selector() (s [4]byte) {
	if len(r.Data) >= len(s) {
		s = [4]byte(r.Data)
	}
	return s
}

func (r *Refused) Error() string { return "the contract refuses the call" }

// Send makes a transaction of a call: it is estimated, signed, committed with
// its tasks, and only then sent to all nodes. A nil error means committed: the
// tasks are sent, and [Lane.Tend] sees to it that the nonce is used. Any error
// but [journal.ErrUnknown] means that nothing was committed and the tasks are
// still ready. After [journal.ErrUnknown] read the tasks again.
func (l *Lane) Send(ctx context.Context, c Call) error { return nil }

// Tend looks after every nonce that is not final: it records what was mined,
// what became final and what a reorganisation took away, ends the tasks of a
// nonce that other bytes have used as void, and sends again, replaces or fills
// what is left out of blocks. Call it at least once per block; it asks nothing
// when nothing is open. It does not end the tasks of a nonce that was mined:
// only an event that names the order, or its absence in a final block, can.
func (l *Lane) Tend(ctx context.Context) error { return nil }

// Health is the state of a lane for metrics and alerts.
type Health struct {
	Open    int       // nonces that are sent and not mined
	Lowest  uint64    // the lowest of them
	Since   time.Time // when the lowest became the lowest; zero when none is open
	Capped  bool      // the lowest offers all that the fee cap allows: page
	Foreign int       // nonces used by bytes that are not in the journal, since the start: page
}

// Health returns the present health, from memory.
func (l *Lane) Health() Health { return Health{} }
