// Package quorum asks several nodes of one chain for a value, and returns it
// together with the block at which enough of them agree on it.
//
// With one or two nodes, the first answer is used, in the order of the
// configuration. With three or more, two must give the same value at the same
// block. This number stays the same when nodes are down, so that an attacker gains
// nothing by taking nodes down. An answer never waits for a node that the
// agreement does not need.
package quorum

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"hubquote/internal/quorum/endpoint"
	"hubquote/internal/quorum/node"
	"hubquote/internal/quorum/poll"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

// votingFrom is the number of nodes from which on [poll.Need] of them must agree.
const votingFrom = 3

// Disagrees is the fault of a node that was outvoted, and Busy that of one that has
// [MaxLookups] under way.
const (
	Disagrees  = poll.Disagrees
	Busy       = endpoint.Busy
	MaxLookups = endpoint.MaxLookups
)

// Warning returns what to add to the text about a chain that has one or two
// endpoints, and nothing for other numbers.
func Warning(endpoints int) string {
	if endpoints == 0 || endpoints >= votingFrom {
		return ""
	}
	return "; one is believed, as there are fewer than three to compare"
}

// A Report is one node's part in one lookup.
type Report = endpoint.Report

// Options configure [Nodes]. Chain and Endpoints are required.
type Options struct {
	Chain     swap.ChainID
	Endpoints []upstream.URL // JSON-RPC servers over HTTP

	// MaxBlockAge is how far from our clock a block may be whose state is
	// used. Zero means five minutes. Negative means any age, for a chain
	// that makes blocks only when it has transactions, such as a local one; a
	// node that has stopped following the chain is then not noticed.
	MaxBlockAge time.Duration

	// ProofAge is how long the chain ID of a node stays valid on one connection.
	// Zero means ten seconds.
	ProofAge time.Duration

	// Lasting says that this holds for a new connection too.
	Lasting bool

	// Frugal asks only as many nodes as must agree, and another one when one of
	// them fails, is late or disagrees. A node that is not needed is then not
	// known to be wrong.
	Frugal bool

	// Patient waits for slow nodes rather than agree at an older block with one
	// that is behind, or says so. It is for lookups that nobody waits for.
	Patient bool

	// Observe is called with every node's part in every lookup when it ends,
	// from many goroutines. It must return at once. Nil means no observer.
	Observe func(Report)

	// Transport carries the calls. Nil means connections of its own for each
	// node, so that no node waits for another's.
	Transport http.RoundTripper

	callTimeout, lookupTimeout time.Duration // for tests; zero means the constants
}

const (
	maxBlockAge   = 5 * time.Minute
	callTimeout   = 800 * time.Millisecond // of one call to one node
	lookupTimeout = 2 * time.Second        // of all calls of one lookup

	// patientTimeout is that of a patient lookup, in which a node can hold up each
	// step by a call's timeout.
	patientTimeout = 4 * time.Second

	// maxLag is how much older than a node's own latest block the one may be at
	// which it votes: a few blocks of the slowest chain. It bounds how far one
	// dishonest node, together with a late one, can hold an answer back.
	maxLag = 45 * time.Second
)

// Nodes are the nodes of one chain.
type Nodes struct {
	opts      Options
	endpoints []*endpoint.Endpoint
	life      context.Context // ends with Close
	stop      context.CancelFunc

	mu      sync.Mutex // guards closed, and starting lookups against Close
	closed  bool
	lookups sync.WaitGroup
}

// New returns nodes that can be asked until they are closed. It connects to none
// of them yet.
func New(opts Options) (*Nodes, error) {
	if err := opts.validate(); err != nil {
		return nil, err
	}
	opts.MaxBlockAge = cmp.Or(opts.MaxBlockAge, maxBlockAge)
	opts.callTimeout = cmp.Or(opts.callTimeout, callTimeout)
	if opts.Patient {
		opts.lookupTimeout = cmp.Or(opts.lookupTimeout, patientTimeout)
	}
	opts.lookupTimeout = cmp.Or(opts.lookupTimeout, lookupTimeout)
	if opts.Observe == nil {
		opts.Observe = func(Report) {}
	}
	n := &Nodes{opts: opts}
	for i, url := range opts.Endpoints {
		e, err := endpoint.New(endpoint.Options{Number: i + 1, Observe: opts.Observe, Node: node.Options{
			Chain: opts.Chain, URL: url, MaxBlockAge: opts.MaxBlockAge, Timeout: opts.callTimeout, ProofAge: opts.ProofAge, Lasting: opts.Lasting, Transport: opts.Transport,
		}})
		if err != nil {
			return nil, fmt.Errorf("endpoint %d: %w", i+1, err)
		}
		n.endpoints = append(n.endpoints, e)
	}
	n.life, n.stop = context.WithCancel(context.Background())
	return n, nil
}

func (o *Options) validate() error {
	if len(o.Endpoints) == 0 {
		return errors.New("no endpoint")
	}
	for i, url := range o.Endpoints {
		for j, other := range o.Endpoints[:i] {
			if o.voting() && url.SameHost(other) {
				return fmt.Errorf("endpoints %d and %d are one host, so their agreement proves nothing", j+1, i+1)
			}
		}
	}
	return nil
}

// lag is maxLag, except on chains that make blocks on demand: any age is right there.
func (o *Options) lag() time.Duration {
	if o.MaxBlockAge < 0 {
		return -1
	}
	return maxLag
}

func (o *Options) voting() bool { return len(o.Endpoints) >= votingFrom }

// Close ends all lookups and connections.
func (n *Nodes) Close() {
	n.mu.Lock()
	n.closed = true
	n.mu.Unlock()
	n.stop()
	n.lookups.Wait()
	for _, e := range n.endpoints {
		e.Close()
	}
}

// Health is the state of the nodes of one chain when they were last asked. It
// contains no URL.
type Health struct {
	Chain     swap.ChainID
	Up        bool             // enough nodes succeeded, or were not asked yet
	Endpoints []EndpointHealth // in the order of the configuration
}

// EndpointHealth is the state of one node.
type EndpointHealth = endpoint.Health

// Health returns the present health, from memory.
func (n *Nodes) Health() Health {
	h := Health{Chain: n.opts.Chain}
	up, enough := 0, 1
	if n.opts.voting() {
		enough = poll.Need
	}
	for _, e := range n.endpoints {
		eh := e.Health()
		if eh.Fault == "" {
			up++
		}
		h.Endpoints = append(h.Endpoints, eh)
	}
	h.Up = up >= enough
	return h
}
