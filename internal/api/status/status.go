// Package status is the endpoint that says where a swap is. It reads the request
// strictly, bounds how many requests wait, and answers all of them when the
// server drains.
package status

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"hubquote/internal/api/document"
	"hubquote/internal/api/query"
	"hubquote/internal/catalog"
	"hubquote/internal/ratelimit"
	"hubquote/internal/wire/tracking"
	"hubquote/swap"
)

// A Tracker knows where swaps are.
type Tracker interface {
	Track(ctx context.Context, q swap.Question) (*swap.Tracking, error)
}

// An Endpoint answers requests for the status of a transaction.
type Endpoint struct {
	tracker  Tracker // nil when none is configured
	networks map[swap.PlaceID]swap.ChainID
	waiting  waiting
	draining chan struct{}
}

// New returns an endpoint. The tracker may be nil.
func New(t Tracker, c *catalog.Catalog) *Endpoint {
	e := &Endpoint{tracker: t, networks: map[swap.PlaceID]swap.ChainID{}, draining: make(chan struct{})}
	for _, r := range c.Routes() {
		e.networks[r.Src.ID], e.networks[r.Dst.ID] = r.Src.Network, r.Dst.Network
	}
	return e
}

// Drain answers all requests that wait, and lets no further one wait. Call it
// once.
func (e *Endpoint) Drain() { close(e.draining) }

// Waiting is how many requests wait.
func (e *Endpoint) Waiting() int { return e.waiting.count() }

var fields = []query.Field{
	{Name: "txHash", Max: swap.HashLen}, {Name: "srcChain", Max: swap.MaxPlaceDigits},
	{Name: "wait", Max: 3}, {Name: "after", Max: swap.MaxMarkLen},
}

// MaxWait is the longest time that a request may wait.
const MaxWait = 25 * time.Second

var errWait = errors.New("write a number of seconds from 0s to 25s, such as 25s")

func parseWait(s string) (time.Duration, error) {
	digits, ok := strings.CutSuffix(s, "s")
	n, err := strconv.ParseUint(digits, 10, 8)
	d := time.Duration(n) * time.Second // 8 bits
	if !ok || err != nil || strconv.FormatUint(n, 10) != digits || d > MaxWait {
		return 0, errWait
	}
	return d, nil
}

func (e *Endpoint) parse(raw string) (q swap.Question, err error) {
	var in query.Query
	in.Parse(raw, fields)
	q.Tx = query.Read(&in, 0, swap.HashInvalid, swap.ParseHash)
	place := query.ReadOptional(&in, 1, swap.ChainInvalid, swap.ParsePlaceID)
	q.Wait = query.ReadOptional(&in, 2, swap.ParamInvalid, parseWait)
	q.After = query.ReadOptional(&in, 3, swap.ParamInvalid, swap.ParseMark)
	network, served := e.networks[place]
	if place != 0 && !served {
		in.Refuse(swap.ChainUnsupported, "srcChain", "no swap starts or ends there; /v3/app/routes lists where they do")
	}
	q.Chain = network
	if in.Problems != nil {
		return q, in.Problems
	}
	return q, nil
}

// Serve answers a request of a client.
func (e *Endpoint) Serve(w http.ResponseWriter, r *http.Request, c ratelimit.Client) error {
	q, err := e.parse(r.URL.RawQuery)
	if err != nil {
		return err
	}
	if e.tracker == nil {
		return &swap.Error{Code: swap.StatusUnavailable, Message: "this service has no settler to ask; the events on chain say the same"}
	}
	t, err := e.track(w, r, q, c)
	if err != nil {
		return err
	}
	w.Header()["Cache-Control"] = private
	return document.WriteJSON(w, http.StatusOK, document.JSON, tracking.New(t))
}

var private = []string{"private, no-store"}

// track waits only while there is room, and never beyond a drain.
func (e *Endpoint) track(w http.ResponseWriter, r *http.Request, q swap.Question, c ratelimit.Client) (*swap.Tracking, error) {
	if q.Wait == 0 || !e.waiting.enter(c) {
		q.Wait = 0
		return e.tracker.Track(r.Context(), q)
	}
	defer e.waiting.leave(c)
	extend(w, q.Wait)
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	go func() {
		select {
		case <-e.draining:
			cancel()
		case <-ctx.Done():
		}
	}()
	t, err := e.tracker.Track(ctx, q)
	if ctx.Err() != nil && r.Context().Err() == nil { // a drain
		q.Wait = 0
		return e.tracker.Track(r.Context(), q)
	}
	return t, err
}

// extend gives the answer the same time to be read as that of a request that
// does not wait. A writer without deadlines needs none.
func extend(w http.ResponseWriter, wait time.Duration) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(wait + readable))
}

// readable is how long a client may take to read its answer, after the settler
// took its time.
const readable = 10 * time.Second
