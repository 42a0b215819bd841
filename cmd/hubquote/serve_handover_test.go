package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"hubquote/test/fake"
)

// fullHandover makes the test of restarts as long and as busy as the manual says.
var fullHandover = flag.Bool("handover.full", false, "20 restarts under 1,000 requests a second")

// One replica restarts without a failed request, because the next process inherits
// the socket and what waits in its queue. The test plays the part of systemd.
func TestRestartsWithoutAGap(t *testing.T) {
	restarts, rate := 4, 200
	if *fullHandover {
		restarts, rate = 20, 1000
	}
	socket, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	file, err := socket.(*net.TCPListener).File()
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	load := newLoad(socket.Addr().String(), rate)
	p := inheriting(t, file)
	load.start()
	for range restarts {
		time.Sleep(100 * time.Millisecond) // under load
		p.signal(syscall.SIGTERM)
		p.endsWell()
		p = inheriting(t, file)
	}
	load.stop()
	t.Logf("%d requests during %d restarts", load.answered.Load(), restarts)
	if errs := load.errors(); len(errs) > 0 || load.answered.Load() == 0 {
		t.Errorf("%d requests failed and %d were answered, want none failed; the first: %v", len(errs), load.answered.Load(), errs[:min(3, len(errs))])
	}
}

// inheriting starts the program with an open socket, as systemd does.
func inheriting(t *testing.T, socket *os.File) *program {
	t.Helper()
	p := newProgram(t, "--listen", "192.0.2.1:1", "--admin=", "--drain-delay", drain.String()) // an address of no interface
	cmd := exec.Command("sh", append([]string{"-c", `LISTEN_PID=$$ LISTEN_FDS=1 exec hubquote "$@"`, "sh"}, p.args...)...)
	cmd.ExtraFiles = []*os.File{socket}
	var err error
	if p.process, err = fake.Start(cmd, p.read); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.end)
	p.await(p.ready)
	return p
}

// A load sends requests at a constant rate, over connections that are kept as long
// as the server keeps them. Unlike [http.Client] it repeats no request that failed.
type load struct {
	address  string
	rate     int
	next     atomic.Uint32
	answered atomic.Int64
	ending   chan struct{}
	all      sync.WaitGroup
	mu       sync.Mutex
	failed   []error
}

const (
	loadConnections = 20

	// drain is how long a server that ends still answers, and asks for connections to
	// be closed. One that rests for longer is closed by it, as any HTTP client must
	// expect: on a busy machine the client would be late.
	drain = 500 * time.Millisecond
)

func newLoad(address string, rate int) *load {
	return &load{address: address, rate: rate, ending: make(chan struct{})}
}

func (l *load) start() {
	for range loadConnections {
		l.all.Go(l.send)
	}
}

func (l *load) stop() {
	close(l.ending)
	l.all.Wait()
}

func (l *load) errors() []error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failed
}

func (l *load) send() {
	tick := time.NewTicker(time.Second * loadConnections / time.Duration(l.rate))
	defer tick.Stop()
	var conn net.Conn
	var used time.Time
	for {
		select {
		case <-l.ending:
			if conn != nil {
				_ = conn.Close()
			}
			return
		case <-tick.C:
		}
		if conn != nil && time.Since(used) > drain/2 {
			_ = conn.Close()
			conn = nil
		}
		var err error
		conn, err = l.one(conn)
		used = time.Now()
		if err != nil {
			l.mu.Lock()
			l.failed = append(l.failed, err)
			l.mu.Unlock()
		}
	}
}

// one sends a request and returns the connection if it may be used again.
func (l *load) one(conn net.Conn) (net.Conn, error) {
	var err error
	reused, start := conn != nil, time.Now()
	if conn == nil {
		if conn, err = net.Dial("tcp", l.address); err != nil {
			return nil, err
		}
	}
	n := l.next.Add(1)
	_ = conn.SetDeadline(time.Now().Add(time.Minute))
	fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: test\r\nX-Forwarded-For: 10.%d.%d.%d\r\n\r\n", quotePath(laneTo(369).query, ""), n>>16&255, n>>8&255, n&255)
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err == nil {
		_, err = io.Copy(io.Discard, resp.Body)
	}
	if err == nil && resp.StatusCode != http.StatusOK {
		err = errors.New(resp.Status)
	}
	if err != nil {
		err = fmt.Errorf("%w after %v, connection used before: %t", err, time.Since(start), reused)
	}
	if err != nil || resp.Close {
		_ = conn.Close()
		conn = nil
	}
	if err == nil {
		l.answered.Add(1)
	}
	return conn, err
}
