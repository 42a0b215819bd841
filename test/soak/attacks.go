package main

import (
	"bufio"
	"context"
	crand "crypto/rand"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"hubquote/test/fake"
)

// The kinds of attacks. Attackers connect to the replicas directly.
const (
	loris     = "slow loris"
	unread    = "unread answers"
	spoofed   = "spoofed source"
	flood     = "header flood"
	hugeURL   = "huge URL"
	garbage   = "garbage"
	malformed = "malformed query"
	halfShut  = "half closed"
	halfSent  = "half sent"
)

// An attack is text that is sent over a connection at once. The statuses of the
// answers are counted.
type attack struct {
	name string
	make func() string
	shut bool // close the sending side after it
}

var oneShots = []attack{
	{name: flood, make: func() string {
		return head(quotePath) + "X-Padding: " + strings.Repeat("a", 32<<10+rand.N(1<<18)) + "\r\n\r\n"
	}},
	{name: hugeURL, make: func() string {
		return head(quotePath+"&x="+strings.Repeat("a", oneOf(urlLengths)+rand.N(1<<12))) + "\r\n"
	}},
	{name: garbage, make: func() string { b := make([]byte, rand.N(1<<14)); _, _ = crand.Read(b); return string(b) }, shut: true},
	{name: malformed, make: func() string { return head("/v3/swap/quote?"+oneOf(malformedQueries)) + "\r\n" }},
	{name: halfShut, make: func() string { return head(quotePath) + "\r\n" }, shut: true},
	{name: halfSent, make: func() string { return head(quotePath) }, shut: true},
}

const quotePath = "/v3/swap/quote?srcChain=369&srcToken=USDC&dstChain=8453&dstToken=USDC&amount=1000000000&recipient=0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

// urlLengths are refused by the API, with 414, and by net/http, with 431. A short
// run has both.
var urlLengths = []int{8 << 10, 1 << 18}

var malformedQueries = []string{
	"", "%zz", "a=1;b=2", "amount=1&amount=2", "Amount=1", "amount=" + strings.Repeat("9", 4000), "srcChain=%00",
	"srcChain=1&srcToken=USDC&dstChain=369&dstToken=USDC&amount=-1&recipient=0x0", strings.Repeat("&", 4000),
	"recipient=0zk1" + strings.Repeat("q", 200), "integratorId=0x" + strings.Repeat("f", 64), "recipientType=1&include=everything",
}

// head returns a request from a random source, without the empty line at its end.
func head(target string) string {
	return "GET " + target + " HTTP/1.1\r\nHost: soak\r\nX-Forwarded-For: " + anySource() + "\r\n"
}

// anySource returns a random address outside the networks of the clients.
func anySource() string {
	if rand.N(2) == 0 {
		return fmt.Sprintf("%d.%d.%d.%d", 20+rand.N(80), rand.N(256), rand.N(256), rand.N(256))
	}
	return fmt.Sprintf("2%03x:%x:%x:%x::%x", rand.N(1<<12), rand.N(1<<16), rand.N(1<<16), rand.N(1<<16), 1+rand.N(1<<15))
}

// startAttacks starts the attackers.
func (s *scenario) startAttacks(ctx context.Context, all *sync.WaitGroup) {
	const workers = 4
	for range workers {
		all.Go(func() { s.repeat(ctx, time.Second*workers*batch/time.Duration(s.spoof), s.spoofBatch) })
		all.Go(func() { s.repeat(ctx, time.Second*workers/time.Duration(s.attacks), s.attackOnce) })
	}
	for range s.loris {
		all.Go(func() { s.repeat(ctx, 10*time.Millisecond, s.sendSlowly) })
	}
	for range s.unread {
		all.Go(func() { s.repeat(ctx, 10*time.Millisecond, s.readNothing) })
	}
}

// repeat connects to a random replica and calls do, with a pause of every on
// average. It does not catch up after a delay, which would be a burst.
func (s *scenario) repeat(ctx context.Context, every time.Duration, do func(context.Context, *net.TCPConn)) {
	for next := time.Now(); fake.Sleep(ctx, time.Until(next)); next = later(next.Add(rand.N(2*every)), time.Now().Add(-time.Second)) {
		conn, err := net.DialTimeout("tcp", oneOf(s.replicas).address(), time.Second)
		if err != nil { // the replica is being restarted
			fake.Sleep(ctx, pollEvery)
			continue
		}
		_ = conn.SetDeadline(time.Now().Add(s.hold))
		stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
		do(ctx, conn.(*net.TCPConn))
		stop()
		_ = conn.Close()
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func (s *scenario) attackOnce(_ context.Context, conn *net.TCPConn) {
	a := oneOf(oneShots)
	// The server may close the connection before all is sent.
	_, _ = conn.Write([]byte(a.make()))
	if a.shut {
		_ = conn.CloseWrite()
	}
	s.report.answer(a.name, status(bufio.NewReader(conn)))
}

// status reads an answer and returns its status, or "none".
func status(in *bufio.Reader) string {
	resp, err := http.ReadResponse(in, nil)
	if err != nil {
		return "none"
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return "none"
	}
	return strconv.Itoa(resp.StatusCode)
}

// batch is the number of spoofed requests sent at once, each from another source.
const batch = 20

func (s *scenario) spoofBatch(_ context.Context, conn *net.TCPConn) {
	var requests strings.Builder
	for range batch {
		requests.WriteString(head(quotePath) + "\r\n")
	}
	if _, err := conn.Write([]byte(requests.String())); err != nil {
		return
	}
	s.report.add(&s.report.sources, batch)
	in := bufio.NewReader(conn)
	for range batch {
		answer := status(in)
		s.report.answer(spoofed, answer)
		if answer == "none" {
			return
		}
	}
}

// sendSlowly begins a request and continues it with single bytes.
func (s *scenario) sendSlowly(ctx context.Context, conn *net.TCPConn) {
	_, err := conn.Write([]byte(head(quotePath) + "X-Slow: "))
	for err == nil && fake.Sleep(ctx, 300*time.Millisecond) {
		_, err = conn.Write([]byte("a"))
	}
	s.report.answer(loris, ending(ctx, err))
}

// readNothing sends requests and does not read the answers.
func (s *scenario) readNothing(ctx context.Context, conn *net.TCPConn) {
	_ = conn.SetReadBuffer(4 << 10)
	request := []byte(head("/openapi.json") + "\r\n")
	var err error
	for err == nil {
		_, err = conn.Write(request)
	}
	s.report.answer(unread, ending(ctx, err))
}

// ending returns why the connection was closed.
func ending(ctx context.Context, err error) string {
	switch {
	case ctx.Err() != nil:
		return "time up"
	case errors.Is(err, os.ErrDeadlineExceeded):
		return "gave up"
	}
	return "cut off"
}
