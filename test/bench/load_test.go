package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"hubquote/test/fake"
)

// serve answers requests, and returns the address.
func serve(t *testing.T, answer http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(answer)
	t.Cleanup(s.Close)
	return strings.TrimPrefix(s.URL, "http://")
}

// A stall is felt by each request that was due in it, not only by the one that met it.
func TestPacedFeelsStalls(t *testing.T) {
	const stall = 300 * time.Millisecond
	asked := 0 // by the one connection
	address := serve(t, func(http.ResponseWriter, *http.Request) {
		if asked++; asked == 10 {
			time.Sleep(stall)
		}
	})
	list, err := connect(address, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer list.close()
	r, err := list.paced(t.Context(), 1000, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.latencies) != 1000 {
		t.Errorf("%d requests, want a thousand: the rate does not depend on answers", len(r.latencies))
	}
	// Of the 300 that were due in it, the first 200 wait at least a third of it.
	if got := r.at(0.80); got < stall/3 {
		t.Errorf("the slowest fifth waited %v, want at least %v", got, stall/3)
	}
}

// Servers take turns, on connections that stay open; an answer that is no quote ends
// it.
func TestInTurns(t *testing.T) {
	var order []string // of the servers that were asked, by one connection each
	peers := map[string]bool{}
	status := http.StatusOK
	newServer := func(name string) server {
		return server{name: name, address: serve(t, func(w http.ResponseWriter, r *http.Request) {
			order = append(order, name)
			peers[r.RemoteAddr] = true
			w.WriteHeader(status)
		}), process: &fake.Process{Cmd: &exec.Cmd{Process: &os.Process{Pid: os.Getpid()}}}}
	}
	servers := []server{newServer("one"), newServer("two")}
	once := func(list lines) (result, error) {
		return list.each(func(_ int, l *line) ([]time.Duration, error) { return []time.Duration{1}, l.ask() })
	}
	found, err := inTurns(servers, 1, 3, once)
	if err != nil {
		t.Fatal(err)
	}
	order = order[2:] // without the first requests on the connections
	if want := []string{"one", "two", "two", "one", "one", "two"}; !slices.Equal(order, want) || len(peers) != 2 {
		t.Errorf("asked %v over %d connections, want %v over two", order, len(peers), want)
	}
	if got := joined(found[1]); len(found[1]) != 3 || len(got.latencies) != 3 {
		t.Errorf("%d results with %d requests, want three with three", len(found[1]), len(got.latencies))
	}
	status = http.StatusTooManyRequests
	if _, err := inTurns(servers, 1, 3, once); err == nil || !strings.Contains(err.Error(), "one: unexpected answer: HTTP/1.1 429") {
		t.Errorf("inTurns = %v, want the server whose answer is no quote", err)
	}
}
