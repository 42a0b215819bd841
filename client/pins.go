package client

import (
	"fmt"
	"os"

	"hubquote/internal/catalog"
	"hubquote/internal/pinfile"
	"hubquote/internal/pinned"
	"hubquote/swap"
)

// Pins are the facts an answer is compared with: for each source chain and token
// the one contract that may be called, and what a swap through it costs. They
// are written once by hubquote pins, reviewed, and kept where the server and
// its operator cannot change them.
type Pins struct{ pins *pinned.Pins }

// EmbeddedPins returns the pins of the catalog that came with this package. A
// module's version pins it as well as a file does; it is the reference
// deployment, so it is of use on a devnet only.
func EmbeddedPins() (*Pins, error) {
	c, err := catalog.Embedded()
	if err != nil {
		return nil, err
	}
	return newPins(pinfile.Of(c, pinfile.Allowances{}))
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

// ParsePins reads what hubquote pins writes. It refuses an unknown or repeated
// key, a bad checksum, and a route without a router.
func ParsePins(text []byte) (*Pins, error) {
	f, err := pinfile.Parse(text)
	if err != nil {
		return nil, err
	}
	return newPins(f)
}

func newPins(f *pinfile.File) (*Pins, error) {
	p, err := pinned.New(f)
	if err != nil {
		return nil, err
	}
	return &Pins{p}, nil
}

// Text returns the pins as hubquote pins writes them.
func (p *Pins) Text() []byte { return p.pins.File().Text() }

// Catalog is the digest of the catalog that was pinned.
func (p *Pins) Catalog() string { return p.pins.File().Catalog }

// Deployment is the name of the contracts' deployment.
func (p *Pins) Deployment() string { return p.pins.File().Deployment }

// Reference reports whether the contracts are the reference deployment, which
// exists on a local devnet and on no public chain.
func (p *Pins) Reference() bool { return p.pins.File().Reference }

// Token finds a token as people name it on the command line, such as USDC@369:
// its symbol or address, and the place it is at. An error is a [*swap.Error] with the
// code of the part that is wrong.
func (p *Pins) Token(at string) (swap.PlaceID, *swap.Token, error) { return p.pins.Token(at) }
