package client

import (
	"errors"
	"slices"

	"hubquote/internal/judge"
	"hubquote/swap"
)

// Verify derives the quote for r from the pins, compares it with a server's
// answer, and returns it: sign what it returns. The answer is the body of a
// response with status 200 of the current version of the API, as it was
// received, and r says in Include what was asked for. It needs no network, and
// trusts nothing but the pins.
//
// The first check that fails is returned as a [*Mismatch]. A request that the
// pins cannot serve is a [*swap.Error]. An [*Unproven] comes together with a
// quote, unless each of its reasons is named with [Accept]; other options
// change nothing here.
//
// Three parts of an honest answer cannot be known beforehand, and are bounded
// instead: the issuer's fee, by the range in the pins; an integrator's rate, by
// its pin or else the registry's limit; and the encrypted recipient of a
// shielding swap, by its proof.
func Verify(r swap.Request, answer []byte, pins *Pins, options ...Option) (*swap.Quote, error) {
	if pins == nil {
		return nil, errors.New("client: Verify needs pins to compare the answer with")
	}
	p, err := judge.New(r, pins.pins)
	if err != nil {
		return nil, err
	}
	return verdict(p, answer, newSettings(options).accepted)
}

// verdict returns the quote if the answer holds, with the reasons for which it
// is unproven and that are not accepted.
func verdict(p *judge.Plan, answer []byte, accepted []Code) (*swap.Quote, error) {
	quote, err := p.Quote(answer)
	if f, ok := errors.AsType[*judge.Finding](err); ok {
		return nil, &Mismatch{Code(f.Code), f.Field, f.Want, f.Got}
	}
	if err != nil {
		return nil, err
	}
	var reasons []Reason
	for _, f := range p.Unproven() {
		if !slices.Contains(accepted, Code(f.Code)) {
			reasons = append(reasons, Reason{Code(f.Code), f.Field})
		}
	}
	if reasons != nil {
		return quote, &Unproven{reasons}
	}
	return quote, nil
}
