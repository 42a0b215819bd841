// Package tracker asks the settler where a swap is. Answers that are the end are
// kept; others are asked for again after two seconds. While the settler does not
// answer, its last word about an order is given, marked as stale.
//
// Hashes are private: none is in an error.
package tracker

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"hubquote/internal/upstream"
	"hubquote/internal/wire/tracking"
	"hubquote/swap"
)

const (
	fresh   = 2 * time.Second
	timeout = 3 * time.Second // of an answer, besides the time it was asked to wait
	pause   = 2 * time.Second // after repeated failures
	kept    = 10_000          // orders
)

// Options configure a [Tracker]. Only URL is required.
type Options struct {
	URL upstream.URL // of the settler's read-only interface

	// Observe is told of each call. Nil tells nothing.
	Observe func(fault upstream.Fault, took time.Duration)
}

// A Tracker asks one settler. It is safe for concurrent use.
type Tracker struct {
	opts    Options
	http    *http.Client
	breaker *upstream.Breaker
	memory  memory
}

// New returns a tracker that has asked nothing yet.
func New(opts Options) (*Tracker, error) {
	if !opts.URL.IsHTTP() {
		return nil, errors.New("settler: only http and https are supported")
	}
	if opts.Observe == nil {
		opts.Observe = func(upstream.Fault, time.Duration) {}
	}
	return &Tracker{opts: opts, http: upstream.Client(nil), breaker: upstream.NewBreaker(pause), memory: newMemory(kept)}, nil
}

// Close ends idle connections.
func (t *Tracker) Close() { t.http.CloseIdleConnections() }

// Up reports whether the settler answered when last asked.
func (t *Tracker) Up() bool { return t.breaker.State() == upstream.Closed }

// Track implements the port of package api. With a wait it answers when there
// is more to say than after, or when the wait is over.
func (t *Tracker) Track(ctx context.Context, q swap.Question) (*swap.Tracking, error) {
	last, at := t.memory.get(q.Tx)
	if last != nil && (last.Final() || time.Since(at) < fresh && suffices(last.Mark(), q)) {
		return last, nil
	}
	answer, err := t.ask(ctx, q)
	switch {
	case err == nil:
		if len(answer.Orders) > 0 {
			answer = t.memory.put(q.Tx, answer)
		}
		return answer, nil
	case last != nil:
		return staleOf(last, time.Now()), nil
	}
	return nil, &swap.Error{Code: swap.StatusUnavailable, Message: "the status is not known now; the swap itself does not depend on it", Err: err}
}

// staleOf is an old answer, without times to come that have come meanwhile.
func staleOf(last *swap.Tracking, now time.Time) *swap.Tracking {
	old := *last
	old.Stale, old.Orders = true, slices.Clone(last.Orders)
	for i := range old.Orders {
		if s := &old.Orders[i]; !s.ETA.After(now) {
			s.ETA = time.Time{}
		}
	}
	return &old
}

// suffices reports whether a known mark answers a question: it is news for one
// that waits, and not less than what another replica told one that does not.
func suffices(known swap.Mark, q swap.Question) bool {
	if q.Wait > 0 {
		return q.After.Before(known)
	}
	return !known.Before(q.After)
}

func (t *Tracker) ask(ctx context.Context, q swap.Question) (*swap.Tracking, error) {
	if t.breaker.State() != upstream.Closed {
		q.Wait = 0 // all others are refused until the one that tries is answered
	}
	if !t.breaker.Allow() {
		return nil, upstream.Unreachable
	}
	start := time.Now()
	limited, cancel := context.WithTimeout(ctx, timeout+q.Wait)
	defer cancel()
	answer, err := t.call(limited, q)
	fault := upstream.FaultOf(err)
	switch {
	case err == nil:
		t.breaker.Succeed()
	case ctx.Err() != nil:
		t.breaker.Ignore()
		return nil, upstream.Canceled
	case fault == upstream.TooLarge: // the answer about one transaction says nothing about others
		t.breaker.Ignore()
		err = fault
	default:
		t.breaker.Fail()
		err = fault
	}
	t.opts.Observe(fault, time.Since(start))
	return answer, err
}

func (t *Tracker) call(ctx context.Context, q swap.Question) (*swap.Tracking, error) {
	query := url.Values{"tx": {q.Tx.String()}}
	if q.Chain != 0 {
		query.Set("chain", strconv.FormatUint(uint64(q.Chain), 10))
	}
	if q.Wait > 0 {
		query.Set("wait", q.Wait.String())
		query.Set("after", q.After.String())
	}
	address := t.opts.URL.Join("v1", "status").Reveal() + "?" + query.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, upstream.Malformed
	}
	resp, err := t.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	return tracking.Parse(body)
}
