package page_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// runSnippets runs the programs that the page handed out: each gets a quote that
// the client vouches for, and with pins of another contract none.
func runSnippets(t *testing.T, handedOut string) {
	t.Helper()
	dir := t.TempDir() // pictures that are kept stay among themselves
	for _, name := range []string{"snippet.go", "snippet.mts", "pins.json"} {
		writeFile(t, filepath.Join(dir, name), readFile(t, filepath.Join(handedOut, name)))
	}
	run(t, exec.Command("go", "build", "-o", filepath.Join(dir, "snippet"), filepath.Join(dir, "snippet.go")))
	compileTypeScript(t, dir)
	pins := filepath.Join(dir, "pins.json")
	reviewed := readFile(t, pins)
	usdt := regexp.MustCompile(`("from":"USDT@1",.*?"router":)"0x[0-9a-fA-F]{40}"`)
	other := usdt.ReplaceAll(reviewed, []byte(`${1}"0x90F79bf6EB2c4f870365E785982E1f101E93b906"`))
	if bytes.Equal(reviewed, other) {
		t.Fatal("the pins have no contract for USDT@1 that could be replaced")
	}
	for _, command := range [][]string{{"./snippet"}, {"node", "snippet.mjs"}} {
		writeFile(t, pins, reviewed)
		if out, err := runIn(dir, command...); err != nil || !regexp.MustCompile(`^send (0x)?[0-9a-f]{200,} to 0x`).Match(out) {
			t.Errorf("%v: %v, it printed %s, want a call to send", command, err, out)
		}
		writeFile(t, pins, other)
		if out, err := runIn(dir, command...); err == nil || !bytes.Contains(out, []byte("FIELD_DIFFERS")) {
			t.Errorf("%v with pins of another contract: %v, it printed %s, want FIELD_DIFFERS", command, err, out)
		}
	}
}

// compileTypeScript checks the types of snippet.mts in dir against the package
// as it is published, and leaves snippet.mjs there.
func compileTypeScript(t *testing.T, dir string) {
	t.Helper()
	clone := cloneOf(t, "../../client/ts")
	must(t, ".", "../tools/npm.sh", clone)
	must(t, clone, "npm", "run", "--silent", "build")
	must(t, clone, "npm", "pack", "--ignore-scripts")
	packed, err := filepath.Glob(filepath.Join(clone, "hubquote-client-*.tgz"))
	if err != nil || len(packed) != 1 {
		t.Fatalf("npm pack made %v, %v, want one file", packed, err)
	}
	writeFile(t, filepath.Join(dir, "package.json"), []byte(`{"private": true}`))
	must(t, dir, "npm", "install", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", packed[0])
	modules := filepath.Join(clone, "node_modules")
	must(t, dir, "node", filepath.Join(modules, "typescript/bin/tsc"), "--strict", "--target", "es2022", "--module", "nodenext",
		"--typeRoots", filepath.Join(modules, "@types"), "--types", "node", "snippet.mts")
}

// cloneOf copies what is in the repository below a folder. Building in a copy
// leaves the folder alone while other tests use it.
func cloneOf(t *testing.T, folder string) string {
	t.Helper()
	clone := t.TempDir()
	names, err := runIn(folder, "git", "ls-files", "--cached", "--others", "--exclude-standard")
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.FieldsSeq(string(names)) {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			continue // deleted, and not committed yet
		}
		if err := os.MkdirAll(filepath.Join(clone, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(clone, name), text)
	}
	return clone
}

func runIn(dir string, command ...string) ([]byte, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = dir
	return cmd.CombinedOutput()
}

func must(t *testing.T, dir string, command ...string) {
	t.Helper()
	if out, err := runIn(dir, command...); err != nil {
		t.Fatalf("%v: %v\n%s", command, err, out)
	}
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func writeFile(t *testing.T, name string, text []byte) {
	t.Helper()
	if err := os.WriteFile(name, text, 0o644); err != nil {
		t.Fatal(err)
	}
}
