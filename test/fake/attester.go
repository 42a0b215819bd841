package fake

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

// An Attester is the attestation API of the stablecoin's issuer. It says what a
// test tells it to, true or not.
type Attester struct {
	mu       sync.Mutex
	entries  map[string][]Attestation // by transaction
	handle   func(http.ResponseWriter, *http.Request) bool
	requests []AttesterRequest
}

// An Attestation is one entry of an answer. A zero Version means 2.
type Attestation struct {
	Message, Signature []byte // nil while pending
	Delay              string
	Version            int
}

// An AttesterRequest is a request that was made.
type AttesterRequest struct {
	At   time.Time
	Line string // method, path and query
}

// NewAttester returns an attester that has seen no transaction.
func NewAttester() *Attester { return &Attester{entries: map[string][]Attestation{}} }

// Set replaces the entries of a transaction.
func (a *Attester) Set(tx fmt.Stringer, entries ...Attestation) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.entries[tx.String()] = entries
}

// SetHandle sets a function that sees every request first and returns true if it
// has answered. Nil removes it.
func (a *Attester) SetHandle(handle func(http.ResponseWriter, *http.Request) bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.handle = handle
}

// Requests returns the requests so far that contain a part.
func (a *Attester) Requests(part string) (list []AttesterRequest) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, r := range a.requests {
		if strings.Contains(r.Line, part) {
			list = append(list, r)
		}
	}
	return list
}

func (a *Attester) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	tx := r.URL.Query().Get("transactionHash")
	a.mu.Lock()
	a.requests = append(a.requests, AttesterRequest{time.Now(), r.Method + " " + r.URL.RequestURI()})
	handle, entries := a.handle, a.entries[tx]
	a.mu.Unlock()
	if handle != nil && handle(w, r) {
		return
	}
	switch {
	case strings.Contains(r.URL.Path, "/v2/reattest/") && r.Method == http.MethodPost:
		fmt.Fprint(w, `{"message":"Re-attestation request accepted"}`)
	case entries == nil:
		http.Error(w, `{"error":"Message not found for provided parameters"}`, http.StatusNotFound)
	default:
		_ = json.NewEncoder(w).Encode(map[string]any{"sourceTxHash": tx, "messages": wire(entries)})
	}
}

func wire(entries []Attestation) []map[string]any {
	list := []map[string]any{}
	for _, e := range entries {
		m := map[string]any{"cctpVersion": max(e.Version, 2), "status": "pending_confirmations", "message": "0x", "attestation": "PENDING", "delayReason": nil}
		if e.Version == 1 {
			m["cctpVersion"] = 1
		}
		if e.Delay != "" {
			m["delayReason"] = e.Delay
		}
		if e.Signature != nil {
			m["status"], m["message"], m["attestation"] = "complete", fmt.Sprintf("0x%x", e.Message), fmt.Sprintf("0x%x", e.Signature)
		}
		list = append(list, m)
	}
	return list
}
