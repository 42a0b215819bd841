package client_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A program around the lines that a document prints, unless it prints a whole one.
const (
	programHead = "package main\n\nimport (\n\t\"context\"\n\t\"log\"\n\n\t\"hubquote/client\"\n)\n\nfunc main() {\n\tctx := context.Background()\n"
	programTail = "\n\tif err != nil || quote.Received.Dec() != \"25372500\" {\n\t\tlog.Fatal(quote, err)\n\t}\n}\n"
)

// Another module can use the package as the documents say: with require and
// replace, and with the lines that they print.
func TestAnotherModuleUsesTheClient(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	server := serve(t, handler(t))
	fence := regexp.MustCompile("(?s)```go\n(.*?)```")
	for _, doc := range []string{"../README.md", "../docs/verify.md"} {
		text, err := os.ReadFile(doc)
		if err != nil {
			t.Fatal(err)
		}
		printed := fence.FindSubmatch(text)
		if printed == nil {
			t.Fatalf("%s has no Go, want some", doc)
		}
		code := strings.ReplaceAll(string(printed[1]), "http://127.0.0.1:8080", server)
		dir := t.TempDir()
		sums, err := os.ReadFile("../go.sum")
		if err != nil {
			t.Fatal(err)
		}
		for name, content := range map[string]string{
			"go.mod":    "module example.com/wallet\n\ngo 1.26\n\nrequire hubquote v0.0.0\n\nreplace hubquote => " + root + "\n",
			"go.sum":    string(sums),
			"main.go":   program(code),
			"pins.json": string(embeddedPins(t).Text()),
		} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		runIn(t, dir, "go", "build", "-mod=mod", "-o", "wallet", ".")
		runIn(t, dir, "./wallet")
	}
}

func program(code string) string {
	if strings.HasPrefix(code, "package main\n") {
		return code
	}
	return programHead + code + programTail
}

func runIn(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}
