#!/bin/sh
# Plan a numeric PDDL task. On first use, and whenever the sources have changed, the planner is built into
# .numbat/ beside this script; every other start goes straight to planning.
#
#   plan.sh DOMAIN PROBLEM [PLAN] [options]      PLAN is sas_plan unless named; options: plan.sh --help
#
# Needs Python 3.10 or later (with venv and headers) and a C++20 compiler; CXX and PYTHON choose among several.
#
# Each build makes an environment of its own, .numbat/environments/N, and .numbat/environment is a link to the last one.
# A planner that runs from an earlier one keeps it: running planners hold a lock on the file in-use in their environment
# (numbat.__main__), and a build removes only what is neither locked nor linked to.
set -eu

home=$(dirname -- "$(readlink -f -- "$0")")
state=$home/.numbat

say() { echo "plan.sh: $*" >&2; }
fail() { say "$@"; exit 35; }

# What an environment is built from: the content of the sources and the interpreter it stands on. Content, not
# dates: a checkout, a copy and an unpacked archive of the same version are the same version.
sources() (
    cd "$home"
    find pyproject.toml packaging/constraints.txt planner validate -type f ! -name '*.pyc' ! -name '*.so' \
        -exec cksum {} + | LC_ALL=C sort | cksum
)

# Sets `environment`: by its own name, so that a link that changes meanwhile changes nothing for this start.
is_ready() {
    environment=$state/$(readlink "$state/environment") && [ -x "$environment/bin/python" ] &&
        [ "$(sources) $(readlink -f -- "$environment/bin/python")" = "$(cat "$environment/built-from")" ]
} 2>/dev/null

# -I: nothing in the directory of the caller is taken for a module of Python's.
check_python() {
    python=$(command -v "${PYTHON:-python3}") ||
        fail "Python is missing; install Python 3.10 or later (Debian, Ubuntu: apt install python3 python3-venv python3-dev)"
    "$python" -I -c 'import sys; sys.exit(sys.version_info < (3, 10))' ||
        fail "$("$python" --version 2>&1) is too old; install Python 3.10 or later and name it: PYTHON=python3.12 $0 ..."
    "$python" -I -c 'import ensurepip, venv' 2>/dev/null ||
        fail "Python's venv module is missing; install it (Debian, Ubuntu: apt install python3-venv)"
    "$python" -I -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' ||
        fail "Python's header files are missing; install them (Debian, Ubuntu: apt install python3-dev)"
}

check_compiler() {
    compiler=$(command -v "${CXX:-c++}" || command -v g++ || command -v clang++) ||
        fail "a C++ compiler is missing; install one (Debian, Ubuntu: apt install g++)"
    echo '#include <span>' | "$compiler" -std=c++20 -fsyntax-only -x c++ - 2>/dev/null ||
        fail "$compiler does not compile C++20; install g++ 11 or later (Debian, Ubuntu: apt install g++) or name one in CXX"
}

# An environment that was never finished is nobody's.
is_used() {
    [ -f "$1/built-from" ] &&
        ! "$python" -I -c 'import fcntl, sys; fcntl.flock(open(sys.argv[1]), fcntl.LOCK_EX | fcntl.LOCK_NB)' \
            "$1/in-use" 2>/dev/null
}

# Before a build, not after it: who has just been started from the linked environment may not hold its lock yet.
remove_unused() {
    linked=$(readlink "$state/environment" || true)
    for old in "$state"/environments/*; do
        [ "$old" = "$state/$linked" ] || is_used "$old" || rm -rf "$old"
    done
}

build() (
    cd "$home"
    "$python" -I -m venv "$environment" &&
        CXX=$compiler SKBUILD_BUILD_DIR=$state/build "$environment/bin/python" -I -m pip install \
            --disable-pip-version-check --no-input --constraint packaging/constraints.txt .
)

# CP-SAT, for patterns and for better plans; without what only its models in Python need. The planner does without it.
add_solver() (
    cd "$home"
    "$environment/bin/python" -I -m pip install \
        --disable-pip-version-check --no-input --no-deps --constraint packaging/constraints.txt ortools
)

set_up() {
    unset PYTHONPATH PYTHONHOME
    check_python
    check_compiler
    mkdir -p "$state/environments" 2>/dev/null && [ -w "$state" ] ||
        fail "cannot write to $state; copy the planner to a place of your own"
    # Only one of several first starts builds. The lock belongs to descriptor 9, so it ends with this shell.
    exec 9>"$state/lock"
    "$python" -I -c 'import fcntl; fcntl.flock(9, fcntl.LOCK_EX)'
    if ! is_ready; then
        say "setting up in $state (once, about two minutes)"
        remove_unused
        number=1
        while [ -e "$state/environments/$number" ]; do number=$((number + 1)); done
        environment=$state/environments/$number
        sources=$(sources)
        build >"$state/log" 2>&1 </dev/null || {
            rm -rf "$environment"
            tail -n 15 "$state/log" >&2
            fail "setting up failed; the whole story is in $state/log"
        }
        add_solver >>"$state/log" 2>&1 </dev/null || say "going on without the integer solver (ortools); see $state/log"
        rm -rf "$state/build"
        : >"$environment/in-use"
        echo "$sources $(readlink -f -- "$environment/bin/python")" >"$environment/built-from"
        ln -s "environments/$number" "$environment/link"
        [ -L "$state/environment" ] || rm -rf "$state/environment"
        mv -T "$environment/link" "$state/environment"
        say "ready"
    fi
    exec 9>&-
}

is_ready || set_up
exec "$environment/bin/python" -I -m numbat solve --default-plan sas_plan "$@"
