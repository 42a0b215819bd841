package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
)

// survivors are mutants that the tests need not kill, each with the reason.
type survivors map[string]string

// readSurvivors reads lines with a mutant's name and, after two slashes, the reason
// why it may survive. Lines that begin with # are comments.
func readSurvivors(name string) (survivors, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	known := survivors{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		i := strings.LastIndex(line, " // ")
		if i < 0 {
			return nil, fmt.Errorf("%s: no reason is given for %s", name, line)
		}
		known[line[:i]] = line[i+len(" // "):]
	}
	return known, nil
}

// print lists the survivors of a package that are not in the file, and those in the
// file that no longer survive.
func (known survivors) print(w io.Writer, pkg string, alive []*mutant) {
	found := map[string]bool{}
	for _, m := range alive {
		name := m.name()
		found[name] = true
		reason, ok := known[name]
		if !ok {
			reason = "NEW: test it, or add it to survivors.txt with a reason"
		}
		fmt.Fprintf(w, "%s\n\t%s\n\t%s\n", m, name, reason)
	}
	for _, name := range slices.Sorted(maps.Keys(known)) {
		if file, _, _ := strings.Cut(name, " "); path.Dir(file) == pkg && !found[name] {
			fmt.Fprintf(w, "%s\n\tno longer survives: remove it from survivors.txt\n", name)
		}
	}
}
