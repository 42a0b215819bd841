package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"hubquote/internal/catalog"
	"hubquote/internal/settle/order"
	"hubquote/swap"
)

// feeCaps reads fees in gwei, by chain.
func feeCaps(text string, chains []swap.ChainID) (map[swap.ChainID]swap.Amount, error) {
	if text == "" {
		return nil, errors.New("required, such as 100,369=9000000")
	}
	return byChain(text, chains, func(figure string) (swap.Amount, error) { return swap.ParseUnits(figure, 9) })
}

// blockAges reads times, by chain.
func blockAges(text string, chains []swap.ChainID) (map[swap.ChainID]time.Duration, error) {
	return byChain(text, chains, func(figure string) (time.Duration, error) {
		age, err := time.ParseDuration(figure)
		if err != nil || age == 0 {
			return 0, fmt.Errorf("%q is no time: write one such as 5m, or a negative one for any age", figure)
		}
		return age, nil
	})
}

// byChain reads a figure for all chains, and others for some.
func byChain[T any](text string, chains []swap.ChainID, read func(string) (T, error)) (map[swap.ChainID]T, error) {
	list := map[swap.ChainID]T{}
	for i, word := range strings.Split(text, ",") {
		chain, figure, one := strings.Cut(strings.TrimSpace(word), "=")
		if !one {
			chain, figure = "", chain
		}
		value, err := read(figure)
		switch {
		case err != nil:
			return nil, err
		case !one && i > 0:
			return nil, errors.New("the figure for all chains comes first")
		case !one:
			for _, id := range chains {
				list[id] = value
			}
		default:
			id, err := swap.ParsePlaceID(chain)
			if err != nil || !slices.Contains(chains, swap.ChainID(id)) {
				return nil, fmt.Errorf("%q is no chain of this settler", chain)
			}
			list[swap.ChainID(id)] = value
		}
	}
	return list, nil
}

// exposures reads amounts by coin, in whole units of the coin.
func exposures(text string, generations []*catalog.Catalog) (map[order.Pool]swap.Amount, error) {
	caps := map[order.Pool]swap.Amount{}
	if text == "" {
		return caps, nil
	}
	for word := range strings.SplitSeq(text, ",") {
		coin, figure, _ := strings.Cut(strings.TrimSpace(word), "=")
		token, amount, err := units(coin, figure, generations)
		if err != nil {
			return nil, err
		}
		caps[token] = amount
	}
	return caps, nil
}

// breakEvens reads amounts by coin and the chain of the payment.
func breakEvens(text string, generations []*catalog.Catalog, chains []swap.ChainID) (map[swap.ChainID]map[order.Pool]swap.Amount, error) {
	least := map[swap.ChainID]map[order.Pool]swap.Amount{}
	if text == "" {
		return least, nil
	}
	for word := range strings.SplitSeq(text, ",") {
		where, figure, _ := strings.Cut(strings.TrimSpace(word), "=")
		coin, chain, _ := strings.Cut(where, ":")
		id, err := swap.ParsePlaceID(chain)
		if err != nil || !slices.Contains(chains, swap.ChainID(id)) {
			return nil, fmt.Errorf("%q names no chain of this settler: write USDC@369:1=40", where)
		}
		token, amount, err := units(coin, figure, generations)
		if err != nil {
			return nil, err
		}
		if least[swap.ChainID(id)] == nil {
			least[swap.ChainID(id)] = map[order.Pool]swap.Amount{}
		}
		least[swap.ChainID(id)][token] = amount
	}
	return least, nil
}

// units reads an amount in whole units of a coin.
func units(coin, figure string, generations []*catalog.Catalog) (order.Pool, swap.Amount, error) {
	token := find(coin, generations)
	if token == nil {
		return order.Pool{}, swap.Amount{}, fmt.Errorf("%q is no coin of the catalog: write it as USDC@8453", coin)
	}
	amount, err := swap.ParseUnits(figure, token.Decimals)
	if err != nil {
		err = fmt.Errorf("%s: %w", coin, err)
	}
	return order.Pool{Chain: token.Chain, Address: token.Address}, amount, err
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
