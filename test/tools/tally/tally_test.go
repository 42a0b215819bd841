package main

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestTally(t *testing.T) {
	for _, tt := range []struct {
		name, events, shows, sum string
		failed                   int
	}{
		{
			"a package that passes",
			`{"Action":"run","Package":"hubquote/a","Test":"TestX"}
			 {"Action":"output","Package":"hubquote/a","Test":"TestX","Output":"hidden\n"}
			 {"Action":"pass","Package":"hubquote/a","Test":"TestX","Elapsed":1}
			 {"Action":"pass","Package":"hubquote/a","Elapsed":2.04}`,
			"ok\thubquote/a\t2.0 s\n", "1 tests in 7s; slowest: a 2 s", 0,
		},
		{
			"a test that fails shows its output",
			`{"Action":"output","Package":"hubquote/a","Test":"TestX","Output":"got 1, want 2\n"}
			 {"Action":"fail","Package":"hubquote/a","Test":"TestX","Elapsed":1}
			 {"Action":"output","Package":"hubquote/a","Output":"FAIL\n"}
			 {"Action":"fail","Package":"hubquote/a","Elapsed":2}`,
			"got 1, want 2\nFAIL\nFAIL\thubquote/a\t2.0 s\n", "1 tests in 7s; slowest: ; 1 packages FAILED", 1,
		},
		{
			"a crash shows what the package printed",
			`{"Action":"output","Package":"hubquote/a","Output":"panic: x\n"}
			 {"Action":"fail","Package":"hubquote/a","Elapsed":0}`,
			"panic: x\nFAIL\thubquote/a\t0.0 s\n", "0 tests in 7s; slowest: ; 1 packages FAILED", 1,
		},
		{
			"a crash shows what the test said that it ended",
			`{"Action":"run","Package":"hubquote/a","Test":"TestX"}
			 {"Action":"output","Package":"hubquote/a","Test":"TestX","Output":"panic: x\n"}
			 {"Action":"output","Package":"hubquote/a","Output":"FAIL\n"}
			 {"Action":"fail","Package":"hubquote/a","Elapsed":0}`,
			"panic: x\nFAIL\nFAIL\thubquote/a\t0.0 s\n", "0 tests in 7s; slowest: ; 1 packages FAILED", 1,
		},
		{
			"a package that was not run again is counted",
			`{"Action":"pass","Package":"hubquote/a","Test":"TestX","Elapsed":1}
			 {"Action":"output","Package":"hubquote/a","Output":"ok  \thubquote/a\t(cached)\n"}
			 {"Action":"pass","Package":"hubquote/a","Elapsed":0}`,
			"ok\thubquote/a\t0.0 s\n", "1 tests in 7s; slowest: a 0 s; 1 packages as they passed before", 0,
		},
		{
			"a package without tests is not listed",
			`{"Action":"skip","Package":"hubquote/a","Elapsed":0}`,
			"", "0 tests in 7s; slowest: ", 0,
		},
		{
			"a skipped test is counted apart",
			`{"Action":"skip","Package":"hubquote/a","Test":"TestX"}`,
			"", "0 tests in 7s; slowest: ; 1 skipped", 0,
		},
		{
			"the slowest first",
			`{"Action":"pass","Package":"hubquote/a","Elapsed":1}{"Action":"pass","Package":"hubquote/b","Elapsed":3}`,
			"ok\thubquote/a\t1.0 s\nok\thubquote/b\t3.0 s\n", "0 tests in 7s; slowest: b 3 s, a 1 s", 0,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var shows strings.Builder
			tally := newTally(&shows)
			if failed, err := tally.read(strings.NewReader(tt.events)); failed != tt.failed || err != nil {
				t.Fatalf("read = %d, %v, want %d packages that failed", failed, err, tt.failed)
			}
			if shows.String() != tt.shows {
				t.Errorf("shows %q, want %q", shows.String(), tt.shows)
			}
			if got := tally.sum(7 * time.Second); got != tt.sum {
				t.Errorf("sum %q, want %q", got, tt.sum)
			}
			if tally.failed != tt.failed {
				t.Errorf("%d packages failed, want %d", tally.failed, tt.failed)
			}
		})
	}
}

func TestOtherOutputIsAnError(t *testing.T) {
	if _, err := newTally(&strings.Builder{}).read(strings.NewReader("no packages to test\n")); err == nil {
		t.Error("read of text that is not JSON = nil, want an error")
	}
}

func TestOrdered(t *testing.T) {
	for _, tt := range []struct {
		name             string
		first, all, want []string
	}{
		{"none first", nil, []string{"a", "b"}, []string{"a", "b"}},
		{"in the order given, and once", []string{"c", "b"}, []string{"a", "b", "c", "d"}, []string{"c", "b", "a", "d"}},
	} {
		if got := ordered(tt.first, tt.all); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
