#!/bin/sh
# Installs what the lock file of a folder pins, unless it is there, and runs none of
# its scripts. What npm has installed and verified is kept for other clones, by the
# hash of the lock file, for a month after it was used last. Several processes may
# call this at once: the first installs, the others wait. One that is interrupted
# leaves nothing that counts: npm's own list, which says that all is there, is copied
# last, and what is kept gets its name when it is complete.
#
# With -n it only says which of several folders npm would install.
set -eu
list=.package-lock.json
installed() { [ node_modules/$list -nt package-lock.json ]; }
store() { echo "${XDG_CACHE_HOME:-$HOME/.cache}/hubquote/npm"; }
kept() { echo "$(store)/$(cat package.json package-lock.json | sha256sum | cut -c 1-32)"; }

if [ "${1:?the folder of a package-lock.json}" = -n ]; then
	shift
	for folder; do
		(cd "$folder" && { installed || [ -d "$(kept)" ] || echo "To be installed from npm: what $folder/package-lock.json pins"; })
	done
	exit
fi
cd "$1"
exec 9<package-lock.json
flock 9
installed && exit
rm -rf node_modules
store=$(store)
kept=$(kept)
mkdir -p "$store"

if [ -d "$kept" ]; then
	mkdir node_modules
	find "$kept" -mindepth 1 -maxdepth 1 ! -name $list -exec cp -a --reflink=auto -t node_modules {} +
	cp "$kept/$list" node_modules/
	touch "$kept"
else
	npm ci --ignore-scripts --no-audit --no-fund --silent
	new=$(mktemp -d "$store/new.XXXXXX")
	cp -a --reflink=auto node_modules/. "$new"
	mv -T "$new" "$kept" || rm -rf "$new" # another clone was faster
fi
find "$store" -mindepth 1 -maxdepth 1 -mtime +30 -exec rm -rf {} +
