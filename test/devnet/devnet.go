// Package devnet has the local chains: one for every network of the catalog,
// with stand-ins for the contracts of others at their real addresses, and ours
// at the catalog's. Package stack adds the attester, the settler and the service.
//
// All of it ends when it is closed, and none of it can reach a public chain: it
// signs with keys that are public, for chains on the loopback interface.
package devnet

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"hubquote/internal/catalog"
	"hubquote/internal/deployment"
	"hubquote/internal/deployment/lane"
	"hubquote/internal/deployment/operator"
	"hubquote/swap"
	"hubquote/test/devnet/anvil"
	"hubquote/test/devnet/evm"
)

// Options configure a [Net].
type Options struct {
	// Catalog has the networks. Required, and it must be that of the reference
	// deployment.
	Catalog *catalog.Catalog

	// Anvil is the path of the program that runs a chain. Required.
	Anvil string

	// Only is the networks to start. Nil means all.
	Only []swap.ChainID
}

// A Net is the running chains of a devnet.
type Net struct {
	Catalog *catalog.Catalog
	Plan    *deployment.Plan
	Chains  map[swap.ChainID]*evm.Chain

	nodes []*anvil.Node
}

// Start starts the chains and sets up their contracts and funds.
func Start(ctx context.Context, opts Options) (*Net, error) {
	if opts.Catalog == nil || opts.Anvil == "" {
		return nil, errors.New("devnet: Options.Catalog and Options.Anvil are required")
	}
	p, err := reference(opts.Catalog)
	if err != nil {
		return nil, err
	}
	n := &Net{Catalog: opts.Catalog, Plan: p, Chains: map[swap.ChainID]*evm.Chain{}}
	if err := n.start(ctx, opts); err != nil {
		n.Close()
		return nil, err
	}
	if err := n.onEach(func(c *evm.Chain) error { return n.setUp(ctx, c) }); err != nil {
		n.Close()
		return nil, fmt.Errorf("devnet: %w", err)
	}
	return n, nil
}

// reference plans the reference deployment.
func reference(cat *catalog.Catalog) (*deployment.Plan, error) {
	lanes, err := lane.Of(cat)
	if err != nil {
		return nil, err
	}
	return deployment.New(deployment.Options{Catalog: cat, Settings: operator.Reference(lanes)})
}

// Close ends the chains.
func (n *Net) Close() {
	for _, c := range n.Chains {
		c.Close()
	}
	for _, node := range n.nodes {
		node.Stop()
	}
}

// Kill ends one chain at once, as a node that fails does.
func (n *Net) Kill(id swap.ChainID) {
	for _, node := range n.nodes {
		if node.ID == id {
			node.Stop()
		}
	}
}

// Networks returns the IDs of the chains, in order.
func (n *Net) Networks() []swap.ChainID { return slices.Sorted(maps.Keys(n.Chains)) }

// Name is the name of a network.
func (n *Net) Name(id swap.ChainID) string {
	for _, r := range n.Catalog.Routes() {
		for _, place := range []swap.Place{r.Src, r.Dst} {
			if place.Network == id && !place.Private() {
				return place.Name
			}
		}
	}
	return ""
}

func (n *Net) start(ctx context.Context, opts Options) error {
	var starting sync.WaitGroup
	var lock sync.Mutex
	var errs []error
	for _, id := range networks(opts) {
		starting.Go(func() {
			node, chain, err := startChain(ctx, opts.Anvil, id)
			lock.Lock()
			defer lock.Unlock()
			if err != nil {
				errs = append(errs, err)
				return
			}
			n.nodes = append(n.nodes, node)
			n.Chains[id] = chain
		})
	}
	starting.Wait()
	return errors.Join(errs...)
}

func startChain(ctx context.Context, path string, id swap.ChainID) (*anvil.Node, *evm.Chain, error) {
	node, err := anvil.Start(ctx, path, id)
	if err != nil {
		return nil, nil, err
	}
	chain, err := evm.Dial(ctx, id, node.URL, nil)
	if err == nil {
		err = chain.Do(ctx, "anvil_setLoggingEnabled", false)
	}
	if err != nil {
		node.Stop()
		return nil, nil, err
	}
	return node, chain, nil
}

// networks returns those of any route, or those in Options.Only.
func networks(opts Options) []swap.ChainID {
	if opts.Only != nil {
		return opts.Only
	}
	set := map[swap.ChainID]bool{}
	for _, r := range opts.Catalog.Routes() {
		set[r.Src.Network], set[r.Dst.Network] = true, true
	}
	return slices.Sorted(maps.Keys(set))
}

// onEach calls do for all chains at once.
func (n *Net) onEach(do func(*evm.Chain) error) error {
	errs := make(chan error, len(n.Chains))
	for _, c := range n.Chains {
		go func() { errs <- do(c) }()
	}
	var all []error
	for range n.Chains {
		all = append(all, <-errs)
	}
	return errors.Join(all...)
}
