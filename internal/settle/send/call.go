package send

import (
	"context"
	"errors"
	"time"

	"hubquote/internal/quorum/node"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/lane"
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
	ErrGas   = errors.New("the call needs more gas than its limit: make the batch smaller or raise the limit")
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
	switch {
	case len(c.Tasks) == 0:
		return ErrEmpty
	case l.free() == 0:
		return ErrBusy
	}
	a, err := l.prepare(ctx, c)
	if err != nil {
		return err
	}
	err = l.commit(ctx, a, func(tx journal.Tx) error { return tx.Commit(ctx, a, c.Tasks, c.Caps) })
	if err != nil {
		return err
	}
	l.open++
	l.launch(ctx, a)
	return nil
}

// prepare signs a call with the next nonce.
func (l *Lane) prepare(ctx context.Context, c Call) (a journal.Attempt, err error) {
	if err := l.refresh(ctx, fresh); err != nil {
		return a, err
	}
	if !l.purse.within(l.opts.Limits) {
		return a, ErrFees
	}
	gas, err := l.gas(ctx, c)
	if err != nil {
		return a, err
	}
	nonce, err := l.next(ctx)
	if err != nil {
		return a, err
	}
	move := lane.Offer(l.purse.Fees, l.opts.Limits)
	return l.sign(ctx, sign.Transaction{Nonce: nonce, To: c.To, Data: c.Data, Gas: gas, Tip: move.Tip, Cap: move.Cap})
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
	if max(estimate, c.Least) > c.Gas {
		return 0, ErrGas
	}
	return min(max(estimate+estimate/4, c.Least), c.Gas), nil
}

// next returns the nonce after the last in the journal. There is no counter that
// could drift from it.
func (l *Lane) next(ctx context.Context) (uint64, error) {
	last, found, err := l.opts.Journal.TxLast(ctx, l.opts.Chain, l.key)
	if err != nil || !found {
		return l.first, err
	}
	return last.Nonce + 1, nil
}

func (l *Lane) sign(ctx context.Context, t sign.Transaction) (journal.Attempt, error) {
	t.Chain = l.opts.Chain
	signed, err := l.opts.Signer.Sign(ctx, t)
	return journal.Attempt{
		Hash: signed.Hash, Chain: t.Chain, Key: l.key, Nonce: t.Nonce, Raw: signed.Raw, Tip: t.Tip, Cap: t.Cap, Gas: t.Gas, Made: time.Now(),
	}, err
}

var errAbsent = errors.New("the connection broke and nothing was committed")

// commit writes an attempt. When the outcome is unknown it waits until the
// journal has decided, and reads the attempt back, so that nothing is sent that
// is not in the journal.
func (l *Lane) commit(ctx context.Context, a journal.Attempt, write func(journal.Tx) error) error {
	err := l.opts.Write(ctx, write)
	if !errors.Is(err, journal.ErrUnknown) {
		return err
	}
	if lost := l.opts.Renew(ctx); lost != nil {
		return errors.Join(err, lost)
	}
	_, found, unread := l.opts.Journal.Attempt(ctx, a.Hash)
	switch {
	case unread != nil:
		return errors.Join(err, unread)
	case !found:
		return errAbsent
	}
	return nil
}

// launch sends a committed attempt to all nodes and notes that it did. Its
// failures are only kept: the bytes were perhaps sent, and [Lane.Tend] sends
// them again.
func (l *Lane) launch(ctx context.Context, a journal.Attempt) {
	failure := ""
	if err := l.peers.Broadcast(ctx, a.Raw); err != nil {
		failure = err.Error()
	}
	l.note(a).at = time.Now()
	err := l.opts.Write(ctx, func(tx journal.Tx) error { return tx.MarkSent(ctx, a.Hash, time.Now(), failure) })
	if err != nil {
		l.opts.Log.Warn("not noted that a transaction was sent", "tx", a.Hash, "error", err)
	}
}

// note returns the memo of an attempt's nonce.
func (l *Lane) note(a journal.Attempt) *memo {
	m := l.memos[a.Nonce]
	if m == nil {
		m = &memo{head: l.head}
		l.memos[a.Nonce] = m
	}
	m.cost.Mul(m.cost.SetUint64(a.Gas), &a.Cap)
	return m
}
