package ratelimit

import (
	"context"
	"errors"
	"time"
)

// A Remote is a limiter that can fail, such as [Redis].
type Remote interface {
	Take(ctx context.Context, c Client) (Decision, error)
}

// FallbackOptions configure a [Fallback]. Remote and Local are required; the
// zero value of every other field is a working default.
type FallbackOptions struct {
	// Remote is what the replicas share. Required.
	Remote Remote

	// Local decides when Remote does not. It should have the same policy.
	// Required.
	Local *Memory

	// Pause is the time between attempts to reach a lost Remote. Zero means a
	// second.
	Pause time.Duration

	// Asked is told of every question to Remote: how long it took and what
	// became of it. Nil means nobody listens.
	Asked func(took time.Duration, err error)

	// Alone is told of every decision that Local made because Remote did not.
	// Nil means nobody listens.
	Alone func()

	// Changed is told when [Fallback.Degraded] changes, with the error that
	// was one too many, or nil. It is for a line in the log: two calls may
	// overtake each other. Nil means nobody listens.
	Changed func(degraded bool, cause error)
}

// A Fallback is a [Limiter] for one of many replicas: Remote decides, and when
// it does not answer, Local decides the same request (D31).
//
// Local knows everything that this replica has allowed, whoever decided it. So
// a client that has had its share from this replica is refused without asking
// Remote, and whatever becomes of Remote, no replica by itself ever allows more
// than the policy says. While Remote is lost, a client may get its share from
// each replica, and what it got then is unknown to the others later.
type Fallback struct {
	o       FallbackOptions
	breaker breaker
}

// NewFallback returns a limiter that expects Remote to work.
func NewFallback(o FallbackOptions) (*Fallback, error) {
	switch {
	case o.Remote == nil:
		return nil, errors.New("remote: required")
	case o.Local == nil:
		return nil, errors.New("local: required")
	case o.Pause < 0:
		return nil, errors.New("pause: must not be negative")
	case o.Pause == 0:
		o.Pause = time.Second
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
	return &Fallback{o: o, breaker: breaker{pause: o.Pause}}, nil
}

// Take counts one request of c if it is allowed.
func (f *Fallback) Take(ctx context.Context, c Client) Decision {
	// The breaker comes second: a client that is refused anyway must not use up
	// the attempt to reach Remote.
	if known := f.o.Local.look(c); !known.Allowed {
		return known
	}
	if !f.breaker.ask(time.Now()) {
		return f.alone(ctx, c)
	}
	d, err := f.ask(ctx, c)
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

func (f *Fallback) alone(ctx context.Context, c Client) Decision {
	f.o.Alone()
	return f.o.Local.Take(ctx, c)
}

// ask asks Remote and tells everybody how that went.
func (f *Fallback) ask(ctx context.Context, c Client) (Decision, error) {
	start := time.Now()
	d, err := f.o.Remote.Take(ctx, c)
	end := time.Now()
	f.o.Asked(end.Sub(start), err)
	if f.breaker.report(end, err) {
		f.o.Changed(err != nil, err)
	}
	return d, err
}

// Degraded reports whether Remote is lost and this replica decides alone.
func (f *Fallback) Degraded() bool { return f.breaker.open() }
