package ts_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"hubquote/internal/pinfile"
	"hubquote/swap"
	"hubquote/test/quotes"
)

var differential = flag.Int("differential", 5_000, "`number` of random requests that Go and TypeScript must agree on")

// The TypeScript client passes its own tests, and its examples run.
func TestTypeScript(t *testing.T) {
	t.Parallel()
	build(t)
	tests, err := filepath.Glob("build/test/*.test.js")
	if err != nil || len(tests) < 6 {
		t.Fatalf("tests %v, %v, want at least 6", tests, err)
	}
	for _, args := range [][]string{
		{"scripts/types.mjs", "--check"},
		append([]string{"../../test/tools/together.mjs"}, tests...),
		{"examples/vectors.mjs"},
		{"examples/vectors.mjs", serve(t)},
	} {
		if out, err := run(nil, "node", args...); err != nil {
			t.Errorf("node %v: %v, want no error\n%s", args, err, out)
		}
	}
}

// Two implementations that share no code come to the same bytes, and to the
// same verdict on answers that are not honest.
func TestGoAndTypeScriptAgree(t *testing.T) {
	t.Parallel()
	build(t)
	most, err := swap.ParseIssuerRate("20")
	if err != nil {
		t.Fatal(err)
	}
	pins := newPins(t, pinfile.Allowances{IssuerMax: most, Integrators: partners[:1]})
	in, out := io.Pipe()
	said := make(chan error)
	go func() {
		answer, err := run(in, "node", "build/test/differential.js")
		in.Close() // the writer would block without a reader
		if got := strings.TrimSpace(string(answer)); err == nil && got != fmt.Sprint(*differential) {
			err = fmt.Errorf("it judged %s answers, want %d", got, *differential)
		}
		said <- err
	}()
	out.CloseWithError(writeLines(t, out, pins, *differential))
	if err := <-said; err != nil {
		t.Errorf("TypeScript client: %v, want the quotes and verdicts of the Go client", err)
	}
}

// The comparison must fail for a wrong verdict; otherwise that it succeeds proves
// nothing.
func TestWrongVerdictIsNoticed(t *testing.T) {
	build(t)
	cases, err := quotes.Load("../../test/quotes")
	if err != nil {
		t.Fatal(err)
	}
	honest := compact(t, cases[0].V3)
	forged := strings.Replace(honest, `"to":"0x`, `"to":"0X`, 1)
	for _, l := range []line{
		{Body: []byte(honest), Verdict: "FIELD_DIFFERS to"},
		{Body: []byte(honest), Verdict: "proved", Quote: forged},
		{Body: []byte(forged), Verdict: "proved", Quote: forged},
		{Body: []byte(forged), Verdict: "FIELD_DIFFERS srcAmount"},
		{Body: []byte(forged), Verdict: "FIELD_MISSING to"},
	} {
		l.Request = params(cases[0].Query)
		text, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		in := compact(t, newPins(t, pinfile.Allowances{}).Text()) + "\n" + string(text) + "\n"
		if _, err := run(strings.NewReader(in), "node", "build/test/differential.js"); err == nil {
			t.Errorf("verdict on %s = %q is accepted, want it refused", l.Body, l.Verdict)
		}
	}
}

// compact writes JSON on one line.
func compact(t *testing.T, text []byte) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, text); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
