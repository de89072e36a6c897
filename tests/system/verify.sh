#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --verify: what every engine, order and layout reads is what "rawread prepare"
# wrote, and a byte that is not is found. --warm: the cache holds the range, and
# the file what it held.
# shellcheck source=tests/support/lib.sh
. "${TESTS:-tests}/support/lib.sh"
# shellcheck source=tests/support/scratch.sh
. "${TESTS:-tests}/support/scratch.sh"

# prepared SIZE: /mnt/a/foo, on ext4 in $loop, and nothing of it in memory.
prepared() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	expect 0 "$RAWREAD" prepare --size "$1" /mnt/a
	remounted /mnt/a
}

# flip OFFSET: that byte of /mnt/a/foo.
flip() {
	byte=$(dd if=/mnt/a/foo bs=1 skip="$1" count=1 status=none |
		od -An -tu1 | tr -d ' ')
	# shellcheck disable=SC2059 # it is the format that makes the byte
	printf "\\$(printf %03o $((byte ^ 1)))" |
		dd of=/mnt/a/foo bs=1 seek="$1" conv=notrunc status=none
	sync /mnt/a/foo
}

# compares: the engines that leave what they read in a buffer.
compares() {
	ways_to_read | grep -v '^splice'
}

t_all_that_is_read_is_what_was_prepared() {
	prepared 2100001b
	compares | while read -r way; do
		for pattern in 'sequential -t 4' 'reverse -t 4' 'random -t 10' \
			'random-repeat -t 10' 'stride -t 4 --stride 128k'; do
			for layout in shared slice stripe each; do
				# shellcheck disable=SC2086
				run "$RAWREAD" read --verify -p 3 -s 64k \
					--engine $way --pattern $pattern \
					--layout $layout /mnt/a
				case $status in 0) continue ;; esac
				err_has "n/a: "
			done
		done
	done
}

t_iovecs_and_batches_are_compared_as_well() {
	prepared 2100001b
	for words in '-t 2' '-t 8' '-t 2 -i 3 -s 5000b' '-t 12' '-t 14' '-t 16' \
		'-t 18' '-t 20' '-t 22' '-t 8 -z -s 4k' '-t 2 --engine preadv2'; do
		# shellcheck disable=SC2086
		expect 0 "$RAWREAD" read --verify -s 16k -p 2 $words /mnt/a
	done
	expect 0 "$RAWREAD" read --verify -s 3000b -o 12345b -r 1000001b /mnt/a
}

t_one_wrong_byte_is_found_by_each_engine_with_its_place() {
	prepared 2100001b
	for at in 2000000 777 2100000; do
		flip $at
		compares | while read -r way; do
			# shellcheck disable=SC2086
			run "$RAWREAD" read --verify -p 2 -s 64k --engine $way \
				--json record /mnt/a
			[ "$status" != 2 ] || continue
			equal "status of $way" "$status" 1
			err_is_one_line
			err_has "verify /mnt/a/foo at offset $((at / 65536 * 65536)): byte $at is not"
		done
		flip $at
	done
	expect 0 "$RAWREAD" read --verify /mnt/a
}

t_what_holds_nothing_prepared_is_refused() {
	prepared 1m
	cp /mnt/a/foo /mnt/a/copy
	expect 2 "$RAWREAD" read --verify /mnt/a/copy
	err_has "--verify: /mnt/a/copy: "
	err_has "has no mark of 'rawread prepare'"
	err_is_one_line
	expect 2 "$RAWREAD" read --verify --engine splice /mnt/a
	err_has "leaves nothing in the buffer"
	expect 2 "$RAWREAD" read --verify --latency /mnt/a
	truncate -s 2m /mnt/a/foo
	expect 2 "$RAWREAD" read --verify /mnt/a
	err_is_one_line
}

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
