package catalog

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"hubquote/swap"
)

// build checks the files against each other and indexes them.
func build(f *files) (*Catalog, error) {
	c := &Catalog{
		name:       f.deployment.Name,
		reference:  f.deployment.Reference,
		edition:    f.chains.Edition,
		updated:    f.chains.Updated,
		receiver:   f.deployment.Receiver,
		gateway:    f.policy.Burn.Gateway,
		registries: map[swap.ChainID]swap.Address{},
		chains:     map[swap.ChainID]*chain{},
		places:     map[swap.PlaceID]swap.Place{},
		bySymbol:   map[symbolKey]*swap.Token{},
		byAddress:  map[addressKey]*swap.Token{},
		byPair:     map[pairKey]*swap.Route{},
		privacy:    map[swap.PlaceID]swap.Address{},
		v1:         map[swap.PlaceID]bool{},
		pools:      map[swap.Coin]swap.Address{},
		contracts:  map[swap.Address]bool{swap.Native: true},
	}
	steps := []func(*files) error{
		c.addChains, c.addPrivacy, c.addDeployment, c.checkPolicy, c.addPairs, c.checkUsed,
	}
	for _, step := range steps {
		if err := step(f); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (c *Catalog) addChains(f *files) error {
	for i := range f.chains.Chain {
		ch := &f.chains.Chain[i]
		if err := c.addChain(ch); err != nil {
			return fmt.Errorf("chain %d: %w", ch.ID, err)
		}
	}
	if c.chains[swap.Hub] == nil {
		return fmt.Errorf("the hub, chain %d, is missing", swap.Hub)
	}
	if _, err := time.Parse(time.RFC3339, c.updated); err != nil || c.edition < 1 {
		return errors.New("edition and updated are required")
	}
	return nil
}

func (c *Catalog) addChain(ch *chain) error {
	switch {
	case ch.ID == 0, ch.Name == "", ch.Explorer == "":
		return errors.New("id, name and explorer are required")
	case ch.Source == "":
		return errNoSource
	case c.chains[ch.ID] != nil:
		return errors.New("listed twice")
	}
	c.chains[ch.ID] = ch
	c.places[swap.PlaceID(ch.ID)] = swap.Place{ID: swap.PlaceID(ch.ID), Network: ch.ID, Name: ch.Name}
	if err := c.addMessenger(ch); err != nil {
		return fmt.Errorf("cctp: %w", err)
	}
	for i := range ch.Token {
		if err := c.addToken(ch.ID, &ch.Token[i]); err != nil {
			return fmt.Errorf("token %s: %w", ch.Token[i].Symbol, err)
		}
	}
	return nil
}

func (c *Catalog) addMessenger(ch *chain) error {
	if ch.CCTP == nil {
		return nil
	}
	switch {
	case ch.CCTP.Messenger.IsZero():
		return errZero
	case ch.CCTP.Source == "":
		return errNoSource
	}
	for _, other := range c.chains {
		if other != ch && other.CCTP != nil && other.CCTP.Domain == ch.CCTP.Domain {
			return fmt.Errorf("domain %d is chain %d's", ch.CCTP.Domain, other.ID)
		}
	}
	c.contracts[ch.CCTP.Messenger] = true
	return nil
}

func (c *Catalog) addToken(id swap.ChainID, t *token) error {
	tok := &swap.Token{
		Chain: id, Address: t.Address, Symbol: t.Symbol, Name: t.Name,
		Decimals: t.Decimals, ApproveReset: t.ApproveReset,
	}
	if t.Native {
		tok.Address = swap.Native
	}
	name, err := swap.ParseTokenName(t.Symbol)
	switch {
	case err != nil || name.Symbol != t.Symbol:
		return errors.New("a symbol is up to eleven capital letters and digits")
	case t.Native != t.Address.IsZero():
		return errors.New("needs an address, or native = true, and not both")
	case t.Name == "", t.Decimals == 0:
		return errors.New("name and decimals are required")
	case t.Source == "":
		return errNoSource
	case c.bySymbol[symbolKey{id, t.Symbol}] != nil, c.byAddress[addressKey{id, tok.Address}] != nil:
		return errors.New("symbol or address listed twice")
	}
	c.bySymbol[symbolKey{id, t.Symbol}] = tok
	c.byAddress[addressKey{id, tok.Address}] = tok
	c.tokens = append(c.tokens, tok)
	c.contracts[tok.Address] = true
	return nil
}

func (c *Catalog) addPrivacy(f *files) error {
	for _, p := range f.chains.Privacy {
		ch := c.chains[p.Network]
		_, taken := c.places[p.ID]
		switch {
		case ch == nil:
			return fmt.Errorf("privacy route %d: network %d is not listed", p.ID, p.Network)
		case taken || p.ID == 0:
			return fmt.Errorf("privacy route %d: the ID is taken", p.ID)
		case p.Contract.IsZero():
			return fmt.Errorf("privacy route %d: %w", p.ID, errZero)
		case p.Source == "":
			return fmt.Errorf("privacy route %d: %w", p.ID, errNoSource)
		}
		c.places[p.ID] = swap.Place{ID: p.ID, Network: p.Network, Name: "privacy pool on " + ch.Name}
		c.privacy[p.ID] = p.Contract
		c.contracts[p.Contract] = true
	}
	return nil
}

// addDeployment checks that our own contracts are all there and all different:
// one address in two places would let a quote for one token call the pool of
// another.
func (c *Catalog) addDeployment(f *files) error {
	d := &f.deployment
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
		if err != nil || c.chains[swap.ChainID(place)] == nil {
			return fmt.Errorf("registry: chain %s is not listed", id)
		}
		c.registries[swap.ChainID(place)] = registry
		own["registry on "+id] = registry
	}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		switch a := own[name]; {
		case a.IsZero():
			return fmt.Errorf("%s: %w", name, errZero)
		case c.contracts[a]:
			return fmt.Errorf("%s: %s is listed twice", name, a)
		default:
			c.contracts[a] = true
		}
	}
	return nil
}

func (c *Catalog) addPool(key string, pool swap.Address) error {
	var coin swap.Coin
	if err := coin.UnmarshalText([]byte(key)); err != nil {
		return err
	}
	if _, _, err := c.end(coin); err != nil {
		return err
	}
	c.pools[coin] = pool
	return nil
}

var (
	errZero     = errors.New("the zero address")
	errNoSource = errors.New("a fact needs a source")
)
