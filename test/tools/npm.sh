#!/bin/sh
# Installs what the lock file of a folder pins, unless it is there, and runs none of
# its scripts. What npm has installed and verified is kept for other clones, by the
# hash of the lock file, for a month after it was used last: as links to the same
# files, where they are on one disk. Several processes may call this at once: the first
# installs, the others wait.
set -eu
cd "${1:?the folder of a package-lock.json}"
exec 9<package-lock.json
flock 9
[ node_modules/.package-lock.json -nt package-lock.json ] && exit
rm -rf node_modules
store=${XDG_CACHE_HOME:-$HOME/.cache}/hubquote/npm
kept=$store/$(cat package.json package-lock.json | sha256sum | cut -c 1-32)
mkdir -p "$store"

# copy links every file but npm's own list, which is written in place, and whose time
# says whether an installation is up to date.
copy() {
	cp -al "$1" "$2" 2>/dev/null || { rm -rf "$2" && cp -a "$1" "$2"; }
	cp --remove-destination "$1/.package-lock.json" "$2/"
}

if [ -d "$kept" ]; then
	copy "$kept" node_modules
	touch "$kept"
else
	npm ci --ignore-scripts --no-audit --no-fund --silent
	copy node_modules "$kept.$$"
	mv -T "$kept.$$" "$kept" || rm -rf "$kept.$$" # another clone was faster
fi
find "$store" -mindepth 1 -maxdepth 1 -mtime +30 -exec rm -rf {} +
