// Package deployment lists the contracts of a deployment: the constructor arguments
// and address of each, and the calls that connect them.
//
// It is computed from a catalog and the operator's settings alone and reaches no
// chain, so that every reader can recompute an address and see that it is the
// bytecode's. The addresses in the catalog are not used.
package deployment

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"hubquote/internal/catalog"
	"hubquote/internal/deployment/addresses"
	"hubquote/internal/deployment/creation"
	"hubquote/internal/deployment/lane"
	"hubquote/internal/deployment/operator"
	"hubquote/internal/deployment/third"
	"hubquote/swap"
)

//go:generate go run ../../cmd/hubquote plan --catalog ../catalog/data --write

// Options configure a plan.
type Options struct {
	// Catalog has the places, tokens, limits and rates. Required.
	Catalog *catalog.Catalog

	// Settings are the operator's. Required.
	Settings operator.Settings

	// Generation counts the deployments that replace one another. Zero means
	// the first.
	Generation int

	// Before is the catalog of the generation before. Required for all but the
	// first. Its registries are used again: an integrator's rate falls only
	// within one registry, and a quote must not be undercut by a move to another.
	Before *catalog.Catalog
}

// A Plan is a whole deployment.
type Plan struct {
	Contracts []creation.Contract // in the order of deployment
	Calls     []Call              // the admin's, in their order, when the contracts are there
	Issuer    *third.Issuer
	Lanes     []*lane.Lane
	Settings  operator.Settings
	Book      addresses.Book // of the contracts, by name

	opts   Options
	done   map[string]bool // calls that are planned, by their Says
	payers map[debt]Payer
}

// New makes a plan.
func New(opts Options) (*Plan, error) {
	if opts.Catalog == nil {
		return nil, errors.New("plan: Options.Catalog is required")
	}
	if (opts.Generation > 1) != (opts.Before != nil) {
		return nil, errors.New("plan: every generation but the first needs the catalog of the one before, and only those")
	}
	p := &Plan{opts: opts, done: map[string]bool{}, payers: map[debt]Payer{}}
	for _, step := range []func() error{p.addFacts, p.addContracts} {
		if err := step(); err != nil {
			return nil, fmt.Errorf("plan: %w", err)
		}
	}
	p.addCalls()
	return p, nil
}

func (p *Plan) addFacts() (err error) {
	if p.Issuer, err = third.IssuerOf(p.opts.Catalog); err != nil {
		return err
	}
	if p.Lanes, err = lane.Of(p.opts.Catalog); err != nil {
		return err
	}
	p.Settings, err = p.opts.Settings.Complete(p.Lanes)
	return err
}

func (p *Plan) addContracts() (err error) {
	p.Contracts, p.Book, err = creation.New(creation.Options{
		Catalog: p.opts.Catalog, Settings: p.Settings, Issuer: p.Issuer, Generation: p.opts.Generation, Before: p.opts.Before,
	})
	return err
}

// Routes returns the routes that the deployment serves.
func (p *Plan) Routes() []*swap.Route { return p.opts.Catalog.Routes() }

// Address returns the address of the contract with that name.
func (p *Plan) Address(name string) common.Address { return common.Address(p.Book[name]) }

// A debt is a token that is owed at a place.
type debt struct {
	place swap.PlaceID
	token swap.Address
}

// A Payer is the pool that pays a token at a place.
type Payer struct {
	Name    string
	Address swap.Address
	Network swap.ChainID
	Place   swap.Place // where it is owed; elsewhere than the pool when that burns
}

// PayerOf returns the pool that pays a token at a place. Both come from an order, so
// that they may have any value.
func (p *Plan) PayerOf(place *big.Int, token common.Address) (Payer, bool) {
	if !place.IsUint64() {
		return Payer{}, false
	}
	payer, ok := p.payers[debt{swap.PlaceID(place.Uint64()), swap.Address(token)}]
	return payer, ok
}
