package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// all turns on the mutators that are off by default.
var all = []string{
	"--invert-assignments", "--invert-bitwise", "--invert-bwassign", "--invert-logical", "--invert-loopctrl", "--remove-self-assignments",
}

// find lists the mutants of a package with gremlins, without running them.
func find(root, pkg string) ([]*mutant, error) {
	dir, err := os.MkdirTemp("", "mutants-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	output := filepath.Join(dir, "gremlins.json")
	args := []string{"tool", "-modfile=test/tools/go.mod", "gremlins", "unleash", "--dry-run", "--workers=1", "--output=" + output}
	cmd := exec.Command("go", append(append(args, all...), "./"+pkg)...)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("gremlins: %w\n%s", err, out)
	}
	text, err := os.ReadFile(output)
	if err != nil {
		return nil, err
	}
	return parse(text, root, pkg)
}

// parse reads the output of gremlins. Mutants with the same text are counted once;
// a minus can be both a sign and an operation for gremlins. Mutants that are not
// valid Go are dropped; gremlins takes the & of an address for a bit operation.
func parse(output []byte, root, pkg string) ([]*mutant, error) {
	var result struct {
		Files []struct {
			Name      string `json:"file_name"`
			Mutations []struct {
				Type         string
				Line, Column int
			}
		}
	}
	if err := json.Unmarshal(output, &result); err != nil {
		return nil, err
	}
	var list []*mutant
	for _, f := range result.Files {
		path := filepath.Join(pkg, f.Name)
		src, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			return nil, err
		}
		for _, m := range f.Mutations {
			mutant, err := mutate(path, src, m.Line, m.Column, m.Type)
			if err != nil {
				return nil, err
			}
			if mutant.function != "" {
				list = append(list, mutant)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b *mutant) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line), cmp.Compare(a.column, b.column))
	})
	return slices.CompactFunc(list, func(a, b *mutant) bool { return a.file == b.file && string(a.source) == string(b.source) }), nil
}
