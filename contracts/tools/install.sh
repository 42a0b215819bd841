#!/bin/sh
# Installs the pinned tools, unless those installed are newer than the lock
# file. Several processes may call it at once: the first installs, the others
# wait for it.
set -e
cd "$(dirname "$0")/.."
mkdir -p cache
exec 9>cache/install.lock
flock 9
[ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --ignore-scripts
