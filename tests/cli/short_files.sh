#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Files that are shorter than a block, or than they were: each engine delivers
# what there is, counts that and no more, and never waits for what is not.
# shellcheck source=tests/support/lib.sh
. "${TESTS:-tests}/support/lib.sh"

# refused TEXT WORDS...: exit 2, one line on stderr with TEXT, none on stdout.
refused() {
	text=$1
	shift
	expect 2 timeout 20 "$RAWREAD" read "$@"
	err_has "$text"
	err_is_one_line
	equal stdout "$(wc -c <out)" 0
}

t_each_engine_delivers_an_odd_file_to_its_last_byte() {
	noise f 100001
	ways_to_read | while read -r way; do
		for test in seqpread randpread; do
			for size in 64k 512 200k; do
				# shellcheck disable=SC2086
				reads_or_n_a 100001 -t $test --engine $way \
					-s $size f
				case $way in *--*) continue ;; esac
				equal "$way -t $test -s $size" "$status" 0
			done
		done
	done
}

t_each_layout_and_pattern_delivers_it_once() {
	noise f 100001
	for engine in read pread mmap splice libaio; do
		for layout in shared slice stripe; do
			for pattern in 'sequential -t 0' 'reverse -t 0' \
				'random -t 6'; do
				# shellcheck disable=SC2086
				expect 0 "$RAWREAD" read --engine $engine -p 3 \
					-s 4000b --layout $layout \
					--pattern $pattern --json - f
				way="$engine $layout $pattern"
				equal "bytes, $way" "$(json out .bytes)" 100001
				equal "unique, $way" \
					"$(json out .unique_bytes)" 100001
				equal "short, $way" "$(json out .short_reads)" null
			done
		done
	done
}

t_iovecs_and_batches_end_with_the_file_too() {
	noise f 100001
	noise g 70000
	for engine in readv preadv2; do
		for test in seqreadv randreadv; do
			expect 0 "$RAWREAD" read -t $test --engine $engine \
				-i 3 -s 5000b -p 2 --json - f
			equal "$engine $test" "$(json out .bytes)" 100001
		done
	done
	for test in 12 14 16 18 20 22; do
		for size in 64k 4k 1000b; do
			expect 0 timeout 60 "$RAWREAD" read -t $test -s $size \
				-p 4 --json - f g
			equal "test $test by $size" "$(json out .bytes)" 170001
			equal "f of it" "$(json out '.targets[0].bytes')" 100001
		done
	done
}

t_a_range_that_is_too_long_is_refused_by_each_engine() {
	noise f 100001
	ways_to_read | grep -v -- --direct | while read -r way; do
		# shellcheck disable=SC2086
		refused "f: 100001 bytes, and the range needs 1048576" \
			--engine $way -s 64k -r 1 f
		err_has "-r 100001b fits"
		# shellcheck disable=SC2086
		refused "f has 100001 bytes, and the offset 104097" \
			--engine $way -s 64k -o 104097b f
	done
	for test in 0 2 4 6 8 10 12 14 16 18 20 22; do
		expect 2 timeout 20 "$RAWREAD" -t $test -r 1 -n 10 ./f
		err_has "./f: 100001 bytes, and the range needs 1048576"
	done
}

t_the_last_byte_is_a_range_of_its_own() {
	noise f 100001
	for way in read readv pread preadv2 mmap splice libaio; do
		expect 0 "$RAWREAD" read --engine $way -t 4 -s 64k -o 100000b \
			--json - f
		equal "$way" "$(json out .bytes)" 1
	done
}

t_an_empty_file_is_refused_by_each_engine() {
	: >f
	ways_to_read | while read -r way; do
		# shellcheck disable=SC2086
		run timeout 20 "$RAWREAD" read --engine $way f
		equal "status of $way" "$status" 2
		err_is_one_line
		case $(cat err) in *"f is empty"* | *n/a*) ;; *) fail "$(cat err)" ;; esac
	done
}

# opened FILE PID: how often, the descriptors of each thread counted.
opened() {
	find /proc/"$2"/task/*/fd -lname "$1" 2>/dev/null | wc -l
}

# When a thread has a descriptor besides the first one the plan is made, and it
# reads on for ever, in what is no longer there.
t_a_file_that_is_cut_off_during_the_run_is_an_error() {
	for way in read readv pread preadv2 'preadv2 --rwf hipri' mmap splice \
		libaio 'libaio -t 16' 'libaio -t 20' 'readv -t 2' \
		'pread --time 1h' 'pread --latency'; do
		noise f 1048576
		rm -f record
		case $way in *--time*) ;; *) way="$way -n 1000000000000" ;; esac
		# shellcheck disable=SC2086
		hold "$RAWREAD" read --engine $way -s 16k --json record \
			"$PWD/f" >out 2>err </dev/null
		until [ "$(opened "$PWD/f" "$holder")" -ge 3 ]; do
			kill -0 "$holder" || fail "$way: $(cat err)"
		done
		truncate -s 100001 f
		status=0
		wait "$holder" || status=$?
		equal "status of $way" "$status" 1
		err_is_one_line
		err_has "$PWD/f at offset "
		json record .error | grep -qF "$PWD/f at offset " ||
			fail "$way: $(json record .error)"
		equal "result of $way" "$(json record .bytes)" null
	done
}

run_tests "$@"
