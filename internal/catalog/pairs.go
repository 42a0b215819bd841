package catalog

import (
	"errors"
	"fmt"

	"hubquote/internal/catalog/tables"
	"hubquote/swap"
)

func (c *Catalog) addPairs(t *tables.Tables) error {
	for _, table := range t.Pairs.Pairs {
		for _, from := range table.From {
			for _, to := range table.To {
				if err := c.addPair(t, table.Kind, from, to); err != nil {
					return fmt.Errorf("pair %s to %s: %w", from, to, err)
				}
			}
		}
	}
	c.routers = c.makeRouters()
	return nil
}

func (c *Catalog) addPair(t *tables.Tables, kind swap.RouteKind, from, to swap.Coin) error {
	src, srcToken, err := c.End(from)
	if err != nil {
		return err
	}
	dst, dstToken, err := c.End(to)
	if err != nil {
		return err
	}
	r := &swap.Route{Kind: kind, Src: src, Dst: dst, SrcToken: srcToken, DstToken: dstToken}
	key := pairKey{src.ID, dst.ID, srcToken.Address, dstToken.Address}
	if c.byPair[key] != nil {
		return errors.New("listed twice")
	}
	if err := c.complete(r, t); err != nil {
		return err
	}
	c.byPair[key] = r
	c.routes = append(c.routes, r)
	return nil
}

// complete fills in what follows from the two ends of a route.
func (c *Catalog) complete(r *swap.Route, t *tables.Tables) (err error) {
	if r.Rate, err = rate(r, t); err != nil {
		return err
	}
	if err = addLimits(r, t.Policy.Limits); err != nil {
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
		return c.addBurn(r, t)
	default:
		return fmt.Errorf("unknown kind %q", r.Kind)
	}
}

// rate picks the protocol's fee by direction. A pair that neither starts nor
// ends on the hub nor touches a privacy pool has no direction and no fee.
func rate(r *swap.Route, t *tables.Tables) (swap.Rate, error) {
	rates := &t.Policy.Rates
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
		if c.Chain(id).CCTP == nil {
			return 0, fmt.Errorf("no pool pays %s", r.To())
		}
		id = c.gateway
	}
	if c.registries[id].IsZero() {
		return 0, fmt.Errorf("chain %d has no integrator registry", id)
	}
	return id, nil
}

// issuerUnits is how many units of a [swap.IssuerRate] make one millionth.
const issuerUnits = 10_000_000

func (c *Catalog) addBurn(r *swap.Route, t *tables.Tables) error {
	src, gateway := c.Chain(r.Src.Network).CCTP, c.Chain(c.gateway).CCTP
	if src == nil || src.FeeBPS == nil {
		return errors.New("the issuer does not burn on the source chain, or publishes no fee")
	}
	fee, err := swap.ParseIssuerRate(*src.FeeBPS)
	if err != nil {
		return fmt.Errorf("fee_bps: %w", err)
	}
	if 6*fee > 5*swap.IssuerRate(r.Rate)*issuerUnits {
		return fmt.Errorf("fee_bps: %s with a margin of a fifth is more than our own fee, so no burn would be quoted", *src.FeeBPS)
	}
	r.Target = src.Messenger
	r.Burn = &swap.Burn{
		Source: src.Domain, Gateway: gateway.Domain, Receiver: t.Deployment.Receiver,
		Finality: t.Policy.Burn.Finality, Published: fee,
	}
	return nil
}

// duration adds up the legs; it is zero if one of them is unknown.
func (c *Catalog) duration(r *swap.Route) uint32 {
	wait := c.Chain(r.Src.Network).Wait
	if wait == 0 || r.FeeChain == r.Dst.Network {
		return wait
	}
	return wait + c.Chain(r.FeeChain).Wait
}
