package main

import (
	"context"
	"errors"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httputil"
	"slices"
	"sync"
	"time"

	"hubquote/test/fake"
)

// A proxy is the load balancer. It sends each request to a replica whose health
// check is 200. A request is sent to another replica only if the connection could
// not be opened.
type proxy struct {
	report    *report
	transport *http.Transport
	server    *http.Server
	url       string
	listener  net.Listener
	stop      context.CancelFunc
	running   sync.WaitGroup

	mu       sync.Mutex
	backends []*backend
}

// A backend is the proxy's state of a replica.
type backend struct {
	*replica
	ready bool
	busy  int // requests sent and not answered
}

func newProxy(replicas []*replica, r *report) (*proxy, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &proxy{
		report: r, listener: l, url: "http://" + l.Addr().String(), stop: func() {},
		// On a connection that was used before, net/http would retry some
		// requests by itself.
		transport: &http.Transport{DisableKeepAlives: true},
	}
	for _, r := range replicas {
		p.backends = append(p.backends, &backend{replica: r})
	}
	p.server = &http.Server{Handler: &httputil.ReverseProxy{
		Rewrite: p.rewrite, Transport: p, ErrorHandler: p.failed, ErrorLog: log.New(io.Discard, "", 0),
	}}
	return p, nil
}

// open starts to poll the replicas and to serve.
func (p *proxy) open() {
	ctx, cancel := context.WithCancel(context.Background())
	p.stop = cancel
	for _, b := range p.backends {
		p.poll(ctx, b)
		p.running.Go(func() { p.watch(ctx, b) })
	}
	p.running.Go(func() { _ = p.server.Serve(p.listener) })
}

func (p *proxy) close() {
	p.stop()
	_ = p.server.Close()
	_ = p.listener.Close()
	p.running.Wait()
}

const pollEvery = 100 * time.Millisecond // a twentieth of the replicas' drain delay

func (p *proxy) watch(ctx context.Context, b *backend) {
	for fake.Sleep(ctx, pollEvery) {
		p.poll(ctx, b)
	}
}

func (p *proxy) poll(ctx context.Context, b *backend) {
	status, _ := b.health(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	b.ready = status == http.StatusOK
}

// rewrite keeps the client's X-Forwarded-For, and appends the client's address.
func (p *proxy) rewrite(r *httputil.ProxyRequest) {
	r.Out.Header["X-Forwarded-For"] = r.In.Header["X-Forwarded-For"]
	r.SetXForwarded()
	r.Out.URL.Scheme = "http"
}

// RoundTrip sends a request to a replica.
func (p *proxy) RoundTrip(r *http.Request) (*http.Response, error) {
	err := errors.New("no replica is ready")
	for tried := []*backend(nil); ; {
		b := p.pick(tried)
		if b == nil {
			return nil, err
		}
		var resp *http.Response
		out := r.Clone(r.Context())
		out.URL.Host = b.address()
		resp, err = p.transport.RoundTrip(out)
		p.release(b)
		if e, ok := errors.AsType[*net.OpError](err); !ok || e.Op != "dial" {
			return resp, err
		}
		tried = append(tried, b)
	}
}

// pick returns a random ready backend that was not tried yet, so that every client
// uses all of them.
func (p *proxy) pick(tried []*backend) *backend {
	p.mu.Lock()
	defer p.mu.Unlock()
	var ready []*backend
	for _, b := range p.backends {
		if b.ready && !slices.Contains(tried, b) {
			ready = append(ready, b)
		}
	}
	if ready == nil {
		return nil
	}
	b := ready[rand.N(len(ready))]
	b.busy++
	return b
}

func (p *proxy) release(b *backend) {
	p.mu.Lock()
	defer p.mu.Unlock()
	b.busy--
}

// uses reports whether the proxy sends requests to r.
func (p *proxy) uses(r *replica) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.backends[r.number].ready
}

// drained reports whether the proxy sends r no requests and has none under way.
func (p *proxy) drained(r *replica) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	b := p.backends[r.number]
	return !b.ready && b.busy == 0
}

func (p *proxy) failed(w http.ResponseWriter, _ *http.Request, err error) {
	p.report.fault("the proxy got no answer", "%v", err)
	w.WriteHeader(http.StatusBadGateway)
}
