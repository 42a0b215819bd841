// Package catalog holds every fact about chains, tokens, deployments, limits
// and pairs, and finds the route that serves a request.
//
// A Catalog that loaded is complete and consistent, and never changes: the
// routes it returns are shared and must not be written to.
package catalog

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"

	"hubquote/internal/catalog/places"
	"hubquote/internal/catalog/tables"
	"hubquote/swap"
)

//go:embed data/*.toml
var data embed.FS

// A Catalog is the facts of one deployment.
type Catalog struct {
	*places.Places
	digest    string
	name      string
	reference bool

	routes     []*swap.Route // in the order of the file
	byPair     map[pairKey]*swap.Route
	routers    []Router
	gateway    swap.ChainID
	registries map[swap.ChainID]swap.Address
	v1         map[swap.PlaceID]bool
	pools      map[swap.Coin]swap.Address
	own        map[swap.Address]bool // our contracts
}

type pairKey struct {
	src, dst           swap.PlaceID
	srcToken, dstToken swap.Address
}

// Embedded returns the catalog that ships with the program.
func Embedded() (*Catalog, error) {
	dir, err := fs.Sub(data, "data")
	if err != nil {
		return nil, err
	}
	return Load(dir)
}

// Open reads the catalog of a directory, or the built-in one if dir is empty.
func Open(dir string) (*Catalog, error) {
	if dir == "" {
		return Embedded()
	}
	c, err := Load(os.DirFS(dir))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return c, nil
}

// Load reads a catalog from the four files in dir. It refuses files that
// are wrong in any way: an unknown key, a duplicate, a bad checksum, a zero address, a
// fact without a source, a pair without a pool.
func Load(dir fs.FS) (*Catalog, error) {
	t, err := tables.Read(dir)
	if err != nil {
		return nil, fmt.Errorf("catalog: %w", err)
	}
	c, err := build(t)
	if err != nil {
		return nil, fmt.Errorf("catalog: %w", err)
	}
	return c, nil
}

// build checks the tables against each other and indexes them.
func build(t *tables.Tables) (*Catalog, error) {
	all, err := places.New(&t.Chains)
	if err != nil {
		return nil, err
	}
	c := &Catalog{
		Places:     all,
		digest:     t.Digest,
		name:       t.Deployment.Name,
		reference:  t.Deployment.Reference,
		gateway:    t.Policy.Burn.Gateway,
		registries: map[swap.ChainID]swap.Address{},
		byPair:     map[pairKey]*swap.Route{},
		v1:         map[swap.PlaceID]bool{},
		pools:      map[swap.Coin]swap.Address{},
		own:        map[swap.Address]bool{},
	}
	for _, step := range []func(*tables.Tables) error{c.addDeployment, c.addPolicy, c.addPairs, c.checkUsed} {
		if err := step(t); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Digest identifies the catalog: the same digest means the same answers.
func (c *Catalog) Digest() string { return c.digest }

// Deployment is the name of the contracts' deployment.
func (c *Catalog) Deployment() string { return c.name }

// Reference reports whether the contracts are the reference deployment, which
// exists on a local devnet and on no public chain.
func (c *Catalog) Reference() bool { return c.reference }

// Routes returns every supported pair, in the order of the data.
func (c *Catalog) Routes() []*swap.Route { return c.routes }

// Registry returns the integrator registry on a chain.
func (c *Catalog) Registry(id swap.ChainID) (swap.Address, bool) {
	a, ok := c.registries[id]
	return a, ok
}

// RegistryChains returns the chains that have an integrator registry, in
// order.
func (c *Catalog) RegistryChains() []swap.ChainID {
	return slices.Sorted(maps.Keys(c.registries))
}

// InV1 reports whether the first version of the API serves a place.
func (c *Catalog) InV1(id swap.PlaceID) bool { return c.v1[id] }

// Stranded reports whether funds sent to a would be lost: it is one of our own
// contracts, the issuer's, a privacy pool, a token, or the native sentinel.
func (c *Catalog) Stranded(a swap.Address) bool { return c.own[a] || c.Contract(a) }
