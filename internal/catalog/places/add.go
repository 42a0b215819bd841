package places

import (
	"errors"
	"fmt"
	"net/url"
	"time"

	"hubquote/internal/catalog/tables"
	"hubquote/swap"
)

func (p *Places) addChains(f *tables.Chains) error {
	for i := range f.Chain {
		ch := &f.Chain[i]
		if err := p.addChain(ch); err != nil {
			return fmt.Errorf("chain %d: %w", ch.ID, err)
		}
	}
	if p.chains[swap.Hub] == nil {
		return fmt.Errorf("the hub, chain %d, is missing", swap.Hub)
	}
	if _, err := time.Parse(time.RFC3339, p.updated); err != nil || p.edition < 1 {
		return errors.New("edition and updated are required")
	}
	return nil
}

func (p *Places) addChain(ch *tables.Chain) error {
	switch {
	case ch.ID == 0, ch.Name == "", ch.Explorer == "":
		return errors.New("id, name and explorer are required")
	case !isSite(ch.Explorer):
		return errors.New("explorer: write https:// and a host, and nothing behind it")
	case ch.Source == "":
		return tables.ErrNoSource
	case p.chains[ch.ID] != nil:
		return errors.New("listed twice")
	}
	p.chains[ch.ID] = ch
	p.places[swap.PlaceID(ch.ID)] = swap.Place{ID: swap.PlaceID(ch.ID), Network: ch.ID, Name: ch.Name}
	if err := p.addMessenger(ch); err != nil {
		return fmt.Errorf("cctp: %w", err)
	}
	for i := range ch.Token {
		if err := p.addToken(ch.ID, &ch.Token[i]); err != nil {
			return fmt.Errorf("token %s: %w", ch.Token[i].Symbol, err)
		}
	}
	return nil
}

// isSite reports whether s is the root of a secure site. Links are made of it by
// adding /tx/ and a hash.
func isSite(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Hostname() != "" && s == "https://"+u.Hostname()
}

func (p *Places) addMessenger(ch *tables.Chain) error {
	if ch.CCTP == nil {
		return nil
	}
	switch {
	case ch.CCTP.Messenger.IsZero():
		return tables.ErrZero
	case ch.CCTP.Source == "":
		return tables.ErrNoSource
	}
	for _, other := range p.chains {
		if other != ch && other.CCTP != nil && other.CCTP.Domain == ch.CCTP.Domain {
			return fmt.Errorf("domain %d is chain %d's", ch.CCTP.Domain, other.ID)
		}
	}
	p.contracts[ch.CCTP.Messenger] = true
	return nil
}

// maxDecimals is such that two tokens differ by at most 19, the most that package
// fee converts. Tokens usually have 18 or fewer.
const maxDecimals = 20

func (p *Places) addToken(id swap.ChainID, t *tables.Token) error {
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
	case t.Decimals > maxDecimals:
		return fmt.Errorf("%d decimals are more than %d", t.Decimals, maxDecimals)
	case t.Source == "":
		return tables.ErrNoSource
	case p.bySymbol[symbolKey{id, t.Symbol}] != nil, p.byAddress[addressKey{id, tok.Address}] != nil:
		return errors.New("symbol or address listed twice")
	}
	p.bySymbol[symbolKey{id, t.Symbol}] = tok
	p.byAddress[addressKey{id, tok.Address}] = tok
	p.tokens = append(p.tokens, tok)
	p.contracts[tok.Address] = true
	return nil
}

func (p *Places) addPrivacy(f *tables.Chains) error {
	for i := range f.Privacy {
		if err := p.addPool(&f.Privacy[i]); err != nil {
			return fmt.Errorf("privacy route %d: %w", f.Privacy[i].ID, err)
		}
	}
	return nil
}

func (p *Places) addPool(pool *tables.Privacy) error {
	ch := p.chains[pool.Network]
	_, taken := p.places[pool.ID]
	switch {
	case ch == nil:
		return fmt.Errorf("network %d is not listed", pool.Network)
	case taken || pool.ID == 0:
		return errors.New("the ID is taken")
	case pool.Contract.IsZero():
		return tables.ErrZero
	case pool.Source == "":
		return tables.ErrNoSource
	}
	p.places[pool.ID] = swap.Place{ID: pool.ID, Network: pool.Network, Name: "privacy pool on " + ch.Name}
	p.privacy[pool.ID] = pool.Contract
	p.contracts[pool.Contract] = true
	return nil
}
