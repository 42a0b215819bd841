package catalog

import (
	"fmt"
	"slices"
	"strings"

	"hubquote/swap"
)

// Resolve finds the route that serves d and checks the amount against its
// limits. It reports every problem it finds in the fields that are set, at most
// one for each parameter. Without a problem the route is nil if a field that it
// depends on is not set.
func (c *Catalog) Resolve(d swap.Draft) (*swap.Route, error) {
	var problems swap.Errors
	src := c.find(&problems, "srcChain", d.SrcChain, "srcToken", d.SrcToken)
	dst := c.find(&problems, "dstChain", d.DstChain, "dstToken", d.DstToken)
	if problems != nil {
		return nil, problems
	}
	if src.token == nil || dst.token == nil || d.Amount.IsZero() {
		return nil, nil
	}
	route := c.byPair[pairKey{src.place.ID, dst.place.ID, src.token.Address, dst.token.Address}]
	if route == nil {
		return nil, c.unsupported(src, dst)
	}
	return route, within(route, &d.Amount)
}

// An end is one side of a request, found in the catalog.
type end struct {
	place swap.Place
	token *swap.Token
}

// find looks one end up. A field that is not set leaves the end without a token.
func (c *Catalog) find(problems *swap.Errors, chainParam string, id swap.PlaceID, tokenParam string, name swap.TokenName) (e end) {
	place, known := c.Place(id)
	if !known && id != 0 {
		problems.Add(&swap.Error{Code: swap.ChainUnsupported, Param: chainParam, Message: "no route starts or ends on this chain"})
	}
	if !known || name.IsZero() {
		return end{}
	}
	e = end{place, c.Token(place.Network, name)}
	if e.token == nil {
		problems.Add(&swap.Error{Code: swap.TokenUnsupported, Param: tokenParam,
			Message: fmt.Sprintf("not served on chain %d, which has %s", id, c.symbols(place.Network))})
	}
	return e
}

func (c *Catalog) symbols(network swap.ChainID) string {
	var list []string
	for _, t := range c.Tokens() {
		if t.Chain == network {
			list = append(list, t.Symbol)
		}
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// unsupported lists the coins that the source can be swapped to instead.
func (c *Catalog) unsupported(src, dst end) error {
	var to []string
	for _, r := range c.routes {
		if r.Src == src.place && r.SrcToken == src.token {
			to = append(to, fmt.Sprintf("%s on %d", r.DstToken.Symbol, r.Dst.ID))
		}
	}
	hint := "nothing"
	if to != nil {
		hint = strings.Join(to, ", ")
	}
	return &swap.Error{Code: swap.PairUnsupported, Param: "dstToken",
		Message: fmt.Sprintf("%s on %d cannot be swapped to %s on %d; it can be swapped to %s",
			src.token.Symbol, src.place.ID, dst.token.Symbol, dst.place.ID, hint)}
}

// within checks an amount against the limits of a route.
func within(r *swap.Route, amount *swap.Amount) error {
	code := swap.AmountTooHigh
	switch {
	case amount.Lt(&r.Limits.Min):
		code = swap.AmountTooLow
	case !amount.Gt(&r.Limits.Max):
		return nil
	}
	t := r.SrcToken
	return &swap.Error{Code: code, Param: "amount", Limits: &r.Limits, Token: t,
		Message: fmt.Sprintf("a swap of %s takes between %s and %s of it, that is from %s to %s in its smallest unit",
			t.Symbol, swap.FormatUnits(&r.Limits.Min, t.Decimals), swap.FormatUnits(&r.Limits.Max, t.Decimals),
			r.Limits.Min.Dec(), r.Limits.Max.Dec())}
}
