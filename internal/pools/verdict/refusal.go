package verdict

import (
	"fmt"

	"hubquote/internal/contract"
	"hubquote/internal/fee"
	"hubquote/internal/pools/atlas"
	"hubquote/internal/pools/drift"
	"hubquote/swap"
)

// refusal returns why no order of the route can be paid, whatever its amount.
func refusal(l *atlas.Leg, f Facts) *swap.Error {
	for _, check := range []func(*atlas.Leg, Facts) *swap.Error{differs, paused, closed, unmanned, tooDear} {
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

// unmanned refuses a route whose payer obeys none of the operator's relayers: only
// they can pay. Who they are is known with the operator's settings alone.
func unmanned(l *atlas.Leg, f Facts) *swap.Error {
	if f.To == nil || l.To.Payable(f.To.Roles) {
		return nil
	}
	return &swap.Error{Code: swap.RouteClosed, Message: "the pool that pays has no relayer at present: try again later"}
}

// tooDear refuses a route whose payer would have to bear more of a third party's
// fee than its bound: its orders would wait.
func tooDear(l *atlas.Leg, f Facts) *swap.Error {
	if f.To == nil {
		return nil
	}
	dear, rate := false, charged(l, f)
	switch bps := f.To.ShieldFee; {
	case l.Route.Shields():
		dear = !bps.IsUint64() || bps.Uint64() >= basisPoints || !bearable(bps.Uint64(), basisPoints, f.To.FeeBound, rate)
	case l.Burns() && f.Burn != nil:
		dear = !bearable(uint64(*f.Burn), fee.IssuerWhole, f.To.FeeBound, rate)
	}
	if !dear {
		return nil
	}
	return &swap.Error{Code: swap.RouteClosed, Message: "the issuer or the privacy pool takes more at present than the pool bears: try again later"}
}

// charged returns the rate that the payer would charge: the lowest of the catalog's,
// the one that the order is opened with and the payer's own for the source. A lower
// rate leaves more to deliver, of which the third party takes its share.
func charged(l *atlas.Leg, f Facts) swap.Rate {
	rate := l.Route.Rate
	if f.From != nil {
		rate = min(rate, swap.Rate(l.Destination(&f.From.Snapshot).Rate))
	}
	if source, _ := l.Source(&f.To.Snapshot); source.Rate.IsUint64() {
		rate = min(rate, swap.Rate(min(source.Rate.Uint64(), millionths)))
	}
	return rate
}

const (
	basisPoints = 10_000
	millionths  = 1_000_000
)

// bearable reports whether a third party's share of what is paid in is within the
// bound, which is a share of the whole order. What is paid in is so much that the
// rest after that share is what the protocol's own fee leaves.
func bearable(share, whole uint64, bound uint32, rate swap.Rate) bool {
	return share < whole && share*uint64(millionths-rate) <= uint64(bound)*(whole-share)
}
