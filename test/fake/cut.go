package fake

import (
	"bytes"
	"io"
	"net"
	"sync/atomic"
)

// A cut ends the connection of one request.
type cut struct {
	text    []byte // of the request, in lower case
	arrives bool
}

// CutAt makes the proxy end the connection of the next request that contains text,
// in any letter case. The request arrives, and its answer is lost; or it does not.
func (p *Proxy) CutAt(text string, arrives bool) {
	p.cut.Store(&cut{bytes.ToLower([]byte(text)), arrives})
}

// A watch reports requests with a text.
type watch struct {
	text []byte // in lower case
	hook func(answered bool)
}

// Watch calls hook before a request that contains text, in any letter case, is
// passed on, and again before its answer is.
func (p *Proxy) Watch(text string, hook func(answered bool)) {
	p.watch.Store(&watch{bytes.ToLower([]byte(text)), hook})
}

// A guarded connection to the server applies the cut and the watch of its proxy.
type guarded struct {
	net.Conn
	cut   *atomic.Pointer[cut]
	watch *atomic.Pointer[watch]
	muted atomic.Bool
	asked atomic.Bool // a watched request has no answer yet
}

func (g *guarded) Write(request []byte) (int, error) {
	if w := g.watch.Load(); w != nil && bytes.Contains(bytes.ToLower(request), w.text) {
		w.hook(false)
		g.asked.Store(true)
	}
	c := g.cut.Load()
	if c == nil || !bytes.Contains(bytes.ToLower(request), c.text) || !g.cut.CompareAndSwap(c, nil) {
		return g.Conn.Write(request)
	}
	if !c.arrives {
		return 0, io.ErrClosedPipe
	}
	g.muted.Store(true)
	return g.Conn.Write(request)
}

func (g *guarded) Read(answer []byte) (int, error) {
	n, err := g.Conn.Read(answer)
	if n > 0 && g.asked.Swap(false) {
		g.watch.Load().hook(true)
	}
	if g.muted.Load() {
		return 0, io.ErrClosedPipe
	}
	return n, err
}
