// Package client asks a server for quotes, and refuses those that are not what
// was asked for.
//
// A quote it returns was made by this package from the caller's own pins, and
// is equal, in every field and to the last byte, to what the server answered.
// So a server, whoever runs it, can refuse to answer, but cannot make anybody
// sign for another contract, recipient, amount or fee.
package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"hubquote/swap"
)

// A Client asks one server. It is safe for concurrent use.
type Client struct {
	endpoint string
	http     *http.Client
	pins     *Pins
	patience time.Duration
}

// An Option changes how a [Client] works.
type Option func(*Client)

// WithPins holds answers against p. Without it they are held against
// [EmbeddedPins].
func WithPins(p *Pins) Option { return func(c *Client) { c.pins = p } }

// WithHTTPClient asks through h. Without it a request may take ten seconds, and
// redirects are not followed.
func WithHTTPClient(h *http.Client) Option { return func(c *Client) { c.http = h } }

// WithPatience lets [Client.Quote] wait for up to d altogether when a server
// says that it has had too many requests, or cannot answer now, and when to
// come back. Without it nothing is asked twice.
func WithPatience(d time.Duration) Option { return func(c *Client) { c.patience = d } }

const (
	basePath = "/v3/swap"
	timeout  = 10 * time.Second
)

// New returns a client of the server at address, such as
// https://quotes.example; a path ending in /v3/swap may be there or not.
func New(address string, options ...Option) (*Client, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil, u.Host == "", u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("client: the server's address must be like https://quotes.example")
	case u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("client: the server's address must end with its path")
	}
	base := strings.TrimSuffix(strings.TrimSuffix(u.String(), "/"), basePath)
	c := &Client{
		endpoint: base + basePath + "/quote",
		http:     &http.Client{Timeout: timeout, CheckRedirect: noRedirect},
	}
	for _, option := range options {
		option(c)
	}
	if c.pins == nil {
		if c.pins, err = EmbeddedPins(); err != nil {
			return nil, fmt.Errorf("client: %w", err)
		}
	}
	return c, nil
}

// noRedirect keeps a request, which tells who is paid, from being sent to
// another server than the caller chose.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// Quote asks the server for a quote and verifies it. What the pins can refuse
// without asking is not asked.
//
// An error is a [*Refusal] if the server gave one, and a [*Mismatch] if it gave
// an answer that must not be signed. As with [Verify], [ErrUnproven] comes with
// a quote.
func (c *Client) Quote(ctx context.Context, r swap.Request) (*swap.Quote, error) {
	route, err := c.pins.route(r)
	if err != nil {
		return nil, err
	}
	if err := checkRecipient(route, r.Recipient); err != nil {
		return nil, err
	}
	query := QueryOf(r)
	if route.Shields() {
		query.Set("include", "proof")
	}
	answer, err := c.askPatiently(ctx, c.endpoint+"?"+query.Encode())
	if err != nil {
		return nil, err
	}
	return Verify(r, answer, c.pins)
}
