#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Each way to read, and each flag of preadv2, on each type of file system: it
# delivers the file to its last byte, cold and from memory, buffered and
# direct, or the run is n/a and says what is not taken.
# shellcheck source=tests/support/lib.sh
. "${TESTS:-tests}/support/lib.sh"
# shellcheck source=tests/support/scratch.sh
. "${TESTS:-tests}/support/scratch.sh"

# named WAY: a run that is n/a says which part of it is not taken.
named() {
	case $1 in
	*--direct*) err_has "direct I/O" ;;
	*--rwf*) err_has "RWF_$(echo "${1#*--rwf }" | tr a-z- A-Z_)" ;;
	*) fail "$1 is n/a: $(cat err)" ;;
	esac
}

# The page cache of the file, as far as its file system lets go of it.
emptied() {
	dd if=/mnt/a/foo iflag=nocache count=0 status=none 2>/dev/null || true
}

# all_ways TYPE: on a file of some folios and an odd end.
all_ways() {
	need_mounts
	mkdir tree
	noise tree/foo 2100001
	scratch_tree "$1" tree /mnt/a
	ways_to_read | while read -r way; do
		emptied
		for test in seqpread seqpread randpread; do
			# shellcheck disable=SC2086
			reads_or_n_a 2100001 --engine $way -t $test -p 2 \
				-s 64k /mnt/a/foo
			[ "$status" = 0 ] || named "$way"
		done
	done
	for way in --direct '--direct --rwf hipri' '--direct --rwf nowait'; do
		# shellcheck disable=SC2086
		reads_or_n_a 2100001 --engine preadv2 -t seqpread $way -s 64k \
			/mnt/a/foo
	done
}

t_each_way_on_ext4() { all_ways ext4; }
t_each_way_on_xfs() { all_ways xfs; }
t_each_way_on_btrfs() { all_ways btrfs; }
t_each_way_on_tmpfs() { all_ways tmpfs; }
t_each_way_on_squashfs() { all_ways squashfs; }
t_each_way_on_erofs() { all_ways erofs; }
t_each_way_on_overlay() { all_ways overlay; }
t_each_way_on_fuse() { all_ways fuse; }

t_what_is_known_to_be_taken_is_no_dead_option() {
	need_mounts
	mkdir tree
	noise tree/foo 1048576
	for type in ext4 xfs; do
		command -v mkfs.$type >/dev/null || continue
		scratch_tree $type tree /mnt/$type
		for flag in nowait hipri nowait,hipri; do
			expect 0 "$RAWREAD" read -t 4 --engine preadv2 \
				--rwf $flag --json - /mnt/$type/foo
			equal "$flag on $type" "$(json out .bytes)" 1048576
			equal params "$(json out .params.rwf)" "$flag"
		done
	done
}

# What is not in memory does not come without waiting: it is asked for again.
t_reads_that_would_wait_are_counted_when_cold_and_not_when_hot() {
	need_mounts
	mkdir tree
	noise tree/foo 8388608
	for type in ext4 xfs; do
		command -v mkfs.$type >/dev/null || continue
		scratch_tree $type tree /mnt/$type
		set -- -t 4 --engine preadv2 --rwf nowait -s 64k /mnt/$type/foo
		expect 0 "$RAWREAD" read --cold --json record "$@"
		[ "$(json record .nowait_retries)" -ge 1 ] ||
			fail "$type: no retries: $(json record .)"
		equal bytes "$(json record .bytes)" 8388608
		expect 0 "$RAWREAD" read --json record "$@"
		equal "retries of $type" "$(json record .nowait_retries)" null
	done
}

# Read, and gone from memory again.
t_dontcache_leaves_nothing_in_the_page_cache() {
	need_mounts
	mkdir tree
	noise tree/foo 4194304
	scratch_tree ext4 tree /mnt/a
	reads_or_n_a 4194304 -t 4 --engine preadv2 --rwf dontcache -s 64k \
		/mnt/a/foo
	[ "$status" = 0 ] || skip "this kernel has no RWF_DONTCACHE"
	[ "$(json record .cold.resident_after_bytes)" -lt 1048576 ] ||
		fail "$(json record .cold)"
}

t_unknown_flags_are_refused_with_those_that_there_are() {
	noise f 4096
	for flags in later 'nowait,later' ',' ''; do
		expect 2 "$RAWREAD" read --engine preadv2 --rwf "$flags" f
		err_is_one_line
	done
	err_has "nowait"
	expect 2 "$RAWREAD" read -t 4 --rwf nowait f
	err_has "--rwf has flags of engine preadv2"
}

run_tests "$@"
