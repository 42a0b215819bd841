package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"hubquote/swap"
	"hubquote/test/fake"
)

const replicas = 2

// A replica is one of the servers. Each restart starts a new process.
type replica struct {
	number  int
	program string
	args    []string
	report  *report

	mu      sync.Mutex
	process *process // the current one, or the last
}

// A process is one run of a replica.
type process struct {
	*fake.Process
	public    string // host and port
	admin     string
	listening chan struct{} // closed once both are known

	scraped time.Time // when the metrics were last read
	alone   float64   // decisions without Redis, by then
}

func (r *replica) current() *process {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.process
}

// address returns the public address of the replica.
func (r *replica) address() string { return r.current().public }

// drainDelay is long enough for a proxy on a busy machine.
const drainDelay = 2 * time.Second

// start starts a process with an empty environment and waits until it serves.
func (r *replica) start(ctx context.Context) error {
	always := []string{
		"serve", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0",
		"--trusted-proxies", "127.0.0.1/32", "--drain-delay", drainDelay.String(), "--max-connections", "512",
	}
	p := &process{listening: make(chan struct{}), scraped: time.Now()}
	cmd := exec.Command(r.program, append(always, r.args...)...)
	cmd.Env = []string{}
	var err error
	if p.Process, err = fake.Start(cmd, func(line string) { r.readLog(p, line) }); err != nil {
		return err
	}
	select {
	case <-p.listening:
	case <-p.Exited:
		return fmt.Errorf("%s: %w", r.program, errors.Join(errors.New("the process did not start"), p.Wait()))
	case <-ctx.Done():
		p.Kill()
		return ctx.Err()
	}
	r.mu.Lock()
	r.process = p
	r.mu.Unlock()
	return fake.Until(ctx, func() bool { status, _ := r.health(ctx); return status == http.StatusOK })
}

// A line is one entry of the log.
type line struct {
	Level, Msg, Server, Address string
	Code                        swap.Code
}

// readLog reads a line of the log of one process. An error is a fault, unless it is
// an allowed failure. A line that is no log entry, such as the output of a panic,
// is a fault too.
func (r *replica) readLog(p *process, text string) {
	var l line
	err := json.Unmarshal([]byte(text), &l)
	switch {
	case err != nil, strings.Contains(text, "panic"), l.Level == "ERROR" && !isAllowedFailure(l.Code):
		r.report.fault("errors in the log", "replica %d: %s", r.number+1, text)
	case l.Msg == "listening" && l.Server == "public":
		p.public = l.Address
	case l.Msg == "listening" && l.Server == "admin":
		p.admin = l.Address
		close(p.listening) // the admin address is logged second
	}
}

func isAllowedFailure(c swap.Code) bool {
	return c == swap.RegistryUnavailable || c == swap.IssuerFeeUnavailable
}

// stop ends the process as an orchestrator would.
func (r *replica) stop() {
	p := r.current()
	_ = p.Signal(syscall.SIGTERM)
	r.awaitExit(p)
}

// patience is the timeout for a process to end or to become idle.
const patience = time.Minute

func (r *replica) awaitExit(p *process) {
	select {
	case <-p.Exited:
		if err := p.Wait(); err != nil {
			r.report.fault("exits other than 0", "replica %d: %v", r.number+1, err)
		}
	case <-time.After(patience):
		r.report.fault("exits other than 0", "replica %d: none after %v", r.number+1, patience)
		r.kill()
	}
}

// kill ends the process, if it is still running.
func (r *replica) kill() {
	if p := r.current(); p != nil {
		p.Kill()
	}
}
