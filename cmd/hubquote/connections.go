package main

import (
	"net"
	"sync"
)

// capped is a listener that keeps at most so many connections open. The next
// ones wait in the kernel until one closes: a crowd that only connects takes
// places, which deadlines give back, and not the memory of the process.
type capped struct {
	*net.TCPListener
	places chan struct{}
}

func newCapped(l *net.TCPListener, most uint) *capped {
	return &capped{l, make(chan struct{}, most)}
}

// Accept waits for a place, then for a connection.
func (l *capped) Accept() (net.Conn, error) {
	l.places <- struct{}{}
	conn, err := l.AcceptTCP()
	if err != nil {
		<-l.places
		return nil, err
	}
	return &placed{TCPConn: conn, leave: sync.OnceFunc(func() { <-l.places })}, nil
}

// placed is a connection that gives its place back when it closes. All else
// that TCP can do is left as it is: net/http closes one direction before the
// other, so that a client that sends too much gets to read why it is cut off.
type placed struct {
	*net.TCPConn
	leave func()
}

// Close closes the connection.
func (c *placed) Close() error {
	defer c.leave()
	return c.TCPConn.Close()
}
