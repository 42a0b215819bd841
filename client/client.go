// Package client asks a server for quotes, and refuses those that are not for
// the swap that was asked for.
//
// A quote it returns was derived by this package from the caller's own pins, and
// is equal, in every field and to the last byte, to the server's answer. So a
// server can refuse to answer, but cannot get a transaction signed for another
// contract, recipient, amount or fee.
package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"hubquote/internal/judge"
	"hubquote/swap"
)

// A Client asks one server. It is safe for concurrent use.
type Client struct {
	endpoint string // of quotes
	status   string // of the status
	settings settings
}

// settings are what options change.
type settings struct {
	http     *http.Client
	pins     *Pins
	patience time.Duration
	accepted []Code
	onRetry  func(error, time.Duration)
}

func newSettings(options []Option) (s settings) {
	for _, option := range options {
		option(&s)
	}
	return s
}

// An Option changes how [New] or [Verify] works.
type Option func(*settings)

// WithPins compares answers with p. Without it they are compared with
// [EmbeddedPins].
func WithPins(p *Pins) Option { return func(s *settings) { s.pins = p } }

// WithHTTPClient sends requests through h. Without it a request may take ten
// seconds, and redirects are not followed.
func WithHTTPClient(h *http.Client) Option { return func(s *settings) { s.http = h } }

// WithPatience lets [Client.Quote] wait for up to d altogether when a server
// says that it has had too many requests, or cannot answer now, and when to
// retry. Without it no request is sent twice.
func WithPatience(d time.Duration) Option { return func(s *settings) { s.patience = d } }

// Accept takes a quote although it is unproven for these reasons. Every other
// reason is still an error.
func Accept(codes ...Code) Option {
	return func(s *settings) { s.accepted = append(s.accepted, codes...) }
}

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
	c := &Client{endpoint: base + basePath + "/quote", status: base + basePath + "/status", settings: newSettings(options)}
	if c.settings.http == nil {
		c.settings.http = &http.Client{Timeout: timeout, CheckRedirect: noRedirect}
	}
	if c.settings.pins == nil {
		if c.settings.pins, err = EmbeddedPins(); err != nil {
			return nil, fmt.Errorf("client: %w", err)
		}
	}
	return c, nil
}

// noRedirect keeps a request, which names the recipient, from being sent to
// another server than the caller chose.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// Quote asks the server for a quote and verifies it. For a shielding swap it
// asks for the proof as well. A request that the pins refuse is not sent.
//
// An error is a [*Refusal] if the server gave one, and a [*Mismatch] if it gave
// an answer that must not be signed. As with [Verify], an [*Unproven] comes
// with a quote.
func (c *Client) Quote(ctx context.Context, r swap.Request) (*swap.Quote, error) {
	p, err := judge.New(r, c.settings.pins.pins)
	if err != nil {
		return nil, err
	}
	p.AskForProof()
	answer, err := c.askPatiently(ctx, question{c.endpoint + "?" + QueryOf(p.Request()).Encode(), "a quote", judge.MaxAnswer})
	if err != nil {
		return nil, err
	}
	return verdict(p, answer, c.settings.accepted)
}
