#!/bin/sh
# Plan a numeric PDDL task. On first use, and whenever the sources have changed, the planner is built into
# .numbat/ beside this script; every other start goes straight to planning.
#
#   plan.sh DOMAIN PROBLEM [PLAN] [options]      PLAN is sas_plan unless named; options: plan.sh --help
#
# Needs Python 3.10 or later (with venv and headers) and a C++20 compiler; CXX and PYTHON choose among several.
set -eu

home=$(dirname -- "$(readlink -f -- "$0")")
state=$home/.numbat
interpreter=$state/environment/bin/python

say() { echo "plan.sh: $*" >&2; }
fail() { say "$@"; exit 35; }

# What an environment is built from: the content of the sources and the interpreter it stands on. Content, not
# dates: a checkout, a copy and an unpacked archive of the same version are the same version.
sources() (
    cd "$home"
    find pyproject.toml packaging/constraints.txt planner validate -type f ! -name '*.pyc' ! -name '*.so' \
        -exec cksum {} + | LC_ALL=C sort | cksum
)

is_ready() {
    [ -x "$interpreter" ] && [ -f "$state/built-from" ] &&
        [ "$(sources) $(readlink -f -- "$interpreter")" = "$(cat "$state/built-from")" ]
}

check_python() {
    python=$(command -v "${PYTHON:-python3}") ||
        fail "Python is missing; install Python 3.10 or later (Debian, Ubuntu: apt install python3 python3-venv python3-dev)"
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' ||
        fail "$("$python" --version 2>&1) is too old; install Python 3.10 or later and name it: PYTHON=python3.12 $0 ..."
    "$python" -c 'import ensurepip, venv' 2>/dev/null ||
        fail "Python's venv module is missing; install it (Debian, Ubuntu: apt install python3-venv)"
    "$python" -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' ||
        fail "Python's header files are missing; install them (Debian, Ubuntu: apt install python3-dev)"
}

check_compiler() {
    compiler=$(command -v "${CXX:-c++}" || command -v g++ || command -v clang++) ||
        fail "a C++ compiler is missing; install one (Debian, Ubuntu: apt install g++)"
    echo '#include <span>' | "$compiler" -std=c++20 -fsyntax-only -x c++ - 2>/dev/null ||
        fail "$compiler does not compile C++20; install g++ 11 or later (Debian, Ubuntu: apt install g++) or name one in CXX"
}

build() (
    cd "$home"
    "$python" -m venv --clear "$state/environment" &&
        CXX=$compiler SKBUILD_BUILD_DIR=$state/build "$interpreter" -I -m pip install \
            --disable-pip-version-check --no-input --constraint packaging/constraints.txt .
)

set_up() {
    unset PYTHONPATH PYTHONHOME
    check_python
    check_compiler
    mkdir -p "$state" 2>/dev/null && [ -w "$state" ] || fail "cannot write to $state; copy the planner to a place of your own"
    # Only one of several first starts builds. The lock belongs to descriptor 9, so it ends with this shell.
    exec 9>"$state/lock"
    "$python" -c 'import fcntl; fcntl.flock(9, fcntl.LOCK_EX)'
    if ! is_ready; then
        say "setting up in $state (once, about two minutes)"
        rm -f "$state/built-from"
        sources=$(sources)
        build >"$state/log" 2>&1 </dev/null || {
            tail -n 15 "$state/log" >&2
            fail "setting up failed; the whole story is in $state/log"
        }
        rm -rf "$state/build"
        echo "$sources $(readlink -f -- "$interpreter")" >"$state/built-from.new"
        mv "$state/built-from.new" "$state/built-from"
        say "ready"
    fi
    exec 9>&-
}

is_ready || set_up
# Two files and no third: the plan goes where planning tools look for it.
is_file() { case ${1:--} in -*) return 1 ;; esac }
if is_file "${1:-}" && is_file "${2:-}" && ! is_file "${3:-}"; then
    domain=$1 problem=$2
    shift 2
    set -- "$domain" "$problem" sas_plan "$@"
fi
exec "$interpreter" -I -m numbat solve "$@"
