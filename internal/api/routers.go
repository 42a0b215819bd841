package api

import (
	"net/http"

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

var routerFields = []field{
	{"srcChain", swap.MaxPlaceDigits},
	{"srcToken", swap.MaxTokenLen},
}

// routers lists the contracts, all or those of one source.
func (s *Server) routers(w http.ResponseWriter, r *http.Request) error {
	q := parseQuery(r.URL.RawQuery, routerFields)
	var chain swap.PlaceID
	var token swap.TokenName
	if text, given := q.optional(0); given {
		chain = parsed(q, 0, swap.ChainInvalid, text, swap.ParsePlaceID)
	}
	if text, given := q.optional(1); given {
		token = parsed(q, 1, swap.TokenInvalid, text, swap.ParseTokenName)
	}
	if q.problems != nil {
		return q.problems
	}
	list, err := newJSON(listRouters(s.opts.Catalog, chain, token))
	if err != nil {
		return err
	}
	return list.serve(w, r)
}

// listRouters returns the routers of a source; zero values stand for all.
func listRouters(c *catalog.Catalog, chain swap.PlaceID, token swap.TokenName) routerList {
	list := routerList{Data: []router{}}
	for _, r := range c.Routers() {
		named := token.IsZero() || token.Symbol == r.Token.Symbol || token.Address == r.Token.Address
		if named && (chain == 0 || chain == r.Place.ID) {
			list.Data = append(list.Data, router{
				r.Place.ID, r.Token.Symbol, r.Address, r.Token.Address, r.Place.Network, r.Kind,
			})
		}
	}
	return list
}
