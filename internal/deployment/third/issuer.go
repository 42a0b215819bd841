// Package third has the facts about third parties that a deployment needs: the
// stablecoin's issuer and the privacy pools.
package third

import (
	"errors"
	"fmt"

	"hubquote/internal/catalog"
	"hubquote/swap"
)

// The issuer's contracts that a deployment needs and a quote does not. They are at the
// same addresses on every network it burns on.
var (
	// Transmitter takes attested messages. Source: issuer's
	// contract list (2025-11-03), bridge-kit 1.15.1.
	Transmitter = swap.MustAddress("0x81D40F21F12A8F0E3252Bccb954D722d4c464B64")

	// Minter mints for the messenger. Source: issuer's contract
	// list (2025-11-03).
	Minter = swap.MustAddress("0xfd78EE919681417d192449715b2594ab58f5D002")
)

// An Issuer is the routes' facts about the stablecoin's issuer.
type Issuer struct {
	Gateway   swap.ChainID                 // where inbound burns are minted and outbound ones start
	Token     *swap.Token                  // on the gateway
	Messenger swap.Address                 // burns, on every network
	Domains   map[swap.ChainID]swap.Domain // the issuer's own numbers
	Rate      swap.Rate                    // the protocol's fee on inbound burns
	Limits    swap.Limits                  // of inbound burns
}

// IssuerOf collects the facts from the routes. They must agree on everything but the
// domain, because there is one receiver for all.
func IssuerOf(cat *catalog.Catalog) (*Issuer, error) {
	i := &Issuer{Domains: map[swap.ChainID]swap.Domain{}}
	for _, r := range cat.Routes() {
		switch {
		case r.Burn != nil && i.Messenger.IsZero():
			i.Messenger, i.Rate, i.Limits = r.Target, r.Rate, r.Limits
		case r.Burn != nil && (r.Target != i.Messenger || r.Rate != i.Rate || r.Limits != i.Limits):
			return nil, fmt.Errorf("burns on %d have another messenger, rate or limit than on the others", r.Src.Network)
		case r.FeeChain != r.Dst.Network:
			i.Gateway, i.Token = r.FeeChain, tokenOf(cat, r.FeeChain, r.DstToken.Symbol)
		}
	}
	if i.Messenger.IsZero() || i.Token == nil {
		return nil, errors.New("no route burns, or none is paid through the gateway")
	}
	for _, r := range cat.Routes() {
		if r.Burn != nil {
			i.Domains[r.Src.Network], i.Domains[i.Gateway] = r.Burn.Source, r.Burn.Gateway
		}
	}
	return i, i.checkDomains(cat.Routes())
}

func tokenOf(cat *catalog.Catalog, network swap.ChainID, symbol string) *swap.Token {
	for _, t := range cat.Tokens() {
		if t.Chain == network && t.Symbol == symbol {
			return t
		}
	}
	return nil
}
