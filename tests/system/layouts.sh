#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Several threads on one file: what they read together comes from the device
# once, and where it does not the run says so and is not cold.
# shellcheck source=tests/support/lib.sh
. "${TESTS:-tests}/support/lib.sh"
# shellcheck source=tests/support/scratch.sh
. "${TESTS:-tests}/support/scratch.sh"

SIZE=16777216

# once BYTES WORDS...: so many bytes, each of them once and from the device.
once() {
	bytes=$1
	shift
	remounted /mnt/a
	expect 0 "$RAWREAD" read --cold -s 16k --json record "$@" /mnt/a
	equal "bytes, $*" "$(json record .bytes)" "$bytes"
	equal "unique, $*" "$(json record .unique_bytes)" "$bytes"
	# Read-ahead may go a little further, and metadata comes besides.
	moved=$(json record .cold.device_bytes)
	[ "$moved" -ge "$((bytes * 95 / 100))" ] || fail "$*: $moved of $bytes"
	[ "$moved" -le "$((bytes + 4194304))" ] || fail "$*: $moved of $bytes"
}

t_four_threads_read_a_file_once_in_each_layout_and_order() {
	need_mounts
	scratch_fs ext4 100M /mnt/a
	scratch_foo 16 /mnt/a
	for layout in shared slice stripe; do
		once $SIZE -p 4 --layout $layout
		once $SIZE -p 4 --layout $layout --pattern reverse
		once $SIZE -p 4 --layout $layout -t randread
	done
}

# RWF_DONTCACHE throws away what the other threads were about to find.
t_each_engine_reads_a_file_once_with_four_threads() {
	need_mounts
	scratch_fs ext4 100M /mnt/a
	scratch_foo 16 /mnt/a
	ways_to_read | grep -v dontcache | while read -r way; do
		# shellcheck disable=SC2086
		reads_or_n_a $SIZE --engine $way -s 16k -p 4 /mnt/a
		[ "$status" = 0 ] || continue
		# shellcheck disable=SC2086
		once $SIZE --engine $way -p 4
	done
}

t_the_aio_tests_read_two_files_once() {
	need_mounts
	scratch_fs ext4 100M /mnt/a
	scratch_foo 16 /mnt/a
	scratch_foo 16 .
	cp foo /mnt/a/bar
	sync -f /mnt/a
	for test in 12 14 16 18 20 22; do
		remounted /mnt/a
		expect 0 "$RAWREAD" read --cold -t $test -p 4 -s 16k \
			--json record /mnt/a/foo /mnt/a/bar
		equal "bytes of $test" "$(json record .bytes)" $((2 * SIZE))
		equal "unique of $test" "$(json record .unique_bytes)" \
			$((2 * SIZE))
	done
}

t_when_each_thread_reads_all_it_is_warm_with_the_reason() {
	need_mounts
	scratch_fs ext4 100M /mnt/a
	scratch_foo 16 /mnt/a
	remounted /mnt/a
	expect 1 "$RAWREAD" read --cold -s 16k -p 4 --layout each \
		--json record /mnt/a
	equal bytes "$(json record .bytes)" $((4 * SIZE))
	equal unique "$(json record .unique_bytes)" $SIZE
	verdict_is record warm "blocks were read twice: $((4 * SIZE)) bytes"
	[ "$(json record .cold.device_bytes)" -le $((SIZE + 4194304)) ] ||
		fail "$(json record .cold)"
	remounted /mnt/a
	expect 0 "$RAWREAD" read -s 16k -p 4 --layout each /mnt/a
	out_has "as each of its 4 threads reads all of it"
}

# With n draws out of n a share of 1 - 1/e of them is different, 63 %; of 1024
# it is within 3 % of that for any seed that anyone will try.
t_draws_with_repeats_are_about_63_percent_different() {
	need_mounts
	scratch_fs ext4 100M /mnt/a
	scratch_foo 16 /mnt/a
	for seed in 1 2 3; do
		remounted /mnt/a
		expect 1 "$RAWREAD" read --cold -t randread -s 16k -p 4 \
			--pattern random-repeat --seed $seed \
			--json record /mnt/a
		equal bytes "$(json record .bytes)" $SIZE
		pct=$(json record '.unique_bytes * 100 / .bytes | floor')
		{ [ "$pct" -ge 59 ] && [ "$pct" -le 67 ]; } ||
			fail "$pct % are different"
		verdict_is record warm "blocks were read twice"
	done
}

t_a_stride_reads_one_block_of_so_many_and_no_more() {
	need_mounts
	scratch_fs ext4 100M /mnt/a
	scratch_foo 16 /mnt/a
	for layout in shared slice stripe; do
		remounted /mnt/a
		expect 0 "$RAWREAD" read -z -s 16k -p 4 --layout $layout \
			--pattern stride --stride 64k --json record /mnt/a
		equal "bytes in $layout" "$(json record .bytes)" $((SIZE / 4))
		equal "unique in $layout" "$(json record .unique_bytes)" \
			$((SIZE / 4))
		equal "device bytes in $layout" \
			"$(json record '.cold.device_bytes / 1048576 | floor')" 4
	done
}

t_threads_with_files_of_their_own_share_nothing() {
	need_mounts
	scratch_fs ext4 100M /mnt/a
	for name in a b c d; do
		noise /mnt/a/$name 4194304
	done
	sync -f /mnt/a
	remounted /mnt/a
	expect 0 "$RAWREAD" read --cold -s 16k --json record /mnt/a/[abcd]
	equal bytes "$(json record .bytes)" $SIZE
	equal unique "$(json record .unique_bytes)" $SIZE
	equal "of each" "$(json record '[.targets[].bytes] | unique | tostring')" \
		"[4194304]"
}

run_tests "$@"
