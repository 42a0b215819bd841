// Package pinned answers a request from pins: which route it takes, and what may
// vary in an honest answer to it. Pins that were made are complete and
// consistent, and never change.
package pinned

import (
	"fmt"
	"slices"

	"hubquote/internal/pinfile"
	"hubquote/swap"
)

// Pins are a file that was checked, and its routes.
type Pins struct {
	file   pinfile.File
	routes []*Route
}

// File returns the file that the pins were made from.
func (p *Pins) File() *pinfile.File { return &p.file }

// A Route is a pinned pair, with what may vary in an honest answer for it.
type Route struct {
	swap.Route
	Issuer struct{ Min, Max swap.IssuerRate } // for burns: the range of what the issuer may charge
}

// Token finds a token as people name it on the command line, such as USDC@369:
// its symbol or address, and the place it is at. An error is a [*swap.Error] with the
// code of the part that is wrong.
func (p *Pins) Token(at string) (swap.PlaceID, *swap.Token, error) {
	coin, err := swap.ParseCoin(at)
	if err != nil {
		return 0, nil, err
	}
	code := swap.ChainUnsupported
	for _, r := range p.routes {
		for _, end := range []struct {
			place swap.PlaceID
			token *swap.Token
		}{{r.Src.ID, r.SrcToken}, {r.Dst.ID, r.DstToken}} {
			switch {
			case end.place != coin.Place:
			case coin.Token.Names(end.token):
				return coin.Place, end.token, nil
			default:
				code = swap.TokenUnsupported
			}
		}
	}
	return 0, nil, &swap.Error{Code: code, Message: "no pinned route starts or ends there; hubquote routes lists them"}
}

// Route finds the pinned route for a request and checks the amount against its
// limits.
func (p *Pins) Route(r swap.Request) (*Route, error) {
	i := slices.IndexFunc(p.routes, func(have *Route) bool {
		return have.Src.ID == r.SrcChain && have.Dst.ID == r.DstChain &&
			r.SrcToken.Names(have.SrcToken) && r.DstToken.Names(have.DstToken)
	})
	if i < 0 {
		return nil, &swap.Error{Code: swap.PairUnsupported, Param: "dstToken",
			Message: "the pins have no route for this pair; hubquote routes lists those there are"}
	}
	have := p.routes[i]
	code := swap.AmountTooHigh
	switch {
	case r.Amount.Lt(&have.Limits.Min):
		code = swap.AmountTooLow
	case !r.Amount.Gt(&have.Limits.Max):
		return have, nil
	}
	t := have.SrcToken
	return nil, &swap.Error{Code: code, Param: "amount", Limits: &have.Limits, Token: t,
		Message: fmt.Sprintf("a swap takes between %s and %s %s",
			swap.FormatUnits(&have.Limits.Min, t.Decimals), swap.FormatUnits(&have.Limits.Max, t.Decimals), t.Symbol)}
}

// Integrator returns a partner's rate if it is pinned, and otherwise the most
// that the registry lets any partner take.
func (p *Pins) Integrator(id swap.IntegratorID) (rate swap.Rate, known bool) {
	for _, known := range p.file.Integrators.Known {
		if known.ID == id {
			return known.Millionths, true
		}
	}
	return p.file.Integrators.MaxMillionths, false
}
