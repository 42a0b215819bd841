// Package track is the settler's read-only HTTP interface: where a swap is, by
// the hash of any of its transactions. It reads the journal and writes nothing,
// so that every replica answers, with or without the lease.
//
// Mount the handler on a listener of its own, on loopback or a Unix socket: it
// lists no orders, but it shares a process with keys.
//
//	h, err := track.New(track.Options{Journal: j, Catalogs: catalogs})
//	server := &http.Server{Handler: h}
//	server.RegisterOnShutdown(h.Drain) // waiting requests are answered at once
//
// It serves, with GET:
//
//	/v1/status?tx=0x…[&chain=N][&wait=25s&after=REVISION.STEP]
//	/v1/orders/{id}
//	/v1/pools
//	/v1/health
package track

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"hubquote/internal/catalog"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/track/status"
	"hubquote/swap"
)

// Options configure a [Handler]. Journal and Catalogs are required.
type Options struct {
	Journal journal.Reader

	// Catalogs are those of every generation, the newest last. They say how
	// long a swap usually takes.
	Catalogs []*catalog.Catalog

	// Signing is how long the issuer takes. Nil means no time, for local chains.
	Signing Signing

	// Look asks one chain about a hash that the journal does not have, and
	// returns one of the reasons of [swap.Tracking]. It must be bounded in
	// rate. Nil means that no chain is asked.
	Look func(ctx context.Context, chain swap.ChainID, tx swap.Hash) string

	// Health describes the settler. Nil shows the journal's cursors only.
	Health func() Health

	// Log receives failures of the journal. Nil discards them.
	Log *slog.Logger
}

// Signing is how long the issuer usually takes to sign a burn of a network, fast
// or standard.
type Signing func(network swap.ChainID, fast bool) time.Duration

// Health is what an operator's monitor reads.
type Health struct {
	Role   string        `json:"role"` // "writer" or "standby"
	Epoch  int64         `json:"epoch"`
	Chains []ChainHealth `json:"chains"`
}

// ChainHealth is how a chain is read.
type ChainHealth struct {
	ID        swap.ChainID `json:"id"`
	Head      uint64       `json:"head"`
	Final     uint64       `json:"final"`
	Stalled   bool         `json:"stalled"`
	Endpoints int          `json:"endpoints"` // that answer
}

// Bounds of the interface.
const (
	maxWait    = 25 * time.Second
	maxWaiting = 2048 // four replicas of the quote service
	readLimit  = 2 * time.Second
	poll       = 300 * time.Millisecond // between two looks for a waiting request
	maxOrders  = 100                    // of one transaction
)

// A Handler answers requests.
type Handler struct {
	opts     Options
	atlas    *status.Atlas
	mux      *http.ServeMux
	waiting  chan struct{} // one for each request that waits
	draining chan struct{}
	drain    sync.Once
	cursors  cached[[]swap.Looked]
	pools    cached[[]pending]
}

// New returns a handler. It fails if a required option is missing.
func New(opts Options) (*Handler, error) {
	switch {
	case opts.Journal == nil:
		return nil, errors.New("track: Options.Journal is required")
	case len(opts.Catalogs) == 0:
		return nil, errors.New("track: Options.Catalogs is required")
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	h := &Handler{
		opts: opts, atlas: atlasOf(opts.Catalogs, opts.Signing), mux: http.NewServeMux(),
		waiting: make(chan struct{}, maxWaiting), draining: make(chan struct{}),
	}
	h.mux.HandleFunc("GET /v1/status", h.status)
	h.mux.HandleFunc("GET /v1/orders/{id}", h.order)
	h.mux.HandleFunc("GET /v1/pools", h.poolsPending)
	h.mux.HandleFunc("GET /v1/health", h.health)
	return h, nil
}

// ServeHTTP answers one request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.mux.ServeHTTP(w, r) }

// Drain answers all requests that wait, and lets no further one wait.
func (h *Handler) Drain() { h.drain.Do(func() { close(h.draining) }) }

// A cached value is read again when it is older than a moment, and than ten times
// as long as it took to read. Requests that come meanwhile wait for the one that
// reads.
type cached[T any] struct {
	mu    sync.Mutex
	at    time.Time
	took  time.Duration
	value T
}

func (c *cached[T]) get(age time.Duration, read func() (T, error)) (T, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.at) < max(age, 10*c.took) {
		return c.value, nil
	}
	start := time.Now()
	v, err := read()
	if err == nil {
		c.at, c.took, c.value = time.Now(), time.Since(start), v
	}
	return v, err
}
