package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"hubquote/test/fake"
)

// canary is in every part of the URL of every upstream, and must not be in any
// output of a program.
const canary = "SECRETKEY123"

// A program is hubquote serve in a process of its own, with all its output.
type program struct {
	t       *testing.T
	args    []string
	process *fake.Process
	http    *http.Client
	ready   chan struct{} // closed once the program has logged its addresses

	mu            sync.Mutex
	public, admin string // base URLs
	printed       bytes.Buffer
	clients       atomic.Uint32 // that have sent a request, each of them one
}

// launch starts the program on free ports. The output of every program is
// searched for the canary when its test ends.
func launch(t *testing.T, args ...string) *program {
	t.Helper()
	p := newProgram(t, args...)
	var err error
	if p.process, err = fake.Start(exec.Command("hubquote", p.args...), p.read); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.end)
	p.await(p.ready)
	return p
}

// newProgram returns a program that is not started.
func newProgram(t *testing.T, args ...string) *program {
	always := []string{
		"serve", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0",
		"--trusted-proxies", "127.0.0.0/8", "--log-level", "DEBUG",
	}
	return &program{
		t: t, args: append(always, args...), ready: make(chan struct{}),
		// A slower response counts as a failure.
		http: &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}},
	}
}

func (p *program) record(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintf(&p.printed, format, args...)
}

// read reads a line of the log.
func (p *program) read(line string) {
	p.record("%s\n", line)
	var fields struct{ Msg, Server, Address string }
	if json.Unmarshal([]byte(line), &fields) == nil && fields.Msg == "listening" {
		p.setAddress(fields.Server, "http://"+fields.Address)
	}
}

func (p *program) setAddress(server, base string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch server {
	case "public":
		p.public = base
	case "admin":
		p.admin = base
	}
	if p.public != "" && (p.admin != "" || slices.Contains(p.args, "--admin=")) {
		close(p.ready)
	}
}

func (p *program) await(event <-chan struct{}) {
	p.t.Helper()
	select {
	case <-event:
	case <-time.After(30 * time.Second):
		p.t.Fatalf("no event after 30 s, want one; output:\n%s", p.output())
	case <-p.process.Exited:
		select {
		case <-event:
		default:
			p.t.Fatalf("the program ended, want it running; output:\n%s", p.output())
		}
	}
}

func (p *program) output() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.printed.String()
}

func (p *program) signal(sig syscall.Signal) {
	p.t.Helper()
	if err := p.process.Signal(sig); err != nil {
		p.t.Fatal(err)
	}
}

func (p *program) end() {
	p.process.Kill()
	p.http.CloseIdleConnections()
	hidesSecrets(p.t, p.output())
}

// hidesSecrets fails the test if printed has the canary, in letters or in
// hexadecimal.
func hidesSecrets(t *testing.T, printed string) {
	t.Helper()
	printed = strings.ToLower(printed)
	for _, form := range []string{canary, hex.EncodeToString([]byte(canary))} {
		if at := strings.Index(printed, strings.ToLower(form)); at >= 0 {
			t.Errorf("output = …%s…, want the secret hidden", printed[max(0, at-300):min(len(printed), at+100)])
		}
	}
}

// An answer is a response to a client.
type answer struct {
	status int
	header http.Header
	body   []byte
	Code   string // of the problem, if it is one
}

// get sends a request of a new client, so that the rate limit does not refuse it.
func (p *program) get(path string) answer {
	p.t.Helper()
	n := p.clients.Add(1)
	return p.getAs(fmt.Sprintf("10.%d.%d.%d", n>>16&255, n>>8&255, n&255), path)
}

func (p *program) getAs(client, path string) answer {
	p.t.Helper()
	return p.fetch(p.public+path, client)
}

// fetch returns an answer with status zero when there is none. It does not fail the
// test, because it is called from many goroutines.
func (p *program) fetch(url, client string) (a answer) {
	r, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, url, nil)
	if err != nil {
		panic(err)
	}
	r.Header.Set("X-Forwarded-For", client)
	resp, err := p.http.Do(r)
	if err != nil {
		return answer{Code: err.Error()}
	}
	defer resp.Body.Close()
	a.status, a.header = resp.StatusCode, resp.Header
	if a.body, err = io.ReadAll(resp.Body); err != nil {
		return answer{Code: err.Error()}
	}
	_ = json.Unmarshal(a.body, &a)
	p.record("%d %v\n%s\n", a.status, a.header, a.body)
	return a
}

// A health is the body of the health check.
type health struct {
	Status string
	Checks []struct{ Name, Status, Detail string }
}

func (p *program) health() (h health, status int) {
	p.t.Helper()
	a := p.get("/v3/swap/healthcheck")
	if err := json.Unmarshal(a.body, &h); err != nil {
		p.t.Fatalf("health = %d %s, want JSON", a.status, a.body)
	}
	return h, a.status
}

// check returns the status of one of the health checks.
func (p *program) check(name string) string {
	p.t.Helper()
	h, _ := p.health()
	for _, c := range h.Checks {
		if c.Name == name {
			return c.Status
		}
	}
	p.t.Fatalf("health = %+v, want a check %q", h, name)
	return ""
}

// metric returns the value of a series as text, or an empty one.
func (p *program) metric(series string) string {
	p.t.Helper()
	for line := range strings.Lines(string(p.fetch(p.admin+"/metrics", "").body)) {
		if value, ok := strings.CutPrefix(line, series+" "); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// readDiagnostics reads the health check, metrics and profiles, so that they are
// searched for secrets.
func (p *program) readDiagnostics() {
	p.t.Helper()
	p.get("/v3/swap/healthcheck")
	for _, path := range []string{"/metrics", "/debug/pprof/", "/debug/pprof/goroutine?debug=2", "/debug/pprof/heap?debug=1", "/debug/pprof/cmdline"} {
		p.fetch(p.admin+path, "")
	}
}
