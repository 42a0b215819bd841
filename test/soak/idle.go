package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"sync"
	"time"

	"hubquote/test/fake"
)

// idleness is an attack: connections that ask for the health check once, which costs
// no budget, and then keep their slots. They come from addresses that are no trusted
// proxies, more of them than there are slots.
const idleness = "idle connections"

// idleSources is enough for the shares of all of them to be more than all slots.
const idleSources = 40

func (s *scenario) startIdlers(ctx context.Context, all *sync.WaitGroup) {
	for i := range s.idle {
		from := net.TCPAddr{IP: net.IPv4(127, 0, 1, byte(1+i%idleSources))}
		r := s.replicas[i%replicas]
		all.Go(func() {
			for fake.Sleep(ctx, 50*time.Millisecond) {
				s.idleOnce(ctx, r, from)
			}
		})
	}
}

// idleOnce holds one connection until the server closes it.
func (s *scenario) idleOnce(ctx context.Context, r *replica, from net.TCPAddr) {
	d := net.Dialer{Timeout: time.Second, LocalAddr: &from}
	conn, err := d.DialContext(ctx, "tcp", r.address())
	if err != nil { // the replica is being restarted
		return
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	_ = conn.SetDeadline(time.Now().Add(time.Minute))
	fmt.Fprint(conn, "GET /v3/swap/healthcheck HTTP/1.1\r\nHost: soak\r\n\r\n")
	in := bufio.NewReader(conn)
	answer := status(in)
	if ctx.Err() != nil {
		return
	}
	if answer == "503" {
		answer = "draining"
	}
	s.report.answer(idleness, answer)
	_, _ = in.ReadByte()
}
