package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hubquote/client"
	"hubquote/internal/command"
	"hubquote/test/mutations"
)

// A screen is the output of a command, and its exit code.
type screen struct {
	code     int
	out, err string
}

func runWith(stdin []byte, args ...string) screen {
	var out, errs bytes.Buffer
	code := commands.Run(args, command.Std{In: bytes.NewReader(stdin), Out: &out, Err: &errs, Env: func(string) (string, bool) { return "", false }})
	return screen{code, out.String(), errs.String()}
}

// serveOnce answers every request with that status and body.
func serveOnce(t *testing.T, status int, body []byte) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		w.Write(body)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// quoteArgs returns the arguments of hubquote quote for a query string.
func quoteArgs(t *testing.T, server, query string) []string {
	t.Helper()
	q, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	return []string{"quote", "--server", server, "--from", q.Get("srcToken") + "@" + q.Get("srcChain"), "--to", q.Get("dstToken") + "@" + q.Get("dstChain"),
		"--units", q.Get("amount"), "--recipient", q.Get("recipient")}
}

// The command line has the result of the table for every mutation. An answer with
// status 200 is read from a file, any other comes from a server.
func TestVerifyCommandRefusesEveryMutation(t *testing.T) {
	cases, err := mutations.Cases()
	if err != nil {
		t.Fatal(err)
	}
	pins := filepath.Join(t.TempDir(), "pins.json")
	for _, c := range cases {
		t.Run(c.Group+"/"+c.Name, func(t *testing.T) {
			if err := os.WriteFile(pins, c.Pins, 0o600); err != nil {
				t.Fatal(err)
			}
			args := []string{"verify", "--request", c.Query, "-"}
			if c.Status != http.StatusOK {
				args = quoteArgs(t, serveOnce(t, c.Status, c.Body), c.Query)
			}
			checkScreen(t, &c, append(args, "--pins", pins))
		})
	}
}

func checkScreen(t *testing.T, c *mutations.Case, args []string) {
	t.Helper()
	got := runWith(c.Body, args...)
	finding := c.Code + ": "
	if c.Field != "" {
		finding = client.Printable(c.Field) + ": " + finding
	}
	switch c.Verdict {
	case mutations.Proved:
		if got.code != 0 || got.err != "" || !strings.Contains(got.out, "✓ every field and byte") {
			t.Errorf("got %+v, want a verified quote", got)
		}
	case mutations.Refused:
		if got.code != 1 || got.out != "" || !strings.Contains(got.err, " "+finding) {
			t.Errorf("got %+v, want %q", got, finding)
		}
	case mutations.Unproven:
		if got.code != 1 || got.out != "" || !strings.Contains(got.err, "! "+c.Code+": ") || !strings.Contains(got.err, " "+finding) {
			t.Errorf("got %+v, want %q", got, finding)
		}
		got = runWith(c.Body, append(args, "--accept", "NOTE_UNPROVEN,INTEGRATOR_RATE_UNPINNED")...)
		if got.code != 0 || got.err != "" || !strings.Contains(got.out, "! "+c.Code+": ") || strings.Contains(got.out, "✓ every field and byte") {
			t.Errorf("got %+v with --accept, want the reason and no error", got)
		}
	}
}

// A reason is accepted on the command line only.
func TestEnvironmentAcceptsNothing(t *testing.T) {
	query, quote := vector(t, "usdt-1-to-usdc-369-integrator")
	var out, errs bytes.Buffer
	env := func(name string) (string, bool) { return "INTEGRATOR_RATE_UNPINNED", name == "HUBQUOTE_ACCEPT" }
	code := commands.Run([]string{"verify", "--request", query, "-"}, command.Std{In: bytes.NewReader(quote), Out: &out, Err: &errs, Env: env})
	if code != 1 || out.Len() > 0 || !strings.Contains(errs.String(), "INTEGRATOR_RATE_UNPINNED") {
		t.Errorf("exit code = %d, output = %q, errors = %q; want 1 and the reason as an error", code, &out, &errs)
	}
	out.Reset()
	commands.Run([]string{"verify", "--help"}, command.Std{In: bytes.NewReader(nil), Out: &out, Err: &errs, Env: env})
	if help := out.String(); strings.Contains(help, "HUBQUOTE_ACCEPT") || !strings.Contains(help, "--accept") {
		t.Errorf("help = %q, want --accept without a variable", help)
	}
}
