// Package verdict decides whether the orders of a route can be paid, from what was
// seen of the two contracts behind it.
//
// What is not known refuses nothing: a quote without it is the quote that there
// was before there was a watcher.
package verdict

import (
	"time"

	"hubquote/internal/contract"
	"hubquote/internal/pools/atlas"
	"hubquote/internal/pools/drift"
	"hubquote/internal/pools/lens"
	"hubquote/internal/pools/purse"
	"hubquote/swap"
)

// Facts are what is known about a route. Nil is not known.
type Facts struct {
	From, To *lens.Seen
	AsOf     time.Time // of the older block of those that are known
	PayerAt  time.Time // of the block at which To was seen

	// Harm is a field of either contract by which less would be paid than
	// quoted; nil for none.
	Harm *drift.Row

	// Liquidity is what the payer has, with hysteresis. It is required with To.
	// Owed is what it must pay for orders that are open already, and OwedFrom for
	// those of the route's source, as far as that is known.
	Liquidity, Owed, OwedFrom swap.Amount

	// Burn is the least fee that the payer must offer to burn; nil when it is
	// not known. NoFee says that a fee is asked for, of this burn or of the one
	// that opens the order, and is not known.
	Burn  *swap.IssuerRate
	NoFee bool
}

// A Verdict is whether a route's orders can be paid.
type Verdict struct {
	Known bool      // both contracts were seen
	AsOf  time.Time // of the older block; zero unless both were

	noFee   bool         // a messenger that is asked did not say its least fee
	refusal *swap.Error  // of every amount; nil for none
	limits  *swap.Limits // of deposits on chain; nil when not known
	purse   *purse.Purse // of the payer; nil when not known
}

// Of judges a route.
func Of(l *atlas.Leg, f Facts) *Verdict {
	v := &Verdict{Known: f.From != nil && f.To != nil, noFee: f.NoFee}
	if v.Known {
		v.AsOf = f.AsOf
	}
	v.refusal = refusal(l, f)
	if v.refusal != nil {
		return v
	}
	var limits []*swap.Limits
	if f.From != nil {
		v.limits = limitsOf(&f.From.Limits)
		limits = append(limits, v.limits)
	}
	if f.To != nil {
		v.purse = purse.New(l, purse.Facts{Snapshot: &f.To.Snapshot, AsOf: f.PayerAt, Liquidity: f.Liquidity, Owed: f.Owed, OwedFrom: f.OwedFrom}, limits...)
	}
	return v
}

// Unknown refuses a route of which one contract was not seen, or the least fee of a
// burn, for operators that want no quote without having looked.
func (v *Verdict) Unknown() error {
	if v.Known && !v.noFee || v.refusal != nil {
		return nil
	}
	return &swap.Error{Code: swap.PoolUnknown, Message: "the state of the pools of this route is not known now: try again in a moment"}
}

// Check refuses a quote that would not be paid as things are.
func (v *Verdict) Check(q *swap.Quote) error {
	switch {
	case v.refusal != nil:
		return v.refusal
	case v.limits != nil && (q.Amount.Lt(&v.limits.Min) || q.Amount.Gt(&v.limits.Max)):
		return &swap.Error{Code: swap.RouteClosed, Param: "amount", Limits: v.limits, Token: q.Route.SrcToken,
			Message: "the contract does not take this amount at present: ask for less, or try again later"}
	case v.purse != nil:
		return v.purse.Check(&q.Amount)
	}
	return nil
}

// Reason returns why no order of any amount can be paid now, which is why the
// smallest cannot; empty when some can.
func (v *Verdict) Reason(r *swap.Route) swap.Code {
	least := r.Limits.Min
	if v.limits != nil && v.limits.Min.Gt(&least) {
		least = v.limits.Min
	}
	if v.refusal == nil && least.Gt(&r.Limits.Max) {
		return swap.RouteClosed // the contract takes none of the amounts that are quoted
	}
	if err := v.Check(&swap.Quote{Route: r, Amount: least}); err != nil {
		return swap.CodeOf(err)
	}
	return ""
}

// Available returns the most that the recipient of one order could be paid now, in
// the destination's units, if no partner takes a part; nil when that is not known.
func (v *Verdict) Available() *swap.Amount {
	switch {
	case v.refusal != nil:
		return new(swap.Amount)
	case !v.Known:
		return nil
	}
	return v.purse.Available
}

func limitsOf(l *contract.Limits) *swap.Limits {
	out := &swap.Limits{}
	out.Min.SetFromBig(l.Min)
	out.Max.SetFromBig(l.Max)
	return out
}
