#!/bin/sh
# Installs what the tests need from Debian and is not there: it says what, and
# without the right to install it prints the command to run and stops.
set -eu
missing=
need() { # package name, then what it provides: a command or a path
	package=$1
	shift
	for what; do
		command -v "$what" >/dev/null 2>&1 && return
		for path in $what; do [ -e "$path" ] && return; done
	done
	missing="$missing $package"
}
need gcc gcc
need libc6-dev '/usr/include/stdio.h'
need curl curl
need jq jq
need redis-server redis-server
need buildah buildah
need postgresql initdb '/usr/lib/postgresql/*/bin/initdb'
need chromium-headless-shell chromium-headless-shell
need fonts-dejavu-core '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'
[ -n "$missing" ] || exit 0
install="apt-get install -y --no-install-recommends$missing"
if [ "$(id -u)" != 0 ]; then
	echo "The tests need packages that are not installed. Run: sudo sh -c 'apt-get update && $install'" >&2
	exit 1
fi
echo "Installing from Debian:$missing" >&2
apt-get update -qq
DEBIAN_FRONTEND=noninteractive $install -qq
