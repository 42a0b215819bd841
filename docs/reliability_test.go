package docs_test

import (
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
)

// The page on reliability answers every threat in order, and names only tests
// that exist.
func TestReliabilityNamesRealTests(t *testing.T) {
	page, err := os.ReadFile("reliability.md")
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range regexp.MustCompile(`(?m)^\| T\d+ `).FindAllString(string(page), -1) {
		if want := fmt.Sprintf("| T%d ", i+1); row != want {
			t.Fatalf("row %q, want %q", row, want)
		}
	}
	tests := testsInTree(t)
	for _, m := range regexp.MustCompile("`((?:Test|Fuzz|Benchmark|test_|invariant_)\\w+)`").FindAllStringSubmatch(string(page), -1) {
		if !tests[m[1]] {
			t.Errorf("%s does not exist, want the test that is named", m[1])
		}
	}
	if last := fmt.Sprintf("\n| T%d ", threats); !strings.Contains(string(page), last) {
		t.Errorf("the list ends early, want it to go to T%d", threats)
	}
}

// threats is how many are numbered.
const threats = 67

// testsInTree returns the names of all tests in Go and Solidity.
func testsInTree(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^\s*func(?:tion)? ((?:Test|Fuzz|Benchmark|test_|invariant_)\w+)\(`)
	err := fs.WalkDir(os.DirFS(".."), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.Contains(" node_modules .git cache ", " "+d.Name()+" "):
			return fs.SkipDir
		case !strings.HasSuffix(path, "_test.go") && !strings.HasSuffix(path, ".t.sol"):
			return nil
		}
		text, err := os.ReadFile("../" + path)
		for _, m := range declared.FindAllSubmatch(text, -1) {
			names[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
