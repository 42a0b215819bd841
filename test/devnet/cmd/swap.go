package main

import (
	"context"
	"fmt"
	"net/http"
	"os/signal"
	"strings"
	"syscall"

	"hubquote/internal/catalog"
	"hubquote/internal/command"
	"hubquote/swap"
	"hubquote/test/devnet"
)

const swapHelp = `devnet swap performs one swap on a devnet that is up, and shows every step until
the money is there.

A token is written symbol@chain, as in USDC@1; chains 69696969 and 96969696 are
the privacy pools.`

// swapSettings are the flags of swap.
type swapSettings struct {
	url        string
	from, to   string
	amount     string
	recipient  string
	integrator string
	sender     string
}

func swapOnce(args []string, s command.Std) error {
	var c swapSettings
	f := s.FlagsOnly("swap", swapHelp)
	f.StringVar(&c.from, "from", "USDC@1", "`token` to swap")
	f.StringVar(&c.to, "to", "USDC@369", "`token` to get")
	f.StringVar(&c.amount, "amount", "100", "how `much` of it, in whole tokens")
	f.StringVar(&c.recipient, "recipient", "", "`address` to pay, 0x or 0zk; by default Bob's, or the private wallet's")
	f.StringVar(&c.integrator, "integrator", "", "`address` of an integrator, to be paid a fee")
	f.StringVar(&c.sender, "as", "Alice", "`name` of the account that swaps: Alice, Bob or Carol")
	f.StringVar(&c.url, "devnet", "http://127.0.0.1:8080", "`URL` of the devnet's quote service")
	if err := f.Parse(args); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	t, err := c.trip()
	if err != nil {
		return fmt.Errorf("swap: %w", err)
	}
	t.out = s.Terminal(0)
	if err := t.run(ctx); err != nil {
		return fmt.Errorf("swap: %w", err)
	}
	return nil
}

// trip looks the flags up in the catalog.
func (c *swapSettings) trip() (*trip, error) {
	cat, err := catalog.Embedded()
	if err != nil {
		return nil, err
	}
	t := &trip{url: strings.TrimSuffix(c.url, "/"), recipient: c.recipient, http: &http.Client{}}
	if t.sender, err = accountOf(c.sender); err != nil {
		return nil, err
	}
	if t.route, err = route(cat, c.from, c.to); err != nil {
		return nil, err
	}
	if t.amount, err = swap.ParseUnits(c.amount, t.route.SrcToken.Decimals); err != nil {
		return nil, fmt.Errorf("--amount: %w", err)
	}
	switch {
	case t.recipient != "":
	case t.route.Shields():
		t.recipient = devnet.PrivateWallet().Address
	default:
		t.recipient = devnet.Account(devnet.Bob).Address.String()
	}
	if c.integrator == "" {
		return t, nil
	}
	if t.integrator, err = swap.ParseIntegratorID(c.integrator); err != nil {
		return nil, fmt.Errorf("--integrator: %w", err)
	}
	return t, nil
}

func accountOf(name string) (devnet.NamedAccount, error) {
	for _, p := range devnet.Accounts()[devnet.Alice : devnet.Carol+1] {
		if strings.EqualFold(p.Label, name) {
			return p, nil
		}
	}
	return devnet.NamedAccount{}, fmt.Errorf("--as: %s is not Alice, Bob or Carol", name)
}

func route(cat *catalog.Catalog, from, to string) (*swap.Route, error) {
	var ends []string
	for _, r := range cat.Routes() {
		src, dst := r.From().String(), r.To().String()
		if !strings.EqualFold(src, from) {
			continue
		}
		if strings.EqualFold(dst, to) {
			return r, nil
		}
		ends = append(ends, dst)
	}
	if ends == nil {
		return nil, fmt.Errorf("--from: no swap starts with %s", from)
	}
	return nil, fmt.Errorf("--to: %s can be swapped to %s", from, strings.Join(ends, ", "))
}
