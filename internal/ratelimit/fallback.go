package ratelimit

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"hubquote/internal/ratelimit/breakers"
	"hubquote/internal/upstream"
)

// A Remote is a limiter that can fail, such as Redis.
type Remote interface {
	Take(ctx context.Context, c Client) (Decision, error)

	// Part names the part of the limiter that decides about c and can be lost
	// alone, such as a node of a cluster. It must not wait.
	Part(c Client) string
}

// A Local is a limiter in the memory of this process.
type Local interface {
	Limiter

	// Peek decides as Take does, but counts nothing.
	Peek(c Client) Decision
}

// FallbackOptions configure a [Fallback]. Remote and Local are required.
type FallbackOptions struct {
	// Remote is shared by the replicas.
	Remote Remote

	// Local decides when Remote fails. It must have the same policy.
	Local Local

	// Asked is called after every call of Remote, with its time and error. Nil
	// means no callback.
	Asked func(took time.Duration, err error)

	// Alone is called after every decision of Local that Remote could not make.
	// Nil means no callback.
	Alone func()

	// Changed is called when [Fallback.Degraded] changes, with the error that
	// caused it, or nil. Two calls may come in either order, so use it only for
	// the log. Nil means no callback.
	Changed func(degraded bool, cause error)
}

// retryAfter is the time from a failure of Remote to the next attempt, once the
// breaker is open. It grows to maxRetryAfter if Remote fails again and again.
const (
	retryAfter    = time.Second
	maxRetryAfter = 4 * time.Second
)

// A Fallback is a [Limiter] for one of many replicas. Remote decides; when it
// fails, Local decides the same request (D31).
//
// Local counts every request that this replica has allowed, also those decided by
// Remote. So a client that has used up its limit at this replica is refused
// without a call of Remote, and no single replica ever allows more than the
// policy says. While Remote is unavailable, a client may use its full limit at
// each replica, and these requests are not added to Remote later.
type Fallback struct {
	o        FallbackOptions
	breakers *breakers.Set // by part of Remote
	degraded atomic.Bool   // as Changed was last told
}

// NewFallback returns a limiter that expects Remote to work.
func NewFallback(o FallbackOptions) (*Fallback, error) {
	if o.Remote == nil || o.Local == nil {
		return nil, errors.New("rate limit: Remote and Local are required")
	}
	if o.Asked == nil {
		o.Asked = func(time.Duration, error) {}
	}
	if o.Alone == nil {
		o.Alone = func() {}
	}
	if o.Changed == nil {
		o.Changed = func(bool, error) {}
	}
	damped := func() *upstream.Breaker { return upstream.NewDampedBreaker(retryAfter, maxRetryAfter) }
	return &Fallback{o: o, breakers: breakers.New(damped)}, nil
}

// Take counts one request of c if it is allowed.
func (f *Fallback) Take(ctx context.Context, c Client) Decision {
	// The breaker comes second: a client that is refused anyway must not use up
	// the attempt to reach Remote.
	if known := f.o.Local.Peek(c); !known.Allowed {
		return known
	}
	part := f.breakers.Of(f.o.Remote.Part(c))
	if !part.Allow() {
		return f.alone(ctx, c)
	}
	d, err := f.ask(ctx, c, part)
	switch {
	case err != nil:
		return f.alone(ctx, c)
	case !d.Allowed:
		return d
	}
	if known := f.o.Local.Take(ctx, c); !known.Allowed || known.Remaining < d.Remaining {
		return known
	}
	return d
}

// Probe asks Remote about a client, again while it fails, so that [Fallback.Degraded]
// tells whether Remote decides about this client. Once it does not, Probe does
// nothing.
func (f *Fallback) Probe(ctx context.Context, c Client) {
	for !f.Degraded() {
		if _, err := f.ask(ctx, c, f.breakers.Of(f.o.Remote.Part(c))); err == nil {
			return
		}
	}
}

// Look asks Remote about each client once, unless their part failed a moment ago, so
// that [Fallback.Degraded] is its present state. The clients must be so many that all
// parts decide about some; a part that decides about none of them is no longer in
// use. It counts nothing in this process, so that no limit keeps it from asking.
func (f *Fallback) Look(ctx context.Context, clients ...Client) {
	used := map[string]bool{}
	for _, c := range clients {
		name := f.o.Remote.Part(c)
		used[name] = true
		if part := f.breakers.Of(name); part.Allow() {
			_, _ = f.ask(ctx, c, part)
		}
	}
	f.breakers.Only(used)
	f.recovered()
}

func (f *Fallback) alone(ctx context.Context, c Client) Decision {
	f.o.Alone()
	return f.o.Local.Take(ctx, c)
}

// ask calls Remote and reports the result to the callbacks.
func (f *Fallback) ask(ctx context.Context, c Client, part *breakers.Part) (Decision, error) {
	start := time.Now()
	d, err := f.o.Remote.Take(ctx, c)
	f.o.Asked(time.Since(start), err)
	switch changed := part.Record(start, err); {
	case changed && err == nil:
		f.recovered()
	case changed && f.degraded.CompareAndSwap(false, true):
		f.o.Changed(true, err)
	}
	return d, err
}

// recovered tells Changed that no part is lost any more.
func (f *Fallback) recovered() {
	if !f.Degraded() && f.degraded.CompareAndSwap(true, false) {
		f.o.Changed(false, nil)
	}
}

// Degraded reports whether Remote, or a part of it, is unavailable and this replica
// decides alone about its clients.
func (f *Fallback) Degraded() bool { return f.breakers.AnyOpen() }
