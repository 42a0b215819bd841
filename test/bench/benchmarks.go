package main

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// benchmarks are the medians of the results of `go test -bench`, by name and unit,
// such as "Answer/direct ns/op".
type benchmarks map[string]float64

var processors = regexp.MustCompile(`-\d+$`)

func readBenchmarks(file string) (benchmarks, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	all := map[string][]float64{}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		name := processors.ReplaceAllString(strings.TrimPrefix(fields[0], "Benchmark"), "")
		for pair := range slices.Chunk(fields[2:], 2) {
			if value, err := strconv.ParseFloat(pair[0], 64); err == nil && len(pair) == 2 {
				all[name+" "+pair[1]] = append(all[name+" "+pair[1]], value)
			}
		}
	}
	medians := benchmarks{}
	for key, values := range all {
		slices.Sort(values)
		medians[key] = values[len(values)/2]
	}
	return medians, nil
}

// times returns how many times faster the first is than the second.
func (b benchmarks) times(fast, slow string) float64 { return b[slow] / b[fast] }
