// Package quoter turns a request into a quote, in the order of the
// specification, each step done by the package that owns it.
//
// The same request on the same catalog always gives the same bytes, except for
// the randomness that hides a shielded recipient. A request without an integrator
// on a route without a burn needs no network.
package quoter

import (
	"context"
	"errors"

	"hubquote/internal/catalog"
	"hubquote/internal/deposit"
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

	// IssuerFees has the rates of burns. Required.
	IssuerFees swap.IssuerFees

	// MinFees has the least fees that messengers accept. Nil means that none is
	// known.
	MinFees swap.MinFees

	// Pools refuses quotes that would not be paid. Nil means that nothing is
	// known about the pools.
	Pools swap.Pools
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

// Check reports every problem in the fields of d that are set, as far as it can
// be found without a network.
func (q *Quoter) Check(d swap.Draft) error {
	_, err := q.resolve(d)
	return err
}

// Quote answers r, or reports its problems.
func (q *Quoter) Quote(ctx context.Context, r swap.Request) (*swap.Quote, error) {
	route, err := q.resolve(swap.Draft(r))
	if err != nil {
		return nil, err
	}
	if route == nil || r.Recipient.IsZero() {
		return nil, errIncomplete
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
	if err := q.payable(quote); err != nil {
		return nil, err
	}
	d := deposit.Deposit{Route: route, Amount: r.Amount, Integrator: r.Integrator, RefundTo: r.RefundTo}
	if d.Recipient, quote.Proof, err = encode(r.Recipient); err != nil {
		return nil, err
	}
	if d.MaxFee, err = q.maxFee(quote); err != nil {
		return nil, err
	}
	quote.Payload = d.Payload()
	quote.Payload.Call, err = d.Check(&quote.Payload)
	return quote, err
}

// errIncomplete is an error of the program. The parser of a request must not pass
// it on with a field that is not set.
var errIncomplete = errors.New("quoter: the request is incomplete")

// resolve finds the route, checks the recipient and the address for refunds
// against it, and reports the problems of all together.
func (q *Quoter) resolve(d swap.Draft) (*swap.Route, error) {
	var problems swap.Errors
	route, err := q.opts.Catalog.Resolve(d)
	if err := problems.Join(err); err != nil {
		return nil, err
	}
	if err := problems.Join(q.checkRecipient(route, d.Recipient)); err != nil {
		return nil, err
	}
	if err := problems.Join(q.checkRefundTo(route, d.RefundTo)); err != nil {
		return nil, err
	}
	return route, problems.OrNil()
}

// partner checks that the integrator is registered and active in the registry that
// the destination pool uses.
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

// maxFee returns the most that the issuer may take from a burn. The service pays it
// out of its own fee; with a higher one the recipient would get less than quoted.
func (q *Quoter) maxFee(quote *swap.Quote) (most swap.Amount, err error) {
	burn := quote.Route.Burn
	if burn == nil {
		return most, nil
	}
	rate, err := q.opts.IssuerFees.IssuerRate(burn)
	if err != nil {
		return most, err
	}
	if most, err = fee.MaxBurnFee(&quote.Amount, rate); err != nil {
		return most, err
	}
	if least := q.minFee(quote); least.Gt(&most) {
		most = least
	}
	if most.Gt(&quote.Fees.InSource) {
		return most, &swap.Error{Code: swap.IssuerFeeUnavailable, Param: "srcChain",
			Message: "the issuer asks more for a fast burn on this chain now than the service bears; try again later"}
	}
	return most, nil
}

// minFee returns the least that the source's messenger accepts as maxFee, as far
// as that is known. A burn that offers less reverts.
func (q *Quoter) minFee(quote *swap.Quote) swap.Amount {
	if q.opts.MinFees == nil {
		return swap.Amount{}
	}
	return fee.MinBurnFee(&quote.Amount, q.opts.MinFees.MinFee(quote.Route.Src.Network))
}

func (q *Quoter) payable(quote *swap.Quote) error {
	if q.opts.Pools == nil {
		return nil
	}
	return q.opts.Pools.Payable(quote)
}
