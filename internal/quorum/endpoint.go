package quorum

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"hubquote/internal/quorum/node"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

// The faults of a node besides its own.
const (
	Disagrees   upstream.Fault = "disagrees"    // other nodes have another value at the same block
	BreakerOpen upstream.Fault = "breaker_open" // not asked, because it failed too often
	Busy        upstream.Fault = "busy"         // not asked, because too many calls to it are under way
)

// BadValue returns the error of a read that finds a value it does not accept.
// Such an error does not open the node's breaker. Otherwise a client could ask for
// a bad value again and again, and so stop the lookups of all others.
func BadValue(f upstream.Fault) error { return badValue{f} }

type badValue struct{ upstream.Fault }

func (v badValue) Unwrap() error { return v.Fault }

const (
	retryAfter = 5 * time.Second // from a failure of a node until it is tried again

	// MaxLookups is how many lookups may await one node, so that a slow one
	// holds a known number of goroutines and connections. A lookup that finds
	// it busy does without it: waiting in line for a slow node helps no caller.
	MaxLookups = 64
)

// An endpoint is a node and its recent results.
type endpoint struct {
	*node.Node
	number  int // counted from one, in the order of the configuration
	opts    *Options
	slots   chan struct{} // one value per lookup that waits for the node
	breaker *upstream.Breaker
	fault   atomic.Value // upstream.Fault of the last lookup
}

func newEndpoint(number int, url upstream.URL, opts *Options) (*endpoint, error) {
	n, err := node.New(node.Options{
		Chain: opts.Chain, URL: url, MaxBlockAge: opts.MaxBlockAge, Timeout: opts.callTimeout, Transport: opts.Transport,
	})
	if err != nil {
		return nil, err
	}
	e := &endpoint{Node: n, number: number, opts: opts, slots: make(chan struct{}, MaxLookups), breaker: upstream.NewBreaker(retryAfter)}
	e.fault.Store(upstream.Fault(""))
	return e, nil
}

func (e *endpoint) health() EndpointHealth {
	return EndpointHealth{Fault: e.fault.Load().(upstream.Fault), Breaker: e.breaker.State()}
}

// named adds the number of the endpoint to err.
func (e *endpoint) named(err error) error { return fmt.Errorf("endpoint %d: %w", e.number, err) }

// A Report is one node's part in one lookup.
type Report struct {
	Chain    swap.ChainID
	Endpoint int            // counted from one, in the order of the configuration
	Took     time.Duration  // waiting for its answers
	Fault    upstream.Fault // empty for a success
}

// A Caller calls methods of one node.
type Caller interface {
	Call(ctx context.Context, result any, method string, args ...any) error
}

// A member is an endpoint during one lookup.
type member struct {
	*endpoint
	took  atomic.Int64 // nanoseconds spent waiting for its answers
	asked []uint64     // blocks it was asked to vote at
	busy  int          // calls under way
	head  *node.Block  // nil before it is known
	votes []vote
	err   error // of its first failure
	ended bool
}

// join makes the endpoint a member, unless it must not be asked. A member must
// be ended.
func (e *endpoint) join() (*member, error) {
	select {
	case e.slots <- struct{}{}:
	default:
		return nil, e.named(Busy)
	}
	if !e.breaker.Allow() {
		<-e.slots
		return nil, e.named(BreakerOpen)
	}
	return &member{endpoint: e}, nil
}

// Call is [node.Node.Call], timed.
func (m *member) Call(ctx context.Context, result any, method string, args ...any) error {
	defer m.timed(time.Now())
	return m.Node.Call(ctx, result, method, args...)
}

func (m *member) latest(ctx context.Context) (node.Block, error) {
	defer m.timed(time.Now())
	return m.Latest(ctx)
}

func (m *member) block(ctx context.Context, number uint64) (node.Block, error) {
	if m.head.Number == number {
		return *m.head, nil
	}
	defer m.timed(time.Now())
	return m.Block(ctx, number)
}

func (m *member) timed(start time.Time) { m.took.Add(int64(time.Since(start))) }

// votedAt reports whether m has voted at the block with that number.
func (m *member) votedAt(number uint64) bool {
	return slices.ContainsFunc(m.votes, func(v vote) bool { return v.number == number })
}

// votedFor reports whether v is one of the votes of m.
func (m *member) votedFor(v vote) bool { return slices.Contains(m.votes, v) }

// failure returns the fault of m's error and whether m caused it.
func (m *member) failure() (f upstream.Fault, blame bool) {
	f = upstream.FaultOf(m.err)
	// A timeout that ends the calls of a node sooner than one call may take is
	// that of the lookup: others have used up the time.
	if f == upstream.Timeout && time.Duration(m.took.Load()) < m.opts.callTimeout {
		f = upstream.Canceled
	}
	_, bad := errors.AsType[badValue](m.err)
	return f, f != upstream.Canceled && !bad
}

// end records the result of m. A fault that m did not cause is shown in its health
// and does not count for its breaker.
func (m *member) end(f upstream.Fault, blame bool) {
	m.ended = true
	m.fault.Store(f)
	switch {
	case f == "":
		m.breaker.Succeed()
	case blame:
		m.breaker.Fail()
	default:
		m.breaker.Ignore()
	}
	<-m.slots
	m.opts.Observe(Report{Chain: m.opts.Chain, Endpoint: m.number, Took: time.Duration(m.took.Load()), Fault: f})
}
