package main

import (
	"encoding/json"
	"fmt"

	"hubquote/client"
	"hubquote/internal/ask"
	"hubquote/internal/command"
	"hubquote/internal/flags"
	"hubquote/internal/show"
	"hubquote/internal/wire"
)

const quoteHelp = `hubquote quote asks a server for a quote, or makes one itself with --local, and
shows it. Before that it derives the quote from the pins: an answer with a byte
that differs is not shown.

  hubquote quote --local --from USDC@369 --to USDC@8453 --amount 25.5 \
    --recipient 0x70997970C51812dc3A010C7d01b50e0d17dc79C8`

func quote(args []string, s command.Std) error {
	var a ask.Flags
	var from ask.Options
	f := s.Flags("quote", quoteHelp)
	a.Define(f)
	f.StringVar(&from.Server, "server", "http://127.0.0.1:8080", "`address` of the server to ask")
	f.BoolVar(&from.Local, "local", false, "make the quote here from the built-in catalog, without a server")
	f.DurationVar(&from.Patience, "wait", 0, "`time` to wait when the server says that it is busy and when to come back")
	asJSON := f.Bool("json", false, "print the quote as the server would; for a privacy pool with its\nproof, which reveals the recipient")
	pinned := pinsFlag(f)
	accepted := acceptFlag(f)
	err := f.Parse(args)
	if err != nil {
		return err
	}
	if from.Pins, err = loadPins(*pinned); err != nil {
		return fmt.Errorf("quote: %w", err)
	}
	r, err := a.Request(from.Pins)
	if err != nil {
		return fmt.Errorf("quote: %w; see hubquote quote --help", err)
	}
	q, err := ask.Quote(r, from)
	v, err := newVerdict("quote", q, err, *accepted)
	switch {
	case err != nil:
		return err
	case v.refused != nil:
		return v.refuse(s, from.Pins)
	case *asJSON:
		return printJSON(s, wire.NewV3(v.Quote, wire.Includes{Proof: true}))
	}
	return show.Quote(s.Terminal(28), v.Verdict, r, from.Pins)
}

// pinsFlag declares the flag that names the pins to check quotes against.
func pinsFlag(f *flags.Set) *string {
	return f.String("pins", "", "`file` with what to check the quote against, written by hubquote pins;\nwithout it the built-in catalog is used")
}

func loadPins(name string) (*client.Pins, error) {
	if name == "" {
		return client.EmbeddedPins()
	}
	return client.ReadPins(name)
}

func printJSON(s command.Std, v any) error {
	e := json.NewEncoder(s.Out)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
