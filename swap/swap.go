// Package swap is the vocabulary of the service: the nouns every other package
// speaks in, the interfaces that reach outside, and the one error type.
//
// It decides nothing and imports nothing of ours. A value of one of these types
// that came from a parser here or from the catalog is valid; packages further
// in do not check it again.
package swap

import "context"

// A Quoter answers a request with a quote. The service's own quoter computes
// it; the client asks a server for it.
//
// An error a caller can act on is an [*Error], or [Errors] when several
// parameters are wrong; anything else is an internal failure.
type Quoter interface {
	Quote(ctx context.Context, r Request) (*Quote, error)
}

// Integrators looks a partner up in the registry of one chain.
//
// An implementation answers with [IntegratorUnknown] or [IntegratorInactive]
// only when it has proof, and with [RegistryUnavailable] in every other case:
// it never guesses a rate.
type Integrators interface {
	Integrator(ctx context.Context, registry ChainID, id IntegratorID) (Integrator, error)
}

// IssuerFees tells what the issuer charges for a fast burn.
//
// An implementation answers with [IssuerFeeUnavailable] rather than with a rate
// that is too old to rely on, and never waits for the network.
type IssuerFees interface {
	IssuerRate(b *Burn) (IssuerRate, error)
}
