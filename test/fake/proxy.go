package fake

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A Proxy forwards TCP connections to a server, and can make them fail.
type Proxy struct {
	net.Listener
	mode  atomic.Int32
	delay atomic.Int64 // of answers, in nanoseconds

	mu     sync.Mutex
	target net.Addr
	conns  map[net.Conn]bool
	all    sync.WaitGroup

	cut   atomic.Pointer[cut]
	watch atomic.Pointer[watch]
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
	p, err := StartProxy(target)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(p.Stop)
	return p
}

// StartProxy starts a proxy that must be stopped.
func StartProxy(target net.Addr) (*Proxy, error) {
	l, err := listen()
	if err != nil {
		return nil, err
	}
	p := &Proxy{Listener: l, target: target, conns: map[net.Conn]bool{}}
	p.all.Go(p.accept)
	return p, nil
}

// Stop ends the proxy and waits until its connections are closed.
func (p *Proxy) Stop() {
	p.Down()
	p.all.Wait()
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
	p.mu.Lock()
	target := p.target
	p.mu.Unlock()
	server, err := net.Dial(target.Network(), target.String())
	if err != nil {
		return
	}
	defer server.Close()
	server = &guarded{Conn: server, cut: &p.cut, watch: &p.watch}
	n := p.limit(client)
	p.all.Go(func() {
		_, _ = io.Copy(server, client)
		_ = server.Close() // the server may never do so
	})
	_ = p.answer(client, io.LimitReader(server, n))
	_ = client.(*net.TCPConn).SetLinger(0) // a reset instead of an orderly end
}

// answer passes answers on, each after the delay. Those on their way do not hold up
// others, as on a long line.
func (p *Proxy) answer(client io.Writer, server io.Reader) error {
	delay := time.Duration(p.delay.Load())
	if delay == 0 {
		_, err := io.Copy(client, server)
		return err
	}
	type part struct {
		text []byte
		due  time.Time
	}
	line := make(chan part, 1<<10)
	p.all.Go(func() {
		defer close(line)
		for {
			text := make([]byte, 4<<10)
			n, err := server.Read(text)
			if err != nil {
				return
			}
			line <- part{text[:n], time.Now().Add(delay)}
		}
	})
	var err error
	for next := range line {
		if time.Sleep(time.Until(next.due)); err == nil {
			_, err = client.Write(next.text)
		}
	}
	return err
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
	p.hangUp()
}

// Point ends all connections, and forwards new ones to another server.
func (p *Proxy) Point(target net.Addr) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.target = target
	p.hangUp()
}

// hangUp closes the connections. The caller holds the lock.
func (p *Proxy) hangUp() {
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

// Delay makes answers on new connections arrive that much later.
func (p *Proxy) Delay(d time.Duration) { p.delay.Store(int64(d)) }
