package main

import (
	"fmt"
	"strings"

	"hubquote/client"
	"hubquote/internal/catalog"
	"hubquote/internal/command"
	"hubquote/internal/pinfile"
	"hubquote/swap"
)

const pinsHelp = `hubquote pins writes down what quotes are checked against: for each source chain
and token the one contract that may be called, and the fees, limits, tokens and
receiver that go with it. Review the file, and keep it where neither the server
nor its operator can change it.

  hubquote pins > pins.json
  hubquote verify --pins pins.json --request "$Q" quote.json`

func pins(args []string, s command.Std) error {
	f := s.Flags("pins", pinsHelp)
	dir := f.String("catalog", "", "`directory` of the catalog to pin instead of the built-in one")
	var a pinfile.Allowances
	f.Func("issuer-max", "the most that the issuer may charge for a fast burn, in basis `points`,\nfor servers that ask it for its fee; without it exactly what the\ncatalog says it publishes", func(text string) (err error) {
		a.IssuerMax, err = swap.ParseIssuerRate(text)
		return err
	})
	f.Func("integrator", "a partner and what it takes, as `wallet=percent`, such as 0x…=0.25; repeat\nit for more. A quote that names any other partner is unproven", func(text string) error {
		p, err := parsePartner(text)
		a.Integrators = append(a.Integrators, p)
		return err
	})
	if err := f.Parse(args); err != nil {
		return err
	}
	c, err := catalog.Open(*dir)
	if err != nil {
		return fmt.Errorf("pins: %w", err)
	}
	text := pinfile.Of(c, a).Text()
	if _, err := client.ParsePins(text); err != nil {
		return err
	}
	_, err = s.Out.Write(text)
	return err
}

func parsePartner(text string) (p swap.Integrator, err error) {
	wallet, percent, _ := strings.Cut(text, "=")
	if p.ID, err = swap.ParseIntegratorID(wallet); err != nil {
		return p, err
	}
	if p.Rate, err = swap.ParsePercent(percent); err != nil {
		return p, fmt.Errorf("not wallet=percent: %w", err)
	}
	return p, nil
}
