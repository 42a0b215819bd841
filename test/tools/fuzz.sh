#!/bin/sh
# Runs every fuzz target in the tree, one after the other, for the given time or
# number of inputs, such as 10m or 1000x. A failing input is written into the
# package's testdata, to be committed with the fix.
set -eu
long=${1:?how long for each target, such as 10m, or how many inputs, such as 1000x}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
git ls-files '*_test.go' | xargs grep -H '^func Fuzz' |
	sed 's/^\(.*\)\/[^/]*:func \(Fuzz[A-Za-z0-9]*\)(.*/\1 \2/' |
	while read -r package target; do
				# When its time is up, go test may stop in the middle of an input and report
				# a failure. Only a failure with a recorded input counts.
		go test -run '^$' -fuzz "^$target\$" -fuzztime "$long" -fuzzminimizetime 50x "./$package" >"$log" 2>&1 ||
			! grep -q 'Failing input\|panic\|build failed' "$log" && grep -q 'execs: ' "$log" || {
			cat "$log"
			exit 1
		}
		sed -n "s|.*\(execs: [0-9]*\).*total: \([0-9]*\).*|$package $target: \1, corpus \2|p" "$log" | tail -1
	done
