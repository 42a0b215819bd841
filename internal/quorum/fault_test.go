package quorum_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"hubquote/internal/quorum"
	"hubquote/internal/quorum/node"
	"hubquote/internal/upstream"
	"hubquote/test/fake"
)

// canary is in every part of every URL, and must not be in any output.
const canary = "SECRETKEY123"

// A fault is one way in which a node fails, on the wire or in its answers.
type fault struct {
	name  string
	wire  func(*fake.Proxy)
	node  func(n *fake.Node, i int) // i differs between two nodes with the fault
	lies  bool                      // its answers are well-formed, so only a vote detects it
	shown []upstream.Fault          // the expected reports; more than one if it depends on the moment
}

// timeout is short only in the tests that wait for it, so that no other test
// times out on a busy machine.
func (f fault) timeout() time.Duration {
	if slices.Contains(f.shown, upstream.Timeout) {
		return time.Second
	}
	return 10 * time.Second
}

func answers(body string) func(*fake.Node, int) {
	return func(n *fake.Node, _ int) {
		n.Handle = func(w http.ResponseWriter, _ *http.Request, _ string) bool {
			_, _ = io.WriteString(w, body)
			return true
		}
	}
}

func result(method, answer string) func(*fake.Node, int) {
	return func(n *fake.Node, _ int) {
		n.Handle = on(method, func(w http.ResponseWriter, _ *http.Request, _ string) bool {
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":`+answer+`}`)
			return true
		})
	}
}

func status(code int) func(*fake.Node, int) {
	return func(n *fake.Node, _ int) {
		n.Handle = func(w http.ResponseWriter, r *http.Request, _ string) bool {
			w.Header().Set("Location", "http://"+r.Host+"/"+canary)
			http.Error(w, r.URL.String(), code)
			return true
		}
	}
}

