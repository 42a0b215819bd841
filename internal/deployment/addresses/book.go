// Package addresses has the addresses of the contracts of a deployment, by name.
package addresses

import (
	"fmt"
	"maps"
	"slices"

	"hubquote/internal/catalog"
	"hubquote/internal/deployment/lane"
	"hubquote/swap"
)

// A Book is addresses by name: receiver, USDC@1, registry@369.
type Book map[string]swap.Address

// Of returns the addresses that a catalog records.
func Of(cat *catalog.Catalog) Book {
	b := Book{}
	for _, r := range cat.Routers() {
		if r.Kind == swap.Direct {
			b[lane.PoolName(r.Place, r.Token)] = r.Address
		}
	}
	for _, id := range cat.RegistryChains() {
		b[lane.RegistryName(id)], _ = cat.Registry(id)
	}
	for _, r := range cat.Routes() {
		if r.Burn != nil {
			b[lane.Receiver] = r.Burn.Receiver
		}
	}
	return b
}

// CheckDistinct refuses two names for one address, also on two networks: a quote
// for one would call the other, and a cancelled order of one would be one of the
// other.
func (b Book) CheckDistinct() error {
	names := map[swap.Address]string{}
	for _, name := range slices.Sorted(maps.Keys(b)) {
		if other, taken := names[b[name]]; taken {
			return fmt.Errorf("%s and %s have one address, %s", other, name, b[name])
		}
		names[b[name]] = name
	}
	return nil
}
