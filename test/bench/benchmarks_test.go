package main

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
)

const results = `goos: linux
pkg: hubquote/internal/api
BenchmarkAnswer/direct-2   	  100	      3000 ns/op	     512 B/op
BenchmarkAnswer/direct-2   	  100	      1000 ns/op	     512 B/op
BenchmarkAnswer/direct-2   	  100	      2000 ns/op	     500 B/op
BenchmarkLimiter           	  100	         0.5 ns/op
PASS
`

func TestReadBenchmarks(t *testing.T) {
	file := filepath.Join(t.TempDir(), "latest.txt")
	if err := os.WriteFile(file, []byte(results), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := readBenchmarks(file)
	want := benchmarks{"Answer/direct ns/op": 2000, "Answer/direct B/op": 512, "Limiter ns/op": 0.5}
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("medians = %v, %v, want %v", got, err, want)
	}
	if _, err := readBenchmarks(file + ".missing"); err == nil {
		t.Error("a file that is missing: no error, want one")
	}
}
