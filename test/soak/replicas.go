package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"hubquote/swap"
)

const replicas = 2

// A replica is one of the servers. Its processes come and go.
type replica struct {
	number  int
	program string
	args    []string
	report  *report

	mu      sync.Mutex
	process *process // the current one, or the last
}

// A process is one life of a replica.
type process struct {
	cmd       *exec.Cmd
	public    string // host and port
	admin     string
	listening chan struct{} // closed once both are known
	exited    chan struct{} // closed once err is known
	err       error

	scraped time.Time // when the metrics were last read
	alone   float64   // decisions without Redis, by then
}

func (r *replica) current() *process {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.process
}

// address is where clients find the replica, if it is there.
func (r *replica) address() string { return r.current().public }

// drainDelay is long enough for a proxy that is itself short of processor time.
const drainDelay = 2 * time.Second

// start starts a process and waits until it serves. It dies with us, but not of
// a Ctrl-C that is meant for us, and knows nothing of our environment.
func (r *replica) start(ctx context.Context) error {
	always := []string{
		"serve", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0",
		"--trusted-proxies", "127.0.0.0/8", "--drain-delay", drainDelay.String(),
	}
	p := &process{
		cmd:       exec.Command(r.program, append(always, r.args...)...),
		listening: make(chan struct{}), exited: make(chan struct{}), scraped: time.Now(),
	}
	p.cmd.Env = []string{}
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	stderr, err := p.cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := p.cmd.Start(); err != nil {
		return err
	}
	go r.hear(p, stderr)
	select {
	case <-p.listening:
	case <-p.exited:
		return fmt.Errorf("%s: %w", r.program, errors.Join(errors.New("it did not start"), p.err))
	case <-ctx.Done():
		_ = p.cmd.Process.Kill()
		<-p.exited
		return ctx.Err()
	}
	r.mu.Lock()
	r.process = p
	r.mu.Unlock()
	return until(ctx, func() bool { status, _ := r.health(ctx); return status == http.StatusOK })
}

// A line is what is read of a line of the log.
type line struct {
	Level, Msg, Server, Address string
	Code                        swap.Code
}

// hear reads the log of one process until its end. Whatever is an error, but
// for quotes that had to be refused, is a fault; so is what is no log at all,
// such as the last words of a program that panics.
func (r *replica) hear(p *process, log io.Reader) {
	in := bufio.NewScanner(log)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var l line
		err := json.Unmarshal(in.Bytes(), &l)
		switch {
		case err != nil, strings.Contains(in.Text(), "panic"), l.Level == "ERROR" && !excused(l.Code):
			r.report.fault("errors in the log", "replica %d: %s", r.number+1, in.Text())
		case l.Msg == "listening" && l.Server == "public":
			p.public = l.Address
		case l.Msg == "listening" && l.Server == "admin":
			p.admin = l.Address
			close(p.listening) // it is the second
		}
	}
	p.err = p.cmd.Wait()
	close(p.exited)
}

func excused(c swap.Code) bool {
	return c == swap.RegistryUnavailable || c == swap.IssuerFeeUnavailable
}

// stop ends the process as an orchestrator would.
func (r *replica) stop() {
	p := r.current()
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	r.awaitExit(p)
}

// patience is how long a process may take to end or to come to rest before it
// counts as one that does not.
const patience = time.Minute

func (r *replica) awaitExit(p *process) {
	select {
	case <-p.exited:
		if p.err != nil {
			r.report.fault("exits other than 0", "replica %d: %v", r.number+1, p.err)
		}
	case <-time.After(patience):
		r.report.fault("exits other than 0", "replica %d: none after %v", r.number+1, patience)
		r.kill()
	}
}

// kill makes sure that there is no process. It does no harm to one that has
// ended.
func (r *replica) kill() {
	if p := r.current(); p != nil {
		_ = p.cmd.Process.Kill()
		<-p.exited
	}
}
