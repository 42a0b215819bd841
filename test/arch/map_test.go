package arch_test

import (
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

// Every folder in the map of README.md exists, and the map has every folder at the
// root, in internal and in test.
func TestReadmeMapIsTheTree(t *testing.T) {
	named := readmeMap(t)
	for _, dir := range named {
		if info, err := os.Stat(path.Join("../..", dir)); err != nil || !info.IsDir() {
			t.Errorf("README.md names %s, want an existing folder", dir)
		}
	}
	for _, parent := range []string{".", "internal", "test"} {
		for _, dir := range folders(t, parent) {
			if !covered(named, dir) {
				t.Errorf("README.md does not name %s, want it in the map", dir)
			}
		}
	}
}

// covered reports whether dir is named, or a folder in it at the root.
func covered(named []string, dir string) bool {
	return slices.ContainsFunc(named, func(n string) bool {
		return n == dir || path.Dir(dir) == "." && strings.HasPrefix(n, dir+"/")
	})
}

// readmeMap returns the folders of the map. A line begins with one folder or
// several, each with a slash at its end; an indented line is in the folder above.
func readmeMap(t *testing.T) (named []string) {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, found := strings.Cut(string(text), "\n```\nswap/ ")
	block, _, closed := strings.Cut("swap/ "+block, "\n```\n")
	if !found || !closed {
		t.Fatal("README.md has no map, want one that begins with swap/")
	}
	parent := ""
	for line := range strings.Lines(block) {
		inner := strings.HasPrefix(line, " ")
		for _, word := range strings.Fields(line) {
			dir, isFolder := strings.CutSuffix(word, "/")
			if !isFolder {
				break
			}
			if inner {
				dir = path.Join(parent, dir)
			} else {
				parent = dir
			}
			named = append(named, dir)
		}
	}
	return named
}

// folders returns the folders of the repository below parent, without build output
// and installed packages.
func folders(t *testing.T, parent string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(path.Join("../..", parent))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() && e.Name()[0] != '.' && e.Name() != "bin" && e.Name() != "node_modules" {
			list = append(list, path.Join(parent, e.Name()))
		}
	}
	return list
}
