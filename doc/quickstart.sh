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
loops=
mounted=

cleanup() {
	for dir in $mounted; do
		umount "$dir"
	done
	for loop in $loops; do
		losetup -d "$loop"
	done
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# Two scratch file systems on loop devices; why not, when they cannot be had.
make_scratch() {
	[ "$(id -u)" = 0 ] || {
		why="not root"
		return 1
	}
	for n in 1 2; do
		truncate -s "$((file_mb + file_mb / 8 + 32))M" "$work/$n.img"
		loop=$(losetup -f --show --direct-io=on "$work/$n.img" 2>&1) || {
			why=$loop
			return 1
		}
		loops="$loops $loop"
		[ "$(cat "/sys/block/${loop#/dev/}/loop/dio")" = 1 ] || {
			why="$loop has no direct I/O on this file system"
			return 1
		}
		mkfs.ext4 -q -F -b 4096 -m 0 "$loop" >&2
		mkdir "$work/mnt$n"
		mount -t ext4 "$loop" "$work/mnt$n" 2>"$work/why" || {
			why=$(cat "$work/why")
			return 1
		}
		mounted="$work/mnt$n $mounted"
	done
}

drop_scratch() {
	for dir in $mounted; do
		umount "$dir"
	done
	for loop in $loops; do
		losetup -d "$loop"
	done
	rm -rf "${work:?}"/*
	mounted=
	loops=
}

# Rows of a label that are too short for %CPU; "t" ends their line.
short_rows() {
	"$rawread" report "$records:$1" | grep -c '^ *[0-9].* t$' || true
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
				"$work/mnt1" "$work/mnt2" >&2
		done
	done
}

file_mb=64
flush=remount
label=ra16
option="--read-ahead-kb 16"
if ! make_scratch; then
	say "no scratch file systems here ($why);"
	say "plain files and the fadvise flush instead"
	drop_scratch
	mkdir "$work/mnt1" "$work/mnt2"
	file_mb=32
	flush=fadvise
	label=fadv-random
	option="--fadvise random"
fi
"$rawread" prepare --size "${file_mb}M" "$work/mnt1" "$work/mnt2"

sweep_all default
# shellcheck disable=SC2086 # an option and its value
sweep_all $label $option

"$rawread" report "$records:default"
echo
status=0
"$rawread" diff "$records:default" "$records:$label" || status=$?
case $status in
1) say "worse, as it should be: $label slows small reads down" ;;
0) die "the diff sees no difference, though $label must be slower" ;;
*) die "the diff ended with status $status" ;;
esac
