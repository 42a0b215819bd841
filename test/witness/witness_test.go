package witness_test

import (
	"encoding/json"
	"flag"
	"io"
	"math/rand/v2"
	"net/http"
	"os/exec"
	"testing"
	"time"

	"hubquote/internal/service"
	"hubquote/test/servicetest"
)

var (
	count   = flag.Int("witness.count", 5_000, "how many quotes to ask for")
	seed    = flag.Uint64("witness.seed", 0, "what the requests are drawn from; 0 draws a seed")
	workers = flag.Int("witness.workers", 1, "how many witnesses to share the quotes among")
)

func TestWitness(t *testing.T) {
	seed := *seed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("again: go test ./test/witness -witness.seed %d -witness.count %d", seed, *count)
	s := newSubject(t)
	witnesses := make([]*process, *workers)
	for i := range witnesses {
		witnesses[i] = begin(t, s, seed, 20)
	}
	g := newGenerator(seed, witnesses[0].wishes)
	start := time.Now()
	for i := range *count {
		e := s.ask(t, g.next())
		e.ID = i
		witnesses[i%len(witnesses)].show(t, e)
	}
	checked := 0
	for _, w := range witnesses {
		v := w.verdict(t)
		checked += v.Checked
		v.report(t)
	}
	if checked != *count {
		t.Errorf("%d answers checked, want %d", checked, *count)
	}
	t.Logf("%d answers checked in %s", checked, time.Since(start).Round(time.Second))
}

// The service serves the pairs of the specification and no others.
func TestPairs(t *testing.T) {
	w := begin(t, newSubject(t), 1, 0)
	if w.verdict(t); len(w.wishes.Strangers) > 0 {
		t.Errorf("pairs that only one side knows = %q, want none", w.wishes.Strangers)
	}
	if n := len(w.wishes.Pairs); n != 86 {
		t.Errorf("the witness reads %d pairs, want 86", n)
	}
}

// The witness itself is held against what others made: the reference wallet
// engine's notes and the issuer's call.
func TestVectors(t *testing.T) {
	if err := install(); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("node", "--test", "test/").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// A subject is the service that is compared with the witness. The registry and
// the issuer answer from this process.
type subject struct {
	url   string
	ports *ports
}

func newSubject(t *testing.T) *subject {
	t.Helper()
	p := &ports{}
	return &subject{servicetest.Start(t, service.Options{Integrators: p, IssuerFees: p, Limit: servicetest.Generous}), p}
}

// ask sends one request and returns everything there is to know about it.
func (s *subject) ask(t *testing.T, r request) evidence {
	t.Helper()
	s.ports.request, s.ports.asked = r, questions{}
	status, body := s.get(t, r.url)
	return evidence{URL: r.url, Status: status, Body: string(body), Asked: s.ports.asked}
}

func (s *subject) get(t *testing.T, url string) (status int, body []byte) {
	t.Helper()
	resp, err := http.Get(s.url + url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, err = io.ReadAll(resp.Body); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, body
}

// list reads one of the service's lists.
func (s *subject) list(t *testing.T, url string, into any) {
	t.Helper()
	if _, body := s.get(t, url); json.Unmarshal(body, into) != nil {
		t.Fatalf("%s = %s, want a list", url, body)
	}
}
