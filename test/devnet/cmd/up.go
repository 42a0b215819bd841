package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os/signal"
	"syscall"
	"time"

	"hubquote/internal/catalog"
	"hubquote/internal/command"
	"hubquote/internal/term"
	"hubquote/test/devnet"
	"hubquote/test/devnet/anvil"
	"hubquote/test/devnet/front"
	"hubquote/test/devnet/stack"
)

const upHelp = `devnet up starts a local chain for every network of the built-in catalog, puts
the contracts, tokens and money in place, and runs an attester, the settler and the
quote service until Ctrl-C.`

// upSettings are the flags of up.
type upSettings struct {
	listen string
	anvil  string
}

func up(args []string, s command.Std) error {
	var c upSettings
	f := s.FlagsOnly("up", upHelp)
	f.StringVar(&c.listen, "listen", "127.0.0.1:8080", "`address` of the quote service; port 0 picks a free one. Keep it on the loopback\ninterface, because its clients can sign for every account here")
	f.StringVar(&c.anvil, "anvil", "", "`path` of anvil; by default the one that contracts/package.json pins, or\nthe one on the PATH")
	if err := f.Parse(args); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	return c.run(ctx, s.Terminal(0))
}

func (c *upSettings) run(ctx context.Context, out *term.Terminal) error {
	if err := c.checkAddress(); err != nil {
		return fmt.Errorf("up: %w; let it pick a free port with --listen 127.0.0.1:0, as in make devnet ARGS='--listen 127.0.0.1:0'", err)
	}
	began := time.Now()
	w, err := c.start(ctx, out)
	if err != nil {
		return err
	}
	defer w.Close()
	printStack(out, w, time.Since(began))
	<-ctx.Done()
	out.Line("\n", out.Dim("Ending …"))
	return nil
}

// checkAddress finds out that the address is in use before the chains are
// started, which takes a while.
func (c *upSettings) checkAddress() error {
	l, err := net.Listen("tcp", c.listen)
	switch holder := holderOf(c.listen); {
	case errors.Is(err, syscall.EADDRINUSE) && holder != "":
		return fmt.Errorf("%s is taken by %s", c.listen, holder)
	case err != nil:
		return err
	}
	return l.Close()
}

func (c *upSettings) start(ctx context.Context, out *term.Terminal) (*stack.Stack, error) {
	cat, err := catalog.Embedded()
	if err != nil {
		return nil, err
	}
	if c.anvil == "" {
		if c.anvil, err = anvil.Find("."); err != nil {
			return nil, err
		}
	}
	out.Line(out.Dim("Starting chains, deploying, funding …"))
	return stack.Start(ctx, stack.Options{
		Catalog: cat, Anvil: c.anvil, Listen: c.listen, Version: "devnet", Log: slog.New(newLines(out)),
	})
}

// printStack prints the addresses of everything.
func printStack(out *term.Terminal, w *stack.Stack, took time.Duration) {
	out.Line()
	out.Line(out.Bold("hubquote devnet"), " ", out.Dim(fmt.Sprintf("up in %.1f s · local chains, public keys, worthless money", took.Seconds())))
	out.Line()
	out.Line("  The page   " + out.Cyan(w.URL+"/"))
	out.Line("  Quotes     " + out.Cyan(w.URL+"/v3/swap/quote"))
	out.Line("  A Safe     " + out.Cyan(w.URL+"/devnet/wallet/369") + out.Dim("   wallet_sendCalls, on any chain"))
	out.Line("  Issuer     " + out.Cyan(w.Issuer) + out.Dim("   attestations and fees"))
	out.Line()
	printChains(out, w)
	printAccounts(out)
	out.Line(out.Bold("Try"))
	for _, tokens := range []string{"--from USDC@1 --to USDC@369 --amount 100", "--from USDC@42161 --to USDC@369 --amount 250.5", "--from ETH@1 --to WETH@69696969 --amount 1"} {
		out.Line("  go run ./test/devnet/cmd swap " + tokens + " --devnet " + w.URL)
	}
	out.Line("  examples/README.md sends with viem, ethers, Go, cast and a Safe")
	out.Line()
	out.Line(out.Dim("Ctrl-C ends it. What the settler does:"))
}

func printChains(out *term.Terminal, w *stack.Stack) {
	var rows [][]string
	for _, id := range w.Networks() {
		rows = append(rows, []string{fmt.Sprint(id), w.Name(id), w.URL + front.RPCPath(id)})
	}
	out.Table([]string{"CHAIN", "NAME", "RPC"}, rows...)
	out.Line()
}

func printAccounts(out *term.Terminal) {
	var accounts, keys [][]string
	for _, p := range devnet.Accounts() {
		label := p.Label
		if p.Address == devnet.Account(devnet.Partner).Address {
			label += ", " + devnet.PartnerRate.Percent() + " %"
		}
		accounts = append(accounts, []string{label, p.Address.String()})
	}
	out.Table([]string{"ACCOUNT", "ADDRESS"}, accounts...)
	out.Line()
	for _, p := range devnet.Accounts()[devnet.Alice : devnet.Carol+1] {
		keys = append(keys, []string{p.Label, "0x" + p.Key})
	}
	out.Table([]string{"USER", "PRIVATE KEY"}, keys...)
	out.Line(out.Dim("  All accounts are of the phrase " + devnet.Phrase + "."))
	out.Line()
	out.Line("  " + out.Dim("PRIVATE WALLET"))
	out.Line("  " + devnet.PrivateWallet().Address)
	out.Line()
}
