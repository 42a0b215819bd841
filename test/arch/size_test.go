package arch_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A size is the code of one package, without its tests.
type size struct{ files, lines int }

func sizes(t *testing.T) map[string]size {
	t.Helper()
	all := map[string]size{}
	walk(t, func(pkg, file string) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if ships(pkg) {
			s := all[pkg]
			all[pkg] = size{s.files + 1, s.lines + bytes.Count(text, []byte("\n"))}
		}
	})
	return all
}

// Packages stay small enough to be read in one go, and the command decides nothing.
func TestPackagesAreSmall(t *testing.T) {
	const medianLines, meanFiles, commandLines = 300, 4, 1_000
	all := sizes(t)
	var lines []int
	files := 0
	for _, s := range all {
		lines = append(lines, s.lines)
		files += s.files
	}
	slices.Sort(lines)
	if got := lines[len(lines)/2]; got > medianLines {
		t.Errorf("median of lines = %d, want at most %d", got, medianLines)
	}
	if files > meanFiles*len(all) {
		t.Errorf("%d files in %d packages, want at most %d on average", files, len(all), meanFiles)
	}
	if got := all["cmd/hubquote"].lines; got > commandLines {
		t.Errorf("cmd/hubquote has %d lines, want at most %d: move decisions into packages", got, commandLines)
	}
}

func TestRootIsShort(t *testing.T) {
	const most = 10
	entries, err := os.ReadDir(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	var folders []string
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && e.Name() != "bin" && e.Name() != "dist" {
			folders = append(folders, e.Name())
		}
	}
	if len(folders) > most {
		t.Errorf("folders of the root = %v, want at most %d", folders, most)
	}
}
