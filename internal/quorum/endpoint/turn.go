package endpoint

import (
	"context"
	"errors"
	"sync"
	"time"

	"hubquote/internal/quorum/node"
	"hubquote/internal/upstream"
)

// A Caller calls methods of one node.
type Caller interface {
	Call(ctx context.Context, result any, method string, args ...any) error
}

// A Turn is the use of an endpoint by one lookup. The time in which it has calls under
// way is measured.
type Turn struct {
	endpoint *Endpoint

	mu    sync.Mutex
	calls int       // under way
	since time.Time // when the first of these began
	took  time.Duration
}

// Call is [node.Node.Call].
func (t *Turn) Call(ctx context.Context, result any, method string, args ...any) error {
	defer t.timed()()
	return t.endpoint.node.Call(ctx, result, method, args...)
}

// Latest is [node.Node.Latest].
func (t *Turn) Latest(ctx context.Context) (node.Block, error) {
	defer t.timed()()
	return t.endpoint.node.Latest(ctx)
}

// Block is [node.Node.Block].
func (t *Turn) Block(ctx context.Context, number uint64) (node.Block, error) {
	defer t.timed()()
	return t.endpoint.node.Block(ctx, number)
}

// timed begins a call and returns what ends it.
func (t *Turn) timed() func() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.calls++; t.calls == 1 {
		t.since = time.Now()
	}
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.calls--; t.calls == 0 {
			t.took += time.Since(t.since)
		}
	}
}

func (t *Turn) waited() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.took
}

// Named adds the number of the endpoint to err.
func (t *Turn) Named(err error) error { return t.endpoint.named(err) }

// BadValue returns the error of a read that finds a value it does not accept.
// Such an error does not open the node's breaker. Otherwise a client could ask for
// a bad value again and again, and so stop the lookups of all others.
func BadValue(f upstream.Fault) error { return badValue{f} }

type badValue struct{ upstream.Fault }

func (v badValue) Unwrap() error { return v.Fault }

// Failure returns the fault of an error of this turn, and whether the node caused
// it.
func (t *Turn) Failure(err error) (f upstream.Fault, blame bool) {
	f = upstream.FaultOf(err)
	// A timeout that ends the calls of a node sooner than one call may take is
	// that of the lookup: others have used up the time.
	if f == upstream.Timeout && t.waited() < t.endpoint.opts.Node.Timeout {
		f = upstream.Canceled
	}
	_, bad := errors.AsType[badValue](err)
	return f, f != upstream.Canceled && !bad
}

// End ends the turn with its result. A fault that the node did not cause is shown in
// its health and does not count for its breaker.
func (t *Turn) End(f upstream.Fault, blame bool) {
	e := t.endpoint
	e.fault.Store(f)
	switch {
	case f == "":
		e.breaker.Succeed()
	case blame:
		e.breaker.Fail()
	default:
		e.breaker.Ignore()
	}
	<-e.slots
	e.opts.Observe(Report{Chain: e.opts.Node.Chain, Endpoint: e.opts.Number, Took: t.waited(), Fault: f})
}
