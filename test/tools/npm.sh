#!/bin/sh
# Installs what the lock file of a folder pins, unless it is there, and runs none of
# its scripts. What npm has installed and verified is kept for other clones, by the
# hash of the lock file, for a month after it was used last. Several processes may
# call this at once: the first installs, the others wait.
set -eu
cd "${1:?the folder of a package-lock.json}"
exec 9<package-lock.json
flock 9
[ node_modules/.package-lock.json -nt package-lock.json ] && exit
rm -rf node_modules
store=${XDG_CACHE_HOME:-$HOME/.cache}/hubquote/npm
kept=$store/$(cat package.json package-lock.json | sha256sum | cut -c 1-32)
mkdir -p "$store"
if [ -d "$kept" ]; then
	cp -a "$kept" node_modules
	touch "$kept" node_modules/.package-lock.json
else
	npm ci --ignore-scripts --no-audit --no-fund --silent
	cp -a node_modules "$kept.$$"
	mv -T "$kept.$$" "$kept" || rm -rf "$kept.$$" # another clone was faster
fi
find "$store" -mindepth 1 -maxdepth 1 -mtime +30 -exec rm -rf {} +
