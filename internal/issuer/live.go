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

	// Burns name the sources whose rates are fetched. Required.
	Burns []*swap.Burn

	// Observe is called after every refresh, from many goroutines. It must return
	// at once. Nil means no observer.
	Observe func(Refresh)

	// Transport carries the requests. Nil means connections of its own.
	Transport http.RoundTripper
}

// A Refresh is one attempt to fetch a rate.
type Refresh struct {
	Source swap.Domain
	Took   time.Duration
	Fault  upstream.Fault // empty when it went well
}

// Live returns the rates of the issuer's API, which it fetches in the background.
// It is a [swap.IssuerFees].
type Live struct {
	client  *http.Client
	observe func(Refresh)
	sources map[lane]*source // not changed once made
	order   []*source
	resume  atomic.Pointer[time.Time] // no request is sent before; nil for no block
	stop    context.CancelFunc
	running sync.WaitGroup
}

// A lane is the two ends of a burn. The issuer has a rate for each lane.
type lane struct{ source, gateway swap.Domain }

func laneOf(b *swap.Burn) lane { return lane{b.Source, b.Gateway} }

// A source is the state of one lane.
type source struct {
	burn  *swap.Burn
	url   upstream.URL
	rate  atomic.Pointer[rate]           // nil before the first
	fault atomic.Pointer[upstream.Fault] // of the last refresh; nil before the first
}

type rate struct {
	value swap.IssuerRate
	asked time.Time // when the request was sent, so that the age includes the response time
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

// Health returns how old each rate is and how its last refresh ended, from
// memory, in the order of the burns.
func (l *Live) Health() (sources []SourceHealth) {
	for _, s := range l.order {
		sources = append(sources, s.health())
	}
	return sources
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
