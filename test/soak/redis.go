package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A redis is a real one, for the replicas to share.
type redis struct {
	cmd     *exec.Cmd
	address string
	exited  chan struct{}
}

// startRedis tries a few ports, because a free one may be taken the moment
// after.
func startRedis(ctx context.Context) (r *redis, err error) {
	for range 5 {
		if r, err = tryRedis(ctx); err == nil {
			return r, nil
		}
	}
	return nil, fmt.Errorf("the replicas share a real Redis: apt-get install redis-server: %w", err)
}

func tryRedis(ctx context.Context) (*redis, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &redis{address: l.Addr().String(), exited: make(chan struct{})}
	_ = l.Close()
	_, port, _ := net.SplitHostPort(r.address)
	r.cmd = exec.Command("redis-server", "--bind", "127.0.0.1", "--port", port, "--save", "", "--appendonly", "no")
	r.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	if err := r.cmd.Start(); err != nil {
		return nil, err
	}
	go func() { _ = r.cmd.Wait(); close(r.exited) }()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err = until(ctx, func() bool { _, err := r.info(); return err == nil || isClosed(r.exited) })
	if err == nil && isClosed(r.exited) {
		err = fmt.Errorf("it ended: %v", r.cmd.ProcessState)
	}
	if err != nil {
		r.close()
	}
	return r, err
}

func (r *redis) close() {
	_ = r.cmd.Process.Kill()
	<-r.exited
}

func (r *redis) url() string { return "redis://" + r.address + "/0" }

// A redisState is what Redis holds. Every key must expire, and within a window:
// that is what bounds its memory, however many sources there are.
type redisState struct {
	bytes, keys int
	endless     int           // keys that do not expire
	ttl         time.Duration // of the others, on average
}

func (r *redis) watch(ctx context.Context, to *report) {
	for sleep(ctx, time.Second) {
		if state, err := r.info(); err != nil {
			to.fault("errors of Redis", "%v", err)
		} else {
			to.redisHolds(state)
		}
	}
}

// info asks Redis in its inline form, which is a line of words.
func (r *redis) info() (s redisState, err error) {
	conn, err := net.DialTimeout("tcp", r.address, patience)
	if err != nil {
		return s, err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(patience))
	fmt.Fprint(conn, "INFO\r\nQUIT\r\n")
	in := bufio.NewScanner(conn)
	for in.Scan() {
		name, value, _ := strings.Cut(in.Text(), ":")
		switch name {
		case "used_memory":
			s.bytes, err = strconv.Atoi(value)
		case "db0":
			var expiring, ttl int
			_, err = fmt.Sscanf(value, "keys=%d,expires=%d,avg_ttl=%d", &s.keys, &expiring, &ttl)
			s.endless, s.ttl = s.keys-expiring, time.Duration(ttl)*time.Millisecond
		}
		if err != nil {
			return s, err
		}
	}
	return s, in.Err()
}
