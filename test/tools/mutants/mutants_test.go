package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const source = `package p

var limit = 1<<4 - 1

func f(a, b int) bool {
	for a >= b && -a != limit { // >= is no token here
		a--
		b += 2
		g(&a)
	}
	switch {
	case a > b || a%b == 0:
		return true
	}
	return false
}
`

func TestMutate(t *testing.T) {
	tests := []struct {
		name         string
		line, column int
		mutator      string
		want         string // the mutant's name
	}{
		{"a boundary", 6, 8, "CONDITIONALS_BOUNDARY", "p.go f: for a > b && -a != limit { // >= is no token here"},
		{"a condition", 6, 8, "CONDITIONALS_NEGATION", "p.go f: for a < b && -a != limit { // >= is no token here"},
		{"one of two conditions", 6, 19, "CONDITIONALS_NEGATION", "p.go f: for a >= b && -a == limit { // >= is no token here"},
		{"an and", 6, 13, "INVERT_LOGICAL", "p.go f: for a >= b || -a != limit { // >= is no token here"},
		{"a sign", 6, 16, "INVERT_NEGATIVES", "p.go f: for a >= b && +a != limit { // >= is no token here"},
		{"a step", 7, 4, "INCREMENT_DECREMENT", "p.go f: a++"},
		{"a sum", 8, 5, "INVERT_ASSIGNMENTS", "p.go f: b -= 2"},
		{"a sum that becomes an assignment", 8, 5, "REMOVE_SELF_ASSIGNMENTS", "p.go f: b = 2"},
		{"a case of a switch", 12, 9, "CONDITIONALS_BOUNDARY", "p.go f: case a >= b || a%b == 0:"},
		{"a remainder", 12, 17, "ARITHMETIC_BASE", "p.go f: case a > b || a*b == 0:"},
		{"a shift outside of a function", 3, 14, "INVERT_BITWISE", "p.go -: var limit = 1>>4 - 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, err := mutate("p.go", []byte(source), tt.line, tt.column, tt.mutator)
			if err != nil {
				t.Fatal(err)
			}
			if m.name() != tt.want {
				t.Errorf("mutant = %q, want %q", m.name(), tt.want)
			}
			if before, after := strings.Split(source, "\n"), strings.Split(string(m.source), "\n"); len(before) != len(after) {
				t.Errorf("%d lines, want %d", len(after), len(before))
			}
		})
	}
}

// A token that does not fit its mutator is an error, so that no mutant counts as
// run without a change.
func TestMutateRefusesUnknownTokens(t *testing.T) {
	for _, m := range []mutant{{line: 6, column: 9, mutator: "CONDITIONALS_BOUNDARY"}, {line: 6, column: 8, mutator: "ARITHMETIC_BASE"}, {line: 6, column: 8}, {line: 99, column: 1}} {
		if _, err := mutate("p.go", []byte(source), m.line, m.column, m.mutator); err == nil {
			t.Errorf("mutate(%v) has no error, want one", &m)
		}
	}
}

func TestParse(t *testing.T) {
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "a/p"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "a/p/p.go"), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	mutants, err := parse([]byte(`{"go_module":"m","files":[{"file_name":"p.go","mutations":[
		{"type":"CONDITIONALS_BOUNDARY","status":"NOT COVERED","line":12,"column":9},
		{"type":"INVERT_BITWISE","status":"RUNNABLE","line":9,"column":5},
		{"type":"INVERT_NEGATIVES","status":"RUNNABLE","line":6,"column":16},
		{"type":"ARITHMETIC_BASE","status":"RUNNABLE","line":6,"column":16}]}]}`), root, "a/p")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range mutants {
		got = append(got, m.String())
	}
	const want = "a/p/p.go:6:16 INVERT_NEGATIVES; a/p/p.go:12:9 CONDITIONALS_BOUNDARY"
	if s := strings.Join(got, "; "); s != want {
		t.Errorf("mutants = %s, want %s: in the order of lines, covered or not, each once, and Go", s, want)
	}
}

func TestSurvivorsAreComparedWithTheFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "survivors.txt")
	text := "# why\n\na/p.go f: a++ // not counted\na/p.go f: a = 2 // gone\na/b/p.go f: a++ // elsewhere\n"
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	known, err := readSurvivors(name)
	if err != nil {
		t.Fatal(err)
	}
	var alive []*mutant
	for _, line := range []int{7, 8} {
		mutator := map[int]string{7: "INCREMENT_DECREMENT", 8: "INVERT_ASSIGNMENTS"}[line]
		m, err := mutate("a/p.go", []byte(source), line, line-3, mutator)
		if err != nil {
			t.Fatal(err)
		}
		alive = append(alive, m)
	}
	var out strings.Builder
	known.print(&out, "a", alive)
	for _, want := range []string{"a++\n\tnot counted", "b -= 2\n\tNEW", "a = 2\n\tno longer survives"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("output =\n%s\nwant %q in it", &out, want)
		}
	}
	if strings.Contains(out.String(), "elsewhere") || strings.Contains(out.String(), "a/b") {
		t.Errorf("output =\n%s\nwant no other package in it", &out)
	}
}

func TestSurvivorNeedsAReason(t *testing.T) {
	name := filepath.Join(t.TempDir(), "survivors.txt")
	if err := os.WriteFile(name, []byte("a/p.go f: a++\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := readSurvivors(name); err == nil {
		t.Error("a survivor without a reason has no error, want one")
	}
}
