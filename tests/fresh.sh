#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves the README's two commands on a system that has only git and make: a
# minimal root made with debootstrap, in a private mount namespace, with a
# clone of what is committed here. Then the tests once more as an ordinary
# user of that system.
#
#   SUITE=trixie      another release (default: this machine's)
#   MIRROR=URL        another mirror (default: this machine's first)
#   KEEP=yes          leave the root behind, and say where
set -eu

# A chroot's own root is no mount point, and nothing could be made private
# there; so the new root becomes the namespace's.
inside() {
	root=$1
	mount --bind "$root" "$root"
	for tree in dev proc sys; do
		mount --rbind "/$tree" "$root/$tree"
	done
	mkdir "$root/old"
	cd "$root"
	pivot_root . old
	user='setpriv --reuid=1000 --regid=1000 --clear-groups'
	exec chroot . env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
		LANG=C TERM=dumb bash -eux <<-END
			umount -l /old
			cd /src/rawread
			dpkg-query -W | wc -l
			time make quickstart
			time make check
			cp -r /src/rawread /src/user && chown -R 1000:1000 /src/user
			cd /src/user && rm -rf build
			time $user env HOME=/tmp make quickstart
			time $user env HOME=/tmp make check
		END
}

if [ "${1:-}" = inside ]; then
	inside "$2"
	exit
fi

say() {
	echo "fresh: $*" >&2
}

[ "$(id -u)" = 0 ] || {
	say "needs root, for debootstrap and mounts"
	exit 2
}
command -v debootstrap >/dev/null || {
	say "needs debootstrap; install the package of that name"
	exit 2
}

suite=${SUITE:-$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)}
here=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
# shellcheck disable=SC2016 # apt's own variable
mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' \
	'Created-By: Packages' "Codename: $here" | head -n 1)}
root=$(mktemp -d --tmpdir="${TMPDIR:-/var/tmp}")

cleanup() {
	if [ "${KEEP:-}" = yes ]; then
		say "the root stays at $root"
	else
		rm -rf --one-file-system "$root"
	fi
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

chmod 755 "$root"
say "a minimal $suite in $root"
debootstrap --variant=minbase --include=git,make "$suite" "$root" "$mirror" \
	>"$root.log" 2>&1 || {
	tail -n 20 "$root.log" >&2
	exit 1
}
rm -f "$root.log"
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
git clone -q . "$root/src/rawread"
unshare -m --propagation private sh "$0" inside "$root"
say "both commands hold on a minimal $suite"
