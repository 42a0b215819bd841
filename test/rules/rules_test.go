// Package rules_test breaks each rule of the settler in turn, by one change of its
// text, and runs the test that must notice.
//
// Every run checks that each change still fits the code. With -rules.break the
// changes are made, one after the other, in an overlay that leaves the tree alone.
package rules_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// root is the repository, from here.
const root = "../.."

var (
	breaks = flag.Bool("rules.break", false, "break each rule and run the test that must notice")
	only   = flag.String("rules.only", "", "`pattern` of the rules to break")
)

// A mutant is a settler without one of its rules.
type mutant struct {
	rule     string
	file     string // from internal/settle, or from internal with a leading slash
	old, new string // old is in the file exactly once
	tests    string // the package and the test that notices, such as "policy TestStates"
}

func (m *mutant) path() string {
	if name, ok := strings.CutPrefix(m.file, "/"); ok {
		return "internal/" + name
	}
	return "internal/settle/" + m.file
}

func (m *mutant) pkg() (path, test string) {
	name, test, _ := strings.Cut(m.tests, " ")
	if strings.HasPrefix(name, "/") {
		return "." + name, test
	}
	return "./internal/settle/" + name, test
}

func (m *mutant) source(t *testing.T) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, m.path()))
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(text, []byte(m.old)); n != 1 {
		t.Fatalf("%s has the text %q %d times, want once: the rule has moved, and its mutant must follow", m.path(), m.old, n)
	}
	return bytes.Replace(text, []byte(m.old), []byte(m.new), 1)
}

func TestEveryRuleHasAMutantThatFits(t *testing.T) {
	for _, m := range mutants {
		t.Run(m.rule, func(t *testing.T) {
			m.source(t)
			pkg, test := m.pkg()
			found := false
			files, err := filepath.Glob(filepath.Join(root, pkg, "*_test.go"))
			for _, f := range files {
				text, _ := os.ReadFile(f)
				found = found || bytes.Contains(text, []byte("\nfunc "+test+"("))
			}
			if err != nil || !found {
				t.Errorf("%s has no test %s, want the one that notices", pkg, test)
			}
		})
	}
	for _, d := range []string{"D50", "D51", "D52", "D53", "D54", "D55", "D56", "D57"} {
		if !bytes.Contains([]byte(names()), []byte(d+" ")) {
			t.Errorf("no rule of %s has a mutant, want one", d)
		}
	}
}

func names() (all string) {
	for _, m := range mutants {
		all += m.rule + "\n"
	}
	return all
}

// limit is how long one mutant may take, with its compilation.
const limit = 5 * time.Minute

func TestEveryMutantIsKilled(t *testing.T) {
	if !*breaks {
		return // make mutate-settler
	}
	killed := 0
	for _, m := range mutants {
		if !regexp.MustCompile(*only).MatchString(m.rule) {
			continue
		}
		t.Run(m.rule, func(t *testing.T) {
			if m.lives(t) {
				t.Errorf("LIVED: %s passes without the rule", m.tests)
				return
			}
			killed++
			t.Logf("killed by %s", m.tests)
		})
	}
	t.Logf("%d of %d mutants killed", killed, len(mutants))
}

// lives reports whether the mutant's test passes. A mutant that does not compile
// is an error of the table.
func (m *mutant) lives(t *testing.T) bool {
	t.Helper()
	dir := t.TempDir()
	overlay, binary := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "tests")
	write(t, filepath.Join(dir, "mutant.go"), m.source(t))
	here, err := filepath.Abs(filepath.Join(root, m.path()))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(map[string]any{"Replace": map[string]string{here: filepath.Join(dir, "mutant.go")}})
	if err != nil {
		t.Fatal(err)
	}
	write(t, overlay, text)
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	pkg, test := m.pkg()
	build := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", binary, pkg)
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("the mutant does not compile: %v\n%s", err, out)
	}
	run := exec.CommandContext(ctx, binary, "-test.run", "^"+test+"$", "-test.failfast", "-test.timeout", "3m")
	run.Dir = filepath.Join(root, pkg)
	run.Env = append(os.Environ(), "RAPID_NOFAILFILE=1") // or failing examples stay in the package
	run.WaitDelay = 10 * time.Second
	return run.Run() == nil
}

func write(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}
