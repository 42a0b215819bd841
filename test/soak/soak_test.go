package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// The whole thing, for a few seconds: everything happens, and nothing is wrong.
func TestSoak(t *testing.T) {
	defer goleak.VerifyNone(t)
	program := filepath.Join(t.TempDir(), "hubquote")
	if out, err := exec.Command("go", "build", "-o", program, "../../cmd/hubquote").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	r, err := soak(t.Context(), plan{
		program: program, length: 10 * time.Second, restart: 3 * time.Second, phase: 5 * time.Second, hold: time.Second,
		polite: 20, greedy: 4, spoof: 200, attacks: 20, loris: 30, unread: 4,
	})
	if err != nil {
		t.Fatal(err)
	}
	if wrong := r.verdict(); wrong != nil {
		r.print(t.Output())
		t.Errorf("%d things are wrong", len(wrong))
	}
}

// Where there was nothing to soak, nothing is proved.
func TestSoakOfNothing(t *testing.T) {
	defer goleak.VerifyNone(t)
	if _, err := soak(t.Context(), plan{program: "/nonexistent"}); err == nil {
		t.Error("a program that is not there was soaked")
	}
	if wrong := newReport(time.Minute).verdict(); len(wrong) == 0 {
		t.Error("nothing happened, and nothing is wrong")
	}
}

// Each row is an answer that a client must not get, and what the report calls it.
func TestBuyersNotice(t *testing.T) {
	m, err := newMarket()
	if err != nil {
		t.Fatal(err)
	}
	problem := func(status int, code string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "5")
			w.WriteHeader(status)
			_, _ = io.WriteString(w, `{"code":"`+code+`"}`)
		}
	}
	tests := []struct {
		name   string
		ware   string
		answer http.HandlerFunc
		want   string // empty when all is well
	}{
		{"an integrator may be refused when its registry is lost", integrated, problem(503, "REGISTRY_UNAVAILABLE"), ""},
		{"but not for another reason", integrated, problem(503, "ISSUER_FEE_UNAVAILABLE"), "answers that must not be"},
		{"a burn may be refused when the fee is unknown", cctp, problem(503, "ISSUER_FEE_UNAVAILABLE"), ""},
		{"a direct quote never", direct, problem(503, "ISSUER_FEE_UNAVAILABLE"), "answers that must not be"},
		{"the limit is the model's business", direct, problem(429, "RATE_LIMITED"), ""},
		{"a valid request is not malformed", direct, problem(400, "AMOUNT_INVALID"), "answers that must not be"},
		{"a proxy without a replica", direct, problem(502, ""), "answers that must not be"},
		{"an internal error", privacy, problem(500, "INTERNAL"), "answers that must not be"},
		{"an answer that is none", direct, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{}`) }, "wrong quotes"},
		{"no answer", direct, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "requests dropped"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			srv := httptest.NewServer(tt.answer)
			defer srv.Close()
			b, err := m.newBuyer(srv.URL, http.DefaultTransport, anySource)
			if err != nil {
				t.Fatal(err)
			}
			r := newReport(time.Minute)
			b.ask(m.request(tt.ware), tt.ware, r)
			if got := r.faults[tt.want]; (len(got) == 1) != (tt.want != "") || tt.want == "" && len(r.faults) > 0 {
				t.Errorf("faults %v, want %q", r.faults, tt.want)
			}
		})
	}
}

// A replica's log is read for what must not be in it.
func TestLogs(t *testing.T) {
	tests := []struct {
		name string
		log  string
		want bool
	}{
		{"a refusal because of an upstream", `{"level":"ERROR","msg":"request failed","code":"REGISTRY_UNAVAILABLE"}`, false},
		{"any other error", `{"level":"ERROR","msg":"request failed","code":"INTERNAL"}`, true},
		{"a panic that was caught", `{"level":"ERROR","msg":"request failed","code":"REGISTRY_UNAVAILABLE","err":"panic: nil map"}`, true},
		{"last words", "fatal error: all goroutines are asleep", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := &replica{report: newReport(time.Minute)}
			r.hear(&process{}, tt.log)
			if got := len(r.report.faults) > 0; got != tt.want {
				t.Errorf("faults %v", r.report.faults)
			}
		})
	}
}
