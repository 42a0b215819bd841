package main

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// benchmarks are the medians of the results of `go test -bench`, by name and unit,
// such as "Answer/direct ns/op".
type benchmarks map[string]float64

func readBenchmarks(file string) (benchmarks, error) {
	all := map[string][]float64{}
	files := benchfmt.Files{Paths: []string{file}}
	for files.Scan() {
		switch r := files.Result().(type) {
		case *benchfmt.SyntaxError:
			return nil, r
		case *benchfmt.Result:
			for _, v := range r.Values {
				key := nameOf(r) + " " + cmp.Or(v.OrigUnit, v.Unit)
				all[key] = append(all[key], cmp.Or(v.OrigValue, v.Value))
			}
		}
	}
	medians := benchmarks{}
	for key, values := range all {
		slices.Sort(values)
		medians[key] = values[len(values)/2]
	}
	return medians, files.Err()
}

// nameOf returns the name of a benchmark without the number of processors.
func nameOf(r *benchfmt.Result) string {
	base, parts := r.Name.Parts()
	name := string(base)
	for _, p := range parts {
		if !strings.HasPrefix(string(p), "-") {
			name += string(p)
		}
	}
	return name
}

// times returns how many times faster the first is than the second, and 0 unless both
// were measured.
func (b benchmarks) times(fast, slow string) float64 {
	if b[fast] == 0 {
		return 0
	}
	return b[slow] / b[fast]
}
