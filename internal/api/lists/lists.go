// Package lists shows the contents of the catalog: tokens, routes, and the contract for
// each source.
package lists

import (
	"fmt"

	"hubquote/internal/api/document"
	"hubquote/internal/api/symbols"
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
	LogoURI    string       `json:"logoURI"`
	Extensions extensions   `json:"extensions"`
}

// extensions are fields that the schema lacks. The limits are of swaps that
// start with the token, absent when none does.
type extensions struct {
	CAIP19    caip19 `json:"caip19"`
	MinAmount string `json:"minAmount,omitempty"`
	MaxAmount string `json:"maxAmount,omitempty"`
	Native    bool   `json:"native,omitempty"`
	Reset     bool   `json:"approvalResetRequired,omitempty"`
}

// caip19 is the name of a token that is the same for all chains, in its parts: the
// schema allows a text 42 characters, and the whole name has more. It is joined as
// chain/namespace:reference.
type caip19 struct {
	Chain     string `json:"chain"`
	Namespace string `json:"namespace"`
	Reference string `json:"reference"`
}

func tokenList(c *catalog.Catalog) tokens {
	limits := map[*swap.Token]*swap.Limits{}
	for _, r := range c.Routes() {
		limits[r.SrcToken] = &r.Limits
	}
	list := tokens{Name: "hubquote", Timestamp: c.Updated(), Version: tokenVersion{Major: c.Edition()}}
	for _, t := range c.Tokens() {
		ext := extensions{CAIP19: nameOf(t), Native: t.IsNative(), Reset: t.ApproveReset}
		if l := limits[t]; l != nil {
			ext.MinAmount, ext.MaxAmount = l.Min.Dec(), l.Max.Dec()
		}
		list.Tokens = append(list.Tokens, listed{t.Chain, t.Address, t.Decimals, t.Name, t.Symbol, symbols.URI(t.Symbol), ext})
	}
	return list
}

// nameOf names a token. Every native coin here is ether, which SLIP-44 lists as 60.
func nameOf(t *swap.Token) caip19 {
	chain := fmt.Sprintf("eip155:%d", t.Chain)
	if t.IsNative() {
		return caip19{chain, "slip44", "60"}
	}
	return caip19{chain, "erc20", t.Address.String()}
}
