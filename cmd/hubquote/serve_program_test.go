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

// canary is in every part of the URL of every upstream, and in nothing a
// program says.
const canary = "SECRETKEY123"

// A program is hubquote serve in a process of its own, and all its output.
type program struct {
	t       *testing.T
	args    []string
	process *fake.Process
	http    *http.Client
	ready   chan struct{} // closed once the program has said that it listens

	mu            sync.Mutex
	public, admin string // base URLs
	said          bytes.Buffer
	clients       atomic.Uint32 // that have asked, each of them once
}

// launch starts the program on free ports. The output of every program is
// searched for the canary when its test ends.
func launch(t *testing.T, args ...string) *program {
	t.Helper()
	always := []string{
		"serve", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0",
		"--trusted-proxies", "127.0.0.0/8", "--log-level", "DEBUG",
	}
	p := &program{
		t: t, args: append(always, args...), ready: make(chan struct{}),
		// A response that takes longer counts as none.
		http: &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}},
	}
	var err error
	if p.process, err = fake.Start(exec.Command("hubquote", p.args...), p.read); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.end)
	p.await(p.ready)
	return p
}

func (p *program) hear(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintf(&p.said, format, args...)
}

// read reads a line of the log.
func (p *program) read(line string) {
	p.hear("%s\n", line)
	var fields struct{ Msg, Server, Address string }
	if json.Unmarshal([]byte(line), &fields) == nil && fields.Msg == "listening" {
		p.learn(fields.Server, "http://"+fields.Address)
	}
}

func (p *program) learn(server, base string) {
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

func (p *program) await(what <-chan struct{}) {
	p.t.Helper()
	select {
	case <-what:
	case <-time.After(30 * time.Second):
		p.t.Fatalf("nothing happened; the program said:\n%s", p.heard())
	case <-p.process.Exited:
		select {
		case <-what:
		default:
			p.t.Fatalf("the program ended; it said:\n%s", p.heard())
		}
	}
}

func (p *program) heard() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.said.String()
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
	keepsQuiet(p.t, p.heard())
}

// keepsQuiet fails the test if what was said has the canary, in letters or in
// hexadecimal.
func keepsQuiet(t *testing.T, said string) {
	t.Helper()
	said = strings.ToLower(said)
	for _, form := range []string{canary, hex.EncodeToString([]byte(canary))} {
		if at := strings.Index(said, strings.ToLower(form)); at >= 0 {
			t.Errorf("a secret was said: …%s…", said[max(0, at-300):min(len(said), at+100)])
		}
	}
}

// An answer is what a client sees.
type answer struct {
	status int
	header http.Header
	body   []byte
	Code   string // of the problem, if it is one
}

// get asks as a client that never asked before, so that no limit is in the way.
func (p *program) get(path string) answer {
	p.t.Helper()
	n := p.clients.Add(1)
	return p.getAs(fmt.Sprintf("10.%d.%d.%d", n>>16&255, n>>8&255, n&255), path)
}

func (p *program) getAs(client, path string) answer {
	p.t.Helper()
	return p.fetch(p.public+path, client)
}

// fetch fails the test only through the answer's status, which is zero when
// there is none: it is called from many goroutines.
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
	p.hear("%d %v\n%s\n", a.status, a.header, a.body)
	return a
}

// A health is what the health check shows.
type health struct {
	Status string
	Checks []struct{ Name, Status, Detail string }
}

func (p *program) health() (h health, status int) {
	p.t.Helper()
	a := p.get("/v3/swap/healthcheck")
	if err := json.Unmarshal(a.body, &h); err != nil {
		p.t.Fatalf("health: %d %s", a.status, a.body)
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
	p.t.Fatalf("no check %q in %+v", name, h)
	return ""
}

// metric returns the value of a series as it is written, or nothing.
func (p *program) metric(series string) string {
	p.t.Helper()
	for line := range strings.Lines(string(p.fetch(p.admin+"/metrics", "").body)) {
		if value, ok := strings.CutPrefix(line, series+" "); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// lookEverywhere asks for all that a program shows on its own.
func (p *program) lookEverywhere() {
	p.t.Helper()
	p.get("/v3/swap/healthcheck")
	for _, path := range []string{"/metrics", "/debug/pprof/", "/debug/pprof/goroutine?debug=2", "/debug/pprof/heap?debug=1", "/debug/pprof/cmdline"} {
		p.fetch(p.admin+path, "")
	}
}
