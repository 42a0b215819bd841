package conn_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"hubquote/internal/conn"
)

// pair returns both ends of a connection: ours and the client's.
func pair(t testing.TB) (*conn.Conn, *net.TCPConn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	table := conn.New(l.(*net.TCPListener), conn.Options{})
	defer table.Close()
	client, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	ours, err := table.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = client.Close()
		_ = ours.Close()
	})
	return ours.(*conn.Conn), client.(*net.TCPConn)
}

const (
	soon = 30 * time.Millisecond
	late = time.Hour
)

// Every order of deadlines must have the effect of the last one.
func TestReadDeadlines(t *testing.T) {
	tests := []struct {
		name  string
		set   []time.Duration // from now; zero for none
		times bool            // whether a read times out
	}{
		{"one that comes", []time.Duration{soon}, true},
		{"one that has passed", []time.Duration{-late}, true},
		{"an earlier one after a later one", []time.Duration{late, soon}, true},
		{"a later one after an earlier one", []time.Duration{soon, late}, false},
		{"none after one", []time.Duration{soon, 0}, false},
		{"none after one that has passed", []time.Duration{-late, 0}, false},
		{"a later one after one that has passed", []time.Duration{-late, late}, false},
	}
	for _, tt := range tests {
		for _, between := range []bool{false, true} { // whether a read ends between them
			t.Run(fmt.Sprintf("%s, read between: %t", tt.name, between), func(t *testing.T) {
				ours, client := pair(t)
				for i, d := range tt.set {
					set(ours, d)
					if between && i == 0 {
						go func() { _, _ = client.Write([]byte("a")) }()
						_, _ = ours.Read(make([]byte, 1))
					}
				}
				if !tt.times {
					time.AfterFunc(3*soon, func() { _, _ = client.Write([]byte("b")) })
				}
				buffer := make([]byte, 8)
				n, err := ours.Read(buffer)
				if tt.times != errors.Is(err, os.ErrDeadlineExceeded) || !tt.times && n == 0 {
					t.Errorf("Read = %d, %v, want a timeout: %t", n, err, tt.times)
				}
			})
		}
	}
}

func set(c *conn.Conn, d time.Duration) {
	at := time.Time{}
	if d != 0 {
		at = time.Now().Add(d)
	}
	_ = c.SetReadDeadline(at)
}

// A deadline that is set while a read waits ends that read, as net/http does after
// every request.
func TestReadIsInterrupted(t *testing.T) {
	for _, before := range []time.Duration{0, late, soon} {
		t.Run(fmt.Sprint(before), func(t *testing.T) {
			ours, client := pair(t)
			for range 200 {
				set(ours, before)
				ended := make(chan error, 1)
				go func() {
					_, err := ours.Read(make([]byte, 1))
					ended <- err
				}()
				runtime.Gosched()
				_ = ours.SetReadDeadline(time.Unix(1, 0))
				if err := <-ended; !errors.Is(err, os.ErrDeadlineExceeded) {
					t.Fatalf("interrupted Read = %v, want a timeout", err)
				}
			}
			_ = ours.SetReadDeadline(time.Time{})
			go func() { _, _ = client.Write([]byte("a")) }()
			if n, err := ours.Read(make([]byte, 1)); n != 1 || err != nil {
				t.Errorf("Read after the interruptions = %d, %v, want one byte", n, err)
			}
		})
	}
}

// A client that does not read is cut off at the deadline, and one that reads again
// after an older deadline has passed gets every byte.
func TestWriteDeadlines(t *testing.T) {
	text := bytes.Repeat([]byte("0123456789abcdef"), 1<<20)
	t.Run("a stalled reader", func(t *testing.T) {
		ours, _ := pair(t)
		_ = ours.SetWriteDeadline(time.Now().Add(soon))
		if n, err := ours.Write(text); !errors.Is(err, os.ErrDeadlineExceeded) || n == len(text) {
			t.Errorf("Write = %d of %d, %v, want a timeout", n, len(text), err)
		}
	})
	t.Run("the deadline moves", func(t *testing.T) {
		ours, client := pair(t)
		_ = ours.SetWriteDeadline(time.Now().Add(soon))
		_, _ = ours.Write([]byte("x")) // now the poller knows of it
		_ = ours.SetWriteDeadline(time.Now().Add(late))
		received := make(chan []byte)
		go func() {
			time.Sleep(3 * soon)
			all, _ := io.ReadAll(client)
			received <- all
		}()
		n, err := ours.Write(text)
		_ = ours.CloseWrite()
		if got := <-received; n != len(text) || err != nil || !bytes.Equal(got[1:], text) {
			t.Errorf("Write = %d, %v and %d bytes arrived, want all %d", n, err, len(got)-1, len(text))
		}
	})
}

