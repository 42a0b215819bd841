package main

import (
	crand "crypto/rand"
	"math/rand/v2"

	"hubquote/client"
	"hubquote/internal/catalog"
	"hubquote/internal/pinfile"
	"hubquote/swap"
)

// What clients ask for, and the only reason for which it may be refused with
// 503; where there is none, it never may.
const (
	direct     = "direct"
	privacy    = "privacy"
	cctp       = "cctp"
	integrated = "integrator"
)

var (
	wares   = []string{direct, privacy, cctp, integrated}
	excuses = map[string]swap.Code{cctp: swap.IssuerFeeUnavailable, integrated: swap.RegistryUnavailable}
)

// private is a recipient in a privacy pool, on any chain.
const private = "0zk1qyk9nn28x0u3rwn5pknglda68wrn7gw6anjw8gg94mcj6eq5u48tlrv7j6fe3z53lama02nutwtcqc979wnce0qwly4y7w4rls5cq040g7z8eagshxrw5ajy990"

// A market is what can be asked for, and what the answers are held against.
type market struct {
	catalog *catalog.Catalog
	pins    *client.Pins
	routes  map[string][]*swap.Route
}

// newMarket pins the partners' rate and the issuer's fees exactly: neither a
// lie nor a fee of the wrong chain can pass.
func newMarket() (m *market, err error) {
	m = &market{routes: map[string][]*swap.Route{}}
	if m.catalog, err = catalog.Embedded(); err != nil {
		return nil, err
	}
	if m.pins, err = client.ParsePins(pinfile.Of(m.catalog, pinfile.Allowances{Integrators: partners()}).Text()); err != nil {
		return nil, err
	}
	for _, r := range m.catalog.Routes() {
		ware := direct
		switch {
		case r.Burn != nil:
			ware = cctp
		case r.Private():
			ware = privacy
		}
		m.routes[ware] = append(m.routes[ware], r)
		if r.Burn == nil {
			m.routes[integrated] = append(m.routes[integrated], r)
		}
	}
	return m, nil
}

// request makes up a request for a ware: any pair, amount and recipient.
func (m *market) request(ware string) swap.Request {
	route := oneOf(m.routes[ware])
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
	if ware == integrated {
		r.Integrator = oneOf(partners()).ID
	}
	return r
}

func oneOf[T any](list []T) T { return list[rand.N(len(list))] }

// between returns any amount within limits, both inclusive.
func between(l swap.Limits) (a swap.Amount) {
	var random [32]byte
	_, _ = crand.Read(random[:])
	var width swap.Amount
	width.Sub(&l.Max, &l.Min)
	a.SetBytes32(random[:])
	a.Mod(&a, width.AddUint64(&width, 1))
	return *a.Add(&a, &l.Min)
}
