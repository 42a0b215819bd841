package postgres

import (
	"bytes"
	"net"
	"sync"
	"sync/atomic"
	"testing"
)

// A Proxy stands before a server, tells of every commit, and can be pointed at
// another server.
type Proxy struct {
	Address string

	hook   func(answered bool)
	mu     sync.Mutex
	target string
	conns  map[net.Conn]bool
	all    sync.WaitGroup
}

// NewProxy starts a proxy that ends with the test. The hook is called before each
// commit is passed on and before its answer is.
func NewProxy(tb testing.TB, target string, hook func(answered bool)) *Proxy {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	p := &Proxy{Address: l.Addr().String(), hook: hook, target: target, conns: map[net.Conn]bool{}}
	p.all.Go(func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			p.all.Go(func() { p.serve(client) })
		}
	})
	tb.Cleanup(func() {
		_ = l.Close()
		p.Point("127.0.0.1:1")
		p.all.Wait()
	})
	return p
}

// Point ends all connections, and passes new ones on to another server.
func (p *Proxy) Point(target string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.target = target
	for c := range p.conns {
		_ = c.Close()
	}
	clear(p.conns)
}

func (p *Proxy) serve(client net.Conn) {
	defer func() { _ = client.Close() }()
	p.mu.Lock()
	target := p.target
	p.conns[client] = true
	p.mu.Unlock()
	server, err := net.Dial("tcp", target)
	if err != nil {
		return
	}
	defer func() { _ = server.Close() }()
	var asked atomic.Bool
	p.all.Go(func() {
		defer func() { _, _ = client.Close(), server.Close() }()
		pass(client, server, func([]byte) {
			if asked.Swap(false) {
				p.hook(true)
			}
		})
	})
	pass(server, client, func(text []byte) {
		if bytes.Contains(bytes.ToLower(text), []byte("commit\x00")) {
			p.hook(false)
			asked.Store(true)
		}
	})
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conns, client)
}

// pass copies until one side ends, and shows every piece first.
func pass(to, from net.Conn, show func([]byte)) {
	buf := make([]byte, 1<<16)
	for {
		n, err := from.Read(buf)
		if n > 0 {
			show(buf[:n])
			if _, err := to.Write(buf[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
