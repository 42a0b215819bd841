package lists

import (
	"encoding/json"
	"net/http"
	"time"

	"hubquote/internal/api/document"
	"hubquote/internal/api/query"
	"hubquote/internal/problem"
	"hubquote/internal/wire"
	"hubquote/swap"
)

type routes struct {
	Catalog string  `json:"catalog"` // the digest of the facts behind the list
	Data    []route `json:"data"`
}

// A route is one supported pair, and what is known of its pools.
type route struct {
	SrcChain      swap.PlaceID       `json:"srcChain"`
	SrcName       string             `json:"srcName"`
	SrcToken      wire.Token         `json:"srcToken"`
	DstChain      swap.PlaceID       `json:"dstChain"`
	DstName       string             `json:"dstName"`
	DestToken     wire.Token         `json:"destToken"`
	Type          swap.RouteKind     `json:"type"`
	Router        swap.Address       `json:"router"`
	RecipientType swap.RecipientType `json:"recipientType"`
	Fee           routeFee           `json:"fee"`
	Limits        *problem.Limits    `json:"limits"`
	Duration      uint32             `json:"typicalSeconds,omitempty"` // absent when unknown
	Gas           *gas               `json:"gas,omitempty"`
	Available     string             `json:"available,omitempty"` // in the destination's smallest units; absent when unknown
	Paused        bool               `json:"paused,omitempty"`    // no amount is paid now
	Reason        swap.Code          `json:"reason,omitempty"`    // why not
	AsOf          string             `json:"asOf,omitempty"`      // when the pools were seen; absent when unknown
}

type routeFee struct {
	ChainID    swap.ChainID `json:"chainId"`
	Percentage json.Number  `json:"percentage"`
	Millionths swap.Rate    `json:"millionths"`
}

// The parameters of the list of routes.
const (
	routeSrcChain = iota
	routeSrcToken
	routeDstChain
	routeDstToken
)

var routeFields = []query.Field{
	routeSrcChain: {Name: "srcChain", Max: swap.MaxPlaceDigits},
	routeSrcToken: {Name: "srcToken", Max: swap.MaxTokenLen},
	routeDstChain: {Name: "dstChain", Max: swap.MaxPlaceDigits},
	routeDstToken: {Name: "dstToken", Max: swap.MaxTokenLen},
}

// ends are the routes that are asked for; zero values stand for all.
type ends struct {
	src, dst           swap.PlaceID
	srcToken, dstToken swap.TokenName
}

func (e *ends) match(r *swap.Route) bool {
	return (e.src == 0 || e.src == r.Src.ID) && (e.dst == 0 || e.dst == r.Dst.ID) &&
		names(e.srcToken, r.SrcToken) && names(e.dstToken, r.DstToken)
}

// names reports whether n means t; the zero name means every token.
func names(n swap.TokenName, t *swap.Token) bool {
	return n.IsZero() || n.Names(t)
}

// Routes lists the pairs, all or those between the ends that are named.
func (l *Lists) Routes(w http.ResponseWriter, r *http.Request) error {
	if r.URL.RawQuery == "" && l.pools == nil {
		return l.all.Serve(w, r)
	}
	var q query.Query
	q.Parse(r.URL.RawQuery, routeFields)
	e := ends{
		src:      query.ReadOptional(&q, routeSrcChain, swap.ChainInvalid, swap.ParsePlaceID),
		srcToken: query.ReadOptional(&q, routeSrcToken, swap.TokenInvalid, swap.ParseTokenName),
		dst:      query.ReadOptional(&q, routeDstChain, swap.ChainInvalid, swap.ParsePlaceID),
		dstToken: query.ReadOptional(&q, routeDstToken, swap.TokenInvalid, swap.ParseTokenName),
	}
	if q.Problems != nil {
		return q.Problems
	}
	list, err := document.NewJSON(l.routeList(e))
	if err != nil {
		return err
	}
	return list.Serve(w, r)
}

func (l *Lists) routeList(e ends) routes {
	list := routes{Catalog: l.catalog.Digest(), Data: []route{}}
	for _, r := range l.catalog.Routes() {
		if e.match(r) {
			list.Data = append(list.Data, l.newRoute(r))
		}
	}
	return list
}

func (l *Lists) newRoute(r *swap.Route) route {
	out := route{
		SrcChain: r.Src.ID, SrcName: r.Src.Name, SrcToken: wire.NewToken(r.SrcToken),
		DstChain: r.Dst.ID, DstName: r.Dst.Name, DestToken: wire.NewToken(r.DstToken),
		Type: r.Kind, Router: r.Target,
		Fee:      routeFee{r.FeeChain, json.Number(r.Rate.Percent()), r.Rate},
		Limits:   problem.NewLimits(&r.Limits, r.SrcToken),
		Duration: r.Duration, Gas: gasOf(r),
	}
	if r.Shields() {
		out.RecipientType = swap.ToPrivate
	}
	if l.pools != nil {
		out.add(l.pools.State(r))
	}
	return out
}

func (r *route) add(s swap.PoolState) {
	r.Paused, r.Reason = s.Reason != "", s.Reason
	if s.Available != nil {
		r.Available = s.Available.Dec()
	}
	if !s.AsOf.IsZero() {
		r.AsOf = s.AsOf.UTC().Format(time.RFC3339)
	}
}
