package send

import (
	"context"
	"math"
	"time"

	"hubquote/internal/settle/policy/lane"
	"hubquote/swap"
)

// How old the fees may be, for a signature and for a look.
const (
	fresh = 5 * time.Second
	stale = time.Minute
)

// A purse is what gas costs and what the key has for it.
type purse struct {
	lane.Fees
	balance swap.Amount
	at      time.Time
}

// within reports whether a transaction within the limits can be mined now.
func (p *purse) within(l lane.Limits) bool {
	sum := new(swap.Amount).Add(&p.Base, &p.Tip)
	return !sum.Gt(&l.Cap)
}

// Fees are what gas costs now, and how far the purse goes.
type Fees struct {
	lane.Fees
	WithinCap bool   // the base fee and the tip are within the fee cap
	Calls     uint64 // usual calls that the purse pays for, less what is in flight
}

// Fees returns the present fees. They are asked for only when the last answer is
// old, so an idle lane costs three calls a minute.
func (l *Lane) Fees(ctx context.Context) (Fees, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.refresh(ctx, stale); err != nil {
		return Fees{}, err
	}
	return Fees{l.purse.Fees, l.purse.within(l.opts.Limits), l.calls()}, nil
}

// refresh asks for the fees and the balance unless they are young enough.
func (l *Lane) refresh(ctx context.Context, age time.Duration) error {
	if time.Since(l.purse.at) < age {
		return nil
	}
	head, base, err := l.peers.Head(ctx)
	if err != nil {
		return err
	}
	tip, err := l.peers.Tip(ctx)
	if err != nil {
		return err
	}
	balance, err := l.peers.Balance(ctx)
	if err != nil {
		return err
	}
	l.head = head
	l.purse = purse{lane.Fees{Base: base, Tip: tip, Mempool: l.opts.Mempool}, balance, time.Now()}
	return nil
}

// calls returns how many usual calls the balance covers beside what is in
// flight. Nodes refuse a transaction that the balance may not cover at its cap.
func (l *Lane) calls() uint64 {
	left := l.purse.balance
	for _, m := range l.memos {
		if left.Lt(&m.cost) {
			return 0
		}
		left.Sub(&left, &m.cost)
	}
	price := lane.Offer(l.purse.Fees, l.opts.Limits).Cap
	if price.IsZero() {
		return math.MaxUint32
	}
	n := left.Div(&left, price.Mul(&price, new(swap.Amount).SetUint64(l.opts.Gas)))
	return min(n.Uint64(), math.MaxUint32)
}
