package fake

import (
	"errors"
	"fmt"
	"net"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// A Redis is a real redis-server on the loopback interface, without persistence.
type Redis struct {
	Address string // stays the same when it is started again

	args    []string
	process *Process
}

// redisTimeout is how long a start may take on a busy machine.
const redisTimeout = 30 * time.Second

// NewRedis starts a Redis with more arguments for redis-server. It ends with the
// test.
func NewRedis(tb testing.TB, args ...string) *Redis {
	tb.Helper()
	r, err := StartRedis(args...)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(r.Kill)
	return r
}

// StartRedis starts a Redis that must be killed. It tries several ports, because
// another program may take a free one first.
func StartRedis(args ...string) (r *Redis, err error) {
	for range 5 {
		r = &Redis{args: args}
		if r.Address, err = FreeAddress(); err != nil {
			return nil, err
		}
		if err = r.Start(); err == nil {
			return r, nil
		}
	}
	return nil, fmt.Errorf("this needs a real Redis: apt-get install redis-server: %w", err)
}

// Start starts Redis again after [Redis.Kill], and waits until it accepts connections.
func (r *Redis) Start() (err error) {
	_, port, _ := net.SplitHostPort(r.Address)
	args := append([]string{"--bind", "127.0.0.1", "--port", port, "--save", "", "--appendonly", "no"}, r.args...)
	if len(r.args) > 0 && strings.HasSuffix(r.args[0], ".conf") {
		// A sentinel needs a file, which comes first, and saves no data.
		args = append([]string{r.args[0], "--bind", "127.0.0.1", "--port", port}, r.args[1:]...)
	}
	// Its own log tells that it is ready. An answer on the port may come from another
	// Redis, which took the port first.
	up := make(chan struct{})
	var once sync.Once
	r.process, err = Start(exec.Command("redis-server", args...), func(line string) {
		if strings.Contains(line, "Ready to accept") || strings.Contains(line, "Sentinel ID is") {
			once.Do(func() { close(up) })
		}
	})
	if err != nil {
		return err
	}
	select {
	case <-up:
		return nil
	case <-r.process.Exited:
		return errors.New("redis-server ended")
	case <-time.After(redisTimeout):
		r.Kill()
		return errors.New("redis-server did not start in time")
	}
}

// SetArgs replaces the arguments of the next start.
func (r *Redis) SetArgs(args ...string) { r.args = args }

// URL returns the address for a client without a user.
func (r *Redis) URL() string { return "redis://" + r.Address + "/0" }

// Kill ends Redis as a crash would. It may be called again.
func (r *Redis) Kill() { r.process.Kill() }

// Freeze makes Redis accept connections and commands and never answer, until it
// is thawed.
func (r *Redis) Freeze() error { return r.process.Signal(syscall.SIGSTOP) }

// Thaw makes a frozen Redis answer.
func (r *Redis) Thaw() error { return r.process.Signal(syscall.SIGCONT) }
