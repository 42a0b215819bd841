// Package verdict decides whether the orders of a route can be paid, from what was
// seen of the two contracts behind it.
//
// What is not known refuses nothing: a quote without it is the quote that there
// was before anyone looked.
package verdict

import (
	"fmt"
	"time"

	"hubquote/internal/contract"
	"hubquote/internal/pools/atlas"
	"hubquote/internal/pools/drift"
	"hubquote/internal/pools/lens"
	"hubquote/swap"
)

// Facts are what is known about a route. Nil is not known.
type Facts struct {
	From, To *lens.Seen
	AsOf     time.Time // of the older of those that are known

	// Harm is a field of either contract by which less would be paid than
	// quoted; nil for none.
	Harm *drift.Row

	// Liquidity is what the payer has, with hysteresis. It is required with To.
	Liquidity swap.Amount

	// Burn is the least fee that the payer must offer to burn; nil when it is
	// not known.
	Burn *swap.IssuerRate
}

// A Verdict is whether a route's orders can be paid.
type Verdict struct {
	Known bool      // both contracts were seen
	AsOf  time.Time // when; zero unless both were

	refusal *swap.Error  // of every amount; nil for none
	limits  *swap.Limits // of deposits on chain; nil when not known
	purse   *purse       // of the payer; nil when not known
}

// Of judges a route.
func Of(l *atlas.Leg, f Facts) *Verdict {
	v := &Verdict{Known: f.From != nil && f.To != nil}
	if v.Known {
		v.AsOf = f.AsOf
	}
	v.refusal = refusal(l, f)
	if v.refusal != nil {
		return v
	}
	if f.From != nil {
		v.limits = limitsOf(&f.From.Limits)
	}
	if f.To != nil {
		v.purse = newPurse(l, f)
	}
	return v
}

// Unknown refuses a route of which one contract was not seen, for operators that
// want no quote without having looked.
func (v *Verdict) Unknown() error {
	if v.Known || v.refusal != nil {
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
		return v.purse.check(q)
	}
	return nil
}

// Reason returns why no order of any amount can be paid now; empty when some can.
func (v *Verdict) Reason() swap.Code {
	if v.refusal == nil {
		return ""
	}
	return v.refusal.Code
}

// Available returns the most that one order could be paid now, in the
// destination's units; nil when that is not known.
func (v *Verdict) Available() *swap.Amount {
	switch {
	case v.refusal != nil:
		return new(swap.Amount)
	case !v.Known:
		return nil
	}
	return v.purse.available()
}

// refusal returns why no order of the route can be paid, whatever its amount.
func refusal(l *atlas.Leg, f Facts) *swap.Error {
	for _, check := range []func(*atlas.Leg, Facts) *swap.Error{differs, paused, closed, tooDear} {
		if e := check(l, f); e != nil {
			return e
		}
	}
	return nil
}

// differs looks for anything by which less would be paid than quoted.
func differs(l *atlas.Leg, f Facts) *swap.Error {
	harm := f.Harm
	if harm == nil && f.From != nil {
		harm = drift.Harmful(drift.From(l, f.From))
	}
	if harm == nil && f.To != nil {
		harm = drift.Harmful(drift.To(l, f.To))
	}
	if harm == nil {
		return nil
	}
	return &swap.Error{
		Code: swap.DeploymentDiffers, Message: "a contract of this route is not as the catalog says, so it is not offered: ask the operator",
		Err: fmt.Errorf("%s on %d: %s is %s, want %s", harm.Contract, harm.Network, harm.Field, harm.Got, harm.Want),
	}
}

func paused(l *atlas.Leg, f Facts) *swap.Error {
	// A burn becomes an order whatever the receiver's pauses say.
	deposits := f.From != nil && l.Route.Burn == nil && f.From.DepositsPaused
	if deposits || f.To != nil && f.To.PaymentsPaused {
		return &swap.Error{Code: swap.PoolPaused, Message: "a pool of this route is paused: try again later"}
	}
	return nil
}

func closed(l *atlas.Leg, f Facts) *swap.Error {
	open := true
	if f.From != nil {
		open = l.Destination(&f.From.Snapshot).State == contract.Open
		if place := l.Place(&f.From.Snapshot); place != nil && place.Sign() == 0 {
			open = false
		}
	}
	if f.To != nil {
		source, _ := l.Source(&f.To.Snapshot)
		remote := l.RemoteOf(&f.To.Snapshot)
		open = open && source.State == contract.Open && (remote == nil || remote.State == contract.Open)
	}
	if open {
		return nil
	}
	return &swap.Error{Code: swap.RouteClosed, Message: "this route is closed on chain: try again later"}
}

// tooDear refuses a route whose payer would have to bear more of a third party's
// fee than its bound: its orders would wait.
func tooDear(l *atlas.Leg, f Facts) *swap.Error {
	if f.To == nil {
		return nil
	}
	dear := false
	switch bps := f.To.ShieldFee; {
	case l.Route.Shields():
		dear = !bps.IsUint64() || bps.Uint64() >= basisPoints || !bearable(bps.Uint64(), basisPoints, f.To.FeeBound, l.Route.Rate)
	case l.Burns() && f.Burn != nil:
		dear = !bearable(uint64(*f.Burn), issuerWhole, f.To.FeeBound, l.Route.Rate)
	}
	if !dear {
		return nil
	}
	return &swap.Error{Code: swap.RouteClosed, Message: "the issuer or the privacy pool takes more at present than the pool bears: try again later"}
}

const (
	basisPoints = 10_000
	issuerWhole = 10_000 * 1_000_000_000 // units of a swap.IssuerRate
	millionths  = 1_000_000
)

// bearable reports whether a third party's share of what is paid in is within the
// bound, which is a share of the whole order. What is paid in is so much that the
// rest after that share is what the protocol's own fee leaves.
func bearable(share, whole uint64, bound uint32, rate swap.Rate) bool {
	return share < whole && share*uint64(millionths-rate) <= uint64(bound)*(whole-share)
}
