#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The ten lines of the published sweep, unchanged, on /mnt/mnt1 and /mnt/mnt2.
# shellcheck source=tests/support/lib.sh
. "${TESTS:-tests}/support/lib.sh"
# shellcheck source=tests/support/scratch.sh
. "${TESTS:-tests}/support/scratch.sh"

# number_of REGEX: the first group of the line of stdout that is like it.
number_of() {
	sed -n -E "s|^$1\$|\\1|p" out | head -n 1
}

t_the_ten_published_lines_run_unchanged() {
	need_mounts
	scratch_fs ext4 300M /mnt/mnt1
	scratch_fs ext4 300M /mnt/mnt2
	scratch_foo 200 /mnt/mnt1 /mnt/mnt2
	while read -r size count; do
		expect 0 "$RAWREAD" -m 2 -p 16 -d 1 -n "$count" -f -c -t 0 \
			-s "$size"
		out_has "-t 0          sequential read() test"
		out_has "-p 16         number of processes"
		out_has "-r 200        range in MB"
		out_has "-f            using /mnt/mnt..."
		out_has "-c            O_SYNC flag used "
		out_has "   20480      minimum kbytes read by each process"
		reads=$(number_of '   16 {17}   *([0-9]+)  .*')
		[ "$reads" -ge $((16 * count)) ] ||
			fail "$size: $reads reads, not $((16 * count))"
		for n in 1 2; do
			reads=$(number_of "    8    /mnt/mnt$n/foo  +([0-9]+)  .*")
			[ "$reads" -ge $((8 * count)) ] ||
				fail "$size: /mnt/mnt$n/foo has $reads reads"
		done
	done <<-END
		1024 20480
		2048 10240
		4096 5120
		8192 2560
		16384 1280
		32768 640
		65536 320
		131072 160
		262144 80
		524288 40
	END
}

# Eight threads that share a file read it once, in order, from 8 descriptors.
t_threads_of_one_file_read_its_blocks_once_and_cold() {
	need_mounts
	scratch_fs ext4 100M /mnt/mnt1
	scratch_foo 64 /mnt/mnt1
	umount /mnt/mnt1
	mount "$loop" /mnt/mnt1
	expect 0 "$RAWREAD" read -m 1 -p 8 --layout shared -s 64k -f \
		--json record
	equal bytes "$(json record .bytes)" 67108864
	equal unique "$(json record .unique_bytes)" 67108864
	equal verdict "$(json record '.cold | "\(.verdict) \(.causes)"')" \
		"cold null"
}

run_tests "$@"
