// Package backlog asks the settler what each pool still owes for orders that are
// open already.
package backlog

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	"hubquote/internal/upstream"
	"hubquote/swap"
)

// timeout is how long the settler may take.
const timeout = 3 * time.Second

// A Pool is one that pays.
type Pool struct {
	Chain   swap.ChainID
	Address swap.Address
}

// A Debt is what a pool owes, in its token's units.
type Debt struct {
	Total swap.Amount
	From  map[Pool]swap.Amount // of it, for the orders of each source
}

// Options configure a [Settler]. URL is required.
type Options struct {
	URL upstream.URL // of the settler's read-only interface

	// Observe is told of each call. Nil tells nothing.
	Observe func(fault upstream.Fault, took time.Duration)

	// Transport carries the calls. Nil means connections of its own.
	Transport http.RoundTripper
}

// A Settler is asked over HTTP.
type Settler struct {
	opts Options
	http *http.Client
}

// New returns a settler that was asked nothing yet.
func New(opts Options) (*Settler, error) {
	if !opts.URL.IsHTTP() {
		return nil, errors.New("settler: only http and https are supported")
	}
	if opts.Observe == nil {
		opts.Observe = func(upstream.Fault, time.Duration) {}
	}
	return &Settler{opts, upstream.Client(opts.Transport)}, nil
}

// Close ends idle connections.
func (s *Settler) Close() { s.http.CloseIdleConnections() }

// Owed returns what each pool owes. A pool that is not there owes nothing. The error is an [upstream.Fault].
func (s *Settler) Owed(ctx context.Context) (map[Pool]Debt, error) {
	start := time.Now()
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	owed, err := s.ask(limited)
	if ctx.Err() != nil {
		return nil, upstream.Canceled
	}
	fault := upstream.FaultOf(err)
	s.opts.Observe(fault, time.Since(start))
	if err != nil {
		return nil, fault
	}
	return owed, nil
}

func (s *Settler) ask(ctx context.Context) (map[Pool]Debt, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.opts.URL.Join("v1", "pools").Reveal(), nil)
	if err != nil {
		return nil, upstream.Malformed
	}
	resp, err := s.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	return parse(body)
}

// A sum is what the settler says about one pool, as a payer or as a source.
type sum struct {
	Chain  swap.ChainID
	Pool   swap.Address
	Amount string
}

// parse reads the settler's answer. A pool that is there twice, or an amount that is
// no integer, makes all of it worthless.
func parse(body []byte) (map[Pool]Debt, error) {
	var answer struct {
		Pools []struct {
			sum
			Sources []sum
		}
	}
	if err := json.Unmarshal(body, &answer); err != nil || answer.Pools == nil {
		return nil, upstream.Malformed
	}
	owed := map[Pool]Debt{}
	for _, p := range answer.Pools {
		key, from := Pool{p.Chain, p.Pool}, map[Pool]swap.Amount{}
		total, err := p.amount()
		for _, s := range p.Sources {
			var bad error
			from[Pool{s.Chain, s.Pool}], bad = s.amount()
			err = errors.Join(err, bad)
		}
		if _, twice := owed[key]; twice || err != nil || len(from) != len(p.Sources) {
			return nil, upstream.Malformed
		}
		owed[key] = Debt{total, from}
	}
	return owed, nil
}

func (s sum) amount() (swap.Amount, error) {
	amount, err := swap.ParseAmount(s.Amount)
	if err != nil && s.Amount != "0" {
		return swap.Amount{}, upstream.Malformed
	}
	return amount, nil
}
