#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The figures of a run: latencies, rates and times that hang together, and no
# nonsense in those of a run that is shorter than a clock tick.
# shellcheck source=tests/support/lib.sh
. "${TESTS:-tests}/support/lib.sh"

t_latencies_are_as_many_as_reads_and_in_order() {
	noise f 1048576
	ways_to_read | while read -r way; do
		for words in '-t 4 -p 3' '-t 10 -n 300'; do
			# shellcheck disable=SC2086
			run "$RAWREAD" read --latency --engine $way $words \
				-s 4k --json record f
			[ "$status" = 0 ] || {
				err_has n/a
				continue
			}
			equal "count of $way" "$(json record .latency.count)" \
				"$(json record .reads)"
			is_true record '.latency | .min_ns <= .p50_ns and
				.p50_ns <= .p90_ns and .p90_ns <= .p99_ns and
				.p99_ns <= .p999_ns and .p999_ns <= .max_ns'
			is_true record '.latency | (.buckets | map(.[1]) | add)
				== .count'
			is_true record '.latency.sum_ns >=
				.latency.count * .latency.min_ns'
		done
	done
	expect 0 "$RAWREAD" read -s 4k --json record f
	equal "without it" "$(json record .latency)" null
}

t_batches_have_a_latency_for_each_read_too() {
	noise f 1048576
	noise g 1048576
	for test in 12 14 16 18 20 22; do
		expect 0 "$RAWREAD" read --latency -t $test -p 4 -s 4k \
			--json record f g
		equal "count of $test" "$(json record .latency.count)" 512
	done
}

# told_rate: the KB/s that the text tells.
told_rate() {
	sed -n 's/^Total  *\([0-9]*\) KB\/s over the span.*/\1/p' out
}

# One file ends long before the other, and the rate is that of all bytes over
# the time of all: what one thread did is told besides.
t_the_rate_is_all_bytes_over_the_span_of_all_threads() {
	noise small 1048576
	noise large 33554432
	expect 0 "$RAWREAD" read -s 16k --json record small large
	equal bytes "$(json record .bytes)" 34603008
	is_true record '(.threads.done_ns | max) == .span_ns'
	is_true record '(.threads.done_ns | min) == .first_done_ns'
	is_true record '[.targets[].last_done_ns] == .threads.done_ns'
	is_true record '.threads.bytes == [1048576, 33554432]'
	is_true record '(.threads.reads | add) == .reads'
	expect 0 "$RAWREAD" -n 500 -s 16k ./small ./large --json record
	equal rate "$(told_rate)" \
		"$(json record '.bytes * 1000000000 / .span_ns / 1024 | floor')"
}

# no_nonsense FILE: nothing in it is infinite, no number, or below nothing.
no_nonsense() {
	! grep -Ei '(^|[^a-z])(inf|infinity|nan)([^a-z]|$)' "$1" ||
		fail "in $1"
	! sed 's/^-[a-z] //' "$1" | grep -E '(^|[^a-z0-9_-])-[0-9]' ||
		fail "below 0 in $1"
}

t_runs_of_one_block_tell_no_nonsense() {
	noise f 512
	ways_to_read >all
	echo null >>all
	while read -r way; do
		for _ in 1 2 3 4 5 6; do
			# shellcheck disable=SC2086
			run "$RAWREAD" -e -n 1 -s 512 -t 4 --engine $way ./f \
				--json record
			[ "$status" = 0 ] || continue
			no_nonsense out
			no_nonsense record
			is_true record '[.. | numbers | select(. < 0)] == []'
			is_true record '.span_ns > 0'
		done
	done <all
	for test in 0 2 6 8 12 14 16 18 20 22; do
		for _ in 1 2 3; do
			expect 0 "$RAWREAD" -q -e -n 1 -s 64 -t $test ./f
			no_nonsense out
			no_nonsense err
		done
	done
}

# Of so short a time a thread may read something, or nothing: that has failed.
good_or_nothing() {
	run "$@"
	[ "$status" != 0 ] || return 0
	equal status "$status" 1
	err_has "nothing was read in --time 1ns; give it longer"
}

t_runs_of_a_nanosecond_tell_no_nonsense() {
	noise f 4096
	for words in '--time 1ns' '--time 1ns --ramp 1ns --latency' \
		'--bytes 1b' '-n 1 --latency'; do
		# shellcheck disable=SC2086
		good_or_nothing "$RAWREAD" read $words -s 1k f
		no_nonsense out
		# shellcheck disable=SC2086
		good_or_nothing "$RAWREAD" read $words -s 1k --json record f
		is_true record '[.. | numbers | select(. < 0)] == []'
	done
}

run_tests "$@"
