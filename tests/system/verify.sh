#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --verify: what every engine, order and layout reads is what "rawread prepare"
# wrote, and a byte that is not is found.
# shellcheck source=tests/support/lib.sh
. "${TESTS:-tests}/support/lib.sh"
# shellcheck source=tests/support/scratch.sh
. "${TESTS:-tests}/support/scratch.sh"

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

t_what_other_file_systems_hold_is_compared_too() {
	need_mounts
	mkdir empty
	: >empty/nothing
	for type in xfs btrfs tmpfs; do
		[ $type = tmpfs ] || command -v mkfs.$type >/dev/null || continue
		scratch_tree $type empty /mnt/$type
		expect 0 "$RAWREAD" prepare --size 2100001b /mnt/$type
		run "$RAWREAD" read --verify -t 2 -p 3 -s 5000b /mnt/$type
		# Where it cannot be marked, prepare says so, and so does this.
		[ "$status" = 0 ] || err_has "--verify: /mnt/$type/foo: "
		[ $type = tmpfs ] || equal "status on $type" "$status" 0
	done
}

run_tests "$@"