// The write deadline holds for everything that is written: [net.TCPConn.ReadFrom]
// would not know it.
func TestNoReadFrom(t *testing.T) {
	ours, _ := pair(t)
	if _, ok := any(ours).(io.ReaderFrom); ok {
		t.Error("a Conn is an io.ReaderFrom, want it to be none")
	}
}

// With net/http, clients are cut off as they are without the package: the same
// answers, and then the end.
func TestServerDeadlines(t *testing.T) {
	tests := []struct {
		name  string
		sends func(c *net.TCPConn)
	}{
		{"silent", func(*net.TCPConn) {}},
		{"a header that does not end", func(c *net.TCPConn) { send(c, "GET / HTTP/1.1\r\nHost: t\r\nX-") }},
		{"a header in drips", drip},
		{"idle after an answer", func(c *net.TCPConn) { send(c, request) }},
		{"a slow header after an answer", func(c *net.TCPConn) {
			send(c, request)
			time.Sleep(2 * soon)
			send(c, "GET / HTTP/1.1\r\nHos")
		}},
		{"pauses past the deadline of the first header", func(c *net.TCPConn) {
			for range 4 {
				send(c, request)
				time.Sleep(7 * soon) // the header has six
			}
		}},
		{"pipelined", func(c *net.TCPConn) { send(c, strings.Repeat(request, 5)) }},
		{"half closed", func(c *net.TCPConn) {
			send(c, request)
			_ = c.CloseWrite()
		}},
	}
	for _, cores := range []int{1, 2} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		for _, tt := range tests {
			t.Run(fmt.Sprintf("%s, %d cores", tt.name, cores), func(t *testing.T) {
				want := answers(t, tt.sends, func(l *net.TCPListener, _ *http.Server) net.Listener { return l })
				if got := answers(t, tt.sends, inTable); got != want {
					t.Errorf("answers = %q, want %q as without the package", got, want)
				}
			})
		}
	}
}

const request = "GET / HTTP/1.1\r\nHost: t\r\n\r\n"

func inTable(l *net.TCPListener, h *http.Server) net.Listener {
	table := conn.New(l, conn.Options{Most: 100, Idle: h.IdleTimeout})
	h.ConnState = table.SetState
	return table
}

// answers returns the status lines that a client gets until it is cut off.
func answers(t *testing.T, sends func(*net.TCPConn), wrap func(*net.TCPListener, *http.Server) net.Listener) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := &http.Server{
		Handler:           http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}),
		ReadHeaderTimeout: 6 * soon, ReadTimeout: 6 * soon, IdleTimeout: 12 * soon, WriteTimeout: 10 * soon,
	}
	go func() { _ = h.Serve(wrap(l.(*net.TCPListener), h)) }()
	defer h.Close()
	client, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	go sends(client.(*net.TCPConn))
	_ = client.SetReadDeadline(time.Now().Add(20 * time.Second))
	text, err := io.ReadAll(client)
	if ne, ok := err.(net.Error); ok && ne.Timeout() {
		t.Fatal("the connection is open after 20 s, want it closed")
	}
	return statuses(text)
}

// A client that does not read a large answer loses its connection.
func TestServerCutsOffAStalledReader(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	failed := make(chan error, 1)
	h := &http.Server{WriteTimeout: 3 * soon, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, err := io.Copy(w, bytes.NewReader(make([]byte, 64<<20)))
		failed <- err
	})}
	go func() { _ = h.Serve(inTable(l.(*net.TCPListener), h)) }()
	defer h.Close()
	client, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	send(client.(*net.TCPConn), request)
	select {
	case err := <-failed:
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("the answer ended with %v, want a timeout", err)
		}
	case <-time.After(20 * time.Second):
		t.Error("the answer is still being written after 20 s, want a timeout")
	}
}

func send(c *net.TCPConn, text string) { _, _ = io.WriteString(c, text) }

// drip sends a byte of a header from time to time, for longer than the deadline.
func drip(c *net.TCPConn) {
	for range 100 {
		if _, err := io.WriteString(c, "G"); err != nil {
			return
		}
		time.Sleep(soon / 2)
	}
}

// statuses are the status lines of all answers.
func statuses(answer []byte) string {
	var list strings.Builder
	for line := range strings.Lines(string(answer[:min(len(answer), 4096)])) {
		if strings.HasPrefix(line, "HTTP/1.1 ") {
			list.WriteString(strings.TrimSpace(line) + ",")
		}
	}
	return list.String()
}
