package integrator

import (
	"context"

	"golang.org/x/sync/singleflight"

	"hubquote/internal/quorum"
	"hubquote/internal/quorum/node"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

// A registry is the contract of one chain. Concurrent requests for the same ID
// share one lookup, and its result is cached.
type registry struct {
	address swap.Address
	nodes   *quorum.Nodes
	lookups singleflight.Group
	found   *cache        // active integrators
	unknown chan struct{} // one value per lookup of an ID that was never active
	missing *cache        // all other IDs: any client can make them up, so they must not evict integrators
}

// maxUnknown is how many lookups of IDs that were never active may be under way. It
// is less than a node answers at a time, so that made-up IDs cannot keep known
// integrators out.
const maxUnknown = quorum.MaxLookups * 3 / 4

func newRegistry(address swap.Address, nodes *quorum.Nodes) *registry {
	return &registry{address: address, nodes: nodes, found: newCache(foundTTL), missing: newCache(missingTTL), unknown: make(chan struct{}, maxUnknown)}
}

// lookup returns the entry of id, from a cache or from the chain. It does not use
// a caller's context for the calls, so a caller that is cancelled does not end
// the lookup for the others.
func (r *registry) lookup(ctx context.Context, id swap.IntegratorID) (entry, error) {
	if e, ok := r.cached(id); ok {
		return e, nil
	}
	done := r.lookups.DoChan(string(id[:]), func() (any, error) { return r.ask(id) })
	select {
	case res := <-done:
		return res.Val.(entry), res.Err
	case <-ctx.Done():
		return entry{}, upstream.FaultOf(ctx.Err())
	}
}

func (r *registry) cached(id swap.IntegratorID) (entry, bool) {
	if e, ok := r.found.get(id); ok {
		return e, true
	}
	return r.missing.get(id)
}

func (r *registry) ask(id swap.IntegratorID) (entry, error) {
	// Another lookup may have finished since the caller saw the cache.
	if e, ok := r.cached(id); ok {
		return e, nil
	}
	if !r.found.knows(id) {
		select {
		case r.unknown <- struct{}{}:
			defer func() { <-r.unknown }()
		default:
			return entry{}, quorum.Busy
		}
	}
	e, _, err := quorum.Ask(context.Background(), r.nodes, r.reader(id))
	switch {
	case err != nil:
	case e.active:
		r.found.put(id, e)
	default:
		r.missing.put(id, e)
	}
	return e, err
}

// reader returns a function that reads the entry of id from one node.
func (r *registry) reader(id swap.IntegratorID) func(context.Context, quorum.Caller, node.Block) (entry, error) {
	call := map[string]string{"to": r.address.String(), "data": callFor(id)}
	return func(ctx context.Context, c quorum.Caller, at node.Block) (entry, error) {
		var answer string
		if err := c.Call(ctx, &answer, "eth_call", call, at.ID()); err != nil {
			return entry{}, err
		}
		e, err := parseEntry(answer)
		if err == nil && e != (entry{}) && swap.IntegratorIDOf(e.wallet) != id {
			return entry{}, errBadEntry // the contract's IDs are the wallets
		}
		return e, err
	}
}
