// Package api is the service's HTTP face: it reads requests strictly, asks the
// quoter, and shows the answer in the version that was asked for.
//
// Every response, whatever its status, carries the same set of headers, and
// every error is a problem document. Nothing a client sent is repeated in one.
package api

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"sync/atomic"

	"hubquote/internal/catalog"
	"hubquote/internal/metrics"
	"hubquote/internal/ratelimit"
	"hubquote/internal/wire/printer"
	"hubquote/swap"
)

// A Quoter answers requests, and can check one without answering it.
type Quoter interface {
	// Quote answers r. An error that the client can act on is a [*swap.Error],
	// or [swap.Errors] when several parameters are wrong; any other is an
	// internal failure.
	Quote(ctx context.Context, r swap.Request) (*swap.Quote, error)

	// Check reports every problem in the fields of d that are set, as far as
	// it can be found without a network.
	Check(d swap.Draft) error
}

// Options configure a [Server]. Quoter and Catalog are required; the zero value
// of every other field is a working default.
type Options struct {
	// Quoter answers the requests. Required.
	Quoter Quoter

	// Catalog is shown by the endpoints that list what is served. Required.
	Catalog *catalog.Catalog

	// Limiter bounds requests per client. Nil means no limit.
	Limiter ratelimit.Limiter

	// Policy is what the limiter was made with, for the headers that tell
	// clients. Zero means [ratelimit.Standard].
	Policy ratelimit.Policy

	// TrustedProxies may say in X-Forwarded-For whom they speak for. Empty
	// means that the client is always the socket's peer.
	TrustedProxies []netip.Prefix

	// Version and Commit of the program, for the health check.
	Version, Commit string

	// Checks reports the state of what the service depends on, from memory.
	// Nil means that there is nothing to report.
	Checks func() []Check

	// Metrics counts requests. Nil means that nobody is counting.
	Metrics *metrics.Metrics

	// Log receives one line for each request that did not succeed. Nil
	// discards them.
	Log *slog.Logger
}

// A Server is the service's HTTP handler.
type Server struct {
	opts     Options
	mux      *http.ServeMux
	policy   []string     // the RateLimit-Policy header
	printer  *printer.Printer
	draining atomic.Bool
}

// New returns a Server. It fails if a required option is missing.
func New(opts Options) (*Server, error) {
	switch {
	case opts.Quoter == nil:
		return nil, errors.New("api: Options.Quoter is required")
	case opts.Catalog == nil:
		return nil, errors.New("api: Options.Catalog is required")
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if opts.Policy == (ratelimit.Policy{}) {
		opts.Policy = ratelimit.Standard()
	}
	p, err := printer.New(opts.Catalog.Routes())
	if err != nil {
		return nil, err
	}
	s := &Server{opts: opts, mux: http.NewServeMux(), policy: policyHeader(opts.Policy), printer: p}
	return s, s.routes()
}

// routes is the list of all paths.
func (s *Server) routes() error {
	views, err := newViews(s.opts.Catalog)
	if err != nil {
		return err
	}
	s.get("/v3/swap/quote", s.limited(s.quoteV3))
	s.get("/v1/quote", s.limited(s.quoteV1))
	s.get("/swap/v1/quote", s.limited(s.quoteV1))
	s.get("/v3/app/routers", s.limited(s.routers))
	s.get("/v3/app/tokens", s.limited(views.tokens.serve))
	s.get("/v3/app/routes", s.limited(views.routes.serve))
	s.get("/v3/app/vectors", s.limited(views.vectors.serve))
	s.get("/v3/swap/healthcheck", s.health)
	s.get("/openapi.json", views.openAPI.serve)
	s.get("/errors", page(views.pages.errors))
	s.get("/docs", page(views.pages.docs))
	s.get("/page/{file...}", views.pages.file)
	s.get("/{$}", page(views.pages.home))
	s.mux.Handle("/", s.handle("", notFound))
	return nil
}

// get serves GET and HEAD on path, and says so to every other method.
func (s *Server) get(path string, h handler) {
	s.mux.Handle("GET "+path, s.handle(path, h))
	s.mux.Handle(path, s.handle(path, methodNotAllowed))
}

// Drain makes the health check say that the server is about to stop, so that a
// load balancer sends it no more. Requests that come all the same are served.
func (s *Server) Drain() { s.draining.Store(true) }

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	setHeaders(w.Header(), requestID(r.Header))
	switch {
	case len(r.RequestURI) > maxURI:
		s.handle("", uriTooLong).ServeHTTP(w, r)
	case r.Method == http.MethodOptions:
		preflight(w)
	default:
		s.mux.ServeHTTP(w, r)
	}
}

// maxURI is longer than any valid request could be.
const maxURI = 8 << 10

func notFound(http.ResponseWriter, *http.Request) error {
	return &swap.Error{Code: swap.NotFound, Message: "nothing is served here; /openapi.json lists what is"}
}

func methodNotAllowed(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Allow", allowedMethods)
	return &swap.Error{Code: swap.MethodNotAllowed, Message: "only GET and HEAD are served here"}
}

func uriTooLong(http.ResponseWriter, *http.Request) error {
	return &swap.Error{Code: swap.URITooLong, Message: "the address is longer than 8 KiB"}
}
