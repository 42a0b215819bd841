package pinned

import (
	"errors"
	"fmt"

	"hubquote/internal/pinfile"
	"hubquote/swap"
)

// New checks a file and makes its routes.
func New(f *pinfile.File) (*Pins, error) {
	if err := checkIntegrators(&f.Integrators); err != nil {
		return nil, fmt.Errorf("pins: integrators: %w", err)
	}
	x := index{f: f, tokens: map[swap.Coin]*swap.Token{}, routers: map[swap.Coin]*Route{}}
	steps := []func() error{x.addTokens, x.addRouters, x.addRoutes}
	for _, step := range steps {
		if err := step(); err != nil {
			return nil, fmt.Errorf("pins: %w", err)
		}
	}
	return &Pins{file: *f, routes: x.routes}, nil
}

func checkIntegrators(p *pinfile.Integrators) error {
	if p.MaxMillionths > swap.MaxRate {
		return errors.New("maxMillionths is over the maximum of 1 %")
	}
	seen := map[swap.IntegratorID]bool{}
	for _, known := range p.Known {
		if known.Millionths > p.MaxMillionths {
			return fmt.Errorf("%s takes more than maxMillionths", known.ID)
		}
		if seen[known.ID] {
			return fmt.Errorf("%s: %w", known.ID, errTwice)
		}
		seen[known.ID] = true
	}
	return nil
}

// An index holds the tokens, routers and routes that were read so far.
type index struct {
	f       *pinfile.File
	tokens  map[swap.Coin]*swap.Token // on a network
	routers map[swap.Coin]*Route      // the half of a route that its source decides
	routes  []*Route
}

var errTwice = errors.New("listed twice")

const maxDecimals = 36 // more would overflow an amount

func (x *index) addTokens() error {
	for _, t := range x.f.Tokens {
		place := x.place(t.Token)
		switch {
		case place.Private():
			return fmt.Errorf("token %s: name the network, not the privacy pool", t.Token)
		case x.tokens[t.Token] != nil, x.hasToken(place.Network, t.Address):
			return fmt.Errorf("token %s: %w", t.Token, errTwice)
		case t.Address.IsZero(), t.Decimals == 0, t.Decimals > maxDecimals:
			return fmt.Errorf("token %s: the address or the decimals are missing or impossible", t.Token)
		}
		x.tokens[t.Token] = &swap.Token{
			Chain: place.Network, Address: t.Address, Symbol: t.Token.Token.Symbol, Decimals: t.Decimals, ApproveReset: t.ApproveReset,
		}
	}
	return nil
}

// hasToken reports whether an address has a name already: a request that gives
// the address could mean either.
func (x *index) hasToken(network swap.ChainID, a swap.Address) bool {
	for _, t := range x.tokens {
		if t.Chain == network && t.Address == a {
			return true
		}
	}
	return false
}

// place is where a coin is, with the network under it.
func (x *index) place(c swap.Coin) swap.Place {
	network, private := x.f.Privacy[c.Place.String()]
	if !private {
		network = swap.ChainID(c.Place)
	}
	return swap.Place{ID: c.Place, Network: network}
}

// end finds a coin's place, and its token on the network under the place.
func (x *index) end(c swap.Coin) (swap.Place, *swap.Token, error) {
	place := x.place(c)
	token := x.tokens[swap.Coin{Token: c.Token, Place: swap.PlaceID(place.Network)}]
	if token == nil {
		return place, nil, fmt.Errorf("%s: the token is not listed", c)
	}
	return place, token, nil
}

func (x *index) addRouters() error {
	for _, r := range x.f.Routers {
		if x.routers[r.From] != nil {
			return fmt.Errorf("router %s: %w", r.From, errTwice)
		}
		half, err := x.router(&r)
		if err != nil {
			return fmt.Errorf("router %s: %w", r.From, err)
		}
		x.routers[r.From] = half
	}
	return nil
}

func (x *index) router(r *pinfile.Router) (out *Route, err error) {
	out = &Route{Route: swap.Route{Kind: r.Type, Target: r.Router}}
	if out.Src, out.SrcToken, err = x.end(r.From); err != nil {
		return nil, err
	}
	var errMin, errMax error
	out.Limits.Min, errMin = swap.ParseAmount(r.Min)
	out.Limits.Max, errMax = swap.ParseAmount(r.Max)
	switch {
	case errMin != nil, errMax != nil, out.Limits.Max.Lt(&out.Limits.Min):
		return nil, errors.New("min and max are not a range of amounts")
	case r.Router.IsZero():
		return nil, errors.New("the router is the zero address")
	case r.Type == swap.Direct && r.IssuerBPS == nil:
		return out, nil
	case r.Type == swap.CCTPInbound && r.IssuerBPS != nil && !x.f.Burn.Receiver.IsZero():
		b := x.f.Burn
		out.Burn = &swap.Burn{Gateway: b.Domain, Receiver: b.Receiver, Finality: b.Finality}
		return out, out.parseIssuer(r.IssuerBPS)
	default:
		return nil, errors.New("the type is neither DIRECT nor CCTP_INBOUND, or does not fit the rest: a burn needs issuerBps and a receiver, and nothing else has them")
	}
}

func (r *Route) parseIssuer(bps *[2]string) (err error) {
	if r.Issuer.Min, err = swap.ParseIssuerRate(bps[0]); err != nil {
		return err
	}
	if r.Issuer.Max, err = swap.ParseIssuerRate(bps[1]); err != nil {
		return err
	}
	if r.Issuer.Max < r.Issuer.Min {
		return errors.New("issuerBps is not a range")
	}
	return nil
}

func (x *index) addRoutes() error {
	seen := map[[2]swap.Coin]bool{}
	for _, r := range x.f.Routes {
		half := x.routers[r.From]
		switch {
		case half == nil:
			return fmt.Errorf("route %s to %s: no router takes %s", r.From, r.To, r.From)
		case seen[[2]swap.Coin{r.From, r.To}]:
			return fmt.Errorf("route %s to %s: %w", r.From, r.To, errTwice)
		case r.FeeChain == 0, r.Millionths == 0, r.Millionths > swap.MaxRate:
			return fmt.Errorf("route %s to %s: feeChain or millionths is missing or impossible", r.From, r.To)
		}
		seen[[2]swap.Coin{r.From, r.To}] = true
		full := *half
		var err error
		if full.Dst, full.DstToken, err = x.end(r.To); err != nil {
			return fmt.Errorf("route %s: %w", r.From, err)
		}
		full.FeeChain, full.Rate = r.FeeChain, r.Millionths
		x.routes = append(x.routes, &full)
	}
	if len(x.routes) == 0 {
		return errors.New("there are no routes")
	}
	return nil
}
