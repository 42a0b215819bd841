package catalog

import (
	"fmt"

	"hubquote/internal/catalog/tables"
	"hubquote/swap"
)

// The thresholds of finality that the issuer attests at.
const fast, standard = 1_000, 2_000

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
	if p.Burn.Finality != fast && p.Burn.Finality != standard {
		return fmt.Errorf("burn: finality %d is not %d for a fast burn or %d for a standard one", p.Burn.Finality, fast, standard)
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
