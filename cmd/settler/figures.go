package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"hubquote/internal/catalog"
	"hubquote/internal/settle/order"
	"hubquote/swap"
)

// feeCaps reads a figure for all chains, and others for some.
func feeCaps(text string, chains []swap.ChainID) (map[swap.ChainID]swap.Amount, error) {
	caps := map[swap.ChainID]swap.Amount{}
	if text == "" {
		return nil, errors.New("required, such as 100,369=9000000")
	}
	for i, word := range strings.Split(text, ",") {
		chain, figure, one := strings.Cut(strings.TrimSpace(word), "=")
		if !one {
			chain, figure = "", chain
		}
		fee, err := swap.ParseUnits(figure, 9)
		switch {
		case err != nil:
			return nil, err
		case !one && i > 0:
			return nil, errors.New("the figure for all chains comes first")
		case !one:
			for _, id := range chains {
				caps[id] = fee
			}
		default:
			id, err := swap.ParsePlaceID(chain)
			if err != nil || !slices.Contains(chains, swap.ChainID(id)) {
				return nil, fmt.Errorf("%q is no chain of this settler", chain)
			}
			caps[swap.ChainID(id)] = fee
		}
	}
	return caps, nil
}

// exposures reads amounts by coin, in whole units of the coin.
func exposures(text string, generations []*catalog.Catalog) (map[order.Pool]swap.Amount, error) {
	caps := map[order.Pool]swap.Amount{}
	if text == "" {
		return caps, nil
	}
	for word := range strings.SplitSeq(text, ",") {
		coin, figure, _ := strings.Cut(strings.TrimSpace(word), "=")
		token := find(coin, generations)
		if token == nil {
			return nil, fmt.Errorf("%q is no coin of the catalog: write USDC@8453=50000", coin)
		}
		amount, err := swap.ParseUnits(figure, token.Decimals)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", coin, err)
		}
		caps[order.Pool{Chain: token.Chain, Address: token.Address}] = amount
	}
	return caps, nil
}

// find returns the token that a coin names, in the catalog's own spelling.
func find(text string, generations []*catalog.Catalog) *swap.Token {
	var coin swap.Coin
	if coin.UnmarshalText([]byte(text)) != nil {
		return nil
	}
	for _, cat := range generations {
		for _, t := range cat.Tokens() {
			if t.At(swap.PlaceID(t.Chain)) == coin {
				return t
			}
		}
	}
	return nil
}
