// Package site lists the contracts that the settler works with, of every
// generation that may still have orders. It follows from catalogs alone.
package site

import (
	"fmt"

	"hubquote/internal/catalog"
	"hubquote/internal/deployment/lane"
	"hubquote/internal/deployment/third"
	"hubquote/internal/settle/order"
	"hubquote/swap"
)

// A Kind is what a contract does.
type Kind string

// The kinds.
const (
	Pool     Kind = "pool"     // pays on its own network
	Gateway  Kind = "gateway"  // pays on its own network and, by burning, on others
	Shield   Kind = "shield"   // pays into a privacy pool
	Receiver Kind = "receiver" // opens orders from burns
)

// A Site is one contract.
type Site struct {
	order.Pool
	Name       string // such as USDC@369 or receiver
	Kind       Kind
	Place      swap.PlaceID // that it serves; of the receiver, its network
	Token      *swap.Token
	Generation int64
}

// A Map is all contracts, and the issuer's networks.
type Map struct {
	Sites  []Site
	Issuer *third.Issuer
}

// Of returns the contracts of generations, the first of which is the oldest.
// The issuer is the same for all.
func Of(generations ...*catalog.Catalog) (*Map, error) {
	m := &Map{}
	for i, cat := range generations {
		issuer, err := third.IssuerOf(cat)
		if err != nil {
			return nil, err
		}
		m.Issuer = issuer
		m.add(cat, int64(i+1))
	}
	if m.Issuer == nil {
		return nil, fmt.Errorf("no catalog: there is nothing to settle")
	}
	return m, nil
}

func (m *Map) add(cat *catalog.Catalog, generation int64) {
	for _, r := range cat.Routers() {
		if r.Kind != swap.Direct {
			continue
		}
		m.put(Site{
			Pool: order.Pool{Chain: r.Place.Network, Address: r.Address}, Name: lane.PoolName(r.Place, r.Token),
			Kind: m.kind(r), Place: r.Place.ID, Token: r.Token, Generation: generation,
		})
	}
	for _, r := range cat.Routes() {
		if r.Burn != nil {
			m.put(Site{
				Pool: order.Pool{Chain: m.Issuer.Gateway, Address: r.Burn.Receiver}, Name: lane.Receiver,
				Kind: Receiver, Place: swap.PlaceID(m.Issuer.Gateway), Token: m.Issuer.Token, Generation: generation,
			})
		}
	}
}

// put adds a contract once. A later generation may keep one of an earlier.
func (m *Map) put(s Site) {
	if _, known := m.Find(s.Pool); !known {
		m.Sites = append(m.Sites, s)
	}
}

func (m *Map) kind(r catalog.Router) Kind {
	switch {
	case r.Place.Private():
		return Shield
	case lane.PoolName(r.Place, r.Token) == lane.GatewayPool(m.Issuer):
		return Gateway
	}
	return Pool
}

// Find returns the contract at an address.
func (m *Map) Find(at order.Pool) (Site, bool) {
	for _, s := range m.Sites {
		if s.Pool == at {
			return s, true
		}
	}
	return Site{}, false
}

// Chains returns the networks that have contracts of ours, in order of
// appearance.
func (m *Map) Chains() (list []swap.ChainID) {
	seen := map[swap.ChainID]bool{}
	for _, s := range m.Sites {
		if !seen[s.Chain] {
			seen[s.Chain] = true
			list = append(list, s.Chain)
		}
	}
	return list
}
