#!/bin/bash
# Try the README on a machine that has nothing but what the README names: a Debian root of its own, an ordinary user,
# a copy of this working tree as git would clone it.
#
#   tests/image/fresh-root.sh              the README's first command, then the validator on its plan
#   tests/image/fresh-root.sh COMMAND...   any other command, in the clone
#
# PACKAGES (comma separated) and RELEASE make another root; the files that BRING names lie in the user's home.
# Needs root, git and mmdebstrap. The bare root is kept in the user's cache; what happens in it is thrown away.
set -eu
cd "$(dirname "$0")/../.."
cache=${XDG_CACHE_HOME:-$HOME/.cache}/numbat-image
release=${RELEASE:-bookworm}
packages=${PACKAGES:-$(sed -n 's/.*`apt install \(.*\)`.*/\1/p' README.md | head -n 1 | tr ' ' ',')}
bare=$cache/root-$release-$packages
task="examples/jugs/domain.pddl examples/jugs/problem.pddl plan"
[ $# -gt 0 ] || set -- sh -ec "./plan.sh $task; cat plan; .numbat/environment/bin/numbat-validate $task"

if [ ! -e "$bare" ]; then
    mkdir -p "$cache"
    # what it mounts and may leave behind vanishes with a namespace of its own
    unshare --mount mmdebstrap --quiet --variant=apt \
        --aptopt='APT::Install-Recommends "false"' --aptopt='Acquire::Languages "none"' \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
        --include="ca-certificates,$packages" "$release" "$bare.new"
    mv "$bare.new" "$bare"
fi

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
cp -ax "$bare/." "$root"
mkdir -p "$root/home/user/numbat"
git ls-files -z --cached --others --exclude-standard | tar --null -T - --ignore-failed-read -cf - | tar -C "$root/home/user/numbat" -xf -
[ -z "${BRING:-}" ] || cp -- $BRING "$root/home/user"
chown -R 1000:1000 "$root/home/user"
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
settings=(PATH=/usr/local/bin:/usr/bin:/bin HOME=/home/user LANG=C.UTF-8)
# what this machine needs for pip to reach its index
if [ -n "${PIP_CERT:-}" ]; then
    cp -L "$PIP_CERT" "$root/etc/pip-certificates"
    settings+=(PIP_CERT=/etc/pip-certificates)
fi
[ -z "${PIP_INDEX_URL:-}" ] || settings+=(PIP_INDEX_URL="$PIP_INDEX_URL")

# mounts in a namespace of their own vanish with it
export root
unshare --mount --pid --fork sh -c '
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    cd "$root/home/user/numbat"
    exec chroot --userspec=1000:1000 "$root" env -i "$@"' sh "${settings[@]}" sh -c 'cd ~/numbat && exec "$@"' sh "$@"