func streams(n *fake.Node, _ int) {
	n.Handle = func(w http.ResponseWriter, _ *http.Request, _ string) bool {
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":"0x`)
		for err := error(nil); err == nil; {
			_, err = io.WriteString(w, strings.Repeat("0", 1<<16))
		}
		return true
	}
}

// bomb is four megabytes of zeros, compressed.
var bomb = sync.OnceValue(func() []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write(make([]byte, 4<<20))
	_ = z.Close()
	return out.Bytes()
})

func bombs(n *fake.Node, _ int) {
	body := bomb()
	n.Handle = func(w http.ResponseWriter, _ *http.Request, _ string) bool {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(body)
		return true
	}
}

var faults = []fault{
	{name: "down", wire: (*fake.Proxy).Down, shown: []upstream.Fault{upstream.Unreachable}},
	{name: "silent", wire: (*fake.Proxy).Mute, shown: []upstream.Fault{upstream.Timeout}},
	{name: "reset", wire: (*fake.Proxy).Reset, shown: []upstream.Fault{upstream.Unreachable}},
	{name: "cut in the middle", wire: (*fake.Proxy).Cut, shown: []upstream.Fault{upstream.Unreachable, upstream.Malformed}},
	{name: "slow", node: func(n *fake.Node, _ int) { n.Handle = fake.After(time.Minute) }, shown: []upstream.Fault{upstream.Timeout}},
	{name: "wrong chain", node: func(n *fake.Node, _ int) { n.Chain = 1 }, shown: []upstream.Fault{node.WrongChain}},
	{name: "stale block", node: func(n *fake.Node, _ int) { n.Behind = time.Hour }, shown: []upstream.Fault{node.StaleBlock}},
	{name: "null block", node: result("eth_getBlockByNumber", "null"), shown: []upstream.Fault{node.OutOfStep}},
	{name: "null result", node: result("eth_call", "null"), lies: true, shown: []upstream.Fault{quorum.Disagrees}},
	{name: "no result", node: answers(`{"jsonrpc":"2.0","id":1}`), shown: []upstream.Fault{upstream.Malformed}},
	{name: "an error", node: answers(`{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"bad key ` + canary + `"}}`), shown: []upstream.Fault{node.Refused}},
	{name: "HTML", node: answers(`<!doctype html><title>` + canary + `</title>`), shown: []upstream.Fault{upstream.Malformed}},
	{name: "empty body", node: answers(""), shown: []upstream.Fault{upstream.Malformed}},
	{name: "huge body", node: streams, shown: []upstream.Fault{upstream.TooLarge}},
	{name: "gzip bomb", node: bombs, shown: []upstream.Fault{upstream.Malformed}},
	{name: "redirect", node: status(http.StatusTemporaryRedirect), shown: []upstream.Fault{upstream.Redirected}},
	{name: "no such key", node: status(http.StatusUnauthorized), shown: []upstream.Fault{upstream.Denied}},
	{name: "too many requests", node: status(http.StatusTooManyRequests), shown: []upstream.Fault{upstream.RateLimited}},
	{name: "server error", node: status(http.StatusBadGateway), shown: []upstream.Fault{upstream.BadStatus}},
	{name: "lies about the value", node: func(n *fake.Node, i int) { n.Entry = says(fmt.Sprintf("0x%02x", i)) }, lies: true, shown: []upstream.Fault{quorum.Disagrees}},
	{name: "lies about the block", node: func(n *fake.Node, i int) { n.Fork = fmt.Sprint(i) }, lies: true, shown: []upstream.Fault{quorum.Disagrees}},
}

// A topology has the number of nodes and which of them fail.
type topology struct {
	name  string
	fails []bool
	want  bool // there is an answer
}

var topologies = []topology{
	{"the only one", []bool{true}, false},
	{"the first of two", []bool{true, false}, true},
	{"both of two", []bool{true, true}, false},
	{"one of three", []bool{false, true, false}, true},
	{"two of three", []bool{true, false, true}, false},
}

// With every fault, the answer is correct or an error, all connections are closed,
// and no part of a URL is in any output.
func TestFaults(t *testing.T) {
	for _, f := range faults {
		for _, topo := range topologies {
			if f.lies && (len(topo.fails) < 3 || f.name == "null result" && !topo.want) {
				continue
			}
			t.Run(f.name+"/"+topo.name, func(t *testing.T) {
				t.Parallel()
				s := newFixture(t, f, topo)
				for range 2 {
					if topo.want {
						wantTruth(t, s.nodes)
					} else {
						s.log(wantError(t, s.nodes))
					}
				}
				s.close(t, topo)
				s.check(t, f, topo)
			})
		}
	}
}

// A fixture is the nodes of a topology on real sockets.
type fixture struct {
	nodes   *quorum.Nodes
	proxies []*fake.Proxy
	mu      sync.Mutex
	output  bytes.Buffer // everything that could reach a log, a metric or a client
	reports []quorum.Report
}

func newFixture(t *testing.T, f fault, topo topology) *fixture {
	s := &fixture{}
	hosts := map[string]string{}
	opts := quorum.Options{Chain: 369, Observe: s.observe}
	for i, faulty := range topo.fails {
		host := fmt.Sprintf("%s-%d.example", canary, i)
		hosts[strings.ToLower(host)+":80"] = s.serve(t, i+1, f, faulty)
		opts.Endpoints = append(opts.Endpoints, mustURL(t, "http://"+canary+"u:"+canary+"p@"+host+"/"+canary+"?key="+canary+"#"+canary))
	}
	transport := &http.Transport{DisableCompression: true}
	transport.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, hosts[strings.ToLower(addr)])
		if err != nil {
			err = fmt.Errorf("dial %s: %w", addr, err)
		}
		return conn, err
	}
	opts.Transport = transport
	opts.SetTimeouts(f.timeout(), time.Minute)
	s.nodes = start(t, opts)
	return s
}

// serve starts a node behind a proxy and returns the proxy's address.
func (s *fixture) serve(t *testing.T, i int, f fault, faulty bool) string {
	n := newNode()
	if faulty && f.node != nil {
		f.node(n, i)
	}
	p := fake.Serve(t, n)
	if faulty && f.wire != nil {
		f.wire(p)
	}
	s.proxies = append(s.proxies, p)
	return p.Addr().String()
}

func (s *fixture) observe(r quorum.Report) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reports = append(s.reports, r)
}

// log keeps an error in every form in which a log would show it.
func (s *fixture) log(err error) {
	fmt.Fprintf(&s.output, "%v %+v %#v %q\n", err, err, err, err)
	slog.New(slog.NewJSONHandler(&s.output, nil)).Error("quote", "err", err)
	slog.New(slog.NewTextHandler(&s.output, nil)).Error("quote", "err", err)
}

// seen returns the faults that node i was reported with so far.
func (s *fixture) seen(i int) map[upstream.Fault]bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := map[upstream.Fault]bool{}
	for _, r := range s.reports {
		if r.Endpoint == i {
			seen[r.Fault] = true
		}
	}
	return seen
}

// close waits until every node was reported, as some are after the answer.
func (s *fixture) close(t *testing.T, topo topology) {
	for i := range topo.fails {
		fake.Eventually(t, "a report", func() bool { return len(s.seen(i+1)) > 0 })
	}
	s.nodes.Close()
	for _, p := range s.proxies {
		fake.Eventually(t, "all connections are closed", func() bool { return p.Connections() == 0 })
	}
	health, err := json.Marshal(s.nodes.Health())
	fmt.Fprintf(&s.output, "%s %v\n%+v\n%+v\n%+v", health, err, s.nodes.Health(), s.reports, s.nodes)
}

func (s *fixture) check(t *testing.T, f fault, topo topology) {
	t.Helper()
	for i, faulty := range topo.fails {
		seen := s.seen(i + 1)
		if faulty && !slices.ContainsFunc(f.shown, func(want upstream.Fault) bool { return seen[want] }) {
			t.Errorf("node %d was reported with %v, want one of %v", i+1, seen, f.shown)
		}
	}
	if strings.Contains(strings.ToLower(s.output.String()), strings.ToLower(canary)) {
		t.Errorf("output contains the key, want it hidden:\n%s", s.output.String())
	}
}
