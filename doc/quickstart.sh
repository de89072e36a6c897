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

# sweep LABEL REPS BLOCK-SIZES FILE [OPTIONS...]
sweep() {
	as=$1 reps=$2 sizes=$3 file=$4
	shift 4
	"$rawread" sweep --label "$as" --block-sizes "$sizes" --threads 2 \
		--reps "$reps" --flush "$flush" -o "$file" "$@" \
		"$work/mnt1" "$work/mnt2"
}

# The span of the last run in a record file, in ns.
span_ns() {
	sed -n 's/.*"span_ns":\([0-9]*\).*/\1/p' "$1" | tail -n 1
}

# Repetitions that give the fastest row 150 ticks of all CPUs, 3 to 12: below
# 100 a row's %CPU says nothing, and is marked t.
reps_for() {
	rm -f "$work/try"
	sweep try 1 512k "$work/try" "$@" >&2
	awk -v span_ns="$(span_ns "$work/try")" -v cpus="$(nproc --all)" 'BEGIN {
		reps = int(150 / (span_ns / 1e9 * 100 * cpus)) + 1
		print (reps < 3 ? 3 : reps > 12 ? 12 : reps)
	}'
}

file_mb=128
flush=remount
label=ra16
option="--read-ahead-kb 16"
if ! make_scratch; then
	say "no scratch file systems here ($why);"
	say "plain files and the fadvise flush instead"
	drop_scratch
	mkdir "$work/mnt1" "$work/mnt2"
	flush=fadvise
	label=fadv-random
	option="--fadvise random"
fi
"$rawread" prepare --size "${file_mb}M" "$work/mnt1" "$work/mnt2"

# shellcheck disable=SC2086 # an option and its value
{
	base_reps=$(reps_for)
	other_reps=$(reps_for $option)
	sweep default "$base_reps" 1k..512k "$records"
	sweep $label "$other_reps" 1k..512k "$records" $option
}

"$rawread" report "$records:default"
echo
status=0
"$rawread" diff "$records:default" "$records:$label" || status=$?
case $status in
1) say "worse, as it should be: $label slows small reads down" ;;
0) die "the diff sees no difference, though $label must be slower" ;;
*) die "the diff ended with status $status" ;;
esac
