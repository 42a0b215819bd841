// Package integrator asks the partner registry of a chain, over JSON-RPC,
// whether a partner is active and at what rate. It answers only what enough
// endpoints have shown at one block, and says that the registry is unavailable
// in every other case: it never guesses.
package integrator

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"hubquote/internal/upstream"
	"hubquote/swap"
)

// Options configure a [Registries]. The zero value of every field is a working
// default; without chains, every registry is unavailable.
type Options struct {
	// Chains are those whose registry can be asked.
	Chains []Chain

	// MaxRate is the highest rate that is believed. Zero means [swap.MaxRate].
	MaxRate swap.Rate

	// CallTimeout bounds one question to one endpoint. Zero means 800 ms.
	CallTimeout time.Duration

	// LookupTimeout bounds everything done to answer one request. Zero means
	// two seconds.
	LookupTimeout time.Duration

	// Observe is told of every visit when it ends. It is called from many
	// goroutines and must return at once. Nil means nobody watches.
	Observe func(Visit)

	// Transport carries the calls. Nil means connections of its own for each
	// endpoint, so that no endpoint or chain waits for another's.
	Transport http.RoundTripper
}

// A Chain is where a registry is and who can be asked about it.
type Chain struct {
	ID       swap.ChainID
	Registry swap.Address

	// Endpoints are JSON-RPC servers over HTTP. One or two are asked in this
	// order, the second when the first fails. Of three or more, two must give
	// the same answer at the same block, however many of them are down.
	Endpoints []upstream.URL

	// MaxBlockAge is how far from our clock a block may be whose state is
	// believed. Zero means five minutes. Negative means any age, for a chain
	// that makes blocks only when it has transactions, such as a local one;
	// an endpoint that has stopped following the chain then goes unnoticed.
	MaxBlockAge time.Duration
}

const (
	defaultCallTimeout   = 800 * time.Millisecond
	defaultLookupTimeout = 2 * time.Second
	defaultMaxBlockAge   = 5 * time.Minute
)

// Registries are the partner registries of all configured chains. It is a
// [swap.Integrators].
type Registries struct {
	chains map[swap.ChainID]*chain
	order  []*chain
	stop   context.CancelFunc
}

// New returns registries that can be asked until they are closed. It connects
// to nothing yet.
func New(opts Options) (*Registries, error) {
	opts.MaxRate = cmp.Or(opts.MaxRate, swap.MaxRate)
	opts.CallTimeout = cmp.Or(opts.CallTimeout, defaultCallTimeout)
	opts.LookupTimeout = cmp.Or(opts.LookupTimeout, defaultLookupTimeout)
	if opts.Observe == nil {
		opts.Observe = func(Visit) {}
	}
	life, stop := context.WithCancel(context.Background())
	rs := &Registries{chains: map[swap.ChainID]*chain{}, stop: stop}
	for _, config := range opts.Chains {
		if err := rs.add(life, config, &opts); err != nil {
			stop()
			return nil, fmt.Errorf("integrator registry of chain %d: %w", config.ID, err)
		}
	}
	return rs, nil
}

func (rs *Registries) add(life context.Context, config Chain, opts *Options) error {
	if rs.chains[config.ID] != nil {
		return errors.New("configured twice")
	}
	config.MaxBlockAge = cmp.Or(config.MaxBlockAge, defaultMaxBlockAge)
	c, err := newChain(life, config, opts)
	if err != nil {
		return err
	}
	rs.chains[config.ID] = c
	rs.order = append(rs.order, c)
	return nil
}

// Integrator returns the partner with that ID if the chain's registry lists it
// as active.
func (rs *Registries) Integrator(ctx context.Context, registry swap.ChainID, id swap.IntegratorID) (swap.Integrator, error) {
	c := rs.chains[registry]
	if c == nil {
		return swap.Integrator{}, unavailable(registry, errors.New("no endpoint is configured"))
	}
	e, err := c.lookup(ctx, id)
	if err != nil {
		return swap.Integrator{}, unavailable(registry, err)
	}
	return e.integrator(id)
}

// Close ends all lookups and connections.
func (rs *Registries) Close() {
	rs.stop()
	for _, c := range rs.order {
		c.close()
	}
}

func unavailable(chain swap.ChainID, err error) error {
	return &swap.Error{
		Code:    swap.RegistryUnavailable,
		Message: "the integrator cannot be verified now: try again in a moment, or leave integratorId out",
		Err:     fmt.Errorf("integrator registry of chain %d: %w", chain, err),
	}
}
