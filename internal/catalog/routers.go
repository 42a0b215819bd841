package catalog

import (
	"cmp"
	"slices"

	"hubquote/swap"
)

// A Router is the contract that the source transaction of one (place, token)
// must call.
type Router struct {
	Place   swap.Place
	Token   *swap.Token
	Address swap.Address
	Kind    swap.RouteKind
}

// Routers returns the contract for each (place, token) a swap can start from,
// by place and symbol.
func (c *Catalog) Routers() []Router { return c.routers }

func (c *Catalog) makeRouters() []Router {
	var list []Router
	seen := map[Router]bool{}
	for _, r := range c.routes {
		router := Router{r.Src, r.SrcToken, r.Target, r.Kind}
		if !seen[router] {
			seen[router] = true
			list = append(list, router)
		}
	}
	slices.SortFunc(list, func(a, b Router) int {
		return cmp.Or(cmp.Compare(a.Place.ID, b.Place.ID), cmp.Compare(a.Token.Symbol, b.Token.Symbol))
	})
	return list
}
