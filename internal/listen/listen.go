// Package listen serves HTTP on a few addresses at once, with a deadline for
// every phase of a request and a limit on open connections.
//
// All addresses are open before the first request is answered, and requests in
// progress are finished before [Servers.Run] returns.
package listen

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"net/netip"
	"time"

	"hubquote/internal/conn"
)

const (
	// headerTimeout is how long a client may take to send its request.
	headerTimeout = 2 * time.Second

	// idleTimeout is how long a connection may wait for the next request.
	idleTimeout = 30 * time.Second

	// writeTimeout is how long a client may take to read its answer.
	writeTimeout = 10 * time.Second

	// ShutdownTimeout is how long requests in progress may take to finish. It is
	// longer than a client that does not read can hold one, plus the half second
	// at which net/http polls its connections.
	ShutdownTimeout = writeTimeout + 2*time.Second
)

// Public returns a server with a deadline for every phase of a request, so that a
// client that sends or reads one byte at a time cannot hold a connection for ever.
// Requests have no body, so the deadline of the header is that of the whole
// request, and net/http need not set another.
func Public(h http.Handler, log *slog.Logger) *http.Server {
	s := newServer(h, log)
	s.ReadTimeout = s.ReadHeaderTimeout
	s.WriteTimeout = writeTimeout
	s.MaxHeaderBytes = 16 << 10
	s.DisableGeneralOptionsHandler = true // so that OPTIONS * has our headers too
	return s
}

// Admin returns a server for metrics and profiles. It has no write deadline,
// because the client chooses the duration of a profile. It has no
// /debug/pprof/cmdline, because flags may hold secrets.
func Admin(metrics http.Handler, log *slog.Logger) *http.Server {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", metrics)
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	return newServer(mux, log)
}

func newServer(h http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		ErrorLog:          errorLog(log),
	}
}

// A Server is an HTTP server and the address it listens on.
type Server struct {
	Name           string         // for the log
	Address        string         // empty to disable the server
	MaxConnections uint           // zero for no limit
	Trusted        []netip.Prefix // proxies, which speak for many clients
	HTTP           *http.Server

	// Inherited is an open socket to use instead of Address. Nil means none.
	Inherited net.Listener

	listener net.Listener // nil before Open, and when the server is disabled
	table    *conn.Table  // of its connections
}

// Addr returns the address that was opened, or nil.
func (s *Server) Addr() net.Addr {
	if s.listener == nil {
		return nil
	}
	return s.listener.Addr()
}

func (s *Server) open() (err error) {
	switch {
	case s.Inherited != nil:
		s.listener = s.Inherited
	case s.Address == "":
		return nil
	default:
		if s.listener, err = net.Listen("tcp", s.Address); err != nil {
			return fmt.Errorf("%s address: %w", s.Name, err)
		}
	}
	if tcp, ok := s.listener.(*net.TCPListener); ok {
		s.table = conn.New(tcp, conn.Options{Most: s.MaxConnections, Trusted: s.Trusted, Idle: idleTimeout})
		s.listener, s.HTTP.ConnState = s.table, s.table.SetState
	}
	return nil
}

// quiesce accepts no more connections, and waits until none has a request or is so
// new that one may be on its way. A client has the time of a header for it.
func (s *Server) quiesce() {
	if s.table == nil {
		return
	}
	_ = s.listener.Close()
	for end := time.Now().Add(headerTimeout); s.table.Busy() && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
}

// Servers start and stop together. The first is the public one.
type Servers []*Server

// Open opens all addresses, or none.
func (list Servers) Open() error {
	for _, s := range list {
		if err := s.open(); err != nil {
			list.Close()
			return err
		}
	}
	return nil
}

// Close ends all servers at once, with the requests in progress.
func (list Servers) Close() {
	for _, s := range list {
		_ = s.HTTP.Close()
		if s.listener != nil {
			_ = s.listener.Close()
		}
	}
}

// A Drain configures how servers stop.
type Drain struct {
	Begin func()        // makes the health check tell load balancers to send no more requests
	Delay time.Duration // how long to serve after that
}

// Run serves until ctx ends, then drains. Call Open before it.
func (list Servers) Run(ctx context.Context, d Drain, log *slog.Logger) error {
	failed := make(chan error, len(list))
	for _, s := range list {
		if s.listener != nil {
			log.Info("listening", "server", s.Name, "address", s.Addr().String())
			go func() { failed <- s.HTTP.Serve(s.listener) }()
		}
	}
	select {
	case err := <-failed:
		list.Close()
		return err
	case <-ctx.Done():
	}
	d.Begin()
	log.Info("draining")
	time.Sleep(d.Delay)
	return list.shutdown()
}

// shutdown waits for the requests of the first server. A profile in progress on
// another must not keep the program from ending.
//
// A connection that was accepted at the last moment is answered too: once it shuts
// down, net/http drops a request that it reads, so it is told only when no request
// can be on its way on a new connection. The rest of the queue is left for the next
// process, if the socket is inherited.
func (list Servers) shutdown() error {
	ctx, cancel := context.WithTimeout(context.Background(), ShutdownTimeout)
	defer cancel()
	list[0].quiesce()
	err := list[0].HTTP.Shutdown(ctx)
	list.Close()
	if err != nil {
		return fmt.Errorf("requests were still in progress after %v", ShutdownTimeout)
	}
	return nil
}
