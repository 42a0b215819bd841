package catalog

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"hubquote/internal/catalog/tables"
	"hubquote/swap"
)

// addDeployment checks that our own contracts are all there and all different:
// one address in two places would let a quote for one token call the pool of
// another.
func (c *Catalog) addDeployment(t *tables.Tables) error {
	d := &t.Deployment
	if d.Name == "" {
		return errors.New("the deployment has no name")
	}
	own := map[string]swap.Address{"receiver": d.Receiver}
	for key, pool := range d.Pools {
		if err := c.addPool(key, pool); err != nil {
			return fmt.Errorf("pool %s: %w", key, err)
		}
		own["pool "+key] = pool
	}
	for id, registry := range d.Registries {
		place, err := swap.ParsePlaceID(id)
		if err != nil || c.Chain(swap.ChainID(place)) == nil {
			return fmt.Errorf("registry: chain %s is not listed", id)
		}
		c.registries[swap.ChainID(place)] = registry
		own["registry on "+id] = registry
	}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		switch a := own[name]; {
		case a.IsZero():
			return fmt.Errorf("%s: %w", name, tables.ErrZero)
		case c.Stranded(a):
			return fmt.Errorf("%s: %s is listed twice", name, a)
		default:
			c.own[a] = true
		}
	}
	return nil
}

func (c *Catalog) addPool(key string, pool swap.Address) error {
	var coin swap.Coin
	if err := coin.UnmarshalText([]byte(key)); err != nil {
		return err
	}
	if _, _, err := c.End(coin); err != nil {
		return err
	}
	c.pools[coin] = pool
	return nil
}

// checkUsed refuses tokens and pools that no pair needs: most likely a pair is
// missing.
func (c *Catalog) checkUsed(*tables.Tables) error {
	used := map[*swap.Token]bool{}
	pools := map[swap.Address]bool{}
	for _, r := range c.routes {
		used[r.SrcToken], used[r.DstToken], pools[r.Target] = true, true, true
	}
	for _, t := range c.Tokens() {
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
