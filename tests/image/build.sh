#!/bin/sh
# Build the image from this working copy.   usage: tests/image/build.sh OUTPUT.sif
#
# With Apptainer on PATH and a container hub in reach this is just `apptainer build`. Where ../shared/tools (or
# NUMBAT_TOOLS) holds install-apptainer.sh and make-base.sh, root can have a private Apptainer and a local base instead;
# both are kept in root's cache, so that only the first build pays for them.
# Exit code 77: there is no Apptainer and no way to get one.
set -eu
output=$(readlink -f -- "$1")
cd "$(dirname -- "$0")/../.."
tools=${NUMBAT_TOOLS:-../shared/tools}
cache=${XDG_CACHE_HOME:-$HOME/.cache}/numbat-image
PATH=$cache/apptainer/cmd:$PATH

can_use() { [ -e "$tools/$1" ] && [ "$(id -u)" -eq 0 ] && command -v "$2" >/dev/null; }

if ! command -v apptainer >/dev/null; then
    can_use install-apptainer.sh patchelf || { echo "build.sh: no apptainer on PATH" >&2; exit 77; }
    sh "$tools/install-apptainer.sh" "$cache/apptainer" >&2
fi
set -- --force --mksquashfs-args "-comp zstd"
if can_use make-base.sh mmdebstrap; then
    sh "$tools/make-base.sh" "$cache/base" >&2
    set -- "$@" --build-arg BOOTSTRAP=localimage --build-arg FROM="$cache/base"
fi
# The recipe's pip runs inside: a machine with certificates of its own lends them, on the one empty directory there.
if [ -n "${PIP_CERT:-}" ]; then
    certificate=$(readlink -f -- "$PIP_CERT")
    set -- "$@" --bind "$(dirname -- "$certificate"):/mnt:ro"
    export APPTAINERENV_PIP_CERT="/mnt/$(basename -- "$certificate")"
fi
exec apptainer build "$@" "$output" Apptainer
