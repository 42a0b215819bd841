package catalog

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"hubquote/internal/catalog/tables"
	"hubquote/swap"
)

// checkReference refuses a deployment that is said to be real and has a contract of
// the built-in reference deployment, which exists on no public chain.
func (c *Catalog) checkReference(t *tables.Tables) error {
	dir, err := fs.Sub(data, "data")
	if err != nil {
		return err
	}
	built, err := tables.Read(dir)
	if err != nil || t.Deployment.Reference || !built.Deployment.Reference {
		return err
	}
	for coin, pool := range built.Deployment.Pools {
		if c.own[pool] {
			return fmt.Errorf("%s is the reference deployment's pool %s, on no public chain; deploy your own, or write reference = true", pool, coin)
		}
	}
	if c.own[built.Deployment.Receiver] {
		return fmt.Errorf("%s is the reference deployment's receiver, on no public chain; deploy your own, or write reference = true", built.Deployment.Receiver)
	}
	return nil
}

// addDeployment checks that our own contracts are all there and all different:
// one address in two places would let a quote for one token call the pool of
// another. Registries on different chains may share one: a deployment with CREATE2
// gives the same contract the same address everywhere.
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
	return c.addOwn(own)
}

// addOwn adds our contracts, by name.
func (c *Catalog) addOwn(own map[string]swap.Address) error {
	registries := map[swap.Address]bool{}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		a, registry := own[name], strings.HasPrefix(name, "registry ")
		switch {
		case a.IsZero():
			return fmt.Errorf("%s: %w", name, tables.ErrZero)
		case c.Stranded(a) && !(registry && registries[a]):
			return fmt.Errorf("%s: %s is listed twice", name, a)
		}
		c.own[a] = true
		registries[a] = registry
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
