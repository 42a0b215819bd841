package pages

import (
	"hubquote/internal/catalog"
	"hubquote/swap"
)

// facts are needed to derive a quote again, and in no list.
type facts struct {
	Burns map[swap.PlaceID]burnFacts `json:"burns"` // by source
	Reset []tokenID                  `json:"reset"` // tokens whose allowance must be set to zero first
}

type burnFacts struct {
	Domain   swap.Domain     `json:"domain"` // of the gateway
	Receiver swap.Address    `json:"receiver"`
	Finality uint32          `json:"finality"`
	Rate     swap.IssuerRate `json:"rate"` // the published one, in billionths of a basis point
}

type tokenID struct {
	ChainID swap.ChainID `json:"chainId"`
	Address swap.Address `json:"address"`
}

func pageFacts(c *catalog.Catalog) facts {
	f := facts{Burns: map[swap.PlaceID]burnFacts{}, Reset: []tokenID{}}
	for _, r := range c.Routes() {
		if b := r.Burn; b != nil {
			f.Burns[r.Src.ID] = burnFacts{b.Gateway, b.Receiver, b.Finality, b.Published}
		}
	}
	for _, t := range c.Tokens() {
		if t.ApproveReset {
			f.Reset = append(f.Reset, tokenID{t.Chain, t.Address})
		}
	}
	return f
}
