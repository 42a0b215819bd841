package conn

import (
	"errors"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"
)

// A Conn is a connection of a [Table]. Its deadlines are those that were set last,
// but the runtime's poller is told of them only when it must be.
//
// It has no ReadFrom: that of [net.TCPConn] would not know the write deadline.
type Conn struct {
	tcp     *net.TCPConn
	table   *Table
	source  *source
	trusted bool
	index   int // in source.conns

	state atomic.Int32
	sets  atomic.Int32 // of the read deadline, since it became idle
	read  deadline
	write deadline
	gone  atomic.Bool
}

func newConn(tcp *net.TCPConn, t *Table) *Conn {
	c := &Conn{tcp: tcp, table: t}
	c.read.arm, c.write.arm = tcp.SetReadDeadline, tcp.SetWriteDeadline
	return c
}

// Read reads until the read deadline.
func (c *Conn) Read(p []byte) (n int, err error) {
	c.read.begin()
	for {
		if c.read.isPast() {
			n, err = 0, os.ErrDeadlineExceeded
			break
		}
		n, err = c.tcp.Read(p)
		if n > 0 || !isTimeout(err) || !c.read.again() {
			break
		}
	}
	c.read.end()
	return n, err
}

// Write writes all of p until the write deadline.
func (c *Conn) Write(p []byte) (written int, err error) {
	c.write.begin()
	for {
		var n int
		if c.write.isPast() {
			err = os.ErrDeadlineExceeded
			break
		}
		n, err = c.tcp.Write(p[written:])
		written += n
		if !isTimeout(err) || !c.write.again() {
			break
		}
	}
	c.write.end()
	return written, err
}

// isTimeout is quick for the errors of this package's connections.
func isTimeout(err error) bool { return err != nil && errors.Is(err, os.ErrDeadlineExceeded) }

// SetDeadline sets both deadlines.
func (c *Conn) SetDeadline(t time.Time) error {
	return errors.Join(c.SetReadDeadline(t), c.SetWriteDeadline(t))
}

// SetReadDeadline sets the deadline of present and future reads. For an idle
// connection net/http sets it once, and again, to that of the header, when the first
// bytes of the next request come; it reports another state only after the header.
func (c *Conn) SetReadDeadline(t time.Time) error {
	if http.ConnState(c.state.Load()) == http.StateIdle {
		c.sets.Add(1)
	}
	return c.read.set(t)
}

// SetWriteDeadline sets the deadline of present and future writes.
func (c *Conn) SetWriteDeadline(t time.Time) error { return c.write.set(t) }

// Close closes the connection and frees its slot. It may be called again.
func (c *Conn) Close() error {
	if c.gone.CompareAndSwap(false, true) {
		c.table.remove(c)
	}
	return c.tcp.Close()
}

// CloseWrite closes one direction. Without it a client that sends too much would
// see a reset instead of the answer 431.
func (c *Conn) CloseWrite() error { return c.tcp.CloseWrite() }

// LocalAddr returns the address of this end.
func (c *Conn) LocalAddr() net.Addr { return c.tcp.LocalAddr() }

// RemoteAddr returns the address of the other end.
func (c *Conn) RemoteAddr() net.Addr { return c.tcp.RemoteAddr() }
