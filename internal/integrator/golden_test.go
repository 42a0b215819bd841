package integrator_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hubquote/internal/integrator"
	"hubquote/internal/upstream"
	"hubquote/swap"
	"hubquote/test/fake"
)

// A script is read from testdata: "> " is the next expected request, "< " is its
// response, "= " is the outcome, and "# " is a comment.
type script struct {
	t       *testing.T
	lines   []string
	outcome string
}

func readScript(t *testing.T, path string) *script {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	s := &script{t: t}
	for in := bufio.NewScanner(file); in.Scan(); {
		switch line := in.Text(); {
		case line == "", strings.HasPrefix(line, "# "):
		case strings.HasPrefix(line, "= "):
			s.outcome = line[2:]
		default:
			s.lines = append(s.lines, line)
		}
	}
	return s
}

func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	asked, _ := io.ReadAll(r.Body)
	if len(s.lines) < 2 || s.lines[0] != "> "+string(asked) {
		s.t.Errorf("request\n> %s\nwant\n%s", asked, strings.Join(s.lines, "\n"))
		http.Error(w, "not in the script", http.StatusTeapot)
		return
	}
	_, _ = io.WriteString(w, strings.TrimPrefix(s.lines[1], "< "))
	s.lines = s.lines[2:]
}

func TestConversations(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.rpc")
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d scripts, %v; want at least one", len(paths), err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".rpc"), func(t *testing.T) {
			s := readScript(t, path)
			rs := start(t, integrator.Options{
				Chains: []integrator.Chain{{
					ID:          369,
					Registry:    contract,
					Endpoints:   []upstream.URL{mustURL(t, "http://node")},
					MaxBlockAge: -1,
				}},
				Transport: fake.Network{"node": s},
			})
			if got := outcome(rs.Integrator(context.Background(), 369, partner)); got != s.outcome {
				t.Errorf("outcome = %q, want %q", got, s.outcome)
			}
			if len(s.lines) > 0 {
				t.Errorf("%d lines of the script were not used, want 0:\n%s", len(s.lines), strings.Join(s.lines, "\n"))
			}
		})
	}
}

func outcome(in swap.Integrator, err error) string {
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%s %d", in.Wallet, in.Rate)
}
