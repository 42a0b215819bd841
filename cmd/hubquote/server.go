package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"os/signal"
	"syscall"
	"time"

	"hubquote/internal/api"
	"hubquote/internal/metrics"
)

// publicServer gives every phase of a request a deadline: a client that sends
// or reads a byte at a time must not hold a connection for ever.
func publicServer(h http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 2 * time.Second,
		ReadTimeout:       5 * time.Second,
		WriteTimeout:      10 * time.Second,
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

// An endpoint is a server and where it listens; one without an address is not
// started.
type endpoint struct {
	name    string
	address string
	server  *http.Server
}

// listenAndServe serves until a signal comes, then drains.
func listenAndServe(h *api.Server, endpoints []endpoint, delay time.Duration, log *slog.Logger) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	failed := make(chan error, len(endpoints))
	var started []*http.Server
	for _, e := range endpoints {
		if e.address == "" {
			continue
		}
		l, err := net.Listen("tcp", e.address)
		if err != nil {
			return fmt.Errorf("serve: %s address: %w", e.name, err)
		}
		log.Info("listening", "server", e.name, "address", l.Addr().String())
		started = append(started, e.server)
		go func() { failed <- e.server.Serve(l) }()
	}
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	stop() // from here on a second signal ends the program
	h.Drain()
	log.Info("draining")
	time.Sleep(delay)
	return shutdown(started)
}

// shutdownTime is how long requests under way may take to finish.
const shutdownTime = 10 * time.Second

func shutdown(servers []*http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), shutdownTime)
	defer cancel()
	var errs []error
	for _, s := range servers {
		errs = append(errs, s.Shutdown(ctx))
	}
	return errors.Join(errs...)
}
