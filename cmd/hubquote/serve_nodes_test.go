package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hubquote/internal/catalog"
	"hubquote/swap"
)

// What the fake registries know: an ID is active if it begins as the partners' do.
const (
	partners = "0x00000000000000000000000000000000a11ce0" // and two digits
	retired  = "0x000000000000000000000000000000000000dead"
	stranger = "0x0000000000000000000000000000000000005afe"
	wallet   = "0x00000000000000000000000000000000ca5cade5"

	partner  = partners + "01"
	partner2 = partners + "02"
)

// A node is a JSON-RPC server for a chain with a registry, behind a proxy. Each
// chain has a rate of its own, so that asking the wrong one shows.
type node struct {
	chain    swap.ChainID
	claims   swap.ChainID // which chain it says it serves
	registry swap.Address
	rate     uint32        // in millionths
	behind   time.Duration // how old its head is
	empty    bool          // there is no contract

	// handle, if set, answers instead of the node.
	handle http.HandlerFunc

	lookups atomic.Int64
	*proxy
}

// newNode starts a node that works. What changes it comes before it is asked.
func newNode(t *testing.T, chain swap.ChainID) *node {
	t.Helper()
	c, err := catalog.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	registry, _ := c.Registry(chain)
	n := &node{chain: chain, claims: chain, registry: registry, rate: rates[chain]}
	n.proxy = newProxy(t, n)
	return n
}

func (n *node) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if n.handle != nil {
		n.handle(w, r)
		return
	}
	var req struct {
		ID     json.RawMessage
		Method string
		Params []json.RawMessage
	}
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, req.ID, n.answer(req.Method, req.Params))
}

func (n *node) answer(method string, params []json.RawMessage) string {
	switch method {
	case "eth_chainId":
		return fmt.Sprintf(`"0x%x"`, n.claims)
	case "eth_getBlockByNumber":
		return fmt.Sprintf(`{"number":"0x10","hash":"0x%064x","timestamp":"0x%x"}`, n.chain, time.Now().Add(-n.behind).Unix())
	case "eth_call":
		n.lookups.Add(1)
		var call struct{ To, Data string }
		if json.Unmarshal(params[0], &call) != nil || call.To != n.registry.String() || n.empty {
			return `"0x"`
		}
		return strconv.Quote(n.entry("0x" + call.Data[len(call.Data)-40:]))
	}
	return "null"
}

// entry is the registry's answer about a partner's address.
func (n *node) entry(id string) string {
	switch {
	case strings.HasPrefix(id, partners):
		return fmt.Sprintf("0x%064s%064x%064x", wallet[2:], n.rate, 1)
	case id == retired:
		return fmt.Sprintf("0x%064s%064x%064x", wallet[2:], n.rate, 0)
	}
	return "0x" + strings.Repeat("0", 192)
}

// A proxy stands between the program and a server, on the level of TCP.
type proxy struct {
	net.Listener
	target net.Addr
	spoil  atomic.Pointer[func(client net.Conn) (pass int64)]

	mu    sync.Mutex
	conns map[net.Conn]bool
	all   sync.WaitGroup
}

// newProxy starts a server behind a proxy that passes everything on.
func newProxy(t *testing.T, h http.Handler) *proxy {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return proxyTo(t, srv.Listener.Addr())
}

func proxyTo(t *testing.T, target net.Addr) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{Listener: l, target: target, conns: map[net.Conn]bool{}}
	p.all.Go(p.accept)
	t.Cleanup(func() {
		p.down()
		p.all.Wait()
	})
	return p
}

func (p *proxy) accept() {
	for {
		client, err := p.Accept()
		if err != nil {
			return
		}
		p.all.Go(func() { p.serve(client) })
	}
}

func (p *proxy) serve(client net.Conn) {
	server, err := net.Dial(p.target.Network(), p.target.String())
	if err != nil {
		_ = client.Close()
		return
	}
	p.keep(client, server)
	pass := int64(1 << 40)
	if spoil := p.spoil.Load(); spoil != nil {
		pass = (*spoil)(client)
	}
	p.all.Go(func() { _, _ = io.Copy(server, client); _ = server.Close() })
	_, _ = io.Copy(client, io.LimitReader(server, pass))
	_ = client.(*net.TCPConn).SetLinger(0)
	_ = client.Close()
}

func (p *proxy) keep(conns ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range conns {
		p.conns[c] = true
	}
}

// down ends the proxy and every connection through it, for good.
func (p *proxy) down() {
	_ = p.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		_ = c.Close()
	}
}

// mute makes the proxy take everything and answer nothing.
func (p *proxy) mute() {
	spoil := func(client net.Conn) int64 { _, _ = io.Copy(io.Discard, client); return 0 }
	p.spoil.Store(&spoil)
}

// cut makes the proxy end connections in the middle of an answer, behind its
// headers, which are a bit more than a hundred bytes.
func (p *proxy) cut() {
	spoil := func(net.Conn) int64 { return 150 }
	p.spoil.Store(&spoil)
}

// url is where the program finds the proxy: with the canary wherever HTTP lets
// a client put it but in the host, which has to be found.
func (p *proxy) url() string {
	return "http://" + canary + "u:" + canary + "p@" + p.Addr().String() + "/" + canary + "?key=" + canary + "#" + canary
}

// rpc returns the flags that configure nodes.
func rpc(nodes ...*node) (args []string) {
	for _, n := range nodes {
		args = append(args, "--rpc", fmt.Sprintf("%d=%s", n.chain, n.url()))
	}
	return args
}
