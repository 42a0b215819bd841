#!/bin/sh
# Builds the programs from two copies of this tree in two places, and compares the
# bytes. With the argument "fresh" the second build starts without any cache.
set -eu
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir" && rm -rf "$dir"' EXIT
for place in one a/longer/place; do
	mkdir -p "$dir/$place"
	git ls-files -z | tar --null --files-from=- --ignore-failed-read --create --file=- 2>/dev/null | tar -x -f - -C "$dir/$place"
done
make --silent -C "$dir/one" build
if [ "${1:-}" = fresh ]; then
	export GOCACHE="$dir/cache"
fi
make --silent -C "$dir/a/longer/place" build
for program in hubquote settler; do
	cmp "$dir/one/bin/$program" "$dir/a/longer/place/bin/$program"
done
sha256sum "$dir/one/bin/hubquote" | cut -d ' ' -f 1
