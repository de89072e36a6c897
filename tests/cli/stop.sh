#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The ways to end a run, what is counted until then, and what does not go
# together.
# shellcheck source=tests/support/lib.sh
. "${TESTS:-tests}/support/lib.sh"

t_a_time_ends_and_the_ramp_does_not_count() {
	noise f 1048576
	for way in '-t 0 -p 3' '-t 10 --pattern random-repeat' '-t 16 -p 2' \
		'-t 22' '-t 4 --engine mmap' '-t 2' '--layout each -p 2' \
		'--latency' '--pattern stride --stride 8k'; do
		# shellcheck disable=SC2086
		expect 0 timeout 60 "$RAWREAD" read $way --time 300ms \
			--ramp 100ms -s 4k --json record f
		is_true record '.span_ns >= 300000000'
		equal "time of $way" "$(json record .params.time_ns)" 300000000
		equal ramp "$(json record .params.ramp_ns)" 100000000
		is_true record '.bytes >= 4096 and .reads >= 1'
		is_true record '.unique_bytes <= 1048576'
		is_true record '(.targets | map(.bytes) | add) == .bytes'
	done
}

# Threads of a real-time policy leave no CPU to who wants to end them.
t_a_timed_run_ends_under_a_real_time_policy_too() {
	chrt -f 10 true 2>/dev/null || skip "needs to be permitted chrt"
	noise f 1048576
	cpu=$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/')
	for policy in -r -f; do
		expect 0 timeout -s KILL 60 taskset -c "$cpu" chrt $policy 10 \
			"$RAWREAD" read --time 200ms -p 2 -s 4k --json record f
		is_true record '.span_ns >= 200000000'
	done
}

t_a_signal_during_a_timed_run_is_130_and_writes_no_half_record() {
	noise f 1048576
	status=0
	timeout --foreground --preserve-status -s INT 1 "$RAWREAD" read \
		--time 1h --ramp 1h -p 2 --json record f >out 2>err \
		</dev/null || status=$?
	equal status "$status" 130
	err_has interrupted
	err_is_one_line
	equal "record file" "$(wc -c <record)" 0
}

# slow_readahead WORDS...: the run in $holder, whose 32 calls of readahead(2) a
# thread take a tenth of a second each, the calls in the file trace.
slow_readahead() {
	need_strace
	strace -qq -e trace=readahead -e inject=readahead:delay_enter=1 true \
		2>/dev/null || skip "needs a strace that delays calls"
	noise f 4194304
	rm -f trace
	hold env --default-signal=INT strace -f -qq -I never -o trace \
		-e trace=readahead -e signal=none \
		-e inject=readahead:delay_enter=100000 \
		sh -c 'echo $$ >pid; exec "$@"' sh \
		"$RAWREAD" read --readahead -s 4k --json record "$@" f \
		>out 2>err </dev/null
}

calls_of_readahead() {
	grep -c 'readahead(' trace
}

t_a_signal_ends_the_reading_ahead() {
	slow_readahead -p 1
	until [ -s trace ] && [ -s pid ]; do
		kill -0 "$holder" || fail "it ended: $(cat err)"
		sleep 0.01
	done
	kill -INT "$(cat pid)"
	status=0
	wait "$holder" || status=$?
	equal status "$status" 130
	err_has interrupted
	[ "$(calls_of_readahead)" -lt 32 ] || fail "it read ahead of all"
}

t_reading_ahead_ends_with_the_time_of_the_run() {
	slow_readahead -p 1 --time 150ms
	status=0
	wait "$holder" || status=$?
	equal status "$status" 1
	err_has "nothing was read in --time 150ms"
	[ "$(calls_of_readahead)" -lt 32 ] || fail "it read ahead of all"
}

t_bytes_are_read_of_each_target_in_whole_blocks() {
	noise f 1048576
	noise g 3145728
	for layout in shared slice stripe; do
		for threads in 2 4 6; do
			expect 0 "$RAWREAD" read --bytes 100000b -s 4k \
				--layout $layout -p $threads --json record f g
			# 25 blocks of 4 KB.
			equal "f, $layout" \
				"$(json record '.targets[0].bytes')" 102400
			equal "g, $layout" \
				"$(json record '.targets[1].bytes')" 102400
			equal asked "$(json record .params.stop_bytes)" 100000
		done
	done
	expect 0 "$RAWREAD" read --bytes 2m -s 64k -p 2 --json record f
	equal "more than there is" "$(json record .bytes)" 2097152
	equal "of it different" "$(json record .unique_bytes)" 1048576
	verdict_is record warm "blocks were read twice"
}

t_without_a_way_to_end_the_range_is_read_once() {
	noise f 1048577
	for words in '-p 3' '-p 3 --layout stripe' '-t 6' '-t 20' \
		'--pattern reverse'; do
		# shellcheck disable=SC2086
		expect 0 "$RAWREAD" read $words -s 4k --json record f
		equal "bytes of $words" "$(json record .bytes)" 1048577
		equal "unique of $words" "$(json record .unique_bytes)" 1048577
	done
}

# refused TEXT WORDS...
refused() {
	text=$1
	shift
	expect 2 timeout 20 "$RAWREAD" read "$@" f
	err_has "$text"
	err_is_one_line
	equal "stdout of $*" "$(wc -c <out)" 0
}

t_what_does_not_go_together_is_refused_with_the_reason() {
	noise f 1048576
	refused "--reads (-n) and --time are two ways" -n 1 --time 1
	refused "--reads (-n) and --bytes are two ways" -n 1 --bytes 1m
	refused "--bytes and --time are two ways" --bytes 1m --time 1
	refused "--ramp comes before --time" --ramp 1s
	refused "--ramp comes before --time" --ramp 1s -n 5
	refused "-l 3 repeats -n" -l 3 --time 1s
	refused "two ways" -n 5 --time 1s --bytes 1m
	refused "--pattern random does not go with test 0" --pattern random
	refused "--pattern reverse does not go with test 6" -t 6 \
		--pattern reverse
	refused "--pattern stride wants --stride" --pattern stride
	refused "--stride is of --pattern stride" --stride 64k
	refused "a stride of 1000 bytes" --pattern stride --stride 1000b -s 512
	refused "--seed is for the order of random blocks" --seed 3
	refused "--latency times the reads" --latency --verify
	refused "--rwf has flags of engine preadv2" --rwf hipri
	refused "--madvise is for mappings" --madvise random
	refused "engine mmap maps" --engine mmap -z
	refused "that --fadvise and --readahead fill" -z --fadvise willneed
	refused "that --fadvise and --readahead fill" -z --readahead
	refused "engine pread takes no iovecs" -t 2 --engine pread
	refused "keeps nothing in flight" -t 16 --engine pread
	refused "does not write" -t 1 --engine pread
	refused "does not read" -t 0 --engine pwrite
	for option in --verify --noatime --readahead '--fadvise random' \
		'--read-ahead-kb 4' --cold '--warm fill=read'; do
		# shellcheck disable=SC2086
		refused "is about reading, and test 1" -t 1 --destroy-data \
			$option
	done
}

t_numbers_that_are_too_large_are_refused_by_name() {
	noise f 4096
	for option in offset range bytes stride block-size; do
		for size in 16777216t 18446744073709551616b 99999999999999999999; do
			refused "$option: '$size'" "--$option" $size
		done
	done
	refused "time: '99999999999h'" --time 99999999999h
	refused "than 2^63" --time 9000000000s --ramp 9000000000s
	refused "reads: " -n 99999999999999999999
	refused "more than 2^63" -n 9223372036854775807
}

run_tests "$@"
