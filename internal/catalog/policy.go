package catalog

import (
	"errors"
	"fmt"
	"slices"

	"hubquote/swap"
)

func (c *Catalog) checkPolicy(f *files) error {
	p := &f.policy
	for _, r := range []swap.Rate{p.Rates.Inbound, p.Rates.Outbound, p.Rates.Privacy} {
		if r == 0 || r > swap.MaxRate {
			return fmt.Errorf("rates: %d millionths is not between 1 and %d", r, swap.MaxRate)
		}
	}
	if p.Rates.Source == "" || p.Burn.Source == "" {
		return fmt.Errorf("rates and burn: %w", errNoSource)
	}
	if err := c.addV1(&p.V1); err != nil {
		return fmt.Errorf("v1: %w", err)
	}
	if p.Burn.Finality == 0 {
		return errors.New("burn: finality is required")
	}
	if gateway := c.chains[c.gateway]; gateway == nil || gateway.CCTP == nil {
		return fmt.Errorf("burn: the gateway, chain %d, is none that the issuer mints on", c.gateway)
	}
	return nil
}

// addV1 lists the places that the first version of the API serves.
func (c *Catalog) addV1(t *v1Table) error {
	if t.Source == "" {
		return errNoSource
	}
	for _, id := range t.Places {
		if _, listed := c.places[id]; !listed {
			return fmt.Errorf("place %d is not listed", id)
		}
		c.v1[id] = true
	}
	return nil
}

// checkUsed refuses tokens and pools that no pair needs: they are most likely
// the trace of a pair somebody forgot to list.
func (c *Catalog) checkUsed(*files) error {
	used := map[*swap.Token]bool{}
	pools := map[swap.Address]bool{}
	for _, r := range c.routes {
		used[r.SrcToken], used[r.DstToken], pools[r.Target] = true, true, true
	}
	for _, t := range c.tokens {
		if !used[t] {
			return fmt.Errorf("chain %d: no pair uses %s", t.Chain, t.Symbol)
		}
	}
	for coin, pool := range c.pools {
		if !pools[pool] {
			return fmt.Errorf("pool %s: no pair starts there", coin)
		}
	}
	return nil
}

// limits finds the one table that limits t, in t's smallest units.
func limits(t *swap.Token, tables []limitsTable) (l swap.Limits, err error) {
	i := slices.IndexFunc(tables, func(lt limitsTable) bool { return slices.Contains(lt.Symbols, t.Symbol) })
	if i < 0 {
		return l, fmt.Errorf("%s has no limits", t.Symbol)
	}
	if tables[i].Source == "" {
		return l, fmt.Errorf("limits of %s: %w", t.Symbol, errNoSource)
	}
	if l.Min, err = swap.ParseUnits(tables[i].Min, t.Decimals); err != nil {
		return l, fmt.Errorf("limits of %s: min: %w", t.Symbol, err)
	}
	if l.Max, err = swap.ParseUnits(tables[i].Max, t.Decimals); err != nil {
		return l, fmt.Errorf("limits of %s: max: %w", t.Symbol, err)
	}
	if !l.Min.Lt(&l.Max) {
		return l, fmt.Errorf("limits of %s: min is not below max", t.Symbol)
	}
	return l, nil
}
