package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"hubquote/internal/catalog"
	"hubquote/swap"
)

const routesHelp = `hubquote routes lists what can be swapped for what, with the fee and the limits,
and the contract that is called for it.

  hubquote routes --from USDC@369
  hubquote routes --to @69696969`

func routes(args []string, s std) error {
	f := newFlags("routes", routesHelp, s)
	from := f.String("from", "", "only what starts there: a `token` such as USDC, a chain such as @369,\nor both, such as USDC@369")
	to := f.String("to", "", "only what ends there, likewise: a `token`, a chain, or both")
	asJSON := f.Bool("json", false, "print JSON, one route a line")
	if err := f.parse(args); err != nil {
		return err
	}
	c, err := catalog.Embedded()
	if err != nil {
		return err
	}
	var list []*swap.Route
	for _, r := range c.Routes() {
		if r.From().Matches(*from) && r.To().Matches(*to) {
			list = append(list, r)
		}
	}
	switch {
	case list == nil:
		return errors.New("routes: there are none like that; leave out --from or --to to see more")
	case *asJSON:
		return printRoutes(s, list)
	}
	return showRoutes(newTerminal(s, 0), list)
}

// A listedRoute is a route for programs.
type listedRoute struct {
	From       swap.Coin      `json:"from"`
	To         swap.Coin      `json:"to"`
	Type       swap.RouteKind `json:"type"`
	Router     swap.Address   `json:"router"`
	Percentage json.Number    `json:"percentage"`
	Min        string         `json:"min"` // in whole tokens, as is Max
	Max        string         `json:"max"`
	Seconds    uint32         `json:"typicalSeconds,omitempty"`
}

func listRoute(r *swap.Route) listedRoute {
	return listedRoute{
		From: r.From(), To: r.To(),
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

func showRoutes(t *terminal, list []*swap.Route) error {
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
	t.line(t.bold(strings.TrimRight(head, " ")))
	t.line(strings.TrimSuffix(rows, "\n"))
	return nil
}
