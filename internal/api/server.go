// Package api is the HTTP interface of the service: it reads requests strictly,
// passes them to the quoter, and shows the quote in the version of the request.
//
// Every response, whatever its status, carries the same set of headers, and
// every error is a problem document, which repeats nothing that a client sent.
package api

import (
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"sync/atomic"

	"hubquote/docs"
	"hubquote/internal/api/dialect"
	"hubquote/internal/api/discovery"
	"hubquote/internal/api/document"
	"hubquote/internal/api/handler"
	"hubquote/internal/api/lists"
	"hubquote/internal/api/pages"
	"hubquote/internal/api/status"
	"hubquote/internal/api/symbols"
	"hubquote/internal/catalog"
	"hubquote/internal/metrics"
	"hubquote/internal/ratelimit"
	"hubquote/swap"
)

// Options configure a [Server]. Quoter and Catalog are required; the zero value
// of every other field is a working default.
type Options struct {
	// Quoter answers the requests. Required.
	Quoter dialect.Quoter

	// Catalog is shown by the endpoints that list its contents. Required.
	Catalog *catalog.Catalog

	// Pins are the facts that the page compares quotes with, as hubquote pins writes
	// them. Without them the page asks for no quotes.
	Pins []byte

	// Pools are shown in the list of routes. Nil means that nothing is known of
	// them.
	Pools swap.Pools

	// Limiter bounds requests per client. Nil means no limit.
	Limiter ratelimit.Limiter

	// Tracker knows where swaps are. Nil means that no request is answered.
	Tracker status.Tracker

	// StatusLimiter bounds requests for the status per client, with the policy
	// of [ratelimit.Status]. Nil means no limit.
	StatusLimiter ratelimit.Limiter

	// TrustedProxies may name their client in X-Forwarded-For. Empty means that
	// the client is always the socket's peer.
	TrustedProxies []netip.Prefix

	// SecurityContact is the URI for reports of vulnerabilities. Empty means that
	// no security.txt is served.
	SecurityContact string

	// Version and Commit of the program, for the health check.
	Version, Commit string

	// Checks reports the state of the dependencies, from memory.
	// Nil means that there is nothing to report.
	Checks func() []Check

	// Metrics counts requests. Nil counts nothing.
	Metrics *metrics.Metrics

	// Log receives one line for each request that did not succeed. Nil
	// discards them.
	Log *slog.Logger
}

// A Server is the service's HTTP handler.
type Server struct {
	opts     Options
	mux      *http.ServeMux
	make     handler.Maker
	status   *status.Endpoint
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
	s := &Server{opts: opts, mux: http.NewServeMux(), make: handler.Maker{Metrics: opts.Metrics, Log: opts.Log}}
	return s, s.routes()
}

// routes is the list of all paths.
func (s *Server) routes() error {
	quote, err := dialect.New(s.opts.Quoter, s.opts.Catalog, s.opts.Metrics)
	if err != nil {
		return err
	}
	list, err := lists.New(s.opts.Catalog, s.opts.Pools)
	if err != nil {
		return err
	}
	page, err := pages.New(s.opts.Catalog, s.opts.Pins)
	if err != nil {
		return err
	}
	s.status = status.New(s.opts.Tracker, s.opts.Catalog)
	found, err := discovery.Files(s.opts.SecurityContact)
	if err != nil {
		return err
	}
	s.get("/v3/swap/quote", s.limited(quote.V3))
	s.get("/v3/swap/status", s.statusLimited(func(w http.ResponseWriter, r *http.Request) error { return s.status.Serve(w, r, s.client(r)) }))
	s.get("/v1/quote", s.limited(quote.V1))
	s.get("/swap/v1/quote", s.limited(quote.V1))
	s.get("/v3/app/routers", s.limited(list.Routers))
	s.get("/v3/app/tokens", s.limited(list.Tokens.Serve))
	s.get("/v3/app/routes", s.limited(list.Routes))
	s.get("/v3/app/vectors", s.limited(file(docs.Vectors)))
	s.get("/v3/swap/healthcheck", s.health)
	s.get("/openapi.json", file(docs.OpenAPI))
	s.get("/errors", page.Errors)
	s.get("/docs", page.Docs)
	s.get("/page/{file...}", page.File)
	s.get("/symbols/{file}", symbols.New(s.opts.Catalog).Serve)
	s.get("/{$}", page.Home)
	for path, serve := range found {
		s.get(path, serve)
	}
	s.mux.Handle("/", s.make.Handler("", handler.NotFound))
	return nil
}

func file(json []byte) handler.Func {
	return document.New(document.JSON[0], json).Compressed().Serve
}

// get serves GET and HEAD on path, and refuses every other method.
func (s *Server) get(path string, h handler.Func) {
	s.mux.Handle("GET "+path, s.make.Handler(path, h))
	s.mux.Handle(path, s.make.Handler(path, handler.MethodNotAllowed))
}

// closing makes a client open a new connection for its next request.
var closing = []string{"close"}

// Drain makes the health check say that the server is about to stop, so that a
// load balancer sends it no more requests. Those that arrive are still served, and
// their connections closed behind the answer: a connection that is kept would end
// with the server, perhaps under a request that is on its way. Requests that wait
// for news are answered.
func (s *Server) Drain() {
	if !s.draining.Swap(true) {
		s.status.Drain()
	}
}

// Waiting is how many requests wait for news of a swap.
func (s *Server) Waiting() int { return s.status.Waiting() }

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	handler.SetHeaders(w, r)
	body := hasBody(r)
	if body || s.draining.Load() {
		w.Header()["Connection"] = closing
	}
	switch {
	case len(r.RequestURI) > maxURI:
		s.make.Handler("", handler.URITooLong).ServeHTTP(w, r)
	case r.Method == http.MethodConnect:
		s.make.Handler("", handler.MethodNotAllowed).ServeHTTP(w, r)
	case body && (r.Method == http.MethodGet || r.Method == http.MethodHead):
		s.make.Handler("", handler.BodyRefused).ServeHTTP(w, r)
	case r.Method == http.MethodOptions:
		handler.Preflight(w)
	default:
		s.mux.ServeHTTP(w, r)
	}
}

// hasBody reports whether a request has a body, which no path takes. Its connection
// is closed behind the answer: a proxy that disagrees about where the body ends
// would let one client's bytes become another's request.
func hasBody(r *http.Request) bool { return r.ContentLength != 0 || len(r.TransferEncoding) > 0 }

// maxURI is longer than any valid request could be.
const maxURI = 8 << 10
