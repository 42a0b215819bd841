package main

import (
	"net"
	"sync"
)

// capped is a listener that keeps at most so many connections open. The next
// ones wait in the kernel until one closes: a crowd that only connects takes
// places, which deadlines give back, and not the memory of the process.
type capped struct {
	net.Listener
	places chan struct{}
}

func newCapped(l net.Listener, most uint) *capped {
	return &capped{l, make(chan struct{}, most)}
}

// Accept waits for a place, then for a connection.
func (l *capped) Accept() (net.Conn, error) {
	l.places <- struct{}{}
	conn, err := l.Listener.Accept()
	if err != nil {
		<-l.places
		return nil, err
	}
	return &placed{Conn: conn, leave: sync.OnceFunc(func() { <-l.places })}, nil
}

// placed is a connection that gives its place back when it closes.
type placed struct {
	net.Conn
	leave func()
}

func (c *placed) Close() error {
	defer c.leave()
	return c.Conn.Close()
}
