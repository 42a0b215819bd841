package integrator_test

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
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"hubquote/internal/integrator"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

// canary is in every part of every URL.
const canary = "SECRETKEY123"

// A fault is one way an endpoint goes wrong: on the wire, or in what it says.
type fault struct {
	name  string
	wire  spoil
	node  func(n *node, i int) // i differs between two endpoints with the fault
	lies  bool                 // what it says is well-formed, so only a quorum can tell
	shown []upstream.Fault     // what is reported; more than one where the moment decides
}

// patience is short only where it is what the test waits for, so that a busy
// machine is not taken for a fault.
func (f fault) patience() time.Duration {
	if slices.Contains(f.shown, upstream.Timeout) {
		return time.Second
	}
	return 10 * time.Second
}

func answers(body string) func(*node, int) {
	return func(n *node, _ int) {
		n.Handle = func(w http.ResponseWriter, _ *http.Request, _ string) bool {
			_, _ = io.WriteString(w, body)
			return true
		}
	}
}

func result(method, answer string) func(*node, int) {
	return func(n *node, _ int) {
		n.Handle = func(w http.ResponseWriter, _ *http.Request, m string) bool {
			if m == method {
				_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":`+answer+`}`)
			}
			return m == method
		}
	}
}

func status(code int) func(*node, int) {
	return func(n *node, _ int) {
		n.Handle = func(w http.ResponseWriter, r *http.Request, _ string) bool {
			w.Header().Set("Location", "http://"+r.Host+"/"+canary)
			http.Error(w, r.URL.String(), code)
			return true
		}
	}
}

