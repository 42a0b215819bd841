package integrator_test

import (
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A proxy stands between a client and a server, and spoils what passes.
type proxy struct {
	net.Listener
	target string
	spoil  spoil
	open   atomic.Int64 // connections from clients
	conns  sync.WaitGroup
}

// A spoil is what a proxy does to a connection. It returns how many bytes of
// the answers pass before the connection is reset.
type spoil func(client net.Conn) (pass int64)

func pass(net.Conn) int64 { return 1 << 40 }

// swallow takes everything and answers nothing.
func swallow(client net.Conn) int64 {
	_, _ = io.Copy(io.Discard, client)
	return 0
}

// reset ends the connection before the answer.
func reset(net.Conn) int64 { return 0 }

// cut ends the connection in the middle of an answer: behind its headers, which
// are a bit more than a hundred bytes.
func cut(net.Conn) int64 { return 150 }

func newProxy(t *testing.T, target string, spoil spoil) *proxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{Listener: listener, target: target, spoil: spoil}
	p.conns.Go(p.accept)
	t.Cleanup(func() {
		_ = p.Close()
		p.conns.Wait()
	})
	return p
}

func (p *proxy) accept() {
	for {
		client, err := p.Accept()
		if err != nil {
			return
		}
		p.open.Add(1)
		p.conns.Go(func() {
			defer p.open.Add(-1)
			p.serve(client)
		})
	}
}

func (p *proxy) serve(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp", p.target)
	if err != nil {
		return
	}
	defer server.Close()
	n := p.spoil(client)
	p.conns.Go(func() {
		_, _ = io.Copy(server, client)
		_ = server.(*net.TCPConn).CloseWrite()
	})
	_, _ = io.Copy(client, io.LimitReader(server, n))
	_ = client.(*net.TCPConn).SetLinger(0)
}

// quiet fails the test unless all connections from clients end.
func (p *proxy) quiet(t *testing.T) {
	t.Helper()
	for range 1000 {
		if p.open.Load() == 0 {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("%d connections are left", p.open.Load())
}
