package catalog

import (
	"errors"
	"fmt"
	"slices"

	"hubquote/internal/catalog/tables"
	"hubquote/swap"
)

func (c *Catalog) addPolicy(t *tables.Tables) error {
	p := &t.Policy
	for _, r := range []swap.Rate{p.Rates.Inbound, p.Rates.Outbound, p.Rates.Privacy} {
		if r == 0 || r > swap.MaxRate {
			return fmt.Errorf("rates: %d millionths is not between 1 and %d", r, swap.MaxRate)
		}
	}
	if p.Rates.Source == "" || p.Burn.Source == "" {
		return fmt.Errorf("rates and burn: %w", tables.ErrNoSource)
	}
	if err := c.addV1(&p.V1); err != nil {
		return fmt.Errorf("v1: %w", err)
	}
	if p.Burn.Finality == 0 {
		return errors.New("burn: finality is required")
	}
	if gateway := c.Chain(c.gateway); gateway == nil || gateway.CCTP == nil {
		return fmt.Errorf("burn: the gateway, chain %d, is none that the issuer mints on", c.gateway)
	}
	return nil
}

// addV1 lists the places that the first version of the API serves.
func (c *Catalog) addV1(t *tables.V1) error {
	if t.Source == "" {
		return tables.ErrNoSource
	}
	for _, id := range t.Places {
		if _, listed := c.Place(id); !listed {
			return fmt.Errorf("place %d is not listed", id)
		}
		c.v1[id] = true
	}
	return nil
}

// limits finds the one table that limits t, in t's smallest units.
func limits(t *swap.Token, list []tables.Limits) (l swap.Limits, err error) {
	i := slices.IndexFunc(list, func(lt tables.Limits) bool { return slices.Contains(lt.Symbols, t.Symbol) })
	if i < 0 {
		return l, fmt.Errorf("%s has no limits", t.Symbol)
	}
	if list[i].Source == "" {
		return l, fmt.Errorf("limits of %s: %w", t.Symbol, tables.ErrNoSource)
	}
	if l.Min, err = swap.ParseUnits(list[i].Min, t.Decimals); err != nil {
		return l, fmt.Errorf("limits of %s: min: %w", t.Symbol, err)
	}
	if l.Max, err = swap.ParseUnits(list[i].Max, t.Decimals); err != nil {
		return l, fmt.Errorf("limits of %s: max: %w", t.Symbol, err)
	}
	if !l.Min.Lt(&l.Max) {
		return l, fmt.Errorf("limits of %s: min is not below max", t.Symbol)
	}
	return l, nil
}
