#!/bin/sh
# Makes a release: the programs for every platform, a bill of materials, the npm
# package, the contracts' artifacts, the changelog's section, and checksums. The
# same commit gives the same files.
#
#   release.sh VERSION DIRECTORY [PLATFORM ...]
set -eu
version=${1:?the version, such as 1.0.0}
mkdir -p "${2:?the directory to write to}"
out=$(cd "$2" && pwd)
shift 2
cd "$(dirname "$0")/../.."

section=$(awk -v want="## $version" '$0 == want || index($0, want " ") == 1 { on = 1; next } /^## / { on = 0 } on' CHANGELOG.md)
[ -n "$section" ] || { echo "CHANGELOG.md has no section $version: write one" >&2; exit 1; }
printf '%s\n' "$section" >"$out/CHANGES.md"

commit=$(git rev-parse HEAD)
[ -z "$(git status --porcelain -uno)" ] || commit=$commit-dirty
[ $# -gt 0 ] || set -- linux/amd64 linux/arm64 darwin/amd64 darwin/arm64
for platform; do
	for program in $(ls cmd); do
		CGO_ENABLED=0 GOOS=${platform%/*} GOARCH=${platform#*/} go build -trimpath -buildvcs=false \
			-ldflags "-s -w -X main.version=$version -X main.commit=$commit" \
			-o "$out/$program-$version-${platform%/*}-${platform#*/}" "./cmd/$program"
	done
done
go build -C test/tools -o "$out/.sbom" ./sbom
"$out/.sbom" "$version" "$out"/*-"$version"-* >"$out/hubquote-$version.cdx.json"
rm "$out/.sbom"

# In a copy: a build begins by deleting the last one, which tests may be using.
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git ls-files -z client/ts | tar --null --files-from=- --create --file=- | tar -x -f - -C "$copy"
test/tools/npm.sh "$copy/client/ts"
(cd "$copy/client/ts" && npm run --silent build && npm pack --ignore-scripts --silent --pack-destination "$out" >/dev/null)
git ls-files -z contracts/out contracts/src | tar --null --files-from=- --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --create --file=- |
	gzip -n >"$out/hubquote-contracts-$version.tar.gz"
cd "$out"
rm -f SHA256SUMS
sha256sum -- * >SHA256SUMS
cat SHA256SUMS
