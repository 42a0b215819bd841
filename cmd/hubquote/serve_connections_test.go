package main

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

// from sends a health check over a new connection from an address of the loopback
// network, and returns the connection and whether it was answered.
func (p *program) from(address string) (conn net.Conn, answered bool) {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}, Timeout: 10 * time.Second}
	conn, err := d.Dial("tcp", strings.TrimPrefix(p.public, "http://"))
	if err != nil {
		return nil, false
	}
	p.t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	fmt.Fprint(conn, "GET /v3/swap/healthcheck HTTP/1.1\r\nHost: t\r\n\r\n")
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	return conn, err == nil && resp.StatusCode == http.StatusOK
}

// Clients that take as many connections as they can, and keep them with health
// checks, do not keep others out: not a load balancer's health check, not a client.
// The hog has many addresses, so that the share of one is not what stops it.
func TestIdleConnectionsMakeRoom(t *testing.T) {
	t.Parallel()
	p := launch(t, "--max-connections", "100", "--trusted-proxies", "127.0.9.0/24")
	var first net.Conn
	for i := range 300 {
		conn, ok := p.from(fmt.Sprintf("127.0.%d.%d", 1+i/60, 1+i%60))
		if !ok {
			t.Fatalf("connection %d was not answered, want it answered", i+1)
		}
		if first == nil {
			first = conn
		}
	}
	if _, err := first.Read(make([]byte, 1)); err == nil || os.IsTimeout(err) {
		t.Errorf("reading from the oldest connection: %v, want it closed", err)
	}
	for _, address := range []string{"127.0.9.1", "127.0.8.1"} {
		if _, ok := p.from(address); !ok {
			t.Errorf("the health check from %s was not answered, want it answered", address)
		}
	}
}
