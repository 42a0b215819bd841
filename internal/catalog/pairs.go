package catalog

import (
	"errors"
	"fmt"

	"hubquote/swap"
)

// end finds a coin of the files.
func (c *Catalog) end(coin swap.Coin) (swap.Place, *swap.Token, error) {
	place, ok := c.places[coin.Place]
	if !ok {
		return swap.Place{}, nil, fmt.Errorf("place %d is not listed", coin.Place)
	}
	token := c.token(place.Network, coin.Token)
	if token == nil {
		return swap.Place{}, nil, fmt.Errorf("%s is not listed on chain %d", coin.Token, place.Network)
	}
	return place, token, nil
}

func (c *Catalog) addPairs(f *files) error {
	for _, table := range f.pairs.Pairs {
		for _, from := range table.From {
			for _, to := range table.To {
				if err := c.addPair(f, table.Kind, from, to); err != nil {
					return fmt.Errorf("pair %s to %s: %w", from, to, err)
				}
			}
		}
	}
	c.routers = c.makeRouters()
	return nil
}

func (c *Catalog) addPair(f *files, kind swap.RouteKind, from, to swap.Coin) error {
	src, srcToken, err := c.end(from)
	if err != nil {
		return err
	}
	dst, dstToken, err := c.end(to)
	if err != nil {
		return err
	}
	r := &swap.Route{Kind: kind, Src: src, Dst: dst, SrcToken: srcToken, DstToken: dstToken}
	key := pairKey{src.ID, dst.ID, srcToken.Address, dstToken.Address}
	if c.byPair[key] != nil {
		return errors.New("listed twice")
	}
	if err := c.complete(r, f); err != nil {
		return err
	}
	c.byPair[key] = r
	c.routes = append(c.routes, r)
	return nil
}

// complete fills in what follows from the two ends of a route.
func (c *Catalog) complete(r *swap.Route, f *files) (err error) {
	if r.Rate, err = rate(r, f); err != nil {
		return err
	}
	if r.Limits, err = limits(r.SrcToken, f.policy.Limits); err != nil {
		return err
	}
	if r.FeeChain, err = c.feeChain(r); err != nil {
		return err
	}
	r.Duration = c.duration(r)
	switch r.Kind {
	case "", swap.Direct:
		r.Kind = swap.Direct
		r.Target = c.pools[r.From()]
		if r.Target.IsZero() {
			return fmt.Errorf("no pool takes %s", r.From())
		}
		return nil
	case swap.CCTPInbound:
		return c.addBurn(r, f)
	default:
		return fmt.Errorf("unknown kind %q", r.Kind)
	}
}

// rate picks the protocol's fee by direction. A pair that neither starts nor
// ends on the hub nor touches a privacy pool has no direction and no fee.
func rate(r *swap.Route, f *files) (swap.Rate, error) {
	rates := &f.policy.Rates
	switch {
	case r.Private():
		return rates.Privacy, nil
	case r.Src.Network == swap.Hub && r.Dst.Network == swap.Hub:
		return 0, errors.New("starts and ends on the hub")
	case r.Dst.Network == swap.Hub:
		return rates.Inbound, nil
	case r.Src.Network == swap.Hub:
		return rates.Outbound, nil
	default:
		return 0, errors.New("neither starts nor ends on the hub")
	}
}

// feeChain is where the pool that pays out is. Chains that have no pool of
// their own are reached by a burn from the gateway's.
func (c *Catalog) feeChain(r *swap.Route) (swap.ChainID, error) {
	id := r.Dst.Network
	if _, ok := c.pools[r.To()]; !ok {
		if c.chains[id].CCTP == nil {
			return 0, fmt.Errorf("no pool pays %s", r.To())
		}
		id = c.gateway
	}
	if c.registries[id].IsZero() {
		return 0, fmt.Errorf("chain %d has no integrator registry", id)
	}
	return id, nil
}

func (c *Catalog) addBurn(r *swap.Route, f *files) error {
	src, gateway := c.chains[r.Src.Network].CCTP, c.chains[c.gateway].CCTP
	if src == nil || src.FeeBPS == nil {
		return errors.New("the issuer does not burn on the source chain, or publishes no fee")
	}
	fee, err := swap.ParseIssuerRate(*src.FeeBPS)
	if err != nil {
		return fmt.Errorf("fee_bps: %w", err)
	}
	r.Target = src.Messenger
	r.Burn = &swap.Burn{
		Source: src.Domain, Gateway: gateway.Domain, Receiver: c.receiver,
		Finality: f.policy.Burn.Finality, Published: fee,
	}
	return nil
}

// duration adds up what is known; a leg nobody has published makes the whole
// unknown.
func (c *Catalog) duration(r *swap.Route) uint32 {
	wait := c.chains[r.Src.Network].Wait
	if wait == 0 || r.FeeChain == r.Dst.Network {
		return wait
	}
	return wait + c.chains[r.FeeChain].Wait
}
