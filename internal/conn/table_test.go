package conn_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"sync/atomic"
	"testing"
	"time"

	"hubquote/internal/conn"
	"hubquote/test/fake"
)

const idle = 30 * time.Second

// A server is an HTTP server on a table. Requests for /hold wait until it ends.
type server struct {
	*conn.Table
	address string
	open    chan struct{}
	held    atomic.Int32
}

func serve(t *testing.T, opts conn.Options) *server {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if opts.Idle == 0 {
		opts.Idle = idle
	}
	s := &server{Table: conn.New(l.(*net.TCPListener), opts), address: l.Addr().String(), open: make(chan struct{})}
	h := &http.Server{
		ReadHeaderTimeout: 20 * time.Second, IdleTimeout: idle, ConnState: s.SetState,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/hold" {
				s.held.Add(1)
				<-s.open
			}
		}),
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = h.Serve(s)
	}()
	t.Cleanup(func() {
		close(s.open)
		_ = h.Close()
		<-ended
	})
	return s
}

// dial connects from an address of the loopback network.
func (s *server) dial(t *testing.T, from string) net.Conn {
	t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}, Timeout: 10 * time.Second}
	c, err := d.Dial("tcp", s.address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// ask sends a request and reports whether it was answered.
func ask(c net.Conn) bool {
	_ = c.SetDeadline(time.Now().Add(10 * time.Second))
	fmt.Fprint(c, "GET / HTTP/1.1\r\nHost: test\r\n\r\n")
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	return err == nil && resp.StatusCode == http.StatusOK
}

// hold occupies a connection with a request.
func (s *server) hold(t *testing.T, from string) {
	t.Helper()
	before := s.held.Load()
	fmt.Fprint(s.dial(t, from), "GET /hold HTTP/1.1\r\nHost: test\r\n\r\n")
	fake.Eventually(t, "a request that holds its connection", func() bool { return s.held.Load() > before })
}

// isOpen reports whether the server has not closed c.
func isOpen(c net.Conn) bool {
	_ = c.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
	_, err := c.Read(make([]byte, 1))
	timeout, ok := err.(net.Error)
	return ok && timeout.Timeout()
}

// idlers are connections from one address that have sent one request.
func (s *server) idlers(t *testing.T, n int, from string) (list []net.Conn) {
	t.Helper()
	for range n {
		c := s.dial(t, from)
		if !ask(c) {
			t.Fatalf("connection %d of %s was not answered, want it answered", len(list)+1, from)
		}
		list = append(list, c)
		fake.Eventually(t, "an idle connection", func() bool { return !s.Busy() })
	}
	return list
}

// One source cannot take the connections of others. Above its share its own oldest
// idle connection goes.
func TestShareOfASource(t *testing.T) {
	s := serve(t, conn.Options{Most: 200})
	mine := s.idlers(t, 40, "127.0.0.2") // the share is 16
	if got := s.Len(); got != 16 {
		t.Errorf("connections of one source = %d, want 16", got)
	}
	for i, c := range mine {
		if got, want := isOpen(c), i >= 24; got != want {
			t.Errorf("connection %d is open: %t, want %t", i+1, got, want)
		}
	}
	if !ask(s.dial(t, "127.0.0.3")) {
		t.Error("a request of another source was not answered, want it answered")
	}
}

// A source whose connections all have a request gets no more, and others do.
func TestShareInUse(t *testing.T) {
	s := serve(t, conn.Options{Most: 200})
	for range 16 {
		s.hold(t, "127.0.0.2")
	}
	if ask(s.dial(t, "127.0.0.2")) {
		t.Error("connection 17 of a source was answered, want it closed")
	}
	if !ask(s.dial(t, "127.0.0.3")) {
		t.Error("a request of another source was not answered, want it answered")
	}
}

// When many sources have taken all slots, the connection that has been idle for
// longest makes room. Those with a request stay.
func TestOldestIdleMakesRoom(t *testing.T) {
	s := serve(t, conn.Options{Most: 32})
	first := s.idlers(t, 1, "127.0.0.3")
	s.idlers(t, 15, "127.0.0.4")
	s.idlers(t, 15, "127.0.0.5")
	s.hold(t, "127.0.0.2")
	if !ask(s.dial(t, "127.0.0.6")) {
		t.Error("a new client was not answered, want it answered")
	}
	if oldest := isOpen(first[0]); oldest || s.Len() != 32 {
		t.Errorf("the oldest idle connection is open: %t, of %d connections; want it closed, 32", oldest, s.Len())
	}
}

// A connection that has begun its next request is not idle, although the deadline of
// the header is before that of all idle ones. It makes room after them.
func TestBegunRequestsStay(t *testing.T) {
	tests := []struct {
		name string
		most uint
		idle int // connections besides
		want int // connections, with the new one
	}{
		{"few slots are left", 40, 31, 33},
		{"no slot is left", 32, 31, 32},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := serve(t, conn.Options{Most: tt.most})
			for i := range tt.idle {
				s.idlers(t, 1, fmt.Sprintf("127.0.1.%d", i+1))
			}
			begun := s.idlers(t, 1, "127.0.0.2")[0]
			fmt.Fprint(begun, "GET / HTTP/1.1\r\nHo")
			fake.Eventually(t, "a request that has begun", func() bool { return s.Begun() == 1 })
			if !ask(s.dial(t, "127.0.0.3")) {
				t.Error("a new client was not answered, want it answered")
			}
			if got := s.Len(); got != tt.want {
				t.Errorf("connections after a new one = %d, want %d", got, tt.want)
			}
			fmt.Fprint(begun, "st: test\r\n\r\n")
			if resp, err := http.ReadResponse(bufio.NewReader(begun), nil); err != nil || resp.StatusCode != http.StatusOK {
				t.Errorf("the request that had begun: %v, want it answered", err)
			}
		})
	}
	t.Run("all have begun", func(t *testing.T) {
		s := serve(t, conn.Options{Most: 32})
		for i := range 32 {
			fmt.Fprint(s.idlers(t, 1, fmt.Sprintf("127.0.1.%d", i+1))[0], "GET / HTTP/1.1\r\nHo")
		}
		fake.Eventually(t, "requests that have begun", func() bool { return s.Begun() == 32 })
		if !ask(s.dial(t, "127.0.0.3")) {
			t.Error("a new client was not answered, want it answered: the others wait for their clients")
		}
	})
}

