package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"os/signal"
	"syscall"
	"time"

	"hubquote/internal/metrics"
)

// publicServer gives every phase of a request a deadline: a client that sends
// or reads a byte at a time must not hold a connection for ever. No request has
// a body worth waiting for, so the header's deadline is that of the whole, and
// net/http need not set another.
func publicServer(h http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 2 * time.Second,
		ReadTimeout:       2 * time.Second,
		WriteTimeout:      writeTime,
		IdleTimeout:       30 * time.Second,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
}

// adminServer has no write deadline: a profile takes as long as it is asked to.
func adminServer(m *metrics.Metrics, log *slog.Logger) *http.Server {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", m.Handler())
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	return &http.Server{
		Handler:           mux,
		ReadHeaderTimeout: 2 * time.Second,
		IdleTimeout:       30 * time.Second,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
}

// An endpoint is a server and where it listens.
type endpoint struct {
	name     string
	address  string // empty when it is not wanted
	most     uint   // connections at a time; zero for no limit
	server   *http.Server
	listener net.Listener // nil before listen, and when it is not wanted
}

// listen opens all endpoints, or none: that an address is taken is known before
// the first request is answered.
func listen(endpoints []*endpoint) (err error) {
	for i, e := range endpoints {
		if e.address == "" {
			continue
		}
		if e.listener, err = net.Listen("tcp", e.address); err != nil {
			closeAll(endpoints[:i])
			return fmt.Errorf("serve: %s address: %w", e.name, err)
		}
		if tcp, ok := e.listener.(*net.TCPListener); ok && e.most > 0 {
			e.listener = newCapped(tcp, e.most)
		}
	}
	return nil
}

func closeAll(endpoints []*endpoint) {
	for _, e := range endpoints {
		if e.listener != nil {
			_ = e.listener.Close()
		}
	}
}

// serveUntilSignal answers on all endpoints until a signal comes, then drains.
func serveUntilSignal(endpoints []*endpoint, drain func(), delay time.Duration, log *slog.Logger) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	failed := make(chan error, len(endpoints))
	for _, e := range endpoints {
		if e.listener != nil {
			log.Info("listening", "server", e.name, "address", e.listener.Addr().String())
			go func() { failed <- e.server.Serve(e.listener) }()
		}
	}
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	stop() // from here on a second signal ends the program
	drain()
	log.Info("draining")
	time.Sleep(delay)
	return shutdown(endpoints)
}

const (
	// writeTime is how long a client may take to read its answer.
	writeTime = 10 * time.Second

	// shutdownTime is how long requests under way may take to finish: longer
	// than a client that does not read can hold one, and than the half second
	// between two looks that net/http takes.
	shutdownTime = writeTime + 2*time.Second
)

// shutdown waits for the requests of the first endpoint, which is the one that
// clients use. A profile under way on another must not keep the program alive.
func shutdown(endpoints []*endpoint) error {
	ctx, cancel := context.WithTimeout(context.Background(), shutdownTime)
	defer cancel()
	err := endpoints[0].server.Shutdown(ctx)
	for _, e := range endpoints {
		_ = e.server.Close()
	}
	if err != nil {
		return fmt.Errorf("serve: requests were still under way after %v", shutdownTime)
	}
	return nil
}
