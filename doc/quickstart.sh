#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# quickstart.sh RAWREAD: a first comparison, end to end. Two scratch ext4 file
# systems on loop devices with direct I/O are swept over all block sizes with a
# remount before each run: once as the kernel has them (label default), once
# with their read-ahead forced to 16 KB (label ra16). Where loop devices or
# mounts are not to be had, two plain files are swept with the fadvise flush,
# and the second label is fadv-random. All that it made is removed.
set -eu

rawread=$1
case $rawread in /*) ;; *) rawread=$PWD/$rawread ;; esac

say() {
	echo "quickstart: $*"
}

die() {
	echo "quickstart: $*" >&2
	exit 1
}

# A mount namespace of its own: whatever happens, no mount stays behind.
if [ "${2:-}" != in-namespace ] && [ "$(id -u)" = 0 ] &&
	unshare -m --propagation private true 2>/dev/null; then
	exec unshare -m --propagation private sh "$0" "$rawread" in-namespace
fi

work=$(mktemp -d --tmpdir="${TMPDIR:-/var/tmp}")
records=$work/quickstart.jsonl

# However far it came. Nothing but what is below the folder is its own.
cleanup() {
	set +e
	for n in 1 2; do
		mountpoint -q "$work/mnt$n" && umount "$work/mnt$n"
		[ ! -s "$work/loop$n" ] || losetup -d "$(cat "$work/loop$n")"
	done
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 131' QUIT
trap 'exit 141' PIPE
trap 'exit 143' TERM

# One scratch file system on a loop device; why not, when it cannot be had.
make_scratch() {
	truncate -s "$((file_mb + file_mb / 8 + 32))M" "$work/$1.img"
	if ! loop=$(losetup -f --show --direct-io=on "$work/$1.img" 2>&1); then
		why=$loop
		return 1
	fi
	echo "$loop" >"$work/loop$1"
	if [ "$(cat "/sys/block/${loop#/dev/}/loop/dio")" != 1 ]; then
		why="$loop has no direct I/O on this file system"
		return 1
	fi
	mkdir "$work/mnt$1"
	if ! why=$(mkfs.ext4 -q -F -b 4096 -m 0 "$loop" 2>&1 &&
		mount -t ext4 "$loop" "$work/mnt$1" 2>&1); then
		return 1
	fi
	# It goes with the last mount, however that ends.
	losetup -d "$loop"
	rm "$work/loop$1"
}

# Rows of a label that are too short for %CPU; "t" ends their line.
short_rows() {
	"$rawread" report "$records:$1" | grep -c '^ *[0-9].*[ u]t$' || true
}

# A container's overlay hides the disk, so that nothing can be proved cold; the
# rows are marked then, and judged all the same. What is worse ends it.
unproved() {
	if [ "$1" != 1 ] || [ $flush != fadvise ]; then
		cat "$work/said" >&2
		die "the sweep ended with status $1"
	fi
	[ -z "$warm" ] || return 0
	warm=--warm
	cat "$work/said"
	say "so nothing is proved cold here, and judged all the same"
}

# sweep_all LABEL [OPTIONS...]: small blocks are slow and large ones fast, so
# they are swept apart, each until no row is too short: 3 repetitions at a time.
sweep_all() {
	name=$1
	shift
	say "rawread sweep --label $name --block-sizes 1k..512k --threads 2" \
		"--flush $flush${*:+ $*} -o FILE DIR DIR"
	for range in 1k..16k 32k..512k; do
		tries=0
		while [ $tries = 0 ] || [ "$(short_rows "$name")" != 0 ]; do
			tries=$((tries + 1))
			[ $tries -le 10 ] ||
				die "30 runs are too short for %CPU; use larger files"
			"$rawread" sweep --label "$name" --block-sizes $range \
				--threads 2 --reps 3 --seed $tries \
				--flush $flush -o "$records" "$@" \
				"$disks/mnt1" "$disks/mnt2" >"$work/said" 2>&1 ||
				unproved $?
		done
	done
}

file_mb=64
disks=$work
flush=remount
label=ra16
option="--read-ahead-kb 16"
warm=
if [ "$(id -u)" != 0 ]; then
	why="not root"
elif make_scratch 1 && make_scratch 2; then
	why=
fi
if [ -n "$why" ]; then
	say "no scratch file systems here ($why);"
	say "plain files and the fadvise flush instead"
	case $(stat -f -c %T "$work") in
	tmpfs | ramfs)
		die "$work is in memory, where nothing is ever cold;" \
			"set TMPDIR to a directory on a disk"
		;;
	esac
	mkdir -p "$work/plain/mnt1" "$work/plain/mnt2"
	disks=$work/plain
	file_mb=32
	flush=fadvise
	label=fadv-random
	option="--fadvise random"
fi
"$rawread" prepare --size "${file_mb}M" "$disks/mnt1" "$disks/mnt2"

sweep_all default
# shellcheck disable=SC2086 # an option and its value
sweep_all $label $option

"$rawread" report "$records:default"
echo
status=0
# shellcheck disable=SC2086 # empty, or an option
"$rawread" diff $warm "$records:default" "$records:$label" || status=$?
case $status in
1) say "worse, as it should be: $label slows small reads down" ;;
0) die "the diff sees no difference, though $label must be slower" ;;
*) die "the diff ended with status $status" ;;
esac
