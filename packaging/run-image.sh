#!/bin/sh
# Run planner.sif, which lies beside this folder, on files that may lie anywhere: a container sees only what is
# mounted, so the directories of the three files are, under their real names.
# usage: run-image.sh OPTIONS -- DOMAIN PROBLEM PLAN       options are single words
set -eu
options=
while [ "$1" != -- ]; do
    options="$options $1"
    shift
done
shift
if [ $# -ne 3 ]; then
    echo "exactly three arguments are needed: DOMAIN PROBLEM PLAN" >&2
    exit 36
fi
domain=$(readlink -f -- "$1" || echo "$1")
problem=$(readlink -f -- "$2" || echo "$2")
plan=$(readlink -f -- "$3" || echo "$3")

APPTAINER_MOUNT=$(
    for file in "$domain" "$problem" "$plan"; do
        directory=$(dirname -- "$file" | sed 's/"/""/g')
        [ ! -d "$(dirname -- "$file")" ] || printf 'type=bind,"source=%s","destination=%s"\n' "$directory" "$directory"
    done | sort -u
)
export APPTAINER_MOUNT
# shellcheck disable=SC2086
exec "$(dirname -- "$(readlink -f -- "$0")")/../planner.sif" "$domain" "$problem" "$plan" $options
