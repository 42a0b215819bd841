// Package lists shows the contents of the catalog: tokens, routes, and the contract for
// each source.
package lists

import (
	"encoding/json"

	"hubquote/internal/api/document"
	"hubquote/internal/catalog"
	"hubquote/internal/problem"
	"hubquote/internal/wire"
	"hubquote/swap"
)

// Lists are those of one catalog.
type Lists struct {
	Tokens, Routes *document.Document
	catalog        *catalog.Catalog
}

// New makes the lists of a catalog.
func New(c *catalog.Catalog) (*Lists, error) {
	l := &Lists{catalog: c}
	var err error
	if l.Tokens, err = document.NewJSON(tokenList(c)); err != nil {
		return nil, err
	}
	if l.Routes, err = document.NewJSON(routeList(c)); err != nil {
		return nil, err
	}
	l.Tokens.Compressed()
	l.Routes.Compressed()
	return l, nil
}

// tokens is a list in the schema wallets already read.
type tokens struct {
	Name      string       `json:"name"`
	Timestamp string       `json:"timestamp"`
	Version   tokenVersion `json:"version"`
	Tokens    []listed     `json:"tokens"`
}

type tokenVersion struct {
	Major int `json:"major"`
	Minor int `json:"minor"`
	Patch int `json:"patch"`
}

type listed struct {
	ChainID    swap.ChainID `json:"chainId"`
	Address    swap.Address `json:"address"`
	Decimals   uint8        `json:"decimals"`
	Name       string       `json:"name"`
	Symbol     string       `json:"symbol"`
	Extensions extensions   `json:"extensions"`
}

// extensions are fields that the schema lacks. The limits are of swaps that
// start with the token, absent when none does.
type extensions struct {
	MinAmount string `json:"minAmount,omitempty"`
	MaxAmount string `json:"maxAmount,omitempty"`
	Native    bool   `json:"native,omitempty"`
	Reset     bool   `json:"approvalResetRequired,omitempty"`
}

func tokenList(c *catalog.Catalog) tokens {
	limits := map[*swap.Token]*swap.Limits{}
	for _, r := range c.Routes() {
		limits[r.SrcToken] = &r.Limits
	}
	list := tokens{Name: "hubquote", Timestamp: c.Updated(), Version: tokenVersion{Major: c.Edition()}}
	for _, t := range c.Tokens() {
		ext := extensions{Native: t.IsNative(), Reset: t.ApproveReset}
		if l := limits[t]; l != nil {
			ext.MinAmount, ext.MaxAmount = l.Min.Dec(), l.Max.Dec()
		}
		list.Tokens = append(list.Tokens, listed{t.Chain, t.Address, t.Decimals, t.Name, t.Symbol, ext})
	}
	return list
}

type routes struct {
	Catalog string  `json:"catalog"` // the digest of the facts behind the list
	Data    []route `json:"data"`
}

// A route is one supported pair.
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
}

type routeFee struct {
	ChainID    swap.ChainID `json:"chainId"`
	Percentage json.Number  `json:"percentage"`
	Millionths swap.Rate    `json:"millionths"`
}

func routeList(c *catalog.Catalog) routes {
	list := routes{Catalog: c.Digest()}
	for _, r := range c.Routes() {
		list.Data = append(list.Data, newRoute(r))
	}
	return list
}

func newRoute(r *swap.Route) route {
	out := route{
		SrcChain: r.Src.ID, SrcName: r.Src.Name, SrcToken: wire.NewToken(r.SrcToken),
		DstChain: r.Dst.ID, DstName: r.Dst.Name, DestToken: wire.NewToken(r.DstToken),
		Type: r.Kind, Router: r.Target,
		Fee:      routeFee{r.FeeChain, json.Number(r.Rate.Percent()), r.Rate},
		Limits:   problem.NewLimits(&r.Limits, r.SrcToken),
		Duration: r.Duration,
	}
	if r.Shields() {
		out.RecipientType = swap.ToPrivate
	}
	return out
}
