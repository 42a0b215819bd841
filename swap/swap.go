// Package swap is the vocabulary of the service: the types that all other
// packages share, the interfaces to the outside, and the one error type.
//
// It decides nothing and imports nothing of ours but the encoding of a point. A
// value that came from a parser here or from the catalog is valid by itself; other
// packages do not check it again.
package swap

import (
	"context"
	"time"
)

// Integrators looks a partner up in the registry of one chain.
//
// An implementation answers with [IntegratorUnknown] or [IntegratorInactive]
// only when it has proof, and with [RegistryUnavailable] in every other case:
// it never guesses a rate.
type Integrators interface {
	Integrator(ctx context.Context, registry ChainID, id IntegratorID) (Integrator, error)
}

// IssuerFees has the issuer's rates for fast burns.
//
// An implementation answers with [IssuerFeeUnavailable] rather than with a rate
// that is too old to rely on, and never waits for the network.
type IssuerFees interface {
	IssuerRate(b *Burn) (IssuerRate, error)
}

// Pools knows the contracts that take and pay orders.
//
// An implementation refuses a quote that would not be paid as things are, with
// one of the codes from [PoolPaused] to [DeploymentDiffers], and no quote about
// which it knows nothing. It never waits for the network.
type Pools interface {
	Payable(q *Quote) error
	State(r *Route) PoolState
}

// A PoolState is what is known of the contracts of a route.
type PoolState struct {
	AsOf      time.Time // when both were seen; zero when either is not known
	Available *Amount   // what one order could be paid now, in the destination's units; nil when not known
	Reason    Code      // why no order can be paid now; empty when some can, as far as is known
}

// MinFees has the least fees that the issuer's messengers accept for a burn; zero
// for one that is not known.
type MinFees interface {
	MinFee(source ChainID) IssuerRate
}
