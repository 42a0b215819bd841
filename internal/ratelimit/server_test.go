package ratelimit_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"hubquote/internal/ratelimit"
)

// A server is a real Redis on a socket of its own, without persistence.
type server struct {
	tb     testing.TB
	socket string
	args   []string
	cmd    *exec.Cmd
	guard  *exec.Cmd // ends cmd if the test process dies without doing so
}

// startServer starts Redis and stops it when the test ends.
func startServer(tb testing.TB, args ...string) *server {
	tb.Helper()
	// The test's own directory may be too long a path for a socket.
	dir, err := os.MkdirTemp("", "redis")
	if err != nil {
		tb.Fatal(err)
	}
	s := &server{tb: tb, socket: filepath.Join(dir, "s"), args: args}
	s.start()
	tb.Cleanup(func() {
		s.kill()
		os.RemoveAll(dir)
	})
	return s
}

func (s *server) url() string { return "unix://" + s.socket }

func (s *server) start() {
	s.tb.Helper()
	args := []string{"--port", "0", "--unixsocket", s.socket, "--save", "", "--appendonly", "no", "--dir", filepath.Dir(s.socket)}
	s.cmd = exec.Command("redis-server", append(args, s.args...)...)
	if err := s.cmd.Start(); err != nil {
		s.tb.Fatalf("these tests need a real Redis: apt-get install redis-server: %v", err)
	}
	s.guard = exec.Command("sh", "-c", fmt.Sprintf("read _; kill -9 %d", s.cmd.Process.Pid))
	if _, err := s.guard.StdinPipe(); err != nil {
		s.tb.Fatal(err)
	}
	if err := s.guard.Start(); err != nil {
		s.tb.Fatal(err)
	}
	eventually(s.tb, "redis-server accepts connections", func() bool {
		conn, err := net.Dial("unix", s.socket)
		if err != nil {
			return false
		}
		conn.Close()
		return true
	})
}

// kill ends Redis as a crash would.
func (s *server) kill() {
	for _, cmd := range []*exec.Cmd{s.guard, s.cmd} {
		cmd.Process.Kill()
		cmd.Wait()
	}
}

// freeze makes Redis accept connections and commands, and never answer.
func (s *server) freeze() { s.signal(syscall.SIGSTOP) }

func (s *server) thaw() { s.signal(syscall.SIGCONT) }

func (s *server) signal(sig os.Signal) {
	s.tb.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		s.tb.Fatal(err)
	}
}

// redis returns a new replica's connection to s. It is patient unless told
// otherwise, because the machine may be busy.
func (s *server) redis(o ratelimit.RedisOptions) *ratelimit.Redis {
	s.tb.Helper()
	if o.URL == "" {
		o.URL = s.url()
	}
	if o.Timeout == 0 {
		o.Timeout = 10 * time.Second
	}
	r, err := ratelimit.NewRedis(o)
	if err != nil {
		s.tb.Fatal(err)
	}
	s.tb.Cleanup(func() { r.Close() })
	return r
}

// eventually waits for something that has to become true without saying when.
func eventually(tb testing.TB, what string, done func() bool) {
	tb.Helper()
	for range 6000 {
		if done() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	tb.Fatalf("never: %s", what)
}
