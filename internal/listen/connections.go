package listen

import (
	"net"
	"sync"
)

// capped is a listener with a limit on open connections. Further ones wait in the
// kernel until one closes, so that idle connections use slots, which deadlines
// free, instead of unbounded memory.
//
// x/net/netutil.LimitListener would do, but it hides CloseWrite, without which a
// client that sends too much sees a reset instead of the answer 431.
type capped struct {
	*net.TCPListener
	slots chan struct{}
}

func newCapped(l *net.TCPListener, most uint) *capped {
	return &capped{l, make(chan struct{}, most)}
}

// Accept waits for a slot, then for a connection.
func (l *capped) Accept() (net.Conn, error) {
	l.slots <- struct{}{}
	conn, err := l.AcceptTCP()
	if err != nil {
		<-l.slots
		return nil, err
	}
	return &slotConn{TCPConn: conn, release: sync.OnceFunc(func() { <-l.slots })}, nil
}

// slotConn is a connection that frees its slot when it closes.
type slotConn struct {
	*net.TCPConn
	release func()
}

// Close closes the connection.
func (c *slotConn) Close() error {
	defer c.release()
	return c.TCPConn.Close()
}
