#!/bin/sh
# Build the wheel from SOURCE and install it, with everything it needs and nothing else, into PREFIX.
# Runs in the image's build stage.   usage: build-image.sh SOURCE PREFIX
set -eu
source=$1
prefix=$2
tools=/opt/build-tools

# what a working copy may carry along
find "$source" \( -name '*.so' -o -name '__pycache__' \) -prune -exec rm -rf {} +

python3 -I -m venv "$tools"
"$tools/bin/pip" install -q --no-cache-dir --disable-pip-version-check \
    -c "$source/packaging/constraints.txt" scikit-build-core nanobind cmake ninja
PATH=$tools/bin:$PATH "$tools/bin/pip" wheel -q --no-cache-dir --no-build-isolation --wheel-dir /opt/wheels \
    -c "$source/packaging/constraints.txt" "$source"
# The solver of `patterns`, without what only its models in Python need (pandas and more).
"$tools/bin/pip" wheel -q --no-cache-dir --no-deps --wheel-dir /opt/wheels -c "$source/packaging/constraints.txt" ortools

python3 -I -m venv --without-pip "$prefix"
"$tools/bin/pip" --python "$prefix/bin/python" install -q --no-index --no-deps --no-compile /opt/wheels/*.whl

# Half of what the libraries bring is their own tests, headers and stubs.
cd "$prefix"/lib/python3*/site-packages
find . -type d \( -name tests -o -name benchmarks -o -name include \) -prune -exec rm -rf {} +
find . -name '*.pyi' -delete
find ortools -mindepth 1 -maxdepth 1 ! -name .libs ! -name sat ! -name util ! -name __init__.py -exec rm -rf {} +
rm -rf numpy/f2py "$prefix"/share "$prefix"/include "$prefix"/bin/activate* "$prefix"/bin/Activate*
find "$prefix/bin" -type f ! -name numbat ! -name numbat-validate -delete
# the host's PYTHONPATH and the like enter a container: -I shuts them out
sed -i '1s/$/ -I/' "$prefix/bin/numbat" "$prefix/bin/numbat-validate"
ln -s numbat-validate "$prefix/bin/validate"
# The image is read-only and its files' dates mean nothing: compile now, never check.
python3 -I -m compileall -q --invalidation-mode unchecked-hash "$prefix"

mkdir -p "$prefix/share"
cp -r "$source/examples" "$source/packaging/smoke_test.py" "$source/LICENSE" "$prefix/share/"
# besides testing, this leaves the compiled grammar beside the bytecode
"$prefix/bin/python" -I "$prefix/share/smoke_test.py" "$prefix/share/examples"
