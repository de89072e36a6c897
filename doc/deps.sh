#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# deps.sh GROUP...: installs what is missing of the packages below, through
# the distribution's package manager, with sudo when not root. Groups: build
# (to build and for the quickstart), check (to test).
set -eu

# group  Debian, Ubuntu     Fedora
packages='
build    gcc                gcc
build    libc6-dev          glibc-devel
build    make               make
build    pkg-config         pkgconf-pkg-config
build    libhwloc-dev       hwloc-devel
build    libnuma-dev        numactl-devel
build    libmount-dev       libmount-devel
build    libblkid-dev       libblkid-devel
build    libsmartcols-dev   libsmartcols-devel
build    libjansson-dev     jansson-devel
build    libaio-dev         libaio-devel
build    scdoc              scdoc
build    mount              util-linux
build    e2fsprogs          e2fsprogs
check    libcriterion-dev   criterion-devel
check    clang              clang
check    clang-format       clang-tools-extra
check    shellcheck         ShellCheck
check    jq                 jq
check    strace             strace
check    procps             procps-ng
check    xfsprogs           xfsprogs
check    btrfs-progs        btrfs-progs
check    squashfs-tools     squashfs-tools
check    erofs-utils        erofs-utils
check    bindfs             bindfs
check    -                  libasan
check    -                  libubsan
check    -                  libtsan
check    -                  diffutils
'

say() {
	echo "deps: $*" >&2
}

# The packages of the groups asked for, by column 2 or 3 of the table.
wanted() {
	column=$1
	shift
	echo "$packages" | awk -v groups=" $* " -v column="$column" '
		index(groups, " " $1 " ") && $column != "-" && NF {
			print $column
		}'
}

missing_debian() {
	for package in $(wanted 2 "$@"); do
		dpkg-query -W -f '${db:Status-Status}\n' "$package" \
			2>/dev/null | grep -qx installed || echo "$package"
	done
}

missing_fedora() {
	for package in $(wanted 3 "$@"); do
		rpm -q --whatprovides "$package" >/dev/null 2>&1 ||
			echo "$package"
	done
}

as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo "$@"
	else
		say "not root, and there is no sudo; ask root to run: $*"
		exit 1
	fi
}

if command -v apt-get >/dev/null; then
	# shellcheck disable=SC2046 # a word for each package
	set -- $(missing_debian "$@")
	[ $# -gt 0 ] || exit 0
	say "installing with apt-get: $*"
	as_root env DEBIAN_FRONTEND=noninteractive \
		apt-get -q -o DPkg::Lock::Timeout=300 update >&2
	as_root env DEBIAN_FRONTEND=noninteractive \
		apt-get -q -y -o DPkg::Lock::Timeout=300 \
		-o Dpkg::Use-Pty=0 install --no-install-recommends "$@" >&2 || {
		say "apt-get failed; on Ubuntu the component 'universe' is" \
			"needed, and DEPS=no skips this step"
		exit 1
	}
elif command -v dnf >/dev/null; then
	# shellcheck disable=SC2046
	set -- $(missing_fedora "$@")
	[ $# -gt 0 ] || exit 0
	say "installing with dnf: $*"
	as_root dnf -q -y install --setopt=install_weak_deps=False "$@" >&2
else
	say "no apt-get or dnf here; install these by their local names, then" \
		"use DEPS=no: $(wanted 2 "$@" | tr '\n' ' ')"
	exit 1
fi