func streams(n *node, _ int) {
	n.Handle = func(w http.ResponseWriter, _ *http.Request, _ string) bool {
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":"0x`)
		for err := error(nil); err == nil; {
			_, err = io.WriteString(w, strings.Repeat("0", 1<<16))
		}
		return true
	}
}

// bomb is small until it is decompressed.
var bomb = sync.OnceValue(func() []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write(make([]byte, 4<<20))
	_ = z.Close()
	return out.Bytes()
})

func bombs(n *node, _ int) {
	body := bomb()
	n.Handle = func(w http.ResponseWriter, _ *http.Request, _ string) bool {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(body)
		return true
	}
}

var faults = []fault{
	{name: "down", wire: nil, shown: []upstream.Fault{upstream.Unreachable}},
	{name: "silent", wire: swallow, shown: []upstream.Fault{upstream.Timeout}},
	{name: "reset", wire: reset, shown: []upstream.Fault{upstream.Unreachable}},
	{name: "cut in the middle", wire: cut, shown: []upstream.Fault{upstream.Unreachable, upstream.Malformed}},
	{name: "slow", node: func(n *node, _ int) { n.Handle = after(time.Minute) }, shown: []upstream.Fault{upstream.Timeout}},
	{name: "wrong chain", node: func(n *node, _ int) { n.Chain = 1 }, shown: []upstream.Fault{integrator.WrongChain}},
	{name: "stale block", node: func(n *node, _ int) { n.Behind = time.Hour }, shown: []upstream.Fault{integrator.StaleBlock}},
	{name: "empty result", node: func(n *node, _ int) { n.Registry = says("0x") }, shown: []upstream.Fault{integrator.NoContract}},
	{name: "short result", node: func(n *node, _ int) { n.Registry = says("0x00") }, shown: []upstream.Fault{upstream.Malformed}},
	{name: "another contract", node: func(n *node, _ int) { n.Registry = says("0x" + strings.Repeat("ff", 96)) }, shown: []upstream.Fault{integrator.BadEntry}},
	{name: "null result", node: result("eth_call", "null"), shown: []upstream.Fault{upstream.Malformed}},
	{name: "no result", node: answers(`{"jsonrpc":"2.0","id":1}`), shown: []upstream.Fault{upstream.Malformed}},
	{name: "an error", node: answers(`{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"bad key ` + canary + `"}}`), shown: []upstream.Fault{integrator.Refused}},
	{name: "HTML", node: answers(`<!doctype html><title>` + canary + `</title>`), shown: []upstream.Fault{upstream.Malformed}},
	{name: "nothing", node: answers(""), shown: []upstream.Fault{upstream.Malformed}},
	{name: "huge body", node: streams, shown: []upstream.Fault{upstream.TooLarge}},
	{name: "gzip bomb", node: bombs, shown: []upstream.Fault{upstream.Malformed}},
	{name: "redirect", node: status(http.StatusTemporaryRedirect), shown: []upstream.Fault{upstream.Redirected}},
	{name: "no such key", node: status(http.StatusUnauthorized), shown: []upstream.Fault{upstream.Denied}},
	{name: "too many requests", node: status(http.StatusTooManyRequests), shown: []upstream.Fault{upstream.RateLimited}},
	{name: "server error", node: status(http.StatusBadGateway), shown: []upstream.Fault{upstream.BadStatus}},
	{name: "lies about the rate", node: func(n *node, i int) { lie(n, uint32(i)) }, lies: true, shown: []upstream.Fault{integrator.Disagrees}},
	{name: "lies about the block", node: func(n *node, i int) { n.Fork = fmt.Sprint(i) }, lies: true, shown: []upstream.Fault{integrator.Disagrees}},
}

// A topology is how many endpoints there are and which of them are faulty.
type topology struct {
	name  string
	fails []bool
	want  swap.Code // empty when partner is found as it is
}

var topologies = []topology{
	{"the only one", []bool{true}, swap.RegistryUnavailable},
	{"the first of two", []bool{true, false}, ""},
	{"both of two", []bool{true, true}, swap.RegistryUnavailable},
	{"one of three", []bool{false, true, false}, ""},
	{"two of three", []bool{true, false, true}, swap.RegistryUnavailable},
}

// Whatever goes wrong, the answer is right or there is none, the other chain is
// as before, nothing is left behind, and no word of a URL is ever said.
func TestFaults(t *testing.T) {
	for _, f := range faults {
		for _, topo := range topologies {
			if f.lies && len(topo.fails) < 3 {
				continue
			}
			t.Run(f.name+"/"+topo.name, func(t *testing.T) {
				t.Parallel()
				s := newScene(t, f, topo)
				for range 2 {
					if topo.want == "" {
						found(t, s.rs, 369)
					} else {
						s.say(refused(t, s.rs, 369, partner, topo.want))
					}
				}
				found(t, s.rs, 56)
				s.close(t, topo)
				s.check(t, f, topo)
			})
		}
	}
}

// A scene is two chains on real sockets: 369 as the topology says, and 56 with
// one endpoint that works.
type scene struct {
	rs      *integrator.Registries
	proxies []*proxy
	mu      sync.Mutex
	said    bytes.Buffer // everything that could reach a log, a metric or a client
	visits  []integrator.Visit
}

func newScene(t *testing.T, f fault, topo topology) *scene {
	s := &scene{}
	hosts := map[string]string{}
	endpoint := func(i int, chain swap.ChainID, faulty bool) upstream.URL {
		host := fmt.Sprintf("%s-%d-%d.example", canary, chain, i)
		hosts[strings.ToLower(host)+":80"] = s.serve(t, chain, i, f, faulty)
		return mustURL(t, "http://"+canary+"u:"+canary+"p@"+host+"/"+canary+"?key="+canary+"#"+canary)
	}
	hub := integrator.Chain{ID: 369, Registry: registry}
	for i, faulty := range topo.fails {
		hub.Endpoints = append(hub.Endpoints, endpoint(i+1, 369, faulty))
	}
	other := integrator.Chain{ID: 56, Registry: registry, Endpoints: []upstream.URL{endpoint(1, 56, false)}}
	transport := &http.Transport{DisableCompression: true}
	transport.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, hosts[strings.ToLower(addr)])
		if err != nil {
			err = fmt.Errorf("dial %s: %w", addr, err)
		}
		return conn, err
	}
	s.rs = start(t, integrator.Options{
		Chains:        []integrator.Chain{hub, other},
		CallTimeout:   f.patience(),
		LookupTimeout: time.Minute,
		Transport:     transport,
		Observe: func(v integrator.Visit) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.visits = append(s.visits, v)
		},
	})
	return s
}

// serve starts a node behind a proxy and returns the proxy's address.
func (s *scene) serve(t *testing.T, chain swap.ChainID, i int, f fault, faulty bool) string {
	n, wire := newNode(chain), spoil(pass)
	if faulty && f.node != nil {
		f.node(n, i)
	} else if faulty {
		wire = f.wire
	}
	srv := httptest.NewServer(n)
	t.Cleanup(srv.Close)
	p := newProxy(t, srv.Listener.Addr().String(), wire)
	if wire == nil {
		_ = p.Close()
	}
	s.proxies = append(s.proxies, p)
	return p.Addr().String()
}

// say keeps an error as a log would show it.
func (s *scene) say(err error) {
	fmt.Fprintf(&s.said, "%v %+v %#v %q\n", err, err, err, err)
	slog.New(slog.NewJSONHandler(&s.said, nil)).Error("quote", "err", err)
	slog.New(slog.NewTextHandler(&s.said, nil)).Error("quote", "err", err)
}

// visited returns how endpoint i of chain 369 was seen so far.
func (s *scene) visited(i int) map[upstream.Fault]bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := map[upstream.Fault]bool{}
	for _, v := range s.visits {
		if v.Chain == 369 && v.Endpoint == i {
			seen[v.Fault] = true
		}
	}
	return seen
}

// close waits until every endpoint of chain 369 has been heard out, as some are
// after the answer is known.
func (s *scene) close(t *testing.T, topo topology) {
	for i := range topo.fails {
		for len(s.visited(i+1)) == 0 {
			time.Sleep(time.Millisecond)
		}
	}
	s.rs.Close()
	for _, p := range s.proxies {
		p.quiet(t)
	}
	health, err := json.Marshal(s.rs.Health())
	fmt.Fprintf(&s.said, "%s %v\n%+v\n%+v\n%+v", health, err, s.rs.Health(), s.visits, s.rs)
}

func (s *scene) check(t *testing.T, f fault, topo topology) {
	t.Helper()
	for i, faulty := range topo.fails {
		seen := s.visited(i + 1)
		if faulty && !slices.ContainsFunc(f.shown, func(want upstream.Fault) bool { return seen[want] }) {
			t.Errorf("endpoint %d was seen as %v, want one of %v", i+1, seen, f.shown)
		}
	}
	if strings.Contains(strings.ToLower(s.said.String()), strings.ToLower(canary)) {
		t.Errorf("the key was said:\n%s", s.said.String())
	}
}
