package main

import (
	"net"
	"testing"
	"time"
)

// A connection above the cap is taken only when another has closed, however
// often that one is closed.
func TestConnectionsAreCapped(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := newCapped(inner, 2)
	defer l.Close()
	accepted := make(chan net.Conn)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				close(accepted)
				return
			}
			accepted <- c
		}
	}()
	for range 4 {
		c, err := net.Dial("tcp", inner.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	first, second := <-accepted, <-accepted
	defer second.Close()
	select {
	case <-accepted:
		t.Fatal("a third connection is taken while two are open")
	case <-time.After(50 * time.Millisecond):
	}
	first.Close()
	first.Close()
	third := <-accepted
	defer third.Close()
	select {
	case <-accepted:
		t.Fatal("closing twice gave two places back")
	case <-time.After(50 * time.Millisecond):
	}
}
