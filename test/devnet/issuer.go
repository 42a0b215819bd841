package devnet

import (
	"hubquote/swap"
	"hubquote/test/devnet/evm"
)

// Domains returns the chains that the issuer burns and mints on, by its own
// numbers.
func (n *Net) Domains() map[swap.Domain]*evm.Chain {
	chains := map[swap.Domain]*evm.Chain{}
	for network, domain := range n.Plan.Issuer.Domains {
		if c := n.Chains[network]; c != nil {
			chains[domain] = c
		}
	}
	return chains
}

// Rates returns the issuer's published fees for fast burns.
func (n *Net) Rates() map[swap.Domain]swap.IssuerRate {
	rates := map[swap.Domain]swap.IssuerRate{}
	for _, r := range n.Catalog.Routes() {
		if r.Burn != nil {
			rates[r.Burn.Source] = r.Burn.Published
		}
	}
	return rates
}
