package docs_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// Every command of the guide is one that a test runs: those of the examples, and
// the first of the README.
func TestGuideShowsTestedCommands(t *testing.T) {
	tested := read(t, "../README.md") + read(t, "../examples/README.md")
	commands := regexp.MustCompile(`(?m)^\$ .*$`).FindAllString(read(t, "integrating.md"), -1)
	if len(commands) < 6 {
		t.Fatalf("the guide has %d commands, want at least 6", len(commands))
	}
	for _, command := range commands {
		if !strings.Contains(tested, command+"\n") {
			t.Errorf("%s is in no file of tested commands, want it in one", command)
		}
	}
}

// Every file that the guide links to is there.
func TestGuideLinks(t *testing.T) {
	for _, m := range regexp.MustCompile(`\]\(([^)#]+)`).FindAllStringSubmatch(read(t, "integrating.md"), -1) {
		if _, err := os.Stat(m[1]); err != nil {
			t.Errorf("the guide links to %s: %v", m[1], err)
		}
	}
}

// A quote has no end of validity, and the guide and the reference say so. What
// they say is true as long as no call has a time in it, no answer names one, and the
// contracts' tests that the guide names are there.
func TestAQuoteHasNoEndOfValidity(t *testing.T) {
	for _, name := range []string{"integrating.md", "openapi.json"} {
		if !strings.Contains(read(t, name), "quote has no end of validity") {
			t.Errorf("%s does not say that a quote has no end of validity, want it to", name)
		}
	}
	tests := testsInTree(t)
	named := regexp.MustCompile("`(test_\\w+)`").FindAllStringSubmatch(read(t, "integrating.md"), -1)
	for _, m := range named {
		if !tests[m[1]] {
			t.Errorf("%s does not exist, want the file that is named", m[1])
		}
	}
	if len(named) < 3 {
		t.Errorf("the guide names %d tests, want at least 3", len(named))
	}
	times := regexp.MustCompile(`(?i)deadline|until|expir|valid|timestamp`)
	if m := times.FindString(read(t, "vectors.json")); m != "" {
		t.Errorf("an answer or a call has %q, want no time in it", m)
	}
	decoded := map[string]bool{}
	for _, m := range regexp.MustCompile(`"function":"(\w+)\(`).FindAllStringSubmatch(read(t, "vectors.json"), -1) {
		decoded[m[1]] = true
	}
	if len(decoded) != 3 {
		t.Errorf("the vectors decode %v, want all three calls of a quote", decoded)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
