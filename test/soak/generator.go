package main

import (
	crand "crypto/rand"
	"math/rand/v2"

	"hubquote/client"
	"hubquote/internal/catalog"
	"hubquote/internal/pinfile"
	"hubquote/swap"
	"hubquote/test/zk"
)

// The route kinds that clients request.
const (
	direct     = "direct"
	privacy    = "privacy"
	cctp       = "cctp"
	integrated = "integrator"
)

// allowedFailures has the only code with which a route kind may be refused with
// 503. Kinds that are not in it are never refused with 503.
var (
	routeKinds      = []string{direct, privacy, cctp, integrated}
	allowedFailures = map[string]swap.Code{cctp: swap.IssuerFeeUnavailable, integrated: swap.RegistryUnavailable}
)

// private is a recipient in a privacy pool, on any chain.
const private = zk.Alice

// A generator makes requests, and has the pins that the answers are checked with.
type generator struct {
	catalog *catalog.Catalog
	pins    *client.Pins
	routes  map[string][]*swap.Route
}

// newGenerator pins the partners' rate and the issuer's fees exactly, so that a
// false rate or the fee of another chain is detected.
func newGenerator() (m *generator, err error) {
	m = &generator{routes: map[string][]*swap.Route{}}
	if m.catalog, err = catalog.Embedded(); err != nil {
		return nil, err
	}
	if m.pins, err = client.ParsePins(pinfile.Of(m.catalog, pinfile.Allowances{Integrators: partners()}).Text()); err != nil {
		return nil, err
	}
	for _, r := range m.catalog.Routes() {
		kind := direct
		switch {
		case r.Burn != nil:
			kind = cctp
		case r.Private():
			kind = privacy
		}
		m.routes[kind] = append(m.routes[kind], r)
		if r.Burn == nil {
			m.routes[integrated] = append(m.routes[integrated], r)
		}
	}
	return m, nil
}

// request returns a request of a kind with a random pair, amount and recipient.
func (m *generator) request(kind string) swap.Request {
	route := oneOf(m.routes[kind])
	r := swap.Request{
		SrcChain: route.Src.ID, SrcToken: swap.TokenName{Address: route.SrcToken.Address},
		DstChain: route.Dst.ID, DstToken: swap.TokenName{Address: route.DstToken.Address},
		Amount: between(route.Limits),
	}
	if route.Shields() {
		r.Recipient = swap.MustRecipient(private)
	} else {
		var to swap.Address
		_, _ = crand.Read(to[:])
		r.Recipient = swap.MustRecipient(to.String())
	}
	if kind == integrated {
		r.Integrator = oneOf(partners()).ID
	}
	return r
}

func oneOf[T any](list []T) T { return list[rand.N(len(list))] }

// between returns a random amount within limits, both inclusive.
func between(l swap.Limits) (a swap.Amount) {
	var random [32]byte
	_, _ = crand.Read(random[:])
	var width swap.Amount
	width.Sub(&l.Max, &l.Min)
	a.SetBytes32(random[:])
	a.Mod(&a, width.AddUint64(&width, 1))
	return *a.Add(&a, &l.Min)
}
