package track

import (
	"time"

	"hubquote/internal/catalog"
	"hubquote/internal/deployment/third"
	"hubquote/internal/settle/track/status"
	"hubquote/swap"
)

// A way is a route by what an order says of it.
type way struct {
	src, dst uint64
	pool     swap.Address // the source contract; the receiver for a burn
	token    swap.Address
}

// atlasOf takes what the catalogs know about routes.
func atlasOf(catalogs []*catalog.Catalog, signing Signing) *status.Atlas {
	usual := map[way]time.Duration{}
	domains := map[swap.Domain]swap.ChainID{}
	carried := map[swap.Domain]time.Duration{}
	for _, c := range catalogs {
		gateway := gatewayOf(c)
		for _, r := range c.Routes() {
			w := way{uint64(r.Src.ID), uint64(r.Dst.ID), r.Target, token(r.DstToken.Address)}
			if r.Burn != nil {
				domains[r.Burn.Source], w.pool = r.Src.Network, r.Burn.Receiver
				domains[r.Burn.Gateway] = gateway
				carried[r.Burn.Source] = time.Duration(r.Duration) * time.Second
			}
			usual[w] = time.Duration(r.Duration) * time.Second
		}
	}
	return &status.Atlas{
		Domains: domains, Transmitter: third.Transmitter,
		Usual: func(o *swap.Order) time.Duration {
			return usual[way{o.SrcPlace.Uint64(), o.DstPlace.Uint64(), o.SrcPool, token(o.DstToken)}]
		},
		Carried: func(source swap.Domain, fast bool) time.Duration {
			if carried[source] == 0 || signing == nil {
				return carried[source]
			}
			return carried[source] + signing(domains[source], fast)
		},
	}
}

// gatewayOf is the network that pays for those without a pool: burns are minted
// there.
func gatewayOf(c *catalog.Catalog) swap.ChainID {
	for _, r := range c.Routes() {
		if r.FeeChain != r.Dst.Network {
			return r.FeeChain
		}
	}
	return 0
}

// token is a token's address, zero for the native coin in either spelling.
func token(a swap.Address) swap.Address {
	if a == swap.Native {
		return swap.Address{}
	}
	return a
}
