#!/bin/bash
# Check everything a reviewer would: set up, style, types, tests, sanitizers, the image, the benchmark gate.
#
#   tests/run.sh           everything, about half an hour on two cores
#   tests/run.sh quick     style, types and the tests that take seconds
#
# The environment is .venv, with the versions of packaging/constraints.txt. Missing system packages are installed where
# this is root with apt, and named otherwise. A failure in set-up, style or types ends the run; after that every
# stage runs, and the exit code tells whether all passed.
set -u
cd "$(dirname "$0")/.." || exit 1
tier=${1:-all}
export NUMBAT_BENCHMARKS=${NUMBAT_BENCHMARKS:-$PWD/../shared/benchmarks/ipc2023-numeric}
python=$PWD/.venv/bin/python
PATH=$PWD/.venv/bin:$PATH
unset PYTHONPATH PYTHONHOME

# --- set-up -----------------------------------------------------------------------------------------------------------

# programs, any of which will do, or a file → Debian package
declare -A packages=(
    [g++]=g++ [git]=git [mmdebstrap]=mmdebstrap [unsquashfs]=squashfs-tools [patchelf]=patchelf
    [mount]=mount [java]=default-jre-headless [sbatch]=slurm-wlm [munged]=munge
    ["chromium chromium-browser google-chrome"]=chromium
    [/etc/localtime]=tzdata # Apptainer mounts it in every container
    [/usr/share/keyrings/debian-archive-keyring.gpg]=debian-archive-keyring # not on Ubuntu, and mmdebstrap wants it
)

system_packages() {
    local missing=() needed
    for needed in "${!packages[@]}"; do
        # shellcheck disable=SC2086
        command -v $needed >/dev/null || [ -e "$needed" ] || missing+=("${packages[$needed]}")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
        apt-get -q update && DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends "${missing[@]}"
    else
        echo "missing, so that some tests will be skipped: ${missing[*]}"
    fi
}

# build_core TYPE DIRECTORY PREFIX [definitions]: the compiled core into PREFIX/numbat
build_core() {
    cmake -S planner/numbat/core -B "$2" -G Ninja -DCMAKE_BUILD_TYPE="$1" -DPython_EXECUTABLE="$python" \
        -DNUMBAT_WERROR=ON "${@:4}" && cmake --build "$2" && cmake --install "$2" --prefix "$3"
}

set_up() {
    [ "$tier" = quick ] || system_packages || return
    # without pip it is what an attempt without Debian's python3-venv left behind
    "$python" -I -m pip --version >/dev/null 2>&1 || python3 -I -m venv --clear .venv || return
    "$python" -I -m pip install --quiet --disable-pip-version-check -r packaging/constraints.txt &&
        build_core Release build/release planner &&
        # whatever Python a test starts finds the sources, even one that looks nowhere else (-I)
        printf '%s\n' "$PWD/planner" "$PWD/validate" >"$("$python" -I -c 'import site; print(site.getsitepackages()[0])')/numbat-sources.pth"
}

# --- stages -----------------------------------------------------------------------------------------------------------

# Started in the background, a shell ignores interrupts and so does all that it starts: not what a test of them expects.
test_with() { env --default-signal=INT,HUP "$python" -m pytest -q -rs "$@"; }

style() { ruff check . && find planner/numbat/core -name '*.cc' -o -name '*.h' | xargs clang-format --dry-run -Werror; }
types() { mypy; }
# Apart: solvers and other libraries make the process so large that tests of memory limits, which count it, would see
# little else.
apart=(tests/engines/patterns tests/unified_planning)
library_tests() { test_with "${apart[@]}"; }
quick_tests() { test_with -m "not slow" --ignore tests/image "${apart[@]/#/--ignore=}"; }
slow_tests() { test_with -m slow --ignore tests/image "${apart[@]/#/--ignore=}"; }
image() { test_with tests/image; }
gate() { "$python" -I -m numbat.lab.gate; }

# The core's tests once more, on a copy of the tree whose core is built to notice memory errors and undefined behaviour.
# Not the memory limits, nor what must be fast: what the system counts is mostly the sanitizers' own.
sanitize() {
    local tree=build/sanitize/tree
    rm -rf "$tree" && mkdir -p "$tree" && cp -r planner validate tests pyproject.toml "$tree" && rm -f "$tree"/planner/numbat/*.so &&
        build_core Debug build/sanitize/core "$tree/planner" -DNUMBAT_SANITIZE=ON -DCMAKE_CXX_FLAGS_DEBUG="-O1 -g" &&
        (cd "$tree" && LD_PRELOAD="$(g++ -print-file-name=libasan.so) $(g++ -print-file-name=libubsan.so)" \
            ASAN_OPTIONS=detect_leaks=0 "$python" -m pytest -q tests/core tests/engines/improve --ignore tests/core/test_limits.py \
            --ignore tests/engines/improve/test_large_plans.py)
}
sanitizers() {
    while [ ! -s build/sanitize.code ]; do sleep 1; done
    cat build/sanitize.log
    return "$(cat build/sanitize.code)"
}

# --- run --------------------------------------------------------------------------------------------------------------

summary=()
failed=0
mkdir -p build

# run STAGE: what was skipped is said in the summary, so that it is not taken for tested.
run() {
    local started=$SECONDS verdict=passed skipped=
    echo "=== $1"
    "$1" 2>&1 | tee build/stage.log
    if [ "${PIPESTATUS[0]}" -ne 0 ]; then
        verdict=FAILED failed=1
    elif skipped=$(grep -oE '[1-9][0-9]* skipped|^gate skipped.*' build/stage.log | tail -n 1) && [ -n "$skipped" ]; then
        verdict=SKIPPED
    fi
    summary+=("$(printf '%-12s %-7s %5d s  %s' "$1" $verdict $((SECONDS - started)) "$skipped")")
}

# begin STAGE: at the lowest priority, beside those that follow; in a process group of its own, to be ended with this script.
begin() {
    rm -f "build/$1.code"
    set -m
    (
        renice -n 19 "$BASHPID" >/dev/null
        "$1" >"build/$1.log" 2>&1
        echo $? >"build/$1.code"
    ) &
    set +m
    trap "kill -- -$! 2>/dev/null" EXIT
}

finish() {
    echo "=== summary"
    printf '%s\n' "${summary[@]}"
    exit $failed
}

case $tier in
    all | quick) ;;
    *) echo "usage: tests/run.sh [quick]" >&2; exit 2 ;;
esac
for stage in set_up style types; do
    run $stage
    [ $failed -eq 0 ] || finish
done
[ "$tier" = quick ] || begin sanitize
run quick_tests
run library_tests
if [ "$tier" = all ]; then
    for stage in slow_tests sanitizers image gate; do run $stage; done
fi
finish
