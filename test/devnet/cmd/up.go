package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os/signal"
	"syscall"
	"time"

	"hubquote/internal/catalog"
	"hubquote/test/devnet"
	"hubquote/test/devnet/anvil"
	"hubquote/test/devnet/front"
	"hubquote/test/devnet/world"
)

const upHelp = `devnet up starts a local chain for every network of the built-in catalog, puts
the contracts, tokens and money in place, and runs an attester, a relayer and the
quote service until Ctrl-C.`

// upSettings are what a developer decides.
type upSettings struct {
	listen string
	anvil  string
}

func up(args []string, s std) error {
	var c upSettings
	f := newFlags("up", upHelp, s)
	f.StringVar(&c.listen, "listen", "127.0.0.1:8080", "`address` of the quote service; keep it on the loopback interface, because\nwhoever reaches it can sign for every account here")
	f.StringVar(&c.anvil, "anvil", "", "`path` of anvil; by default the one that contracts/package.json pins, or\nthe one on the PATH")
	if err := parse(f, args); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	return c.run(ctx, newScreen(s.out))
}

func (c *upSettings) run(ctx context.Context, out screen) error {
	// The address is taken before anything is started: it is what is most
	// likely to be in use.
	l, err := net.Listen("tcp", c.listen)
	if err != nil {
		return fmt.Errorf("up: %w; choose another with --listen", err)
	}
	defer l.Close()
	began := time.Now()
	w, err := c.start(ctx, out)
	if err != nil {
		return err
	}
	defer w.Close()
	printWorld(out, w, "http://"+l.Addr().String(), time.Since(began))
	return serve(ctx, l, w.Handler, out)
}

func (c *upSettings) start(ctx context.Context, out screen) (*world.World, error) {
	cat, err := catalog.Embedded()
	if err != nil {
		return nil, err
	}
	if c.anvil == "" {
		if c.anvil, err = anvil.Find("."); err != nil {
			return nil, err
		}
	}
	out.println(out.dim("Starting chains, deploying, funding …"))
	return world.Start(ctx, world.Options{Catalog: cat, Anvil: c.anvil, Version: "devnet", Log: slog.New(newLines(out))})
}

// serve serves until ctx ends.
func serve(ctx context.Context, l net.Listener, h http.Handler, out screen) error {
	s := &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second}
	failed := make(chan error, 1)
	go func() { failed <- s.Serve(l) }()
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
		out.println("\n" + out.dim("Ending …"))
		s.Close()
		err = <-failed
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("up: %w", err)
}

// printWorld says what is where.
func printWorld(out screen, w *world.World, service string, took time.Duration) {
	out.println()
	out.println(out.bold("hubquote devnet"), out.dim(fmt.Sprintf("up in %.1f s · local chains, public keys, worthless money", took.Seconds())))
	out.println()
	out.println("  The page   " + out.blue(service+"/"))
	out.println("  Quotes     " + out.blue(service+"/v3/swap/quote"))
	out.println("  Issuer     " + out.blue(w.Issuer) + out.dim("   attestations and fees"))
	out.println()
	printChains(out, w, service)
	printAccounts(out)
	out.println(out.bold("Try"))
	out.println("  go run ./test/devnet/cmd swap --from USDC@1 --to USDC@369 --amount 100")
	out.println("  go run ./test/devnet/cmd swap --from USDC@42161 --to USDC@369 --amount 250.5")
	out.println("  go run ./test/devnet/cmd swap --from ETH@1 --to WETH@69696969 --amount 1")
	out.println()
	out.println(out.dim("Ctrl-C ends it. What the relayer does:"))
}

func printChains(out screen, w *world.World, service string) {
	t := table{head: []string{"CHAIN", "NAME", "RPC"}}
	for _, id := range w.Networks() {
		t.add(fmt.Sprint(id), w.Name(id), service+front.RPCPath(id))
	}
	t.print(out)
	out.println()
}

func printAccounts(out screen) {
	t := table{head: []string{"ACCOUNT", "ADDRESS"}}
	for _, p := range devnet.Personas() {
		label := p.Label
		if p.Address == devnet.Account(devnet.Partner).Address {
			label += ", " + devnet.PartnerRate.Percent() + " %"
		}
		t.add(label, p.Address.String())
	}
	t.print(out)
	out.println()
	keys := table{head: []string{"USER", "PRIVATE KEY"}}
	for _, p := range devnet.Personas()[devnet.Alice : devnet.Carol+1] {
		keys.add(p.Label, "0x"+p.Key)
	}
	keys.print(out)
	out.println(out.dim("  All accounts are of the phrase " + devnet.Phrase + "."))
	out.println()
	out.println("  " + out.dim("PRIVATE WALLET"))
	out.println("  " + devnet.PrivateWallet().Address)
	out.println()
}
