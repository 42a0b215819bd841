#!/bin/sh
# Builds the image of the programs from this tree alone: nothing is pulled, and the
# same commit gives the same bytes. Needs buildah, from Debian, and Go.
#
#   deploy/image.sh bin/image.tar      # an OCI archive, for podman load, skopeo, docker load
set -eu
out=$(realpath -m "${1:-bin/image.tar}")
cd "$(dirname "$0")/.."
make --silent build
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir" && rm -rf "$dir"' EXIT

# A store of its own, which needs no daemon, no overlay and no network.
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
tool() { buildah --root "$dir/root" --runroot "$dir/run" "$@"; }

mkdir -p "$dir/files"
for program in hubquote settler; do
	[ ! -e "bin/$program" ] || [ ! -d "cmd/$program" ] || install -m 0755 "bin/$program" "$dir/files/$program"
done
find "$dir/files" -exec touch -d @0 {} +

image=$(tool from scratch)
tool copy --quiet "$image" "$dir/files" / >/dev/null
# In a container loopback is reached by no other. Publish 9090 to the network of
# Prometheus only: profiles show the inside of the process.
tool config --user 65532:65532 --port 8080 --port 9090 --stop-signal SIGTERM \
	--env HUBQUOTE_LISTEN=0.0.0.0:8080 --env HUBQUOTE_ADMIN=0.0.0.0:9090 \
	--entrypoint '["/hubquote"]' --cmd serve --created-by hubquote "$image"
tool commit --quiet --format oci --omit-history --timestamp 0 "$image" "oci:$dir/image:hubquote" >/dev/null
mkdir -p "$(dirname "$out")"
tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX -cf "$out" -C "$dir/image" .
sha256sum "$out" | cut -d ' ' -f 1
