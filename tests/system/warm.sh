#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --warm: the page cache holds the range before the run begins, whatever the
# file system, and the file what it held.
# shellcheck source=tests/support/lib.sh
. "${TESTS:-tests}/support/lib.sh"
# shellcheck source=tests/support/scratch.sh
. "${TESTS:-tests}/support/scratch.sh"

# is_warm WORDS...: no byte comes from the device.
is_warm() {
	expect 0 "$RAWREAD" read --warm "$@" --json record /mnt/a
	verdict_is record warm
	equal "device bytes, $*" "$(json record .cold.device_bytes)" 0
	equal "before, $*" "$(json record .cold.resident_before_bytes)" \
		"$(json record .cold.resident_after_bytes)"
	equal how "$(json record .params.warm)" "$1"
}

t_a_warm_run_has_all_in_memory_and_changes_nothing() {
	prepared 8m
	before=$(sha256sum </mnt/a/foo)
	for words in '-t 0' '-t 10 -p 3 -s 4k' '-t 4 --engine mmap' \
		'-t 16 -s 16k' '-t 2' '--read-ahead-kb 16'; do
		for fill in fill=read fill=write; do
			remounted /mnt/a
			# shellcheck disable=SC2086
			is_warm $fill --destroy-data $words
			equal bytes "$(json record .bytes)" 8388608
			equal "content after $fill" \
				"$(sha256sum </mnt/a/foo)" "$before"
		done
	done
	remounted /mnt/a
	equal "content on disk" "$(sha256sum </mnt/a/foo)" "$before"
	expect 0 "$RAWREAD" read --verify /mnt/a
}

# fills TYPE HOW...: by reading, and by writing where the file can be written.
fills() {
	need_mounts
	mkdir tree
	noise tree/foo 2100001
	sum=$(sha256sum <tree/foo)
	scratch_tree "$1" tree /mnt/a
	shift
	for fill; do
		for way in 'read -t 0' 'mmap -t 4' 'libaio -t 20' 'splice -t 10'; do
			# shellcheck disable=SC2086
			expect 0 "$RAWREAD" read --warm fill="$fill" --engine $way \
				--destroy-data=/mnt/a/foo -s 16k -p 2 \
				--json record /mnt/a/foo
			verdict_is record warm "filled by"
			equal "bytes, $way" "$(json record .bytes)" 2100001
			# null where there is no device.
			is_true record '.cold.device_bytes | . == null or . == 0'
		done
		equal "content after $fill" "$(sha256sum </mnt/a/foo)" "$sum"
	done
}

t_xfs_is_filled() { fills xfs read write; }
t_btrfs_is_filled() { fills btrfs read write; }
t_tmpfs_is_filled() { fills tmpfs read write; }
t_squashfs_is_filled() { fills squashfs read; }
t_erofs_is_filled() { fills erofs read; }
t_overlay_is_filled() { fills overlay read; }
t_fuse_is_filled() { fills fuse read write; }

t_what_is_read_only_cannot_be_filled_by_writing() {
	need_mounts
	mkdir tree
	noise tree/foo 100001
	scratch_tree ext4 tree /mnt/a
	mount -o remount,ro /mnt/a
	expect 2 "$RAWREAD" read --warm fill=write --destroy-data=/mnt/a/foo \
		--json record /mnt/a/foo
	err_has "open /mnt/a/foo for writing: Read-only file system"
	err_is_one_line
	[ ! -s record ] || equal bytes "$(json record .bytes)" null
	expect 0 "$RAWREAD" read --warm fill=read /mnt/a/foo
}

t_filling_by_writing_wants_the_consent_of_a_write_test() {
	prepared 1m
	noise /mnt/a/other 1048576
	sync /mnt/a/other
	before=$(sha256sum </mnt/a/other)
	expect 2 "$RAWREAD" read --warm fill=write /mnt/a
	err_has "give --destroy-data"
	err_is_one_line
	expect 2 "$RAWREAD" read --warm fill=write --destroy-data /mnt/a/other
	err_has "--destroy-data=/mnt/a/other"
	expect 0 "$RAWREAD" read --warm fill=write \
		--destroy-data=/mnt/a/other /mnt/a/other
	expect 0 "$RAWREAD" read --warm fill=read /mnt/a/other
	equal content "$(sha256sum </mnt/a/other)" "$before"
}

# Only what is read again is filled.
t_a_part_that_is_to_be_warm_is_filled_alone() {
	prepared 32m
	expect 0 "$RAWREAD" read --warm fill=read -o 8 -r 4 -s 64k \
		--json record /mnt/a
	verdict_is record warm
	equal bytes "$(json record .bytes)" 4194304
	command -v fincore >/dev/null || return 0
	cached=$(fincore -nb -o RES /mnt/a/foo | tr -d ' ')
	[ "$cached" -lt 25165824 ] || fail "$cached bytes are cached"
}

# as_nobody WORDS...: "rawread read" of who may read the file, and may not see
# what of it is in memory.
as_nobody() {
	setpriv --reuid 65534 --regid 65534 --clear-groups \
		/mnt/rawread read "$@"
}

t_who_may_not_see_the_cache_can_neither_warm_it_nor_prove_it_cold() {
	prepared 1m
	command -v setpriv >/dev/null || skip "needs setpriv"
	chmod 644 /mnt/a/foo
	cp "$RAWREAD" /mnt/rawread
	expect 0 as_nobody --json - /mnt/a
	verdict_is out unknown "page cache: "
	# Now it is in memory, and that the devices tell to everybody.
	expect 0 as_nobody --json - /mnt/a
	verdict_is out warm "device bytes 0 of 1048576"
	equal before "$(json out .cold.resident_before_bytes)" null
	for fill in read write; do
		expect 2 as_nobody --warm fill=$fill --destroy-data /mnt/a
		err_is_one_line
	done
	expect 2 as_nobody --warm fill=read /mnt/a
	err_has "--warm: /mnt/a/foo: whether it is in the page cache cannot be told"
}

# Holes of a file system in memory need none, so this takes for ever.
t_a_signal_while_it_is_filled_ends_it_and_leaves_no_record() {
	need_mounts
	truncate -s 1t /mnt/huge
	for signal in INT:130 TERM:143; do
		status=0
		timeout --foreground --preserve-status -s "${signal%:*}" 1 \
			"$RAWREAD" read --warm fill=read --json record \
			/mnt/huge >out 2>err </dev/null || status=$?
		equal "status after SIG${signal%:*}" "$status" "${signal#*:}"
		err_has interrupted
		err_is_one_line
		equal "record file" "$(wc -c <record)" 0
	done
}

t_warm_and_what_it_does_not_go_with() {
	noise f 4096
	for words in '--cold' '-z' '-t 1 --destroy-data'; do
		# shellcheck disable=SC2086
		expect 2 "$RAWREAD" read --warm fill=read $words f
		err_has --warm
		err_is_one_line
	done
	expect 2 "$RAWREAD" read --warm fill=air f
	expect 2 "$RAWREAD" read --warm f
}

run_tests "$@"
