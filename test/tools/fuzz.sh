#!/bin/sh
# Runs every fuzz target in the tree, one after the other, for the given time or
# number of inputs, such as 10m or 1000x. A failing input is written into the
# package's testdata, to be committed with the fix.
#
# For a time, the fuzzer is guided by what each input covers. For a number of
# inputs it is not, which spares a second build of everything: it alters the seeds
# and what earlier guided runs on this machine have found.
set -eu
long=${1:?how long for each target, such as 10m, or how many inputs, such as 1000x}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
found=$(go env GOCACHE)/fuzz/$(go list -m)
git ls-files '*_test.go' | xargs grep -H '^func Fuzz' |
	sed 's/^\(.*\)\/[^/]*:func \(Fuzz[A-Za-z0-9]*\)(.*/\1 \2/' >"$dir/targets"
packages=$(sed 's/^\(.*\) .*/.\/\1/' "$dir/targets" | uniq)
case $long in
*x) go test -vet=off -ldflags='-s -w' -c -o "$dir/" $packages ;;
*) for package in $packages; do go test -fuzz . -c -o "$dir/" "$package"; done ;;
esac
while read -r package target; do
	# When its time is up, the fuzzer may stop in the middle of an input and report
	# a failure. Only a failure with a recorded input counts.
	(cd "$package" && "$dir/${package##*/}.test" -test.run '^$' -test.fuzz "^$target\$" -test.fuzztime "$long" \
		-test.fuzzminimizetime 50x -test.fuzzcachedir "$found/$package") >"$dir/log" 2>&1 ||
		! grep -q 'Failing input\|panic' "$dir/log" && grep -q 'execs: ' "$dir/log" || {
		cat "$dir/log"
		exit 1
	}
	sed -n "s|.*\(execs: [0-9]*\) ([^)]*)\(.*\)|$package $target: \1\2|p" "$dir/log" | tail -1
done <"$dir/targets"
