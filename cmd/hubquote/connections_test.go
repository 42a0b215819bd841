package main

import (
	"bufio"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
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
	l := newCapped(inner.(*net.TCPListener), 2)
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

// Who sends too much reads why it is cut off, although most of what it sent is
// never read: the connection is closed in one direction first.
func TestWhoSendsTooMuchIsToldWhy(t *testing.T) {
	e := &endpoint{name: "public", address: "127.0.0.1:0", most: 1, server: publicServer(http.NotFoundHandler(), slog.New(slog.DiscardHandler))}
	if err := listen([]*endpoint{e}); err != nil {
		t.Fatal(err)
	}
	defer e.server.Close()
	go e.server.Serve(e.listener)
	conn, err := net.Dial("tcp", e.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, _ = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: test\r\nX-Padding: "+strings.Repeat("a", 200<<10)+"\r\n\r\n")
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	if resp.StatusCode != http.StatusRequestHeaderFieldsTooLarge || err != nil {
		t.Errorf("status %d: %s, %v", resp.StatusCode, body, err)
	}
}
