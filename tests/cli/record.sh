#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The keys of a run's line: what is there, what is left out, and what adds up.
# shellcheck source=tests/support/lib.sh
. "${TESTS:-tests}/support/lib.sh"

t_columns_of_threads_add_up_to_the_sums() {
	noise f 1048576
	noise g 524288
	expect 0 "$RAWREAD" read -p 5 -s 16k --json record f g
	for sum in bytes reads; do
		is_true record "(.threads.$sum | add) == .$sum"
		is_true record "(.threads.$sum | length) == 5"
	done
	is_true record '(.threads.cpu_ns | add) == .own_cpu_ns'
	is_true record '(.threads.done_ns | max) == .span_ns'
	is_true record '([.targets[].last_done_ns] | max) == .span_ns'
	is_true record '([.targets[].first_done_ns] | min) == .first_done_ns'
	is_true record '.threads.cpu | length == 5'
}

t_columns_that_say_nothing_are_left_out() {
	noise f 65536
	noise g 65536
	expect 0 "$RAWREAD" read -p 4 -s 16k --pin none --json record f g
	equal columns "$(json record '.threads | keys | join(" ")')" \
		"bytes cpu_ns done_ns reads"
	equal cpus "$(json record .cpus)" null
	for key in latency nowait_retries latency_ns_per_1000_reads; do
		equal "$key" "$(json record ".$key")" null
	done
	equal "verdict of direct I/O" \
		"$(json record '.targets[0].direct_io')" null
}

# Each of its threads works on all targets.
t_threads_of_a_batch_are_of_no_target() {
	noise f 1048576
	noise g 1048576
	for test in 16 20; do
		expect 0 "$RAWREAD" read -t $test -p 4 -s 16k --json record f g
		equal threads "$(json record '.threads.reads | length')" 2
		is_true record '(.threads.bytes | add) == 2097152'
		equal target "$(json record .threads.target)" null
	done
}

t_a_thread_without_a_block_is_as_long_in_a_run_as_the_others() {
	noise f 1000
	noise g 2000
	expect 0 "$RAWREAD" read -p 6 -s 1k --json record f g
	is_true record '.targets[0] | .thread_ns >= 3 * .last_done_ns'
	is_true record '.targets[1] |
		.thread_ns >= 2 * .last_done_ns + .first_done_ns'
}

t_threads_have_the_cpus_they_were_pinned_to() {
	noise f 65536
	cpu=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*\([0-9]*\).*/\1/p' \
		/proc/self/status)
	expect 0 "$RAWREAD" read -p 3 -s 4k --pin "$cpu" --json record f
	equal cpus "$(json record .cpus)" "$cpu"
	equal columns "$(json record '.threads.cpu | join(" ")')" \
		"$cpu $cpu $cpu"
	is_true record '.threads.core | length == 3'
}

t_a_run_that_failed_has_no_threads() {
	mkdir d
	expect 0 "$RAWREAD" prepare --size 1m d
	run "$RAWREAD" read --verify d/foo
	[ "$status" = 0 ] || skip "needs extended attributes"
	printf x | dd of=d/foo bs=1 seek=4096 conv=notrunc status=none
	expect 1 "$RAWREAD" read --verify -s 4k --json record d/foo
	for key in threads latency cpu cold; do
		equal "$key" "$(json record ".$key")" null
	done
	equal "its target" "$(json record '.targets[0].size_bytes')" 1048576
	is_true record 'has("error")'
}

t_what_timing_adds_is_recorded_beside_the_loop() {
	noise f 65536
	expect 0 "$RAWREAD" read --latency -s 4k --json record f
	is_true record '.loop_ns_per_1000_reads >= .latency_ns_per_1000_reads'
	equal count "$(json record .latency.count)" 16
	equal "count in buckets" \
		"$(json record '[.latency.buckets[][1]] | add')" 16
}

t_a_test_that_writes_is_neither_cold_nor_warm() {
	noise f 65536
	expect 0 "$RAWREAD" read -t 1 --destroy-data=f -s 4k --json record f
	equal verdict "$(json record .cold.verdict)" unknown
	equal causes "$(json record '.cold.causes | join("|")')" \
		"the test writes"
	equal bytes "$(json record .bytes)" 65536
}

t_a_usual_line_is_short() {
	noise f 65536
	expect 0 "$RAWREAD" read -s 4k --json record f
	[ "$(wc -c <record)" -lt 1500 ] || fail "$(cat record)"
}

run_tests "$@"