// Connections that never send a request make room too.
func TestSilentConnectionsMakeRoom(t *testing.T) {
	s := serve(t, conn.Options{Most: 32})
	for i := range 32 {
		s.dial(t, fmt.Sprintf("127.0.1.%d", i+1))
	}
	fake.Eventually(t, "32 connections", func() bool { return s.Len() == 32 })
	for range 40 {
		if !ask(s.dial(t, "127.0.0.2")) {
			t.Fatal("a new client was not answered, want it answered")
		}
	}
}

// While four of five slots are taken, a connection that has been idle for five
// seconds is closed when the next one comes. The table finds out since when one is
// idle from its deadline, so a longer Idle than the server's makes all look older.
func TestShorterIdleUnderPressure(t *testing.T) {
	tests := []struct {
		name  string
		taken int
		age   time.Duration
		want  int // connections, with the new one
	}{
		{"few slots are left, all are idle for long", 32, 10 * time.Second, 1},
		{"few slots are left, none is idle for long", 32, 0, 33},
		{"many slots are left, all are idle for long", 31, 10 * time.Second, 32},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := serve(t, conn.Options{Most: 40, Idle: idle + tt.age})
			for i := range tt.taken {
				s.idlers(t, 1, fmt.Sprintf("127.0.1.%d", i+1))
			}
			if !ask(s.dial(t, "127.0.0.2")) {
				t.Error("a new client was not answered, want it answered")
			}
			if got := s.Len(); got != tt.want {
				t.Errorf("connections after a new one = %d, want %d", got, tt.want)
			}
		})
	}
}

// A proxy's health check gets in although all slots have a request.
func TestProxiesHaveAReserve(t *testing.T) {
	s := serve(t, conn.Options{Most: 32, Trusted: []netip.Prefix{netip.MustParsePrefix("127.0.9.0/24")}})
	for i := range 32 {
		s.hold(t, fmt.Sprintf("127.0.0.%d", i/16+2))
	}
	if ask(s.dial(t, "127.0.0.7")) {
		t.Error("a client was answered without a free slot, want its connection closed")
	}
	if !ask(s.dial(t, "127.0.9.1")) {
		t.Error("the proxy was not answered, want it answered")
	}
}

// A proxy may have more than the share of a source.
func TestProxiesHaveNoShare(t *testing.T) {
	s := serve(t, conn.Options{Most: 200, Trusted: []netip.Prefix{netip.MustParsePrefix("127.0.9.0/24")}})
	s.idlers(t, 60, "127.0.9.1")
	if got := s.Len(); got != 60 {
		t.Errorf("connections of a proxy = %d, want 60", got)
	}
}

func TestNoLimit(t *testing.T) {
	s := serve(t, conn.Options{})
	s.idlers(t, 60, "127.0.0.2")
	if got := s.Len(); got != 60 {
		t.Errorf("connections = %d, want 60", got)
	}
}

// A closed connection frees one slot, however often it is closed.
func TestCloseFreesOneSlot(t *testing.T) {
	s := serve(t, conn.Options{Most: 200})
	conns := s.idlers(t, 3, "127.0.0.2")
	_ = conns[1].Close()
	fake.Eventually(t, "two connections", func() bool { return s.Len() == 2 })
	for range 20 {
		_ = s.idlers(t, 1, "127.0.0.3")[0].Close()
	}
	fake.Eventually(t, "two connections again", func() bool { return s.Len() == 2 })
}
