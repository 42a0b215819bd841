package fake

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
)

// A Proxy forwards TCP connections to a server, and can make them fail.
type Proxy struct {
	net.Listener
	target net.Addr
	mode   atomic.Int32

	mu    sync.Mutex
	conns map[net.Conn]bool
	all   sync.WaitGroup

	cut atomic.Pointer[cut]
}

// The modes of a proxy, for connections made from now on.
const (
	passing = iota
	muted   // reads everything and answers nothing
	cutting // ends a connection in the middle of a response, after its headers
	resets  // ends a connection before the response
)

// cutAfter is more than the headers of a response have, and less than one with
// its body has.
const cutAfter = 150

// Serve starts an HTTP server behind a proxy. Both end with the test.
func Serve(tb testing.TB, h http.Handler) *Proxy {
	tb.Helper()
	srv := httptest.NewServer(h)
	tb.Cleanup(srv.Close)
	return NewProxy(tb, srv.Listener.Addr())
}

// NewProxy starts a proxy that ends with the test.
func NewProxy(tb testing.TB, target net.Addr) *Proxy {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	p := &Proxy{Listener: l, target: target, conns: map[net.Conn]bool{}}
	p.all.Go(p.accept)
	tb.Cleanup(func() {
		p.Down()
		p.all.Wait()
	})
	return p
}

func (p *Proxy) accept() {
	for {
		client, err := p.Accept()
		if err != nil {
			return
		}
		p.track(client, true)
		p.all.Go(func() {
			defer p.track(client, false)
			p.forward(client)
		})
	}
}

func (p *Proxy) forward(client net.Conn) {
	defer client.Close()
	server, err := net.Dial(p.target.Network(), p.target.String())
	if err != nil {
		return
	}
	defer server.Close()
	server = &guarded{Conn: server, cut: &p.cut}
	n := p.limit(client)
	p.all.Go(func() {
		_, _ = io.Copy(server, client)
		_ = server.Close() // the server may never do so
	})
	_, _ = io.Copy(client, io.LimitReader(server, n))
	_ = client.(*net.TCPConn).SetLinger(0) // a reset instead of an orderly end
}

// limit returns how many bytes of the responses pass.
func (p *Proxy) limit(client net.Conn) int64 {
	switch p.mode.Load() {
	case muted:
		_, _ = io.Copy(io.Discard, client)
		return 0
	case cutting:
		return cutAfter
	case resets:
		return 0
	}
	return 1 << 40
}

func (p *Proxy) track(c net.Conn, open bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if open {
		p.conns[c] = true
	} else {
		delete(p.conns, c)
	}
}

// Connections returns how many clients are connected.
func (p *Proxy) Connections() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.conns)
}

// Down ends the proxy and every connection through it.
func (p *Proxy) Down() {
	_ = p.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		_ = c.Close()
	}
}

// Mute makes new connections read everything and answer nothing.
func (p *Proxy) Mute() { p.mode.Store(muted) }

// Cut makes new connections end in the middle of a response.
func (p *Proxy) Cut() { p.mode.Store(cutting) }

// Reset makes new connections end before a response.
func (p *Proxy) Reset() { p.mode.Store(resets) }
