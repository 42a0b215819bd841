// Package conn owns the accepted connections of a server: how many there are, how
// many of one source, which of them must go when slots run out, and when each is
// cut off.
//
// A new client always gets a connection while any other connection waits for its
// client, and no source can take more than its share.
package conn

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Options configure a [Table].
type Options struct {
	// Most is how many connections may be open. Zero means as many as the system
	// allows, from any source.
	Most uint

	// Trusted are proxies, which speak for many clients: they may take more than
	// the share of a source, and a few connections more than Most.
	Trusted []netip.Prefix

	// Idle is the time after which the server itself closes an idle connection.
	Idle time.Duration
}

const (
	shares   = 32 // a source gets this part of all connections
	minShare = 16 // or this many
	reserved = 64 // for proxies, above Most
)

// A Table is a [net.Listener] and its open connections.
type Table struct {
	*net.TCPListener
	opts  Options
	share int
	close func() error

	closed    atomic.Bool
	accepting atomic.Int32 // calls of Accept under way

	mu      sync.Mutex
	count   int
	sources map[netip.Addr]*source
	swept   time.Time
}

// A source is an IPv4 address, or an IPv6 network of 64 bits, as one client gets
// that many addresses.
type source struct {
	key   netip.Addr
	conns []*Conn
}

// New returns a table of the connections that l accepts.
func New(l *net.TCPListener, opts Options) *Table {
	return &Table{
		TCPListener: l, opts: opts, share: max(minShare, int(opts.Most)/shares), sources: map[netip.Addr]*source{},
		close: sync.OnceValue(l.Close),
	}
}

// Close accepts no more connections. It may be called again.
func (t *Table) Close() error {
	t.closed.Store(true)
	return t.close()
}

// Accept returns the next connection that gets a slot. Others are closed: they come
// from a source whose connections are all in use, or all slots are.
func (t *Table) Accept() (net.Conn, error) {
	t.accepting.Add(1)
	defer t.accepting.Add(-1)
	for {
		tcp, err := t.AcceptTCP()
		if err != nil {
			return nil, err
		}
		c := newConn(tcp, t)
		if t.admit(c) {
			return c, nil
		}
		_ = tcp.Close()
	}
}

// admit gives c a slot, for which others may have to go.
func (t *Table) admit(c *Conn) bool {
	peer := c.tcp.RemoteAddr().(*net.TCPAddr).AddrPort().Addr().Unmap().WithZone("")
	c.trusted = slices.ContainsFunc(t.opts.Trusted, func(p netip.Prefix) bool { return p.Contains(peer) })
	var gone []*Conn
	t.mu.Lock()
	from := t.source(peer)
	if t.opts.Most > 0 {
		gone = t.makeRoom(from, c.trusted)
	}
	ok := t.opts.Most == 0 || t.hasRoom(from, c.trusted, gone)
	if ok {
		t.add(c, from)
	}
	t.mu.Unlock()
	for _, old := range gone {
		_ = old.Close()
	}
	return ok
}

// hasRoom reports whether one more connection of a source fits without those that
// go.
func (t *Table) hasRoom(from *source, trusted bool, gone []*Conn) bool {
	left, most := t.count-len(gone), int(t.opts.Most)
	if trusted {
		return left < most+reserved
	}
	return left < most && from.without(gone) < t.share
}

func (t *Table) source(peer netip.Addr) *source {
	if peer.Is6() {
		network, _ := peer.Prefix(64)
		peer = network.Addr()
	}
	if from := t.sources[peer]; from != nil {
		return from
	}
	return &source{key: peer}
}

func (t *Table) add(c *Conn, from *source) {
	c.source, c.index = from, len(from.conns)
	from.conns = append(from.conns, c)
	t.sources[from.key] = from
	t.count++
}

// remove frees the slot of c.
func (t *Table) remove(c *Conn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	conns := c.source.conns
	last := len(conns) - 1
	conns[c.index] = conns[last]
	conns[c.index].index = c.index
	conns[last] = nil
	c.source.conns = conns[:last]
	if last == 0 {
		delete(t.sources, c.source.key)
	}
	t.count--
}

// SetState is the hook of [http.Server.ConnState].
func (t *Table) SetState(nc net.Conn, state http.ConnState) {
	if c, ok := nc.(*Conn); ok {
		c.sets.Store(0)
		c.state.Store(int32(state))
	}
}

// Len returns how many connections are open.
func (t *Table) Len() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.count
}

// Busy reports whether a connection has a request in progress, or is so new that
// its request may be on the way. One that was accepted just before the table was
// closed may not be in it yet.
func (t *Table) Busy() bool {
	if t.closed.Load() && t.accepting.Load() > 0 {
		return true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, from := range t.sources {
		for _, c := range from.conns {
			if state := http.ConnState(c.state.Load()); state == http.StateActive || state == http.StateNew {
				return true
			}
		}
	}
	return false
}
