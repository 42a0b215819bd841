// Package purse is what gas costs on a chain and how many calls a key can pay
// for. It asks only when the last answer is too old.
package purse

import (
	"context"
	"math"
	"time"

	"hubquote/internal/settle/pace"
	"hubquote/internal/settle/policy/lane"
	"hubquote/internal/settle/send/peers"
	"hubquote/swap"
)

// A Purse is the gas of one key on one chain.
type Purse struct {
	Peers  *peers.Peers
	Limits lane.Limits

	lane.Fees
	at time.Time // when the fees were asked for

	balance swap.Amount
	counted time.Time // when the balance was asked for
}

// Refresh asks for the fees unless they are young enough. The balance is for plans
// only: it is asked for when it is stale.
func (p *Purse) Refresh(ctx context.Context, age time.Duration) error {
	if time.Since(p.at) < age {
		return nil
	}
	base, err := p.Peers.Base(ctx)
	if err != nil {
		return err
	}
	tip, err := p.Peers.Tip(ctx, base)
	if err != nil {
		return err
	}
	if err := p.count(ctx); err != nil {
		return err
	}
	p.Base, p.Tip, p.at = base, tip, time.Now()
	return nil
}

func (p *Purse) count(ctx context.Context) error {
	if time.Since(p.counted) < pace.Plan {
		return nil
	}
	balance, err := p.Peers.Balance(ctx)
	if err == nil {
		p.balance, p.counted = balance, time.Now()
	}
	return err
}

// Offer returns the fees of a first attempt.
func (p *Purse) Offer() lane.Move { return lane.Offer(p.Fees, p.Limits) }

// Within reports whether a transaction within the limits can be mined now.
func (p *Purse) Within() bool {
	sum := new(swap.Amount).Add(&p.Base, &p.Tip)
	return !sum.Gt(&p.Limits.Cap)
}

// Calls returns how many calls of so much gas the balance covers beside the cost
// of transactions in flight. Nodes refuse a transaction that the balance may not cover at its
// cap.
func (p *Purse) Calls(gas uint64, flying swap.Amount) uint64 {
	if p.balance.Lt(&flying) {
		return 0
	}
	left, price := new(swap.Amount).Sub(&p.balance, &flying), p.Offer().Cap
	if price.Mul(&price, new(swap.Amount).SetUint64(gas)).IsZero() {
		return math.MaxUint32
	}
	return min(left.Div(left, &price).Uint64(), math.MaxUint32)
}
