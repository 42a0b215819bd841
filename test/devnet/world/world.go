// Package world is a whole devnet: the chains, an attester, a relayer, and the
// quote service wired to them.
//
// The service is the one that operators run, from the same rooms; only where it
// looks is local. Everything ends with Close.
package world

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"hubquote/client"
	"hubquote/internal/api"
	"hubquote/internal/catalog"
	"hubquote/internal/deployment"
	"hubquote/test/devnet"
	"hubquote/test/devnet/attest"
	"hubquote/test/devnet/front"
	"hubquote/test/devnet/relay"
)

// Options configure a [World].
type Options struct {
	// Catalog is what everything is made from. Required.
	Catalog *catalog.Catalog

	// Anvil is the path of the program that runs a chain. Required.
	Anvil string

	// Version of the program, for the health check.
	Version string

	// Every is the pause between two looks of the relayer at the chains. Zero
	// means 250 ms.
	Every time.Duration

	// Log is told what the relayer does. Nil discards it.
	Log *slog.Logger
}

// A World is a devnet that runs.
type World struct {
	*devnet.Net
	Issuer  string       // base URL of the attester
	Handler http.Handler // the quote service, and the devnet below /devnet/

	closers []func() // in the order of starting
}

// Start starts a world.
func Start(ctx context.Context, opts Options) (*World, error) {
	w := &World{}
	steps := []func(context.Context, Options) error{w.startChains, w.startAttester, w.startRelayer, w.startService}
	for _, step := range steps {
		if err := step(ctx, opts); err != nil {
			w.Close()
			return nil, err
		}
	}
	return w, nil
}

// Close ends everything, in the reverse order of starting.
func (w *World) Close() {
	for len(w.closers) > 0 {
		last := len(w.closers) - 1
		w.closers[last]()
		w.closers = w.closers[:last]
	}
}

func (w *World) onClose(do func()) { w.closers = append(w.closers, do) }

func (w *World) startChains(ctx context.Context, opts Options) (err error) {
	w.Net, err = devnet.Start(ctx, devnet.Options{Catalog: opts.Catalog, Anvil: opts.Anvil})
	if err == nil {
		w.onClose(w.Net.Close)
	}
	return err
}

func (w *World) startAttester(context.Context, Options) error {
	a, err := attest.New(attest.Options{
		Chains: w.Domains(), Transmitter: deployment.Transmitter,
		Account: devnet.Account(devnet.Attester), Rates: w.Rates(),
	})
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("the attester's address: %w", err)
	}
	s := &http.Server{Handler: a}
	w.Issuer = "http://" + l.Addr().String()
	w.inBackground(func() { s.Serve(l) }, func() { s.Close() })
	return nil
}

func (w *World) startRelayer(_ context.Context, opts Options) error {
	r, err := relay.New(relay.Options{
		Plan: w.Plan, Chains: w.Chains, Account: devnet.Account(devnet.Relayer),
		Issuer: w.Issuer, Every: opts.Every, Log: opts.Log,
	})
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	w.inBackground(func() { r.Run(ctx) }, stop)
	return nil
}

// inBackground runs something that stop ends.
func (w *World) inBackground(run, stop func()) {
	var running sync.WaitGroup
	running.Go(run)
	w.onClose(func() {
		stop()
		running.Wait()
	})
}

func (w *World) startService(ctx context.Context, opts Options) error {
	q, err := w.newQuoter(ctx)
	if err != nil {
		return err
	}
	pins, err := client.NewPins(w.Catalog, client.Allowances{})
	if err != nil {
		return err
	}
	service, err := api.New(api.Options{
		Pins: pins.Text(), Quoter: q, Catalog: w.Catalog, Version: opts.Version, Log: opts.Log,
		Checks: func() []api.Check { return []api.Check{{Name: "devnet", Status: api.CheckOK, Detail: "local chains"}} },
	})
	if err != nil {
		return err
	}
	f, err := front.New(front.Options{Net: w.Net, Issuer: w.Issuer})
	if err != nil {
		return err
	}
	w.onClose(f.Close)
	mux := http.NewServeMux()
	mux.Handle("/devnet/", f)
	mux.Handle("/", service)
	w.Handler = mux
	return nil
}
