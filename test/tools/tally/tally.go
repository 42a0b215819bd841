package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// An event is a line of go test -json.
type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64
}

// A tally is what the tests of one run did.
type tally struct {
	out io.Writer

	mu     sync.Mutex
	tests  int
	slow   []event             // every package that ran
	failed int                 // packages
	cached int                 // packages that Go did not run again, because nothing has changed
	left   int                 // tests that skipped themselves
	said   map[string][]string // output of what has not ended, by package and test
}

func newTally(out io.Writer) *tally { return &tally{out: out, said: map[string][]string{}} }

// read counts the events of one go test -json, and returns how many packages
// failed. Lines that are none are shown: they are complaints of the go command.
func (t *tally) read(in io.Reader) (failed int, err error) {
	for d := json.NewDecoder(in); ; {
		var e event
		switch err := d.Decode(&e); {
		case err == io.EOF:
			return failed, nil
		case err != nil:
			rest, _ := io.ReadAll(io.MultiReader(d.Buffered(), in))
			return failed, fmt.Errorf("not the output of go test -json: %s", rest)
		}
		if e.isFailedPackage() {
			failed++
		}
		t.count(e)
	}
}

func (e event) isFailedPackage() bool { return e.Test == "" && e.Action == "fail" }

func (t *tally) count(e event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := e.Package + " " + e.Test
	switch e.Action {
	case "output", "build-output":
		if e.Test == "" && strings.HasSuffix(e.Output, "\t(cached)\n") {
			t.cached++
		}
		t.said[key] = append(t.said[key], e.Output)
		return
	case "fail", "build-fail":
		t.show(e)
	case "pass", "skip":
	default:
		return
	}
	delete(t.said, key)
	switch {
	case e.Test != "" && e.Action == "skip":
		t.left++
	case e.Test != "":
		t.tests++
	case e.Action == "pass":
		fmt.Fprintf(t.out, "ok\t%s\t%.1f s\n", e.Package, e.Elapsed)
		t.slow = append(t.slow, e)
	case e.isFailedPackage():
		fmt.Fprintf(t.out, "FAIL\t%s\t%.1f s\n", e.Package, e.Elapsed)
		t.failed++
	}
}

// show prints what was said by what has failed: by a package also what was said by its
// tests that have not ended, because a crash or a timeout ends them without a word.
func (t *tally) show(e event) {
	if e.isFailedPackage() {
		for _, key := range slices.Sorted(maps.Keys(t.said)) {
			if name, test, _ := strings.Cut(key, " "); name == e.Package && test != "" {
				io.WriteString(t.out, strings.Join(t.said[key], ""))
				delete(t.said, key)
			}
		}
	}
	io.WriteString(t.out, strings.Join(t.said[e.Package+" "+e.Test], ""))
}

// sum is one line: how many tests, how long, and the slowest packages.
func (t *tally) sum(took time.Duration) string {
	slices.SortFunc(t.slow, func(a, b event) int { return cmp.Compare(b.Elapsed, a.Elapsed) })
	var slow []string
	for _, e := range t.slow[:min(5, len(t.slow))] {
		slow = append(slow, fmt.Sprintf("%s %.0f s", strings.TrimPrefix(e.Package, "hubquote/"), e.Elapsed))
	}
	line := fmt.Sprintf("%d tests in %s; slowest: %s", t.tests, took.Round(time.Second), strings.Join(slow, ", "))
	if t.cached > 0 {
		line += fmt.Sprintf("; %d packages as they passed before", t.cached)
	}
	if t.left > 0 {
		line += fmt.Sprintf("; %d skipped", t.left)
	}
	if t.failed > 0 {
		line += fmt.Sprintf("; %d packages FAILED", t.failed)
	}
	return line
}
