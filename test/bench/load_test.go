package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
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
	r, err := paced(t.Context(), address, 1, 1000, time.Second)
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

// Connections are kept from one turn to the next, and an answer that is no quote ends
// the load.
func TestLoad(t *testing.T) {
	peers := map[string]bool{} // written by the one connection
	status := http.StatusOK
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		peers[r.RemoteAddr] = true
		w.WriteHeader(status)
	})
	list, err := connect(address, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer list.close()
	var round result
	for range 3 {
		part, err := list.load(t.Context(), 20*time.Millisecond)
		if err != nil {
			t.Fatal(err)
		}
		round.add(part)
	}
	if len(round.latencies) == 0 || round.took < 60*time.Millisecond || len(peers) != 1 {
		t.Errorf("%d requests in %v over %d connections, want some, in three turns, over one", len(round.latencies), round.took, len(peers))
	}
	status = http.StatusTooManyRequests
	if _, err := list.load(t.Context(), time.Minute); err == nil || !strings.Contains(err.Error(), "429") {
		t.Errorf("load = %v, want the answer that is no quote", err)
	}
}
