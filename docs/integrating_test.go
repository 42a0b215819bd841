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
			t.Errorf("%s is in no file whose commands are tested", command)
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

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
