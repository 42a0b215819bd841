package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"time"

	"hubquote/client"
	"hubquote/internal/catalog"
	"hubquote/internal/issuer"
	"hubquote/internal/quoter"
	"hubquote/internal/show"
	"hubquote/internal/wire"
	"hubquote/swap"
)

const quoteHelp = `hubquote quote asks a server for a quote, or makes one itself with --local, and
shows it. Before that it derives the quote from the pins: an answer with a byte
that differs is not shown.

  hubquote quote --local --from USDC@369 --to USDC@8453 --amount 25.5 \
    --recipient 0x70997970C51812dc3A010C7d01b50e0d17dc79C8`

func quote(args []string, s std) error {
	var a asked
	f := s.flags("quote", quoteHelp)
	a.define(f)
	server := f.String("server", "http://127.0.0.1:8080", "`address` of the server to ask")
	local := f.Bool("local", false, "make the quote here from the built-in catalog, without a server")
	patience := f.Duration("wait", 0, "`time` to wait when the server says that it is busy and when to come back")
	asJSON := f.Bool("json", false, "print the quote as the server would; for a privacy pool with its\nproof, which reveals the recipient")
	pinned := pinsFlag(f)
	accepted := acceptFlag(f)
	if err := f.Parse(args); err != nil {
		return err
	}
	p, err := loadPins(*pinned)
	if err != nil {
		return fmt.Errorf("quote: %w", err)
	}
	r, err := a.request(p)
	if err != nil {
		return fmt.Errorf("quote: %w; see hubquote quote --help", err)
	}
	var q *swap.Quote
	if *local {
		q, err = quoteHere(r, p)
	} else {
		q, err = quoteThere(*server, r, p, *patience)
	}
	v, err := newVerdict(q, err, *accepted)
	if err != nil {
		return fmt.Errorf("quote: %w", err)
	}
	return showVerdict(v, r, p, *asJSON, s)
}

// showVerdict prints a quote to sign, or of one that is not accepted only what
// is unknown about it.
func showVerdict(v *verdict, r swap.Request, p *client.Pins, asJSON bool, s std) error {
	if err := v.refusal("quote"); err != nil {
		return cmp.Or(show.Verified(s.toErr().terminal(0), v.Verdict, p), err)
	}
	if asJSON {
		return printJSON(s, wire.NewV3(v.Quote, wire.Includes{Proof: true}))
	}
	return show.Quote(s.terminal(28), v.Verdict, r, p)
}

// quoteHere makes a quote as the server does, and verifies it like a server's
// answer.
func quoteHere(r swap.Request, p *client.Pins) (*swap.Quote, error) {
	c, err := catalog.Embedded()
	if err != nil {
		return nil, err
	}
	maker, err := quoter.New(quoter.Options{Catalog: c, IssuerFees: issuer.Published{}})
	if err != nil {
		return nil, err
	}
	q, err := maker.Quote(context.Background(), r)
	if err != nil {
		return nil, err
	}
	r.Include.Proof = r.Recipient.IsPrivate()
	answer, err := json.Marshal(wire.NewV3(q, r.Include))
	if err != nil {
		return nil, err
	}
	return client.Verify(r, answer, p)
}

func quoteThere(server string, r swap.Request, p *client.Pins, patience time.Duration) (*swap.Quote, error) {
	c, err := client.New(server, client.WithPins(p), client.WithPatience(patience))
	if err != nil {
		return nil, fmt.Errorf("--server: %w", err)
	}
	q, err := c.Quote(context.Background(), r)
	if _, ok := errors.AsType[*url.Error](err); ok {
		return nil, fmt.Errorf("nothing answers at %s: start a server with hubquote serve, name one with --server, or use --local", server)
	}
	return q, err
}

func printJSON(s std, v any) error {
	e := json.NewEncoder(s.out)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
