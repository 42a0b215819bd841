#!/bin/sh
# Runs every fuzz target in the tree for the given time, one after the other. What
# one finds is written into its package's testdata, to be committed with the fix.
set -eu
time=${1:?how long for each target, such as 10s}
git ls-files '*_test.go' | xargs grep -H '^func Fuzz' | sed 's/^\(.*\)\/[^/]*:func \(Fuzz[A-Za-z0-9]*\)(.*/\1 \2/' |
while read -r package target; do
	printf '%s %s: ' "$package" "$target"
	go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 50x "./$package" >"${TMPDIR:-/tmp}/fuzz.$$" 2>&1 || {
		cat "${TMPDIR:-/tmp}/fuzz.$$"
		exit 1
	}
	sed -n 's/.*\(execs: [0-9]*\) .*\(total: [0-9]*\).*/\1, corpus \2/p' "${TMPDIR:-/tmp}/fuzz.$$" | tail -1
	rm -f "${TMPDIR:-/tmp}/fuzz.$$"
done
