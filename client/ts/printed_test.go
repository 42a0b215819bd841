package ts_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"hubquote/internal/pinfile"
)

// The code in the documents runs as it is, with the address of a running server.
func TestCodeInDocumentsRuns(t *testing.T) {
	t.Parallel()
	build(t)
	server := serve(t)
	for _, doc := range []string{"../../README.md", "../../docs/verify.md", "README.md"} {
		text, err := os.ReadFile(doc)
		if err != nil {
			t.Fatal(err)
		}
		printed := strings.ReplaceAll(string(text), "http://127.0.0.1:8080", server)
		for _, code := range blocks(printed, "go") {
			t.Run(doc+" go", func(t *testing.T) { runGo(t, code) })
		}
		for _, code := range append(blocks(printed, "js"), blocks(printed, "ts")...) {
			t.Run(doc+" js", func(t *testing.T) { runJS(t, code) })
		}
	}
}

// blocks returns the code of one language in a document.
func blocks(markdown, language string) (list []string) {
	fence := regexp.MustCompile("(?s)```" + language + "\n(.*?)```")
	for _, m := range fence.FindAllStringSubmatch(markdown, -1) {
		list = append(list, m[1])
	}
	return list
}

// The program around a few lines of Go.
const before = `package main

import (
	"context"
	"log"

	"hubquote/client"
)

func main() {
	ctx := context.Background()
`

const after = `
	if err != nil || quote.Received.Dec() != "25372500" {
		log.Fatal(err)
	}
}
`

// runGo builds the lines as a program of this module, which exists nowhere but
// in an overlay, and runs it next to the pins.
func runGo(t *testing.T, code string) {
	t.Helper()
	dir := printedDir(t)
	source := filepath.Join(dir, "main.go")
	if !strings.HasPrefix(code, "package main\n") {
		code = before + code + after
	}
	write(t, source, code)
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(root, "printed", "main.go"): source}})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "overlay.json"), string(overlay))
	program := filepath.Join(dir, "printed")
	compile := exec.Command("go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-o", program, "./printed")
	compile.Dir = root
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, code)
	}
	runIn(t, dir, program)
}

func runJS(t *testing.T, code string) {
	t.Helper()
	dir := printedDir(t)
	ts, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	scope := filepath.Join(dir, "node_modules", "@hubquote")
	if err := os.MkdirAll(scope, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(ts, filepath.Join(scope, "client")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "printed.mjs"), code)
	runIn(t, dir, "node", "printed.mjs")
}

// printedDir is a folder with the pins that the printed code reads.
func printedDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "pins.json"), string(newPins(t, pinfile.Allowances{}).Text()))
	return dir
}

func runIn(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s: %v, want no error\n%s", name, err, out)
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
