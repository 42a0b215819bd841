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

// survivors are mutants that are known to live, each with the reason why it may.
type survivors map[string]string

// readSurvivors reads lines of a mutant's name and, behind two slashes, why it
// may live. Lines that begin with a # are for readers.
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

// print lists the mutants of a package that are alive, and those of the file
// that no longer are.
func (known survivors) print(w io.Writer, pkg string, alive []*mutant) {
	found := map[string]bool{}
	for _, m := range alive {
		name := m.name()
		found[name] = true
		reason, ok := known[name]
		if !ok {
			reason = "NEW: test it, or say in survivors.txt why it may live"
		}
		fmt.Fprintf(w, "%s\n\t%s\n\t%s\n", m, name, reason)
	}
	for _, name := range slices.Sorted(maps.Keys(known)) {
		if file, _, _ := strings.Cut(name, " "); path.Dir(file) == pkg && !found[name] {
			fmt.Fprintf(w, "%s\n\tno longer lives: take it out of survivors.txt\n", name)
		}
	}
}
