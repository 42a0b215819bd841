package client

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"hubquote/internal/catalog"
	"hubquote/swap"
)

// Pins are the facts an answer is held against: for each source chain and token
// the one contract that may be called, and what a swap through it costs. They
// are written once by hubquote pins, reviewed, and kept where the server and
// whoever runs it cannot change them.
//
// Pins that were read are complete and consistent, and never change.
type Pins struct {
	file   pinsFile
	routes []*route
}

// A route is a pinned pair, with what may vary in an honest answer for it.
type route struct {
	swap.Route
	issuer rateRange // for burns: what the issuer may charge
}

// A rateRange is from Min to Max, both inclusive.
type rateRange struct{ Min, Max swap.IssuerRate }

// EmbeddedPins returns the pins of the catalog that came with this package. A
// module's version pins it as well as a file does; it is the reference
// deployment, so it is of use on a devnet only.
func EmbeddedPins() (*Pins, error) {
	c, err := catalog.Embedded()
	if err != nil {
		return nil, err
	}
	return NewPins(c, Allowances{})
}

// Allowances widen pins where an honest answer depends on what the catalog
// cannot know.
type Allowances struct {
	// IssuerMax is the most the issuer may charge for a fast burn. Zero means
	// that it charges exactly what the catalog says it publishes; a server
	// that asks the issuer itself will differ from that some day.
	IssuerMax swap.IssuerRate

	// Integrators are partners whose rate is known. Any other may charge what
	// the registry's contract allows at most.
	Integrators []swap.Integrator
}

// NewPins pins a catalog.
func NewPins(c *catalog.Catalog, a Allowances) (*Pins, error) {
	return build(fileOf(c, a))
}

// ReadPins reads a file that hubquote pins wrote.
func ReadPins(name string) (*Pins, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	p, err := ParsePins(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// Catalog is the digest of the catalog that was pinned.
func (p *Pins) Catalog() string { return p.file.Catalog }

// Deployment is the name of the contracts' deployment.
func (p *Pins) Deployment() string { return p.file.Deployment }

// Reference reports whether the contracts are the reference deployment, which
// is real on a local devnet and nothing on a public chain.
func (p *Pins) Reference() bool { return p.file.Reference }

// Token finds a token as people name it on the command line, such as USDC@369:
// its symbol or address, and the place it is at.
func (p *Pins) Token(at string) (swap.PlaceID, *swap.Token, error) {
	coin, err := swap.ParseCoin(at)
	if err != nil {
		return 0, nil, err
	}
	for _, r := range p.routes {
		if r.Src.ID == coin.Place && coin.Token.Names(r.SrcToken) {
			return coin.Place, r.SrcToken, nil
		}
		if r.Dst.ID == coin.Place && coin.Token.Names(r.DstToken) {
			return coin.Place, r.DstToken, nil
		}
	}
	return 0, nil, errors.New("no pinned route starts or ends there; hubquote routes lists them")
}

// route finds the pinned route for a request and checks the amount against its
// limits.
func (p *Pins) route(r swap.Request) (*route, error) {
	i := slices.IndexFunc(p.routes, func(have *route) bool {
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

// integrator returns what a partner may charge: exactly that if its rate is
// pinned, and at most that if not.
func (p *Pins) integrator(id swap.IntegratorID) (rate swap.Rate, exact bool) {
	for _, known := range p.file.Integrators.Known {
		if known.ID == id {
			return known.Millionths, true
		}
	}
	return p.file.Integrators.MaxMillionths, false
}
