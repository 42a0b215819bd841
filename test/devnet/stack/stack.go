// Package stack is a whole devnet: the chains, an attester, the settler, and the
// quote service wired to them.
//
// Settler and service are those that operators run, with rate limit, metrics and
// deadlines; only their upstreams are local. Everything ends with Close.
package stack

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"sync"
	"time"

	"hubquote/internal/api"
	"hubquote/internal/catalog"
	"hubquote/internal/deployment/third"
	"hubquote/internal/service"
	"hubquote/internal/settler"
	"hubquote/internal/upstream"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/attest"
	"hubquote/test/devnet/backend"
	"hubquote/test/devnet/front"
)

// Options configure a [Stack].
type Options struct {
	// Catalog has the networks and routes. Required.
	Catalog *catalog.Catalog

	// Anvil is the path of the program that runs a chain. Required.
	Anvil string

	// Only is the networks to start. Nil means all.
	Only []swap.ChainID

	// Settler changes how the settler is set up, such as its endpoints. Nil
	// changes nothing.
	Settler func(*devnet.Net, *settler.Options)

	// Listen is the address of the quote service. Empty means a free port of
	// the loopback interface.
	Listen string

	// Version of the program, for the health check.
	Version string

	// Log is told what the settler does. Nil discards it.
	Log *slog.Logger
}

// A Stack is a devnet that runs.
type Stack struct {
	*devnet.Net
	Issuer string // base URL of the attester
	Status string // base URL of the settler's read-only interface
	URL    string // base URL of the quote service; the devnet is below /devnet/

	// StopSettler ends the settler before everything else ends.
	StopSettler func()

	closers []func() // in the order of starting
}

// Start starts a devnet.
func Start(ctx context.Context, opts Options) (*Stack, error) {
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	w := &Stack{}
	steps := []func(context.Context, Options) error{w.startChains, w.startAttester, w.startSettler, w.startService}
	for _, step := range steps {
		if err := step(ctx, opts); err != nil {
			w.Close()
			return nil, err
		}
	}
	return w, nil
}

// Close ends everything, in the reverse order of starting.
func (w *Stack) Close() {
	for len(w.closers) > 0 {
		last := len(w.closers) - 1
		w.closers[last]()
		w.closers = w.closers[:last]
	}
}

func (w *Stack) onClose(do func()) { w.closers = append(w.closers, do) }

func (w *Stack) startChains(ctx context.Context, opts Options) (err error) {
	w.Net, err = devnet.Start(ctx, devnet.Options{Catalog: opts.Catalog, Anvil: opts.Anvil, Only: opts.Only})
	if err == nil {
		w.onClose(w.Net.Close)
	}
	return err
}

func (w *Stack) startAttester(context.Context, Options) error {
	a, err := attest.New(attest.Options{
		Chains: w.Domains(), Transmitter: third.Transmitter,
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

func (w *Stack) startSettler(ctx context.Context, opts Options) error {
	dir, err := os.MkdirTemp("", "hubquote-devnet-")
	if err != nil {
		return fmt.Errorf("the settler's journal: %w", err)
	}
	w.onClose(func() { _ = os.RemoveAll(dir) })
	o, err := backend.Options(w.Net, w.Issuer, dir, devnet.Account(devnet.Relayer), opts.Log)
	if err != nil {
		return err
	}
	o.Listen = "127.0.0.1:0"
	if opts.Settler != nil {
		opts.Settler(w.Net, &o)
	}
	s, err := settler.New(ctx, o)
	if err != nil {
		return err
	}
	w.onClose(s.Close)
	if err := s.Listen(); err != nil {
		return err
	}
	w.Status = "http://" + s.Addr().String()
	run, stop := context.WithCancel(context.Background())
	w.StopSettler = w.inBackground(func() {
		if err := s.Run(run); err != nil {
			opts.Log.Error("settler", "err", err)
		}
	}, stop)
	return nil
}

// inBackground runs a function that stop ends. What it returns stops it and waits
// until it has ended.
func (w *Stack) inBackground(run, stop func()) (end func()) {
	var running sync.WaitGroup
	running.Go(run)
	end = func() {
		stop()
		running.Wait()
	}
	w.onClose(end)
	return end
}

func (w *Stack) startService(ctx context.Context, opts Options) error {
	f, err := front.New(front.Options{Net: w.Net, Issuer: w.Issuer})
	if err != nil {
		return err
	}
	w.onClose(f.Close)
	s, err := w.newService(opts, f)
	if err != nil {
		return err
	}
	w.onClose(s.Close)
	if err := s.Listen(); err != nil {
		return err
	}
	w.URL = "http://" + s.Addr().String()
	run, stop := context.WithCancel(context.Background())
	w.inBackground(func() {
		if err := s.Run(run); err != nil {
			opts.Log.Error("quote service", "err", err)
		}
	}, stop)
	return awaitFees(ctx, s)
}

// newService connects the quote service to the local chains, which make a block
// only when there is a transaction, so that a block may be of any age.
func (w *Stack) newService(opts Options, f *front.Front) (*service.Service, error) {
	o := service.Options{
		Catalog: w.Catalog, RPC: map[swap.ChainID][]upstream.URL{}, MaxBlockAge: -1,
		Listen: cmp.Or(opts.Listen, "127.0.0.1:0"), TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
		Checks:  []api.Check{{Name: "devnet", Status: api.CheckOK, Detail: "local chains"}},
		Mount:   map[string]http.Handler{"/devnet/": f},
		Version: opts.Version, Log: slog.New(errorsOnly{opts.Log.Handler()}),
	}
	var err error
	if o.Issuer, err = upstream.Parse(w.Issuer); err != nil {
		return nil, err
	}
	if o.Settler, err = upstream.Parse(w.Status); err != nil {
		return nil, err
	}
	for id, chain := range w.Chains {
		node, err := upstream.Parse(chain.URL)
		if err != nil {
			return nil, err
		}
		o.RPC[id] = []upstream.URL{node}
	}
	return service.New(o)
}

// errorsOnly drops log lines below errors.
type errorsOnly struct{ slog.Handler }

func (errorsOnly) Enabled(_ context.Context, l slog.Level) bool { return l >= slog.LevelError }

const (
	feesPoll = 50 * time.Millisecond
	feesWait = 30 * time.Second
)

// awaitFees returns when the service knows all fees of the issuer.
func awaitFees(ctx context.Context, s *service.Service) error {
	ctx, cancel := context.WithTimeout(ctx, feesWait)
	defer cancel()
	for {
		down := slices.IndexFunc(s.Checks(), func(c api.Check) bool { return c.Status == api.CheckDown })
		if down < 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("waiting for the issuer's fees: %+v", s.Checks()[down])
		case <-time.After(feesPoll):
		}
	}
}
