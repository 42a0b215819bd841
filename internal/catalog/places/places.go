// Package places holds the networks and privacy pools, and the tokens on them.
//
// Places that were made are complete and consistent, and never change.
package places

import (
	"fmt"
	"maps"
	"slices"

	"hubquote/internal/catalog/tables"
	"hubquote/swap"
)

// Places are those of one catalog.
type Places struct {
	edition   int
	updated   string
	chains    map[swap.ChainID]*tables.Chain
	places    map[swap.PlaceID]swap.Place
	tokens    []*swap.Token // by chain, then in the order of the file
	bySymbol  map[symbolKey]*swap.Token
	byAddress map[addressKey]*swap.Token
	privacy   map[swap.PlaceID]swap.Address
	contracts map[swap.Address]bool
}

type symbolKey struct {
	chain  swap.ChainID
	symbol string
}

type addressKey struct {
	chain   swap.ChainID
	address swap.Address
}

// New checks the table and indexes it.
func New(f *tables.Chains) (*Places, error) {
	p := &Places{
		edition: f.Edition, updated: f.Updated,
		chains:    map[swap.ChainID]*tables.Chain{},
		places:    map[swap.PlaceID]swap.Place{},
		bySymbol:  map[symbolKey]*swap.Token{},
		byAddress: map[addressKey]*swap.Token{},
		privacy:   map[swap.PlaceID]swap.Address{},
		contracts: map[swap.Address]bool{swap.Native: true},
	}
	if err := p.addChains(f); err != nil {
		return nil, err
	}
	return p, p.addPrivacy(f)
}

// Edition counts the changes to the token list that could surprise a wallet.
func (p *Places) Edition() int { return p.edition }

// Updated is when the token list last changed, as RFC 3339 writes it.
func (p *Places) Updated() string { return p.updated }

// Tokens returns every token, by chain.
func (p *Places) Tokens() []*swap.Token { return p.tokens }

// Place returns the place with that ID.
func (p *Places) Place(id swap.PlaceID) (swap.Place, bool) {
	place, ok := p.places[id]
	return place, ok
}

// Chain returns the facts about a network, or nil.
func (p *Places) Chain(id swap.ChainID) *tables.Chain { return p.chains[id] }

// Token returns the token of that name on a network, or nil.
func (p *Places) Token(network swap.ChainID, name swap.TokenName) *swap.Token {
	if name.Symbol != "" {
		return p.bySymbol[symbolKey{network, name.Symbol}]
	}
	return p.byAddress[addressKey{network, name.Address}]
}

// End finds a coin of the tables.
func (p *Places) End(coin swap.Coin) (swap.Place, *swap.Token, error) {
	place, ok := p.places[coin.Place]
	if !ok {
		return swap.Place{}, nil, fmt.Errorf("place %d is not listed", coin.Place)
	}
	token := p.Token(place.Network, coin.Token)
	if token == nil {
		return swap.Place{}, nil, fmt.Errorf("%s is not listed on chain %d", coin.Token, place.Network)
	}
	return place, token, nil
}

// A PrivacyPool is the place of a privacy route and its contract.
type PrivacyPool struct {
	Place    swap.Place
	Contract swap.Address // where notes are made
}

// PrivacyPools returns the privacy routes, in order.
func (p *Places) PrivacyPools() (list []PrivacyPool) {
	for _, id := range slices.Sorted(maps.Keys(p.privacy)) {
		list = append(list, PrivacyPool{p.places[id], p.privacy[id]})
	}
	return list
}

// Contract reports whether a is a token, the native sentinel, a privacy pool, or
// the issuer's messenger.
func (p *Places) Contract(a swap.Address) bool { return p.contracts[a] }
