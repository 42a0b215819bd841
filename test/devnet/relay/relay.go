// Package relay carries orders from where they were opened to where they are
// paid, and burns from where they were made to where they are minted.
//
// It remembers nothing that the chains do not say. What it does next follows
// from logs with enough blocks on top of them, read again from the first block
// after every start, so a relayer can be killed at any moment without losing an
// order. It pays none twice, because the pool refuses to; it looks first only
// to save the gas.
package relay

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"hubquote/internal/contract"
	"hubquote/internal/deployment"
	"hubquote/swap"
	"hubquote/test/devnet/attest"
	"hubquote/test/devnet/evm"
)

// Options configure a [Relayer].
type Options struct {
	// Plans say which contracts there are, of every generation that may still
	// have orders. Required.
	Plans []*deployment.Plan

	// Chains are the networks to work on. Orders that lead to another one are
	// left alone. Required.
	Chains map[swap.ChainID]*evm.Chain

	// Account holds the relayer's role. Required.
	Account evm.Account

	// Issuer is the base URL of the issuer's attestation service. Required.
	Issuer string

	// Confirmations is how many blocks must be on top of a log before it is
	// believed.
	Confirmations uint64

	// Every is the pause between two looks at the chains. Zero means 250 ms.
	Every time.Duration

	// Transport carries the requests to the issuer. Nil means connections of
	// its own.
	Transport http.RoundTripper

	// Log is told what was done and what failed. Nil discards it.
	Log *slog.Logger
}

// A Relayer is one that runs.
type Relayer struct {
	opts      Options
	directory directory
	facts     map[swap.ChainID]*facts
	issuer    attest.Client
}

const (
	defaultEvery  = 250 * time.Millisecond
	issuerTimeout = 5 * time.Second
)

// New returns a Relayer.
func New(opts Options) (*Relayer, error) {
	if len(opts.Plans) == 0 || len(opts.Chains) == 0 || opts.Issuer == "" || opts.Account.Address.IsZero() {
		return nil, errors.New("relay: Options.Plans, Chains, Issuer and Account are required")
	}
	if opts.Every == 0 {
		opts.Every = defaultEvery
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if opts.Transport == nil {
		opts.Transport = &http.Transport{}
	}
	r := &Relayer{opts: opts, directory: newDirectory(opts.Plans), facts: map[swap.ChainID]*facts{}}
	r.issuer = attest.Client{URL: opts.Issuer, HTTP: &http.Client{Transport: opts.Transport, Timeout: issuerTimeout}}
	for id := range opts.Chains {
		r.facts[id] = newFacts()
	}
	return r, nil
}

// Run works until ctx ends.
func (r *Relayer) Run(ctx context.Context) {
	defer r.issuer.HTTP.CloseIdleConnections()
	for ctx.Err() == nil {
		r.learn(ctx)
		r.act(ctx)
		select {
		case <-ctx.Done():
		case <-time.After(r.opts.Every):
		}
	}
}

// learn reads what is new on every chain. A chain that does not answer keeps
// what is known of it.
func (r *Relayer) learn(ctx context.Context) {
	r.onEach(func(c *evm.Chain) {
		if err := r.read(ctx, c); err != nil {
			r.report(ctx, "reading logs", c.ID, err)
		}
	})
}

// act does everything that what is known asks for. Each chain works through its
// own tasks in their order, and no chain waits for another.
func (r *Relayer) act(ctx context.Context) {
	due := r.due()
	r.onEach(func(c *evm.Chain) {
		for _, t := range due[c.ID] {
			if ctx.Err() != nil {
				return
			}
			if err := t.do(ctx, c); err != nil {
				r.report(ctx, t.what, c.ID, err)
			}
		}
	})
}

// onEach does the same on all chains at once, and returns when all are done.
func (r *Relayer) onEach(do func(*evm.Chain)) {
	var working sync.WaitGroup
	for _, c := range r.opts.Chains {
		working.Go(func() { do(c) })
	}
	working.Wait()
}

// report says what went wrong. It will be tried again, so that a fault which
// lasts is reported each time; being told to stop is none.
func (r *Relayer) report(ctx context.Context, what string, chain swap.ChainID, err error) {
	if ctx.Err() == nil {
		r.opts.Log.Warn(what, "chain", chain, "err", contract.Explain(err))
	}
}
