// Package endpoint is one node of several: a breaker stops calls to a node that
// fails, and slots bound the calls to a slow one.
package endpoint

import (
	"fmt"
	"sync/atomic"
	"time"

	"hubquote/internal/quorum/node"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

// The faults of a node that is not asked.
const (
	BreakerOpen upstream.Fault = "breaker_open" // because it failed too often
	Busy        upstream.Fault = "busy"         // because too many calls to it are under way
)

// RetryAfter is the time from a failure of a node until it is tried again.
const RetryAfter = 5 * time.Second

// MaxLookups is how many lookups may await one node, so that a slow one holds a
// known number of goroutines and connections. A lookup that finds it busy does
// without it: waiting in line for a slow node helps no caller.
const MaxLookups = 64

// Options configure an [Endpoint].
type Options struct {
	Node    node.Options
	Number  int          // counted from one, in the order of the configuration
	Observe func(Report) // called when a lookup ends its turn
}

// A Report is one node's part in one lookup.
type Report struct {
	Chain    swap.ChainID
	Endpoint int            // counted from one, in the order of the configuration
	Took     time.Duration  // waiting for its answers
	Fault    upstream.Fault // empty for a success
}

// Health is the state of one node.
type Health struct {
	Fault   upstream.Fault // in its last lookup; empty when it succeeded or was not asked yet
	Breaker upstream.BreakerState
}

// An Endpoint is a node and its recent results.
type Endpoint struct {
	node    *node.Node
	opts    Options
	slots   chan struct{} // one value per lookup that waits for the node
	breaker *upstream.Breaker
	fault   atomic.Value // upstream.Fault of the last lookup
}

// New returns an endpoint. It connects to nothing yet.
func New(opts Options) (*Endpoint, error) {
	n, err := node.New(opts.Node)
	if err != nil {
		return nil, err
	}
	e := &Endpoint{node: n, opts: opts, slots: make(chan struct{}, MaxLookups), breaker: upstream.NewBreaker(RetryAfter)}
	e.fault.Store(upstream.Fault(""))
	return e, nil
}

// Close ends its connections.
func (e *Endpoint) Close() { e.node.Close() }

// Health returns the present health, from memory.
func (e *Endpoint) Health() Health {
	return Health{Fault: e.fault.Load().(upstream.Fault), Breaker: e.breaker.State()}
}

// Join starts a turn, unless the node must not be asked. A turn must be ended.
func (e *Endpoint) Join() (*Turn, error) {
	select {
	case e.slots <- struct{}{}:
	default:
		return nil, e.named(Busy)
	}
	if !e.breaker.Allow() {
		<-e.slots
		return nil, e.named(BreakerOpen)
	}
	return &Turn{endpoint: e}, nil
}

// named adds the number of the endpoint to err.
func (e *Endpoint) named(err error) error { return fmt.Errorf("endpoint %d: %w", e.opts.Number, err) }
