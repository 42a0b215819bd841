// Package lane lists the pairs of a contract that opens orders and a pool that pays
// them, by their names. They follow from a catalog's routes alone.
package lane

import (
	"fmt"

	"hubquote/internal/catalog"
	"hubquote/internal/deployment/third"
	"hubquote/swap"
)

// A Lane is a contract that opens orders for deposits at one place, and a pool
// that pays them. A pool knows its sources by place and contract, so that all
// routes of a lane have one rate and share one cap.
type Lane struct {
	From      string      // the contract that opens the orders
	At        swap.Place  // where their deposits are made
	FromToken *swap.Token // held by From
	To        string      // the pool that pays them
	ToToken   *swap.Token // paid by To
	Network   swap.ChainID
	Rate      swap.Rate
	Largest   swap.Amount // deposit of one order
	Routes    []*swap.Route
}

// ThirdParty reports whether the pool pays a third party's fee for each payment: the
// issuer's when it burns, the privacy pool's when it shields.
func (l *Lane) ThirdParty() bool {
	for _, r := range l.Routes {
		if r.Shields() || r.FeeChain != r.Dst.Network {
			return true
		}
	}
	return false
}

type key struct {
	from string
	at   swap.PlaceID
	to   string
}

// Of returns the lanes of a catalog, in the order of its routes.
func Of(cat *catalog.Catalog) ([]*Lane, error) {
	issuer, err := third.IssuerOf(cat)
	if err != nil {
		return nil, err
	}
	var list []*Lane
	lanes := map[key]*Lane{}
	for _, r := range cat.Routes() {
		l := laneOf(r, issuer)
		k := key{l.From, l.At.ID, l.To}
		if known := lanes[k]; known == nil {
			lanes[k] = l
			list = append(list, l)
		} else if err := known.join(l); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func laneOf(r *swap.Route, issuer *third.Issuer) *Lane {
	l := &Lane{
		From: Source(r), At: r.Src, FromToken: r.SrcToken, To: PoolName(r.Dst, r.DstToken), ToToken: r.DstToken,
		Network: r.FeeChain, Rate: r.Rate, Largest: r.Limits.Max, Routes: []*swap.Route{r},
	}
	if r.FeeChain != r.Dst.Network {
		l.To, l.ToToken = GatewayPool(issuer), issuer.Token
	}
	if r.Burn != nil {
		l.FromToken = issuer.Token
	}
	return l
}

// join adds a route to a lane.
func (l *Lane) join(other *Lane) error {
	if l.Rate != other.Rate {
		return fmt.Errorf("%s pays orders of %s at two rates: a pool cannot tell them apart", l.To, l.From)
	}
	if other.Largest.Gt(&l.Largest) {
		l.Largest = other.Largest
	}
	l.Routes = append(l.Routes, other.Routes...)
	return nil
}
