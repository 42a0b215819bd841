package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"hubquote/test/fake"
)

// A fault is a state of an upstream.
type fault string

const (
	healthy    fault = "healthy"
	broken     fault = "500"
	slow       fault = "slow"  // but in time
	crawling   fault = "crawl" // in time for itself, and too late for others to wait for
	hanging    fault = "hang"
	garbled    fault = "garbage"
	refusing   fault = "connection refused"
	wrongChain fault = "wrong chain"
	dishonest  fault = "dishonest"   // returns a false rate; only one of three nodes
	expensive  fault = "expensive"   // the issuer's fee is above the service's own
	invalidFee fault = "invalid fee" // the issuer's fee is above the accepted maximum
)

// An upstream is one server, always at the same address.
type upstream struct {
	answer  func(fault) http.Handler
	address string
	server  *http.Server // nil when it is not listening
}

// switchTo closes all connections and starts the server with another fault. After a
// reconnect, replicas check again which chain a node serves.
func (u *upstream) switchTo(f fault) error {
	u.stop()
	if f == refusing {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var l net.Listener
	// While the port is free, an outgoing connection may use it for a short time.
	err := fake.Until(ctx, func() (ok bool) { l, ok = u.listen(); return ok })
	if err != nil {
		return fmt.Errorf("listening on %s again: %w", u.address, err)
	}
	u.address = l.Addr().String()
	server := &http.Server{Handler: withFault(f, u.answer(f))}
	go server.Serve(l)
	u.server = server
	return nil
}

func (u *upstream) listen() (net.Listener, bool) {
	l, err := net.Listen("tcp", cmp.Or(u.address, "127.0.0.1:0"))
	return l, err == nil
}

func (u *upstream) stop() {
	if u.server != nil {
		_ = u.server.Close()
		u.server = nil
	}
}

// withFault returns h with the faults that are common to all upstreams.
func withFault(f fault, h http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		// net/http detects a closed connection only after it has read the request.
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		switch f {
		case broken:
			http.Error(w, "out of order", http.StatusInternalServerError)
			return
		case hanging:
			<-r.Context().Done()
			return
		case garbled:
			fmt.Fprint(w, "<!doctype html><title>Sign in</title>", strings.Repeat("[", 1<<12))
			return
		case crawling:
			fake.Sleep(r.Context(), 775*time.Millisecond)
			w.Header().Set("Connection", "close")
		case slow:
			fake.Sleep(r.Context(), 300*time.Millisecond)
		}
		h.ServeHTTP(w, r)
	}
}
