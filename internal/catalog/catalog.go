// Package catalog holds every fact about chains, tokens, deployments, limits
// and pairs, and answers the one question asked of them: which route serves
// this request?
//
// A Catalog that loaded is complete and consistent, and never changes: the
// routes it returns are shared and must not be written to.
package catalog

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"hubquote/swap"
)

//go:embed data/*.toml
var data embed.FS

// A Catalog is the facts of one deployment.
type Catalog struct {
	digest    string
	name      string
	reference bool
	edition   int
	updated   string

	chains     map[swap.ChainID]*chain
	places     map[swap.PlaceID]swap.Place
	tokens     []*swap.Token // by chain, then in the order of the file
	bySymbol   map[symbolKey]*swap.Token
	byAddress  map[addressKey]*swap.Token
	routes     []*swap.Route // in the order of the file
	byPair     map[pairKey]*swap.Route
	routers    []Router
	receiver   swap.Address
	gateway    swap.ChainID
	privacy    map[swap.PlaceID]swap.Address
	registries map[swap.ChainID]swap.Address
	v1         map[swap.PlaceID]bool
	pools      map[swap.Coin]swap.Address
	contracts  map[swap.Address]bool
}

type symbolKey struct {
	chain  swap.ChainID
	symbol string
}

type addressKey struct {
	chain   swap.ChainID
	address swap.Address
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

// fileNames are the files of a catalog; there may be no others.
var fileNames = []string{"chains.toml", "deployment.toml", "pairs.toml", "policy.toml"}

// Load reads a catalog from the four files in dir. It refuses what it does not
// understand: an unknown key, a duplicate, a bad checksum, a zero address, a
// fact without a source, a pair without a pool.
func Load(dir fs.FS) (*Catalog, error) {
	if err := checkNames(dir); err != nil {
		return nil, err
	}
	var f files
	digest := sha256.New()
	for _, name := range fileNames {
		text, err := fs.ReadFile(dir, name)
		if err != nil {
			return nil, fmt.Errorf("catalog: %w", err)
		}
		fmt.Fprintf(digest, "%s %d\n%s", name, len(text), text)
		if err := decode(text, f.part(name)); err != nil {
			return nil, fmt.Errorf("catalog: %s: %w", name, err)
		}
	}
	c, err := build(&f)
	if err != nil {
		return nil, fmt.Errorf("catalog: %w", err)
	}
	c.digest = "sha256:" + hex.EncodeToString(digest.Sum(nil))
	return c, nil
}

func checkNames(dir fs.FS) error {
	found, err := fs.Glob(dir, "*.toml")
	if err != nil {
		return fmt.Errorf("catalog: %w", err)
	}
	for _, name := range found {
		if !slices.Contains(fileNames, name) {
			return fmt.Errorf("catalog: unknown file %s; a catalog is %s", name, strings.Join(fileNames, ", "))
		}
	}
	return nil
}

// Digest identifies the catalog: the same digest means the same answers.
func (c *Catalog) Digest() string { return c.digest }

// Deployment is the name of the contracts' deployment.
func (c *Catalog) Deployment() string { return c.name }

// Reference reports whether the contracts are the reference deployment, which
// is real on a local devnet and nothing on a public chain.
func (c *Catalog) Reference() bool { return c.reference }

// Edition counts the changes to the token list that could surprise a wallet.
func (c *Catalog) Edition() int { return c.edition }

// Updated is when the token list last changed, as RFC 3339 writes it.
func (c *Catalog) Updated() string { return c.updated }

// Routes returns every supported pair, in the order of the data.
func (c *Catalog) Routes() []*swap.Route { return c.routes }

// Tokens returns every token, by chain.
func (c *Catalog) Tokens() []*swap.Token { return c.tokens }

// Registry returns the integrator registry on a chain.
func (c *Catalog) Registry(id swap.ChainID) (swap.Address, bool) {
	a, ok := c.registries[id]
	return a, ok
}

// A PrivacyPool is what a privacy route stands for.
type PrivacyPool struct {
	Place    swap.Place
	Contract swap.Address // where notes are made
}

// PrivacyPools returns the privacy routes, in order.
func (c *Catalog) PrivacyPools() (list []PrivacyPool) {
	for _, id := range slices.Sorted(maps.Keys(c.privacy)) {
		list = append(list, PrivacyPool{c.places[id], c.privacy[id]})
	}
	return list
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
func (c *Catalog) Stranded(a swap.Address) bool { return c.contracts[a] }
