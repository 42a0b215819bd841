// Package endpoint has RPC endpoints that stand in front of one local chain and
// fail on command: each can lie, lag, prune, cap and drop on its own. They answer
// the finality tags themselves, because a local chain's tags are arithmetic and
// can neither stall nor disagree.
package endpoint

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// A Request is one call of a method.
type Request struct {
	Method string
	Params []json.RawMessage
}

// An Answer is what an endpoint says.
type Answer struct {
	Result json.RawMessage
	Error  json.RawMessage
	Drop   bool // nothing: the connection ends
}

// A Next passes a request on.
type Next func(context.Context, Request) Answer

// A Fault sees a request and what comes of it, and may change both.
type Fault func(ctx context.Context, r Request, next Next) Answer

// A Chain is the endpoints of one chain.
type Chain struct {
	Endpoints []*Endpoint

	mu          sync.Mutex
	safe, final func(head uint64) uint64
}

// An Endpoint is one of them.
type Endpoint struct {
	URL string

	chain  *Chain
	target string
	http   http.Client

	mu     sync.Mutex
	faults []Fault
	hook   func(method string, answered bool)
	calls  map[string]int
}

// New puts so many endpoints before the chain at a URL, each on an address of
// its own, so that they count as different hosts. The tags are the head until
// they are set. They end with the test.
func New(tb testing.TB, target string, count int) *Chain {
	tb.Helper()
	c := &Chain{safe: same, final: same}
	for range count {
		transport := &http.Transport{MaxIdleConnsPerHost: 16}
		e := &Endpoint{chain: c, target: target, http: http.Client{Transport: transport}, calls: map[string]int{}}
		server := httptest.NewServer(e) // the port tells one from the other
		tb.Cleanup(func() {
			server.CloseClientConnections()
			server.Close()
			transport.CloseIdleConnections()
		})
		e.URL = server.URL
		c.Endpoints = append(c.Endpoints, e)
	}
	return c
}

func same(head uint64) uint64 { return head }

// Tag makes all endpoints name blocks so far behind the head safe and final.
func (c *Chain) Tag(safe, final uint64) {
	c.set(func(head uint64) uint64 { return head - min(safe, head) }, func(head uint64) uint64 { return head - min(final, head) })
}

// Stop makes the tags stand still at these blocks.
func (c *Chain) Stop(safe, final uint64) {
	c.set(func(head uint64) uint64 { return min(safe, head) }, func(head uint64) uint64 { return min(final, head) })
}

func (c *Chain) set(safe, final func(uint64) uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.safe, c.final = safe, final
}

// tag returns how a tag follows from the head, or nil for what is not one.
func (c *Chain) tag(name string) func(head uint64) uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch name {
	case `"safe"`:
		return c.safe
	case `"finalized"`:
		return c.final
	}
	return nil
}

// Set makes an endpoint fail in these ways from now on, and in no other. The
// first fault sees a request first.
func (e *Endpoint) Set(faults ...Fault) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.faults = faults
}

// Add makes an endpoint fail in these ways too.
func (e *Endpoint) Add(faults ...Fault) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.faults = append(slices.Clip(e.faults), faults...)
}

// Hook has a function called before each request is passed on and before each
// answer is given. It may block, or end the process that asks.
func (e *Endpoint) Hook(hook func(method string, answered bool)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.hook = hook
}

// Calls returns how often methods were called; without a name, all of them.
func (e *Endpoint) Calls(methods ...string) (sum int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for name, n := range e.calls {
		if len(methods) == 0 || strings.Contains(strings.Join(methods, " ")+" ", name+" ") {
			sum += n
		}
	}
	return sum
}

// Methods returns how often each method was called at all endpoints.
func (c *Chain) Methods() map[string]int {
	sums := map[string]int{}
	for _, e := range c.Endpoints {
		e.mu.Lock()
		for name, n := range e.calls {
			sums[name] += n
		}
		e.mu.Unlock()
	}
	return sums
}

func (e *Endpoint) count(method string) ([]Fault, func(string, bool)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.calls[method]++
	hook := e.hook
	if hook == nil {
		hook = func(string, bool) {}
	}
	return e.faults, hook
}

// A message is a request on the wire.
type message struct {
	ID     json.RawMessage   `json:"id"`
	Method string            `json:"method"`
	Params []json.RawMessage `json:"params"`
}

func (e *Endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	var batch []message
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")) {
		err = json.Unmarshal(body, &batch)
	} else {
		batch = make([]message, 1)
		err = json.Unmarshal(body, &batch[0])
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var answers []string
	for _, m := range batch {
		text, ok := e.answer(r.Context(), m)
		if !ok {
			panic(http.ErrAbortHandler)
		}
		answers = append(answers, text)
	}
	w.Header().Set("Content-Type", "application/json")
	if text := strings.Join(answers, ","); bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")) {
		_, _ = io.WriteString(w, "["+text+"]")
	} else {
		_, _ = io.WriteString(w, text)
	}
}

func (e *Endpoint) answer(ctx context.Context, m message) (string, bool) {
	faults, hook := e.count(m.Method)
	hook(m.Method, false)
	next := e.tags
	for i := len(faults) - 1; i >= 0; i-- {
		inner, fault := next, faults[i]
		next = func(ctx context.Context, r Request) Answer { return fault(ctx, r, inner) }
	}
	a := next(ctx, Request{m.Method, m.Params})
	hook(m.Method, true)
	switch {
	case a.Drop:
		return "", false
	case a.Error != nil:
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":%s}`, m.ID, a.Error), true
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, a.Result), true
}

// tags answers the finality tags, and passes everything else on.
func (e *Endpoint) tags(ctx context.Context, r Request) Answer {
	if r.Method != "eth_getBlockByNumber" || len(r.Params) == 0 {
		return e.forward(ctx, r)
	}
	if tag := e.chain.tag(string(r.Params[0])); tag != nil {
		if head, err := Head(ctx, e.forward); err == nil {
			r.Params = append([]json.RawMessage{quote(tag(head))}, r.Params[1:]...)
		}
	}
	return e.forward(ctx, r)
}

// Head asks for the number of the newest block.
func Head(ctx context.Context, next Next) (uint64, error) {
	var text string
	if err := json.Unmarshal(next(ctx, Request{Method: "eth_blockNumber"}).Result, &text); err != nil {
		return 0, err
	}
	return strconv.ParseUint(strings.TrimPrefix(text, "0x"), 16, 64)
}

func quote(number uint64) json.RawMessage { return json.RawMessage(fmt.Sprintf(`"0x%x"`, number)) }

func (e *Endpoint) forward(ctx context.Context, r Request) (a Answer) {
	if r.Params == nil {
		r.Params = []json.RawMessage{}
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": r.Method, "params": r.Params})
	if err != nil {
		return Answer{Drop: true}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.target, bytes.NewReader(body))
	if err != nil {
		return Answer{Drop: true}
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := e.http.Do(req)
	if err != nil {
		return Answer{Drop: true}
	}
	defer resp.Body.Close()
	if json.NewDecoder(resp.Body).Decode(&a) != nil {
		return Answer{Drop: true}
	}
	return a
}
