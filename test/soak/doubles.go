package main

import (
	"net/http"

	"hubquote/internal/catalog"
	"hubquote/swap"
	"hubquote/test/fake"
)

// rate is the rate of every partner, and falseRate the answer of a dishonest node.
const (
	rate      swap.Rate = 2_500
	falseRate swap.Rate = 40_000
)

// partners are registered and active on all chains.
func partners() (list []swap.Integrator) {
	for i := range 16 {
		wallet := swap.Address{0xa1, 0x1c, 0xe0, 19: byte(i)}
		list = append(list, swap.Integrator{ID: swap.IntegratorIDOf(wallet), Wallet: wallet, Rate: rate})
	}
	return list
}

// nodeOf returns a handler for a node of a chain in whose registry every ID is
// active. The fault changes its answers.
func nodeOf(chain swap.ChainID, registry swap.Address) func(fault) http.Handler {
	return func(f fault) http.Handler {
		n, said := fake.NewNode(chain, registry), rate
		switch f {
		case wrongChain:
			n.Chain = 5
		case dishonest:
			said = falseRate
		}
		n.Entry = func(_ uint64, id swap.IntegratorID) string {
			return fake.EntryOf(swap.Address(id[12:]), uint32(said), 1)
		}
		return n
	}
}

// issuerOf returns a handler for an issuer that charges the published fees.
func issuerOf(c *catalog.Catalog) func(fault) http.Handler {
	bps := map[swap.Domain]string{}
	for _, r := range c.Routes() {
		if r.Burn != nil {
			bps[r.Burn.Source] = r.Burn.Published.String()
		}
	}
	return func(f fault) http.Handler {
		return fake.NewIssuer(func(source, _ swap.Domain) string {
			switch {
			case bps[source] == "":
				return ""
			case f == expensive:
				return "90"
			case f == invalidFee:
				return "101"
			}
			return bps[source]
		})
	}
}
