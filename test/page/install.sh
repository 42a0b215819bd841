#!/bin/sh
# Installs the browser's driver, unless the one installed is newer than the lock
# file. Several tests may call it at once: the first installs, the others wait.
set -e
cd "$(dirname "$0")"
exec 9<package-lock.json
flock 9
[ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --ignore-scripts --no-audit --no-fund
