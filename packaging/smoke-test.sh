#!/bin/sh
# Plan every example beside this script with the numbat beside it, and check each plan; the wheel's and the image's test.
set -eu
share=$(dirname -- "$(readlink -f -- "$0")")
bin=$share/../bin
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
for example in "$share"/examples/*/; do
    "$bin/numbat" solve "$example/domain.pddl" "$example/problem.pddl" "$directory/plan" --time 60
    "$bin/numbat-validate" "$example/domain.pddl" "$example/problem.pddl" "$directory/plan"
done
