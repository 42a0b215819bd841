package integrator

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"hubquote/internal/upstream"
	"hubquote/swap"
)

// maxLookups bounds how many lookups one chain has under way, so that a slow
// chain holds a known number of goroutines and connections. One more is refused
// at once: to wait in line for a slow chain helps nobody.
const maxLookups = 64

// A chain answers for one registry. It asks about an ID once, however many
// requests want to know at that time, and remembers the answer for a while.
type chain struct {
	Chain
	opts      *Options
	endpoints []*endpoint
	life      context.Context // ends when the registries are closed
	lookups   sync.WaitGroup

	mu      sync.Mutex
	closed  bool
	running int // lookups under way, including those that have landed but still hear late answers
	flights map[swap.IntegratorID]*flight
	found   cache // active partners
	missing cache // all other IDs: anyone can make them up, so they must not crowd out partners
}

// A flight is one lookup and all who wait for it. It has no context of theirs,
// so none of them can end it for the others.
type flight struct {
	id     swap.IntegratorID
	landed chan struct{} // closed once entry and err are set
	entry  entry
	err    error
}

func newChain(life context.Context, config Chain, opts *Options) (*chain, error) {
	c := &chain{
		Chain:   config,
		opts:    opts,
		life:    life,
		flights: map[swap.IntegratorID]*flight{},
		found:   cache{ttl: foundTTL},
		missing: cache{ttl: missingTTL},
	}
	if err := config.validate(); err != nil {
		return nil, err
	}
	for i, url := range config.Endpoints {
		e, err := newEndpoint(url, i+1, c)
		if err != nil {
			return nil, fmt.Errorf("endpoint %d: %w", i+1, err)
		}
		c.endpoints = append(c.endpoints, e)
	}
	return c, nil
}

func (config *Chain) validate() error {
	switch {
	case config.Registry.IsZero():
		return errors.New("no contract address")
	case len(config.Endpoints) == 0:
		return errors.New("no endpoint")
	}
	for i, url := range config.Endpoints {
		if !url.IsHTTP() {
			return fmt.Errorf("endpoint %d: only http and https are supported", i+1)
		}
		for j, other := range config.Endpoints[:i] {
			if config.needsQuorum() && url.SameHost(other) {
				return fmt.Errorf("endpoints %d and %d are one host, so their agreement proves nothing", j+1, i+1)
			}
		}
	}
	return nil
}

// lookup returns what the registry says about id, from memory or by asking.
func (c *chain) lookup(ctx context.Context, id swap.IntegratorID) (entry, error) {
	f, err := c.board(id)
	if err != nil {
		return entry{}, err
	}
	select {
	case <-f.landed:
		return f.entry, f.err
	case <-ctx.Done():
		return entry{}, upstream.FaultOf(ctx.Err())
	}
}

// board returns the flight for id: one that has landed if the answer is
// remembered, one under way if there is one, else a new one.
func (c *chain) board(id swap.IntegratorID) (*flight, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f := c.remembered(id); f != nil {
		return f, nil
	}
	if f := c.flights[id]; f != nil {
		return f, nil
	}
	switch {
	case c.closed:
		return nil, errors.New("closed")
	case c.running == maxLookups:
		return nil, errors.New("too many lookups under way")
	}
	f := &flight{id: id, landed: make(chan struct{})}
	c.flights[id] = f
	c.running++
	c.lookups.Go(func() { c.fly(f) })
	return f, nil
}

func (c *chain) remembered(id swap.IntegratorID) *flight {
	if f := c.found.get(id); f != nil {
		return f
	}
	return c.missing.get(id)
}

func (c *chain) fly(f *flight) {
	ctx, cancel := context.WithTimeout(c.life, c.opts.LookupTimeout)
	defer cancel()
	if c.needsQuorum() {
		c.agree(ctx, f)
	} else {
		c.failOver(ctx, f)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running--
}

// land gives the answer to all who wait for it and, unless there is none,
// remembers it. Nobody boards f once its waiters have gone.
func (c *chain) land(f *flight, e entry, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.flights, f.id)
	switch {
	case err != nil:
	case e.active:
		c.found.put(f)
	default:
		c.missing.put(f)
	}
	f.entry, f.err = e, err
	close(f.landed)
}

func (c *chain) close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.lookups.Wait()
	for _, e := range c.endpoints {
		e.close()
	}
}
