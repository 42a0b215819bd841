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

// TestSoak runs the whole scenario for a few seconds.
func TestSoak(t *testing.T) {
	defer goleak.VerifyNone(t)
	program := filepath.Join(t.TempDir(), "hubquote")
	if out, err := exec.Command("go", "build", "-o", program, "../../cmd/hubquote").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	r, err := soak(t.Context(), plan{
		program: program, length: 10 * time.Second, restart: 3 * time.Second, phase: 5 * time.Second, hold: time.Second,
		polite: 20, greedy: 4, spoof: 200, attacks: 20, loris: 30, unread: 4, idle: 100,
	})
	if err != nil {
		t.Fatal(err)
	}
	if wrong := r.problems(); wrong != nil {
		r.print(t.Output())
		t.Errorf("%d problems, want none: %q", len(wrong), wrong)
	}
}

// A soak without a program or without events must not pass.
func TestEmptySoakFails(t *testing.T) {
	defer goleak.VerifyNone(t)
	if _, err := soak(t.Context(), plan{program: "/nonexistent"}); err == nil {
		t.Error("soak of a missing program has no error, want one")
	}
	if wrong := newReport(time.Minute).problems(); len(wrong) == 0 {
		t.Error("an empty report has no problems, want some")
	}
}

// Each row is an answer and the fault that the report must have for it.
func TestUnexpectedAnswersAreReported(t *testing.T) {
	m, err := newGenerator()
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
		kind   string
		answer http.HandlerFunc
		want   string // empty for no fault
	}{
		{"an integrator may be refused when its registry is unavailable", integrated, problem(503, "REGISTRY_UNAVAILABLE"), ""},
		{"an integrator is not refused for another reason", integrated, problem(503, "ISSUER_FEE_UNAVAILABLE"), "unexpected answers"},
		{"a burn may be refused when the fee is unknown", cctp, problem(503, "ISSUER_FEE_UNAVAILABLE"), ""},
		{"a direct quote is never refused with 503", direct, problem(503, "ISSUER_FEE_UNAVAILABLE"), "unexpected answers"},
		{"a client may be limited", direct, problem(429, "RATE_LIMITED"), ""},
		{"a valid request is not malformed", direct, problem(400, "AMOUNT_INVALID"), "unexpected answers"},
		{"a proxy without a replica", direct, problem(502, ""), "unexpected answers"},
		{"an internal error", privacy, problem(500, "INTERNAL"), "unexpected answers"},
		{"an answer without a quote", direct, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{}`) }, "wrong quotes"},
		{"no answer", direct, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "requests dropped"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			srv := httptest.NewServer(tt.answer)
			defer srv.Close()
			c, err := m.newClient(srv.URL, http.DefaultTransport, anySource)
			if err != nil {
				t.Fatal(err)
			}
			r := newReport(time.Minute)
			c.ask(m.request(tt.kind), tt.kind, r)
			if got := r.faults[tt.want]; (len(got) == 1) != (tt.want != "") || tt.want == "" && len(r.faults) > 0 {
				t.Errorf("faults = %v, want %q", r.faults, tt.want)
			}
		})
	}
}

// Errors in a replica's log are faults.
func TestLogs(t *testing.T) {
	tests := []struct {
		name string
		log  string
		want bool
	}{
		{"a refusal because of an upstream", `{"level":"ERROR","msg":"request failed","code":"REGISTRY_UNAVAILABLE"}`, false},
		{"any other error", `{"level":"ERROR","msg":"request failed","code":"INTERNAL"}`, true},
		{"a panic that was caught", `{"level":"ERROR","msg":"request failed","code":"REGISTRY_UNAVAILABLE","err":"panic: nil map"}`, true},
		{"a fatal error of the runtime", "fatal error: all goroutines are asleep", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := &replica{report: newReport(time.Minute)}
			r.readLog(&process{}, tt.log)
			if got := len(r.report.faults) > 0; got != tt.want {
				t.Errorf("faults = %v, want any: %t", r.report.faults, tt.want)
			}
		})
	}
}
