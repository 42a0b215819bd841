// Package quoter reads the specification top to bottom: a request becomes a
// quote, each step done by the room that owns it.
//
// The same request on the same catalog always gives the same bytes, but for the
// randomness that hides a shielded recipient. A route that needs no integrator
// and no burn reaches nothing outside the process.
package quoter

import (
	"context"
	"errors"

	"hubquote/internal/calldata"
	"hubquote/internal/catalog"
	"hubquote/internal/fee"
	"hubquote/swap"
)

// Options configure a [Quoter].
type Options struct {
	// Catalog holds the routes. Required.
	Catalog *catalog.Catalog

	// Integrators verifies partners. Nil means that none can be verified, and
	// every request that names one is refused.
	Integrators swap.Integrators

	// IssuerFees tells what a burn costs. Required.
	IssuerFees swap.IssuerFees
}

// A Quoter answers requests from a catalog.
type Quoter struct{ opts Options }

// New returns a Quoter.
func New(opts Options) (*Quoter, error) {
	switch {
	case opts.Catalog == nil:
		return nil, errors.New("quoter: Options.Catalog is required")
	case opts.IssuerFees == nil:
		return nil, errors.New("quoter: Options.IssuerFees is required")
	}
	return &Quoter{opts}, nil
}

// Check reports every problem of r that can be found without asking anyone.
func (q *Quoter) Check(r swap.Request) error {
	_, _, err := q.resolve(r)
	return err
}

// Quote answers r, or says what is wrong with it.
func (q *Quoter) Quote(ctx context.Context, r swap.Request) (*swap.Quote, error) {
	route, payee, err := q.resolve(r)
	if err != nil {
		return nil, err
	}
	partner, err := q.partner(ctx, route, r.Integrator)
	if err != nil {
		return nil, err
	}
	quote := &swap.Quote{Route: route, Amount: r.Amount}
	quote.Received, quote.Fees, err = fee.Split(route, &r.Amount, partner)
	if err != nil {
		return nil, err
	}
	deposit := calldata.Deposit{Route: route, Amount: r.Amount, Type: r.Recipient.Type(), Integrator: r.Integrator}
	if deposit.Recipient, quote.Proof, err = payee.encode(); err != nil {
		return nil, err
	}
	if deposit.MaxFee, err = q.maxFee(route, &r.Amount); err != nil {
		return nil, err
	}
	quote.Payload = deposit.Payload()
	return quote, gate(quote, &deposit)
}

// resolve finds the route and reads the recipient, and reports the problems of
// both together.
func (q *Quoter) resolve(r swap.Request) (*swap.Route, payee, error) {
	var problems swap.Errors
	route, err := q.opts.Catalog.Resolve(r)
	if err := problems.Join(err); err != nil {
		return nil, payee{}, err
	}
	to, err := q.payee(route, r.Recipient)
	if err := problems.Join(err); err != nil {
		return nil, payee{}, err
	}
	return route, to, problems.OrNil()
}

// partner proves that the integrator is registered and active where the
// destination pool will look for it.
func (q *Quoter) partner(ctx context.Context, route *swap.Route, id swap.IntegratorID) (*swap.Integrator, error) {
	if id.IsZero() {
		return nil, nil
	}
	if q.opts.Integrators == nil {
		return nil, &swap.Error{Code: swap.RegistryUnavailable, Param: "integratorId",
			Message: "integrators cannot be verified by this server, which has no RPC endpoint for their registry; ask again without integratorId"}
	}
	found, err := q.opts.Integrators.Integrator(ctx, route.FeeChain, id)
	if err != nil {
		return nil, err
	}
	return &found, nil
}

// maxFee is the most the issuer may take from a burn. The service bears it, out
// of its own fee: a quote that allowed more would promise what does not arrive.
func (q *Quoter) maxFee(route *swap.Route, amount *swap.Amount) (most swap.Amount, err error) {
	if route.Burn == nil {
		return most, nil
	}
	rate, err := q.opts.IssuerFees.IssuerRate(route.Burn)
	if err != nil {
		return most, err
	}
	if most, err = fee.MaxBurnFee(amount, rate); err != nil {
		return most, err
	}
	if own := fee.Of(route.Rate, amount); most.Gt(&own) {
		return most, &swap.Error{Code: swap.IssuerFeeUnavailable, Param: "srcChain",
			Message: "the issuer asks more for a fast burn on this chain now than the service bears; try again later"}
	}
	return most, nil
}
