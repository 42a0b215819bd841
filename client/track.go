package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"hubquote/internal/wire/tracking"
	"hubquote/swap"
)

// A Hint says more about a transaction than its hash.
type Hint func(*swap.Question)

// OnChain names the chain of the transaction. With it, a hash that the server
// does not know yet is looked up there, so that it can say that the transaction
// is pending, failed, or opened no order.
func OnChain(id swap.ChainID) Hint { return func(q *swap.Question) { q.Chain = id } }

// OnRetry is told why a request of [Client.WaitFor] failed that is sent again
// after a pause.
func OnRetry(tell func(err error, pause time.Duration)) Option {
	return func(s *settings) { s.onRetry = tell }
}

const (
	longWait    = 8 * time.Second // below the timeout of a request
	minPause    = time.Second     // between two requests, when the server does not wait
	maxFailures = 5               // in a row: a server without a settler says 503 for ever
)

// Track asks once where a swap is, by the hash of any of its transactions. What
// it returns is what the server says: [Client.Prove] compares it with chains.
func (c *Client) Track(ctx context.Context, tx swap.Hash, hints ...Hint) (*swap.Tracking, error) {
	return c.track(ctx, questionOf(tx, hints))
}

func questionOf(tx swap.Hash, hints []Hint) swap.Question {
	q := swap.Question{Tx: tx}
	for _, hint := range hints {
		hint(&q)
	}
	return q
}

func (c *Client) track(ctx context.Context, q swap.Question) (*swap.Tracking, error) {
	query := url.Values{"txHash": {q.Tx.String()}}
	if q.Chain != 0 {
		query.Set("srcChain", strconv.FormatUint(uint64(q.Chain), 10))
	}
	if q.Wait > 0 {
		query.Set("wait", strconv.Itoa(int(q.Wait.Seconds()))+"s")
		query.Set("after", q.After.String())
	}
	body, err := c.askPatiently(ctx, question{c.status + "?" + query.Encode(), "the status", tracking.MaxAnswer})
	if err != nil {
		return nil, err
	}
	t, err := tracking.Parse(body)
	if err != nil {
		return nil, fmt.Errorf("the server's answer: %w", err)
	}
	return t, nil
}

// WaitFor asks until an answer is what the caller waits for, until nothing more
// will come, or until ctx ends. Every answer that is no older than the one
// before is given to until; nil waits for the end, which [swap.Tracking.Over]
// describes.
//
// It lets the server hold each request until there is news, sends no more than
// one a second, and comes back when the server says. A request that fails is
// sent again up to five times in a row, unless it is the first one and the
// server gave no time to come back. With an error comes the last answer, if
// there was one.
func (c *Client) WaitFor(ctx context.Context, tx swap.Hash, until func(*swap.Tracking) bool, hints ...Hint) (*swap.Tracking, error) {
	q := questionOf(tx, hints)
	var last *swap.Tracking
	for failures := 0; ; failures++ {
		pause := minPause
		t, err := c.track(ctx, q)
		if err == nil {
			failures = -1
		} else if pause, err = c.retry(ctx, err, failures, last == nil); err != nil {
			return last, err
		}
		if t != nil && (last == nil || !t.Mark().Before(last.Mark())) {
			last, q.Wait, q.After = t, longWait, t.Mark()
			if until != nil && until(t) || t.Over() {
				return t, nil
			}
		}
		if err := wait(ctx, pause); err != nil {
			return last, err
		}
	}
}

// retry returns how long to wait before the next request, or the error that ends
// them. A client that was too quick always comes back.
func (c *Client) retry(ctx context.Context, err error, failures int, first bool) (time.Duration, error) {
	refusal, refused := errors.AsType[*Refusal](err)
	pause := time.Second << min(failures, maxFailures)
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case refused && refusal.RetryAfter > 0:
		pause = refusal.RetryAfter
	case first, refused && refusal.Status < http.StatusInternalServerError:
		return 0, err
	}
	if failures >= maxFailures && !(refused && refusal.Status == http.StatusTooManyRequests) {
		return 0, err
	}
	if c.settings.onRetry != nil {
		c.settings.onRetry(err, pause)
	}
	return pause, nil
}
