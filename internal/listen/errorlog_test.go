package listen

import (
	"bytes"
	"errors"
	"log/slog"
	"net"
	"strings"
	"syscall"
	"testing"
)

// An exhausted listener has no descriptor for the next connection, once, and then
// ends.
type exhausted struct {
	net.Listener
	asked bool
}

func (e *exhausted) Accept() (net.Conn, error) {
	if e.asked {
		return nil, net.ErrClosed
	}
	e.asked = true
	return nil, &net.OpError{Op: "accept", Err: syscall.EMFILE}
}

func (*exhausted) Close() error { return nil }

// At the level INFO the log says that there are no descriptors, and nothing about
// clients.
func TestExhaustedDescriptorsAreLogged(t *testing.T) {
	var out bytes.Buffer
	s := Public(nil, slog.New(slog.NewTextHandler(&out, nil)))
	if err := s.Serve(&exhausted{}); !errors.Is(err, net.ErrClosed) {
		t.Fatalf("Serve = %v, want %v", err, net.ErrClosed)
	}
	if line := out.String(); !strings.Contains(line, "level=WARN") || !strings.Contains(line, "too many open files") {
		t.Errorf("log = %q, want a warning with %q", line, "too many open files")
	}
	out.Reset()
	if s.ErrorLog.Print("http: TLS handshake error"); out.Len() > 0 {
		t.Errorf("log = %q, want nothing about a client", out.String())
	}
}
