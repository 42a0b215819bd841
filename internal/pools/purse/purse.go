// Package purse says how much a pool can pay for the orders of one source now, as
// the settler counts them.
package purse

import (
	"math/big"
	"time"

	"hubquote/internal/contract"
	"hubquote/internal/fee"
	"hubquote/internal/pools/atlas"
	"hubquote/swap"
)

// A Purse is how much a payer can pay for the orders of one route.
type Purse struct {
	route     *swap.Route
	payment   fee.Payment // how the settler counts an order
	liquidity swap.Amount // in the destination's units, which are the payer's
	caps      [2]room     // of all payments, and of those for the source
	largest   swap.Amount // deposit that can be paid now, in the source's units
	asOf      time.Time

	// Available is what the recipient of the largest order would receive.
	Available *swap.Amount
}

// Facts are what is known of a payer.
type Facts struct {
	*contract.Snapshot
	AsOf      time.Time   // its block's time
	Liquidity swap.Amount // that it is said to have
	Owed      swap.Amount // for orders that are open already, as far as is known
	OwedFrom  swap.Amount // of it, for those of the route's source
}

// New returns the payer's purse of a route. What it owes already is taken off: those
// orders are paid first. An order that is outside any of the limits, or of the
// route's, is not available.
func New(l *atlas.Leg, f Facts, limits ...*swap.Limits) *Purse {
	source, spendable := l.Source(f.Snapshot)
	p := &Purse{route: l.Route, liquidity: less(f.Liquidity, &f.Owed), asOf: f.AsOf}
	p.payment = fee.Payment{From: l.Route.SrcToken.Decimals, To: l.Route.DstToken.Decimals, Borne: l.Route.Shields() || l.Burns()}
	p.caps[0] = newRoom(f.Spendable[contract.PaymentsCap], f.Caps[contract.PaymentsCap].Cap, f.Owed)
	p.caps[1] = newRoom(spendable, source.Cap, f.OwedFrom)
	p.largest = p.payment.Within(&p.liquidity)
	for _, r := range p.caps {
		now := less(r.now, &r.owed)
		if by := p.payment.Within(&now); by.Lt(&p.largest) {
			p.largest = by
		}
	}
	p.setAvailable(append(limits, &l.Route.Limits))
	return p
}

// setAvailable computes what the recipient of the largest order would receive,
// within all limits; nothing when even the smallest cannot be paid.
func (p *Purse) setAvailable(limits []*swap.Limits) {
	deposit := p.largest
	p.Available = new(swap.Amount)
	for _, l := range limits {
		if l.Max.Lt(&deposit) {
			deposit = l.Max
		}
	}
	for _, l := range limits {
		if deposit.Lt(&l.Min) {
			return
		}
	}
	if received, _, err := fee.Split(p.route, &deposit, nil); err == nil {
		p.Available = &received
	}
}

// renewal is how long it takes until what a chain has is seen here, at most. Who comes
// back sooner would be judged by an older view.
const renewal = 20 * time.Second

// Check refuses a deposit that is more than the purse can pay.
func (p *Purse) Check(amount *swap.Amount) error {
	if !amount.Gt(&p.largest) {
		return nil
	}
	need, err := p.payment.Most(amount)
	if err != nil || need.Gt(&p.liquidity) {
		return &swap.Error{Code: swap.PoolShort, Param: "amount", Available: p.Available, Token: p.route.DstToken,
			Message: "the pool that pays has not enough for this amount now: ask for less, or try again later"}
	}
	e := &swap.Error{Code: swap.PoolCapped, Param: "amount", Available: p.Available, Token: p.route.DstToken,
		Message: "the pool that pays has reached what it may pay in a day: ask for less, or try again later"}
	if wait := max(p.caps[0].wait(&need), p.caps[1].wait(&need)); wait != never {
		e.After = p.asOf.Add(wait + renewal)
	}
	return e
}

// less is n without off, and not below nothing.
func less(n swap.Amount, off *swap.Amount) swap.Amount {
	if _, under := n.SubOverflow(&n, off); under {
		return swap.Amount{}
	}
	return n
}

// amount converts what a contract counts in at most 256 bits.
func amount(n *big.Int) (a swap.Amount) {
	a.SetFromBig(n)
	return a
}
