package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"hubquote/internal/catalog"
	"hubquote/internal/term"
	"hubquote/swap"
)

const routesHelp = `hubquote routes lists what can be swapped for what, with the fee and the limits,
and the contract that is called for it.

  hubquote routes --from USDC@369
  hubquote routes --to @69696969`

func routes(args []string, s std) error {
	f := s.flags("routes", routesHelp)
	from := f.String("from", "", "only what starts there: a `token` such as USDC, a chain such as @369,\nor both, such as USDC@369")
	to := f.String("to", "", "only what ends there, likewise: a `token`, a chain, or both")
	asJSON := f.Bool("json", false, "print JSON, one route a line")
	if err := f.Parse(args); err != nil {
		return err
	}
	c, err := catalog.Embedded()
	if err != nil {
		return err
	}
	var list []*swap.Route
	for _, r := range c.Routes() {
		if matches(*from, r.Src, r.SrcToken) && matches(*to, r.Dst, r.DstToken) {
			list = append(list, r)
		}
	}
	switch {
	case list == nil:
		return errors.New("routes: there are none like that; leave out --from or --to to see more")
	case *asJSON:
		return printRoutes(s, list)
	}
	return showRoutes(s.terminal(0), list)
}

// matches reports whether a token at a place is meant by symbol@place, either
// half of which may be left out.
func matches(pattern string, p swap.Place, t *swap.Token) bool {
	symbol, id, _ := strings.Cut(pattern, "@")
	return (symbol == "" || strings.EqualFold(symbol, t.Symbol)) && (id == "" || id == p.ID.String())
}

// A listedRoute is a route for programs.
type listedRoute struct {
	From       string         `json:"from"`
	To         string         `json:"to"`
	Type       swap.RouteKind `json:"type"`
	Router     swap.Address   `json:"router"`
	Percentage json.Number    `json:"percentage"`
	Min        string         `json:"min"` // in whole tokens, as is Max
	Max        string         `json:"max"`
	Seconds    uint32         `json:"typicalSeconds,omitempty"`
}

func listRoute(r *swap.Route) listedRoute {
	return listedRoute{
		From: r.SrcToken.Symbol + "@" + r.Src.ID.String(), To: r.DstToken.Symbol + "@" + r.Dst.ID.String(),
		Type: r.Kind, Router: r.Target, Percentage: json.Number(r.Rate.Percent()),
		Min: swap.FormatUnits(&r.Limits.Min, r.SrcToken.Decimals), Max: swap.FormatUnits(&r.Limits.Max, r.SrcToken.Decimals),
		Seconds: r.Duration,
	}
}

func printRoutes(s std, list []*swap.Route) error {
	e := json.NewEncoder(s.out)
	for _, r := range list {
		if err := e.Encode(listRoute(r)); err != nil {
			return err
		}
	}
	return nil
}

func showRoutes(t *term.Terminal, list []*swap.Route) error {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 3, ' ', 0)
	fmt.Fprintln(w, "FROM\tTO\tFEE\tLIMITS\tTYPE\tCONTRACT")
	for _, r := range list {
		l := listRoute(r)
		fmt.Fprintf(w, "%s\t%s\t%s %%\t%s to %s\t%s\t%s\n", l.From, l.To, l.Percentage, l.Min, l.Max, l.Type, l.Router)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	head, rows, _ := strings.Cut(b.String(), "\n")
	t.Line(t.Bold(strings.TrimRight(head, " ")))
	t.Line(strings.TrimSuffix(rows, "\n"))
	return nil
}
