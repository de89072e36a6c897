#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Hints that move the kernel's read-ahead do so, and a run leaves the files as
# they were, their times included where that is asked for.
# shellcheck source=tests/support/lib.sh
. "${TESTS:-tests}/support/lib.sh"
# shellcheck source=tests/support/scratch.sh
. "${TESTS:-tests}/support/scratch.sh"

# cached_by WORDS...: what is in the page cache after one block of 4 KB from the
# middle, which no read-ahead of the kernel's own goes beyond by much.
cached_by() {
	remounted /mnt/a
	expect 0 "$RAWREAD" read -n 1 -s 4k --read-ahead-kb 16 --json record \
		"$@" /mnt/a
	equal "bytes of $*" "$(json record .bytes)" 4096
	cached=$(json record .cold.resident_after_bytes)
}

t_hints_that_ask_for_all_bring_pages_that_nobody_read() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	scratch_foo 4 /mnt/a
	for words in '-t 4' '-t 4 --fadvise random' '-t 4 --fadvise normal' \
		'-t 4 --engine mmap --madvise random'; do
		# shellcheck disable=SC2086
		cached_by $words
		[ "$cached" -le 131072 ] || fail "$words: $cached bytes"
	done
	# How far one call goes is the kernel's, by its own read-ahead.
	for words in '--readahead' '--fadvise willneed' \
		'--engine mmap --madvise willneed' '--engine libaio --readahead' \
		'--engine splice --fadvise willneed'; do
		# shellcheck disable=SC2086
		cached_by -t 4 $words
		[ "$cached" -ge 1048576 ] || fail "$words: $cached bytes"
	done
}

# What is between the blocks was asked for by nobody.
t_random_reads_bring_what_they_ask_for_alone() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	scratch_foo 16 /mnt/a
	remounted /mnt/a
	expect 0 "$RAWREAD" read -t randpread -n 20 -s 4k --fadvise random \
		--json record /mnt/a
	equal cached "$(json record .cold.resident_after_bytes)" 81920
	equal bytes "$(json record .bytes)" 81920
}

t_each_hint_reads_the_whole_file_cold() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	scratch_foo 4 /mnt/a
	for hint in none normal sequential random willneed noreuse; do
		remounted /mnt/a
		expect 0 "$RAWREAD" read --cold --fadvise $hint -s 16k -p 2 \
			--json record /mnt/a
		equal "fadvise $hint" \
			"$(json record '.params.fadvise // "none"')" $hint
	done
	for hint in none normal sequential random willneed nohugepage; do
		remounted /mnt/a
		expect 0 "$RAWREAD" read --cold --engine mmap --madvise $hint \
			-s 16k -p 2 --json record /mnt/a
		equal "bytes, $hint" "$(json record .bytes)" 4194304
	done
	# It needs transparent huge pages in the kernel.
	remounted /mnt/a
	reads_or_n_a 4194304 --engine mmap --madvise hugepage -s 16k /mnt/a
}

# atime FILE: in seconds.
atime() {
	stat -c %X "$1"
}

t_the_time_of_reading_changes_without_noatime_and_not_with_it() {
	need_mounts
	mkdir tree
	noise tree/foo 100001
	for type in ext4 xfs btrfs; do
		command -v mkfs.$type >/dev/null || continue
		scratch_tree $type tree /mnt/$type
		mount -o remount,strictatime /mnt/$type
		file=/mnt/$type/foo
		for way in 'read -t 0' 'libaio -t 16' 'mmap -t 4' \
			'splice -t 4' 'preadv2 -t 2'; do
			touch -a -d '2001-01-01 UTC' "$file"
			# shellcheck disable=SC2086
			expect 0 "$RAWREAD" read --noatime --engine $way "$file"
			expect 0 "$RAWREAD" read --noatime --warm fill=read \
				"$file"
			equal "$way, left alone on $type" "$(atime "$file")" \
				978307200
			# shellcheck disable=SC2086
			expect 0 "$RAWREAD" read --engine $way "$file"
			[ "$(atime "$file")" -gt 978307200 ] ||
				fail "$way on $type: no change without it"
		done
	done
}

t_noatime_is_for_owners_and_the_cure_is_told() {
	need_mounts
	command -v setpriv >/dev/null || skip "needs setpriv"
	noise /mnt/foo 4096
	chmod 644 /mnt/foo
	cp "$RAWREAD" /mnt/rawread
	expect 2 setpriv --reuid 65534 --regid 65534 --clear-groups \
		/mnt/rawread read --noatime /mnt/foo
	err_has "/mnt/foo"
	err_has "--noatime"
	err_is_one_line
	expect 0 setpriv --reuid 65534 --regid 65534 --clear-groups \
		/mnt/rawread read /mnt/foo
}

t_a_read_changes_neither_bytes_nor_times_of_a_file() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	scratch_foo 1 /mnt/a
	sum=$(sha256sum </mnt/a/foo)
	before=$(stat -c '%Y %Z %s %a' /mnt/a/foo)
	ways_to_read | while read -r way; do
		# shellcheck disable=SC2086
		reads_or_n_a 1048576 --engine $way -s 4k -p 2 /mnt/a
	done
	equal times "$(stat -c '%Y %Z %s %a' /mnt/a/foo)" "$before"
	equal bytes "$(sha256sum </mnt/a/foo)" "$sum"
}

run_tests "$@"
