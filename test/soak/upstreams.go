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

// A fault is how an upstream behaves.
type fault string

const (
	healthy  fault = "healthy"
	broken   fault = "500"
	slow     fault = "slow" // but in time
	hanging  fault = "hang"
	garbled  fault = "garbage"
	refusing fault = "connection refused"
	foreign  fault = "wrong chain"
	lying    fault = "lying"  // about a rate, but only as one of three
	dear     fault = "dear"   // the issuer wants more than the service earns
	absurd   fault = "absurd" // the issuer wants more than is believed
)

// An upstream is one server, always at the same address.
type upstream struct {
	answer  func(fault) http.Handler
	address string
	server  *http.Server // nil when nobody listens
}

// become ends all connections and begins with a new behaviour. A new connection
// is what makes replicas ask again which chain a node serves.
func (u *upstream) become(f fault) error {
	u.hangUp()
	if f == refusing {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var l net.Listener
	// While nobody listens, anyone's connection may get the port for a while.
	err := fake.Until(ctx, func() (ok bool) { l, ok = u.listen(); return ok })
	if err != nil {
		return fmt.Errorf("listening on %s again: %w", u.address, err)
	}
	u.address = l.Addr().String()
	server := &http.Server{Handler: behave(f, u.answer(f))}
	go server.Serve(l)
	u.server = server
	return nil
}

func (u *upstream) listen() (net.Listener, bool) {
	l, err := net.Listen("tcp", cmp.Or(u.address, "127.0.0.1:0"))
	return l, err == nil
}

func (u *upstream) hangUp() {
	if u.server != nil {
		_ = u.server.Close()
		u.server = nil
	}
}

// behave passes on to h, unless the fault is one of any server.
func behave(f fault, h http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		// A server notices that a client left only after it has read the request.
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
		case slow:
			fake.Sleep(r.Context(), 300*time.Millisecond)
		}
		h.ServeHTTP(w, r)
	}
}
