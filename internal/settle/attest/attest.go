// Package attest asks the issuer for its signatures of burns. All requests share
// one budget, far below what the issuer allows before it blocks an address, and
// none is sent while it blocks ours. The signatures are not checked here: the
// contract that mints does so.
package attest

import (
	"context"
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"
	"sync"
	"time"

	"hubquote/internal/settle/message"
	"hubquote/internal/settle/order"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

// ErrBusy means that no request may be sent now: the budget of this second is
// used up, or the issuer blocks us. Ask again at [Client.Free].
var ErrBusy = errors.New("the budget for questions to the issuer is used up: ask again later")

const (
	defaultPerSecond = 10
	defaultTimeout   = 5 * time.Second
	blocked          = 5 * time.Minute // what the issuer says it does after a 429
)

// Options configure a [Client].
type Options struct {
	// URL is the base of the issuer's API. Required.
	URL upstream.URL

	// PerSecond is the most requests in any second. Zero means 10. The issuer
	// allows 35 for one address, which the quote service may share.
	PerSecond int

	// Timeout bounds one request. Zero means 5 s.
	Timeout time.Duration

	// Transport carries the requests. Nil means its own connections.
	Transport http.RoundTripper
}

// A Client asks the issuer. It may be used from many goroutines.
type Client struct {
	url     upstream.URL
	timeout time.Duration
	http    *http.Client

	mu     sync.Mutex
	recent []time.Time // of the last requests, as many as one second may have; the next overwrites the oldest
	next   int
	resume time.Time // no request before
	health Health
}

// Health is how the last requests ended.
type Health struct {
	Asked   int            // requests so far
	Blocked time.Time      // the issuer blocks us until then; zero when it does not
	Fault   upstream.Fault // of the last request; empty when it went well
	Since   time.Time      // since when requests fail; zero when they do not
}

// New returns a client that connects with its first request.
func New(opts Options) (*Client, error) {
	if !opts.URL.IsHTTP() {
		return nil, errors.New("attest: Options.URL is required and must be http or https")
	}
	if opts.PerSecond <= 0 {
		opts.PerSecond = defaultPerSecond
	}
	if opts.Timeout <= 0 {
		opts.Timeout = defaultTimeout
	}
	return &Client{
		url: opts.URL, timeout: opts.Timeout, http: upstream.Client(opts.Transport),
		recent: make([]time.Time, opts.PerSecond),
	}, nil
}

// Close ends all connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Ask returns what the issuer says about the burns of a transaction, in the
// order of their logs. There is none while it has not seen the transaction. The
// error is [ErrBusy] or an [upstream.Fault].
func (c *Client) Ask(ctx context.Context, source swap.Domain, tx order.Hash) ([]Entry, error) {
	u := c.url.Join("v2/messages", strconv.FormatUint(uint64(source), 10)).Reveal() + "?transactionHash=" + tx.String()
	body, err := c.do(ctx, http.MethodGet, u)
	switch {
	case errors.Is(err, upstream.NotFound):
		return nil, nil
	case err != nil:
		return nil, err
	}
	entries, err := parse(body)
	if err != nil {
		c.note(upstream.Malformed)
		return nil, upstream.Malformed
	}
	return entries, nil
}

// Reattest asks for a new signature of a message that expires. The signature
// comes with a later answer to [Client.Ask].
func (c *Client) Reattest(ctx context.Context, nonce message.Word) error {
	_, err := c.do(ctx, http.MethodPost, c.url.Join("v2/reattest", "0x"+hex.EncodeToString(nonce[:])).Reveal())
	return err
}

// Health returns how the last requests ended.
func (c *Client) Health() Health {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.health
}
