package verdict

import (
	"math/big"
	"time"

	"hubquote/internal/contract"
	"hubquote/internal/fee"
	"hubquote/internal/pools/atlas"
	"hubquote/swap"
)

// A purse is how much a payer can pay for the orders of one source, in the
// destination's units, which are the payer's.
type purse struct {
	token     *swap.Token
	liquidity swap.Amount
	caps      [2]room   // of all payments, and of those for the source
	bears     swap.Rate // the most of an order that third parties take on top
	asOf      time.Time
}

// A room is what a cap lets out: now, and at once when nothing was spent. The
// difference comes back within a day.
type room struct{ now, most swap.Amount }

func newPurse(l *atlas.Leg, f Facts) *purse {
	s := &f.To.Snapshot
	source, spendable := l.Source(s)
	p := &purse{token: l.Route.DstToken, liquidity: f.Liquidity, asOf: f.AsOf}
	p.caps[0] = newRoom(s.Spendable[contract.PaymentsCap], s.Caps[contract.PaymentsCap].Cap)
	p.caps[1] = newRoom(spendable, source.Cap)
	if l.Route.Shields() || l.Burns() {
		p.bears = swap.Rate(s.FeeBound)
	}
	return p
}

func newRoom(now, dailyCap *big.Int) room {
	return room{amount(now), amount(new(big.Int).Rsh(dailyCap, 1))}
}

// check refuses an order that is more than the purse can pay.
func (p *purse) check(q *swap.Quote) error {
	need := p.need(q)
	if need.Gt(&p.liquidity) {
		return &swap.Error{Code: swap.PoolShort, Param: "amount", Available: p.available(), Token: p.token,
			Message: "the pool that pays has not enough for this amount now: ask for less, or try again later"}
	}
	var wait time.Duration
	for _, r := range p.caps {
		if need.Gt(&r.now) {
			wait = max(wait, r.wait(&need))
		}
	}
	if wait == 0 {
		return nil
	}
	e := &swap.Error{Code: swap.PoolCapped, Param: "amount", Available: p.available(), Token: p.token,
		Message: "the pool that pays has reached what it may pay in a day: ask for less, or try again later"}
	if wait != never {
		e.After = p.asOf.Add(wait)
	}
	return e
}

// need is what paying a quote takes from the pool: the payments, and the most
// that third parties may cost.
func (p *purse) need(q *swap.Quote) swap.Amount {
	var gross, need swap.Amount
	need.Add(&q.Received, &q.Fees.Integrator.Amount)
	if p.bears > 0 {
		gross.Add(&q.Received, &q.Fees.Total)
		bound := fee.Of(p.bears, &gross)
		need.Add(&need, &bound)
	}
	return need
}

// available is the most that one order can take from the pool now.
func (p *purse) available() *swap.Amount {
	least := p.liquidity
	for _, r := range p.caps {
		if r.now.Lt(&least) {
			least = r.now
		}
	}
	return &least
}

const (
	day = 24 * time.Hour

	never = time.Duration(1<<63 - 1)
)

// wait returns how long it takes until the room is as large as need: it grows from
// nothing to most in a day.
func (r *room) wait(need *swap.Amount) time.Duration {
	if need.Gt(&r.most) {
		return never
	}
	var missing, seconds swap.Amount
	missing.Sub(need, &r.now)
	var perDay swap.Amount
	perDay.SetUint64(uint64(day / time.Second))
	seconds.MulDivOverflow(&missing, &perDay, &r.most)
	return time.Duration(seconds.Uint64()+1) * time.Second
}

// amount converts what a contract counts in at most 256 bits.
func amount(n *big.Int) (a swap.Amount) {
	a.SetFromBig(n)
	return a
}

func limitsOf(l *contract.Limits) *swap.Limits {
	return &swap.Limits{Min: amount(l.Min), Max: amount(l.Max)}
}
