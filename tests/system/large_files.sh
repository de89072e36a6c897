#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Offsets, ranges and counts of blocks that do not fit into 32 bits, on sparse
# files as large as the file systems take.
# shellcheck source=tests/support/lib.sh
. "${TESTS:-tests}/support/lib.sh"
# shellcheck source=tests/support/scratch.sh
. "${TESTS:-tests}/support/scratch.sh"

T5=5497558138880

# huge TYPE SIZE OFFSET: /mnt/a/huge, and 16 bytes at OFFSET.
huge() {
	need_mounts
	scratch_fs "$1" 400M /mnt/a
	truncate -s "$2" /mnt/a/huge || skip "no file can be so large here"
	printf 'here-rawread-was' |
		dd of=/mnt/a/huge bs=16 oflag=seek_bytes seek="$3" \
			conv=notrunc status=none
	sync -f /mnt/a
	remounted /mnt/a
}

t_each_engine_reads_at_five_terabytes() {
	huge xfs 7T $T5
	ways_to_read | while read -r way; do
		for test in seqpread randpread; do
			# shellcheck disable=SC2086
			reads_or_n_a 1048576 -t $test --engine $way -o 5t -r 1 \
				-s 64k /mnt/a/huge
			[ "$status" = 0 ] || continue
			equal "offset of $way" \
				"$(json record '.targets[0].offset_bytes')" $T5
			equal "holes of $way" \
				"$(json record .cold.hole_bytes)" 1044480
		done
	done
	for test in 2 8 12 14 16 18 20 22; do
		reads_or_n_a 1048576 -t $test -o 5t -r 1 -s 64k /mnt/a/huge
		equal "status of test $test" "$status" 0
	done
}

# What the system call brought, as strace shows it.
t_what_is_read_there_is_what_was_written_there() {
	huge xfs 7T $T5
	need_strace
	for way in 'read:read' 'pread:pread64' 'preadv2:preadv2' 'readv:readv'; do
		run strace -f -qq -s 16 -o trace -e trace="${way#*:}" \
			-P /mnt/a/huge "$RAWREAD" read --engine "${way%:*}" \
			-o 5t -n 1 -s 64k --json record /mnt/a/huge
		equal "status of $way" "$status" 0
		equal "bytes of $way" "$(json record .bytes)" 65536
		grep -q 'here-rawread-was' trace || fail "$way: $(cat trace)"
	done
}

# 7516192768 blocks of 1 KB; those at the end are as good as the first.
t_blocks_beyond_32_bits_are_numbered_and_read() {
	huge xfs 7T 7696581394416
	expect 0 "$RAWREAD" plan -p 3 -s 1k --pin none /mnt/a/huge
	grep -Eq ' 7696581394432 +7516192768 +3$' out || fail "$(head -3 out)"
	for pattern in 'random -t 10' 'random-repeat -t 10' 'reverse -t 4' \
		'sequential -t 4' 'stride -t 4 --stride 1t'; do
		for layout in shared slice stripe each; do
			# shellcheck disable=SC2086
			expect 0 timeout 60 "$RAWREAD" read -n 3 -s 1k -p 1 \
				--pattern $pattern --layout $layout \
				--json record /mnt/a/huge
			equal "$pattern $layout" "$(json record .bytes)" 3072
			equal range "$(json record '.targets[0].range_bytes')" \
				7696581394432
		done
	done
	# From the end the first block is the one that is written.
	remounted /mnt/a
	expect 0 "$RAWREAD" read -t 4 -z -n 1 -s 4k --pattern reverse \
		--json record /mnt/a/huge
	equal "device bytes" "$(json record .cold.device_bytes)" 4096
}

t_the_last_block_of_the_largest_ext4_file_is_read() {
	# 2^32 - 1 blocks of 4 KB.
	huge ext4 17592186040320 17592186036224
	expect 0 "$RAWREAD" plan -s 1k --pin none /mnt/a/huge
	out_has 17592186040320
	for way in read pread mmap splice libaio; do
		reads_or_n_a 4096 -t 4 --engine $way -o 17592186036224b -s 64k \
			/mnt/a/huge
		equal "status of $way" "$status" 0
	done
	expect 2 "$RAWREAD" read -o 16t /mnt/a/huge
	err_has "/mnt/a/huge has 17592186040320 bytes, and the offset 17592186044416"
	expect 2 "$RAWREAD" read -r 16t /mnt/a/huge
	err_has "4096 more than there are"
}

# Bytes, rates and sums of a run that are larger than 2^32, by the loop alone.
t_sums_beyond_32_bits_are_whole() {
	huge ext4 8T 4096
	expect 0 timeout 60 "$RAWREAD" read --engine null -s 16m -p 4 \
		--json record /mnt/a/huge
	equal bytes "$(json record .bytes)" 8796093022208
	equal unique "$(json record .unique_bytes)" 8796093022208
	equal reads "$(json record .reads)" 524288
	expect 0 timeout 60 "$RAWREAD" read --engine null -s 16m -p 4 /mnt/a/huge
	rate=$(sed -n 's/^Total  *\([0-9]*\) KB.*/\1/p' out)
	[ "$rate" -gt 4294967296 ] || fail "$rate KB/s"
}

run_tests "$@"
