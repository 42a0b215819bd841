package tools_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// npm stands in for the real one: it counts its calls and installs one package, or
// is interrupted in the middle of it.
const npm = `#!/bin/sh
echo called >>"$CALLS"
mkdir -p node_modules/left-pad
echo one >node_modules/left-pad/index.js
[ -z "${INTERRUPT:-}" ] || kill -9 $PPID
[ -z "${INTERRUPT:-}" ] || exit 1
echo '{}' >node_modules/.package-lock.json
`

// A house has folders with lock files, and what is kept for them.
type house struct {
	t   *testing.T
	dir string
}

func newHouse(t *testing.T) house {
	t.Helper()
	read(t, "npm.sh")
	h := house{t, t.TempDir()}
	h.write("bin/npm", npm)
	if err := os.Chmod(filepath.Join(h.dir, "bin/npm"), 0o755); err != nil {
		t.Fatal(err)
	}
	return h
}

// read looks at a program that is run, so that a change to it runs the test again.
func read(t *testing.T, name string) {
	t.Helper()
	if _, err := os.ReadFile(name); err != nil {
		t.Fatal(err)
	}
}

func (h house) write(name, text string) {
	h.t.Helper()
	name = filepath.Join(h.dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		h.t.Fatal(err)
	}
}

// clone makes a folder whose lock file has this text.
func (h house) clone(name, lock string) string {
	h.t.Helper()
	h.write(name+"/package.json", "{}")
	h.write(name+"/package-lock.json", lock)
	return filepath.Join(h.dir, name)
}

// run runs the script, and returns what it says.
func (h house) run(setting string, args ...string) (string, error) {
	cmd := exec.Command("./npm.sh", args...)
	cmd.Env = append(os.Environ(), "PATH="+filepath.Join(h.dir, "bin")+":"+os.Getenv("PATH"), "XDG_CACHE_HOME="+filepath.Join(h.dir, "cache"), "CALLS="+filepath.Join(h.dir, "calls"), setting)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// install runs the script for a folder, in which the package must be then, and
// returns how often npm was called in all.
func (h house) install(folder string) int {
	h.t.Helper()
	if out, err := h.run("", folder); err != nil {
		h.t.Fatalf("npm.sh: %v\n%s", err, out)
	}
	got, err := os.ReadFile(filepath.Join(folder, "node_modules/left-pad/index.js"))
	if err != nil || string(got) != "one\n" {
		h.t.Errorf("installed = %q, %v, want the package", got, err)
	}
	calls, _ := os.ReadFile(filepath.Join(h.dir, "calls"))
	return strings.Count(string(calls), "called")
}

func TestNpm(t *testing.T) {
	t.Run("installs once for all clones", func(t *testing.T) {
		h := newHouse(t)
		for _, folder := range []string{h.clone("one", "1"), h.clone("one", "1"), h.clone("two", "1")} {
			if got := h.install(folder); got != 1 {
				t.Errorf("%s: npm was called %d times, want once", folder, got)
			}
		}
	})
	t.Run("installs again for another lock file", func(t *testing.T) {
		h := newHouse(t)
		h.install(h.clone("one", "1"))
		if got := h.install(h.clone("two", "2")); got != 2 {
			t.Errorf("npm was called %d times, want twice", got)
		}
	})
	t.Run("an edit in one clone is not one in others", func(t *testing.T) {
		h := newHouse(t)
		h.install(h.clone("one", "1"))
		two := h.clone("two", "1")
		h.install(two)
		h.write("two/node_modules/left-pad/index.js", "edited\n")
		h.install(h.clone("three", "1"))
	})
	t.Run("what was interrupted does not count", func(t *testing.T) {
		h := newHouse(t)
		one := h.clone("one", "1")
		if out, err := h.run("INTERRUPT=1", one); err == nil {
			t.Fatalf("npm.sh ended well, want it interrupted: %s", out)
		}
		if got := h.install(one); got != 2 {
			t.Errorf("npm was called %d times, want twice", got)
		}
	})
	t.Run("a copy that was interrupted does not count", func(t *testing.T) {
		h := newHouse(t)
		h.install(h.clone("one", "1"))
		two := h.clone("two", "1")
		h.write("two/node_modules/left-pad/half", "")
		if got := h.install(two); got != 1 {
			t.Errorf("npm was called %d times, want once", got)
		}
		if _, err := os.Stat(filepath.Join(two, "node_modules/left-pad/half")); err == nil {
			t.Error("the half copy is still there")
		}
	})
	t.Run("says what it will install", func(t *testing.T) {
		h := newHouse(t)
		one, two := h.clone("one", "1"), h.clone("two", "2")
		h.install(one)
		said, err := h.run("", "-n", one, two)
		if want := "To be installed from npm: what " + two + "/package-lock.json pins\n"; err != nil || said != want {
			t.Errorf("npm.sh -n = %q, %v, want %q", said, err, want)
		}
		h.install(two)
		if said, err := h.run("", "-n", one, two); err != nil || said != "" {
			t.Errorf("npm.sh -n = %q, %v, want nothing", said, err)
		}
	})
}
