package lists

import (
	"net/http"

	"hubquote/internal/api/document"
	"hubquote/internal/api/query"
	"hubquote/internal/catalog"
	"hubquote/swap"
)

type routerList struct {
	Data []router `json:"data"`
}

// A router is the contract for one (source chain, source token).
type router struct {
	ChainID  swap.PlaceID   `json:"chainId"` // as in srcChain
	Symbol   string         `json:"symbol"`
	Router   swap.Address   `json:"router"`
	SrcToken swap.Address   `json:"srcToken"`
	Network  swap.ChainID   `json:"network"` // where the transaction is sent
	Type     swap.RouteKind `json:"type"`
}

// The parameters of the list of routers.
const (
	srcChain = iota
	srcToken
)

var fields = []query.Field{
	srcChain: {Name: "srcChain", Max: swap.MaxPlaceDigits},
	srcToken: {Name: "srcToken", Max: swap.MaxTokenLen},
}

// Routers lists the contracts, all or those of one source.
func (l *Lists) Routers(w http.ResponseWriter, r *http.Request) error {
	var q query.Query
	q.Parse(r.URL.RawQuery, fields)
	chain := query.ReadOptional(&q, srcChain, swap.ChainInvalid, swap.ParsePlaceID)
	token := query.ReadOptional(&q, srcToken, swap.TokenInvalid, swap.ParseTokenName)
	if q.Problems != nil {
		return q.Problems
	}
	list, err := document.NewJSON(listRouters(l.catalog, chain, token))
	if err != nil {
		return err
	}
	return list.Serve(w, r)
}

// listRouters returns the routers of a source; zero values stand for all.
func listRouters(c *catalog.Catalog, chain swap.PlaceID, token swap.TokenName) routerList {
	list := routerList{Data: []router{}}
	for _, r := range c.Routers() {
		if names(token, r.Token) && (chain == 0 || chain == r.Place.ID) {
			list.Data = append(list.Data, router{
				r.Place.ID, r.Token.Symbol, r.Address, r.Token.Address, r.Place.Network, r.Kind,
			})
		}
	}
	return list
}
