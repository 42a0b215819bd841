package fake

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
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

// Start starts Redis again after [Redis.Kill], and waits until it answers.
func (r *Redis) Start() (err error) {
	_, port, _ := net.SplitHostPort(r.Address)
	args := []string{"--bind", "127.0.0.1", "--port", port, "--save", "", "--appendonly", "no"}
	if r.process, err = Start(exec.Command("redis-server", append(args, r.args...)...), nil); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), redisTimeout)
	defer cancel()
	err = Until(ctx, func() bool { return r.answers() || r.exited() })
	if err == nil && r.exited() {
		err = errors.New("redis-server ended")
	}
	if err != nil {
		r.Kill()
	}
	return err
}

// answers reports whether Redis answers a PING. The answer may be an error.
func (r *Redis) answers() bool {
	conn, err := net.DialTimeout("tcp", r.Address, time.Second)
	if err != nil {
		return false
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(time.Second))
	fmt.Fprint(conn, "PING\r\n")
	_, err = bufio.NewReader(conn).ReadString('\n')
	return err == nil
}

func (r *Redis) exited() bool {
	select {
	case <-r.process.Exited:
		return true
	default:
		return false
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
