package show

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"hubquote/internal/term"
	"hubquote/swap"
)

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

// Matching returns the routes from and to these coins, tokens or chains. An
// empty text matches all.
func Matching(all []*swap.Route, from, to string) (list []*swap.Route) {
	for _, r := range all {
		if r.From().Matches(from) && r.To().Matches(to) {
			list = append(list, r)
		}
	}
	return list
}

// ListRoutes returns routes for programs.
func ListRoutes(list []*swap.Route) []any {
	out := make([]any, len(list))
	for i, r := range list {
		out[i] = listRoute(r)
	}
	return out
}

// RoutesJSON prints routes for programs, one on each line.
func RoutesJSON(w io.Writer, list []*swap.Route) error {
	e := json.NewEncoder(w)
	for _, r := range list {
		if err := e.Encode(listRoute(r)); err != nil {
			return err
		}
	}
	return nil
}

// Routes prints a table of routes.
func Routes(t *term.Terminal, list []*swap.Route) error {
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
