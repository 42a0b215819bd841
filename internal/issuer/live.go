package issuer

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"hubquote/internal/upstream"
	"hubquote/swap"
)

// Options configure a [Live].
type Options struct {
	// URL is the base of the issuer's API. Required.
	URL upstream.URL

	// Burns name the sources to know the rate of. Required.
	Burns []*swap.Burn

	// Observe is told of every refresh. It is called from many goroutines and
	// must return at once. Nil means nobody watches.
	Observe func(Refresh)

	// Transport carries the requests. Nil means connections of its own.
	Transport http.RoundTripper
}

// A Refresh is one attempt to learn a rate, as told to [Options].Observe.
type Refresh struct {
	Source swap.Domain
	Took   time.Duration
	Fault  upstream.Fault // empty when it went well
}

// Live answers with the rates of the issuer's API, which it fetches in the
// background. It is a [swap.IssuerFees].
type Live struct {
	client  *http.Client
	observe func(Refresh)
	sources map[lane]*source // not changed once made
	order   []*source
	resume  atomic.Pointer[time.Time] // no request is sent before; nil when any may be
	stop    context.CancelFunc
	running sync.WaitGroup
}

// A lane is where a burn goes from and to. The issuer sets a rate for each.
type lane struct{ source, gateway swap.Domain }

func laneOf(b *swap.Burn) lane { return lane{b.Source, b.Gateway} }

// A source is what is known about one lane.
type source struct {
	burn  *swap.Burn
	url   upstream.URL
	rate  atomic.Pointer[rate]           // nil before the first
	fault atomic.Pointer[upstream.Fault] // of the last refresh; nil before the first
}

type rate struct {
	value swap.IssuerRate
	asked time.Time // before the issuer answered, so that a rate is never older than it seems
}

// NewLive returns fees that are all unavailable until it is started.
func NewLive(opts Options) (*Live, error) {
	switch {
	case !opts.URL.IsHTTP():
		return nil, errors.New("issuer: Options.URL is required and must be http or https")
	case len(opts.Burns) == 0:
		return nil, errors.New("issuer: Options.Burns is required")
	case opts.Observe == nil:
		opts.Observe = func(Refresh) {}
	}
	l := &Live{
		client:  upstream.Client(opts.Transport),
		observe: opts.Observe,
		sources: map[lane]*source{},
		stop:    func() {},
	}
	for _, b := range opts.Burns {
		if l.sources[laneOf(b)] == nil {
			s := &source{burn: b, url: feesURL(opts.URL, b)}
			l.sources[laneOf(b)] = s
			l.order = append(l.order, s)
		}
	}
	return l, nil
}

func feesURL(base upstream.URL, b *swap.Burn) upstream.URL {
	from := strconv.FormatUint(uint64(b.Source), 10)
	to := strconv.FormatUint(uint64(b.Gateway), 10)
	return base.Join("v2/burn/USDC/fees", from, to)
}

// IssuerRate returns the last known rate for b unless it is too old.
func (l *Live) IssuerRate(b *swap.Burn) (swap.IssuerRate, error) {
	s := l.sources[laneOf(b)]
	if s == nil {
		return 0, unavailable(b, "not one of the configured sources")
	}
	r := s.rate.Load()
	switch {
	case r == nil:
		return 0, unavailable(b, "not known yet")
	case time.Since(r.asked) > Usable:
		return 0, unavailable(b, "known, but too old")
	}
	return r.value, nil
}

func unavailable(b *swap.Burn, why string) error {
	return &swap.Error{
		Code:    swap.IssuerFeeUnavailable,
		Message: "the issuer's fee for this source chain is not known now: try again in a minute",
		Err:     fmt.Errorf("issuer fee from domain %d to %d: %s", b.Source, b.Gateway, why),
	}
}

// Health tells how old each rate is and how its last refresh went, from memory.
func (l *Live) Health() Health {
	h := Health{Live: true}
	for _, s := range l.order {
		h.Sources = append(h.Sources, s.health())
	}
	return h
}

func (s *source) health() SourceHealth {
	h := SourceHealth{Source: s.burn.Source}
	if r := s.rate.Load(); r != nil {
		h.Known, h.Age = true, time.Since(r.asked)
	}
	if f := s.fault.Load(); f != nil {
		h.Fault = *f
	}
	return h
}
