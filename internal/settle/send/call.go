package send

import (
	"context"
	"errors"
	"time"

	"hubquote/internal/quorum/node"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/pace"
	"hubquote/internal/settle/policy/lane"
	"hubquote/internal/settle/send/peers"
	"hubquote/internal/settle/sign"
	"hubquote/swap"
)

// A Call is a transaction to make.
type Call struct {
	To   swap.Address
	Data []byte

	// Gas is the highest gas limit. Least is the lowest: a batch that gets too
	// little gas stops early instead of failing, so the estimate of one is worth
	// nothing, and Least must be enough for all its items. Zero means the
	// estimate and a quarter.
	Gas, Least uint64

	Tasks []journal.Reserved         // at least one
	Caps  map[order.Pool]swap.Amount // of the exposure
}

// What [Lane.Send] answers besides [*Refused] and the journal's errors. In all
// cases nothing was committed and nothing was sent.
var (
	ErrBusy  = errors.New("no transaction may be added now: wait until one is mined")
	ErrGas   = peers.ErrGas
	ErrFees  = errors.New("gas costs more than the fee cap: wait, or raise the cap")
	ErrEmpty = errors.New("a call without a task")
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
func (l *Lane) Send(ctx context.Context, c Call) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.show()
	switch {
	case len(c.Tasks) == 0:
		return ErrEmpty
	case l.Free() == 0:
		return ErrBusy
	}
	a, err := l.prepare(ctx, c)
	if err != nil {
		return err
	}
	l.idle = false // also when the outcome of the commit is unknown
	if err := l.outbox.Commit(ctx, a, func(tx journal.Tx) error { return tx.Commit(ctx, a, c.Tasks, c.Caps) }); err != nil {
		return err
	}
	l.launch(ctx, a)
	return nil
}

// prepare signs a call with the next nonce.
func (l *Lane) prepare(ctx context.Context, c Call) (a journal.Attempt, err error) {
	if err := l.purse.Refresh(ctx, pace.Fresh); err != nil {
		return a, err
	}
	if !l.purse.Within() {
		return a, ErrFees
	}
	gas, err := l.gas(ctx, c)
	if err != nil {
		return a, err
	}
	nonce, err := l.outbox.Next(ctx, l.first)
	if err != nil {
		return a, err
	}
	offer := l.purse.Offer()
	return l.outbox.Sign(ctx, sign.Transaction{Nonce: nonce, To: c.To, Data: c.Data, Gas: gas, Tip: offer.Tip, Cap: offer.Cap})
}

// gas returns the gas limit of a call that does not revert.
func (l *Lane) gas(ctx context.Context, c Call) (uint64, error) {
	estimate, err := l.peers.Estimate(ctx, c.To, c.Data, c.Gas)
	if revert, refused := errors.AsType[*node.Revert](err); refused {
		return 0, &Refused{revert.Data}
	}
	if err != nil {
		return 0, err
	}
	if c.Least > c.Gas {
		return 0, ErrGas
	}
	return min(max(estimate+estimate/4, c.Least), c.Gas), nil
}

// Fees are what gas costs now, and how far the purse goes.
type Fees struct {
	lane.Fees
	WithinCap bool   // the base fee and the tip are within the fee cap
	Calls     uint64 // usual calls that the purse pays for, less the transactions in flight
}

// Fees returns the present fees. They are asked for only when the last answer is
// old: older still where no transaction is under way and the purse lets one through,
// since [Lane.Send] asks again anyway.
func (l *Lane) Fees(ctx context.Context) (Fees, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.purse.Refresh(ctx, l.patience()); err != nil {
		return Fees{}, err
	}
	var flying swap.Amount
	for _, m := range l.memos {
		flying.Add(&flying, &m.cost)
	}
	return Fees{l.purse.Fees, l.purse.Within(), l.purse.Calls(l.opts.Gas, flying)}, nil
}

// patience is how old the fees may be for a plan. A purse that lets nothing through
// is looked at as often as ever: orders wait for it.
func (l *Lane) patience() time.Duration {
	if len(l.memos) == 0 && l.purse.Within() && l.purse.Calls(l.opts.Gas, swap.Amount{}) > 0 {
		return pace.Idle
	}
	return pace.Plan
}
