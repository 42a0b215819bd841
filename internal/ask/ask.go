// Package ask reads a request from flags, gets a quote for it from a server or from
// this program, and verifies it.
package ask

import (
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
	"hubquote/internal/wire"
	"hubquote/swap"
)

// Options say where a quote comes from.
type Options struct {
	// Pins are compared with the answer. Required.
	Pins *client.Pins

	// Local makes the quote here, from the built-in catalog.
	Local bool

	// Server is the address to ask otherwise.
	Server string

	// Patience is how long to wait when the server is busy. Zero means not at all.
	Patience time.Duration
}

// Quote returns a verified quote. As with [client.Verify], an error that is a
// [*client.Unproven] comes with a quote.
func Quote(r swap.Request, opts Options) (*swap.Quote, error) {
	if opts.Local {
		return here(r, opts.Pins)
	}
	c, err := client.New(opts.Server, client.WithPins(opts.Pins), client.WithPatience(opts.Patience))
	if err != nil {
		return nil, fmt.Errorf("--server: %w", err)
	}
	q, err := c.Quote(context.Background(), r)
	if _, ok := errors.AsType[*url.Error](err); ok {
		return nil, fmt.Errorf("nothing answers at %s: start a server with hubquote serve, name one with --server, or use --local", opts.Server)
	}
	return q, err
}

// here makes a quote as the server does, and verifies it like a server's answer.
func here(r swap.Request, p *client.Pins) (*swap.Quote, error) {
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
