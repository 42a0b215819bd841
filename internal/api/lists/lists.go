// Package lists shows the contents of the catalog: tokens, routes, and the contract for
// each source.
package lists

import (
	"fmt"

	"hubquote/internal/api/document"
	"hubquote/internal/catalog"
	"hubquote/swap"
)

// Lists are those of one catalog.
type Lists struct {
	Tokens  *document.Document
	all     *document.Document // the routes, when nothing is known of the pools
	catalog *catalog.Catalog
	pools   swap.Pools // nil when nothing is known of them
}

// New makes the lists of a catalog. The pools may be nil.
func New(c *catalog.Catalog, pools swap.Pools) (*Lists, error) {
	l := &Lists{catalog: c, pools: pools}
	var err error
	if l.Tokens, err = document.NewJSON(tokenList(c)); err != nil {
		return nil, err
	}
	if l.all, err = document.NewJSON(l.routeList(ends{})); err != nil {
		return nil, err
	}
	l.Tokens.Compressed()
	l.all.Compressed()
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
	CAIP19    string `json:"caip19"`
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
		ext := extensions{CAIP19: caip19(t), Native: t.IsNative(), Reset: t.ApproveReset}
		if l := limits[t]; l != nil {
			ext.MinAmount, ext.MaxAmount = l.Min.Dec(), l.Max.Dec()
		}
		list.Tokens = append(list.Tokens, listed{t.Chain, t.Address, t.Decimals, t.Name, t.Symbol, ext})
	}
	return list
}

// caip19 is the name of a token that is the same for all chains. Every native coin
// here is ether, which SLIP-44 lists as 60.
func caip19(t *swap.Token) string {
	if t.IsNative() {
		return fmt.Sprintf("eip155:%d/slip44:60", t.Chain)
	}
	return fmt.Sprintf("eip155:%d/erc20:%s", t.Chain, t.Address)
}
