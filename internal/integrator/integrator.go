// Package integrator reads from the registries of the chains, over JSON-RPC,
// whether an integrator is active and at what rate. It returns only entries on
// which enough nodes agree, and otherwise an error that the registry is
// unavailable.
package integrator

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"hubquote/internal/quorum"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

// Options configure [Registries]. The zero value of every field is a working
// default; without chains, every registry is unavailable.
type Options struct {
	// Chains are those whose registry can be read.
	Chains []Chain

	// Observe is called with every node's part in every lookup; see
	// [quorum.Options].
	Observe func(quorum.Report)

	// Transport carries the calls. Nil means connections of its own for each
	// node, so that no node or chain waits for another's.
	Transport http.RoundTripper
}

// A Chain has the address of a registry and the nodes that are asked about it.
type Chain struct {
	ID       swap.ChainID
	Registry swap.Address

	// Endpoints and MaxBlockAge are those of [quorum.Options].
	Endpoints   []upstream.URL
	MaxBlockAge time.Duration
}

// Registries are the registries of all configured chains. It is a
// [swap.Integrators].
type Registries struct {
	chains map[swap.ChainID]*registry
	order  []*registry
}

// New returns registries that can be read until they are closed. It connects to
// no node yet.
func New(opts Options) (*Registries, error) {
	rs := &Registries{chains: map[swap.ChainID]*registry{}}
	for _, c := range opts.Chains {
		if err := rs.add(c, &opts); err != nil {
			rs.Close()
			return nil, fmt.Errorf("integrator registry of chain %d: %w", c.ID, err)
		}
	}
	return rs, nil
}

func (rs *Registries) add(c Chain, opts *Options) error {
	switch {
	case rs.chains[c.ID] != nil:
		return errors.New("configured twice")
	case c.Registry.IsZero():
		return errors.New("no contract address")
	}
	nodes, err := quorum.New(quorum.Options{
		Chain: c.ID, Endpoints: c.Endpoints, MaxBlockAge: c.MaxBlockAge, Observe: opts.Observe, Transport: opts.Transport,
	})
	if err != nil {
		return err
	}
	r := newRegistry(c.Registry, nodes)
	rs.chains[c.ID] = r
	rs.order = append(rs.order, r)
	return nil
}

// Integrator returns the integrator with that ID if the chain's registry lists
// it as active.
func (rs *Registries) Integrator(ctx context.Context, chain swap.ChainID, id swap.IntegratorID) (swap.Integrator, error) {
	r := rs.chains[chain]
	if r == nil {
		return swap.Integrator{}, unavailable(chain, errors.New("no endpoint is configured"))
	}
	e, err := r.lookup(ctx, id)
	if err != nil {
		return swap.Integrator{}, unavailable(chain, err)
	}
	return e.integrator(id)
}

// Health returns the health of the nodes of all configured chains, in their
// order.
func (rs *Registries) Health() []quorum.Health {
	health := make([]quorum.Health, len(rs.order))
	for i, r := range rs.order {
		health[i] = r.nodes.Health()
	}
	return health
}

// Close ends all lookups and connections.
func (rs *Registries) Close() {
	for _, r := range rs.order {
		r.nodes.Close()
	}
}

func unavailable(chain swap.ChainID, err error) error {
	return &swap.Error{
		Code:    swap.RegistryUnavailable,
		Message: "the integrator cannot be verified now: try again in a moment, or leave integratorId out",
		Err:     fmt.Errorf("integrator registry of chain %d: %w", chain, err),
	}
}
