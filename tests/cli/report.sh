#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# One label as a table.
# shellcheck source=tests/support/lib.sh
. "${TESTS:-tests}/support/lib.sh"
# shellcheck source=tests/fixtures/records/lines.sh
. "${TESTS:-tests}/fixtures/records/lines.sh"

table() {
	"$RAWREAD" report "$@"
}

# row BLOCK-SIZE: its cells in the last output, with one blank in between.
row() {
	grep -E "^ *$1 " out | tr -s ' ' | sed 's/^ //'
}

t_a_row_has_rates_cost_shape_runs_and_spread() {
	{
		campaign c x
		for rate in 49000 50000 51000; do
			run_of c 4096 $rate
		done
		run_of c 65536 90000
		end c 4
	} >r.jsonl
	expect 0 table r.jsonl
	equal "the heading" "$(grep '^block size' out | tr -s ' ')" \
		"block size KB/s %CPU KB/CPU s KB/req runs spread% cold"
	# 128 MB by 0.5 CPU seconds; %CPU of 50 in 200 ticks.
	equal "a row of three" "$(row 4096)" \
		"4096 50000 25.00 262144 128.0 3 2.00 cold"
	equal "a row of one" "$(row 65536)" \
		"65536 90000 25.00 262144 128.0 1 - cold"
	equal "the last line" "$(tail -n 1 out)" \
		"2 rows, 4 runs: 2 cold, 0 not, 0 with errors or n/a"
	equal "stderr" "$(cat err)" ""
}

t_equal_runs_show_that_they_have_no_spread() {
	{
		campaign c x
		run_of c 4096 50000
		run_of c 4096 50000
		end c 2
	} >r.jsonl
	expect 0 table r.jsonl
	equal "the row" "$(row 4096)" "4096 50000 25.00 262144 128.0 2 0 cold"
}

t_above_stands_where_it_was_measured() {
	{
		campaign c '6.18.0-mm1'
		run_of c 4096 50000
		end c 1
	} >r.jsonl
	expect 0 table r.jsonl
	for text in 'label      6.18.0-mm1, of r.jsonl' \
		'kernel     6.18.5, #1 SMP PREEMPT_DYNAMIC' \
		'host       tester, Some CPU, 1 node, 2 cores, 2 PUs, 24.0 GB' \
		'flush      remount' \
		'/mnt/mnt1/foo: 64m, ext4 on loop1 on vda, read-ahead 2560 KB' \
		'threads 2, targets 2, range 64m'; do
		out_has "$text"
	done
}

# S01: a preallocated file is read at the speed of memory.
t_a_warm_row_shows_the_bytes_that_no_device_moved() {
	{
		campaign c x
		run_of c 65536 900000 '"bytes":104857600,"cold":{
			"verdict":"warm","resident_before_bytes":0,
			"device_bytes":0,"hole_bytes":104857600,"causes":[
			"all of /mnt/mnt1/foo is unwritten"]}'
		end c 1
	} >r.jsonl
	expect 0 table r.jsonl
	equal "the mark" "$(row 65536 | cut -d' ' -f8)" w
	out_has "w  65536: device bytes 0 of 104857600"
	out_has "w  65536: all of /mnt/mnt1/foo is unwritten"
	out_has "1 row, 1 run: 0 cold, 1 not, 0 with errors or n/a"
}

t_rows_that_were_to_be_warm_are_told_as_filled() {
	{
		campaign c x
		run_of c 4096 900000 "\"params\":$(params 4096 '"warm":"fill=read"'),
			\"cold\":{\"verdict\":\"warm\",\"device_bytes\":0,
			\"causes\":[\"filled by reading before, as --warm asked\"]}"
		end c 1
	} >r.jsonl
	expect 0 table r.jsonl
	equal "the mark" "$(row 4096 | cut -d' ' -f8-)" filled
	out_has "warm fill=read"
	out_has "-  4096: page cache: filled by reading before, as --warm asked"
	out_has "1 row, 1 run: 0 cold, 1 filled, 0 not, 0 with errors or n/a"
}

t_one_warm_run_of_three_marks_the_row() {
	{
		campaign c x
		run_of c 4096 50000
		run_of c 4096 50000 '"cold":{"verdict":"unknown","causes":[
			"residency of /mnt/mnt1/foo: not permitted"]}'
		run_of c 4096 50000
		end c 3
	} >r.jsonl
	expect 0 table r.jsonl
	equal "the mark" "$(row 4096 | cut -d' ' -f8)" u
	out_has "u  4096: residency of /mnt/mnt1/foo: not permitted"
}

t_errors_and_rows_not_available_stay_visible_with_their_reason() {
	{
		campaign c x
		run_of c 512 1 '"error":"O_DIRECT needs blocks of 4096",
			"not_available":true'
		run_of c 4096 50000
		run_of c 4096 1 '"error":"read /mnt/mnt1/foo at 65536: EIO"'
		run_of c 8192 1 '"error":"read /mnt/mnt1/foo at 0: EIO"'
		end c 4
	} >r.jsonl
	expect 0 table r.jsonl
	equal "n/a" "$(row 512)" "512 - - - - 0/1 - n/a"
	equal "an error of two" "$(row 4096)" \
		"4096 50000 25.00 262144 128.0 1/2 - cold e"
	equal "an error" "$(row 8192)" "8192 - - - - 0/1 - error"
	out_has "n  512: O_DIRECT needs blocks of 4096"
	out_has "e  4096, 8192: read /mnt/mnt1/foo at 65536: EIO (or alike)"
	out_has "3 rows, 4 runs: 0 cold, 0 not, 3 with errors or n/a"
}

t_under_100_ticks_a_row_is_marked_too_short() {
	{
		campaign c x
		run_of c 4096 50000 "\"cpu\":$(cpu 9 40)"
		run_of c 4096 50000 "\"cpu\":$(cpu 10 40)"
		run_of c 8192 50000 "\"cpu\":$(cpu 20 40)"
		run_of c 8192 50000 "\"cpu\":$(cpu 0 40)"
		run_of c 16384 50000 "\"cpu\":$(cpu 0 0)"
		end c 5
	} >r.jsonl
	expect 0 table r.jsonl
	equal "99 ticks" "$(row 4096 | cut -d' ' -f8-)" "cold t"
	equal "100 ticks" "$(row 8192)" "8192 50000 20.00 1310720 128.0 2 0 cold"
	equal "none" "$(row 16384)" "16384 50000 - - 128.0 1 - cold t"
	out_has "t  4096, 16384: 99 ticks of all CPUs in total, less than 100"
	! grep -qiE 'nan|inf' out || fail "$(cat out)"
}

t_steal_is_shown() {
	{
		campaign c x
		run_of c 4096 50000 "\"cpu\":$(cpu 50 100 '"steal":50')"
		end c 1
	} >r.jsonl
	expect 0 table r.jsonl
	equal "%CPU" "$(row 4096 | cut -d' ' -f3)" 50.00
	out_has "steal, which %CPU counts as busy, was up to 25.00 % of CPU time"
}

t_a_campaign_that_was_interrupted_says_so() {
	{
		campaign c x '"runs":30'
		run_of c 4096 50000
		run_of c 8192 50000
		end c 2 '"cause":"SIGINT"'
		campaign d x '"runs":7'
		run_of d 4096 50000
	} >r.jsonl
	expect 0 table r.jsonl
	out_has "interrupted by SIGINT after 2 of 30 runs"
	out_has "still running or killed, after 1 of 7 runs"
	equal "pooled runs" "$(row 4096 | cut -d' ' -f6)" 2
}

t_each_test_and_each_kind_of_rows_has_a_table() {
	{
		campaign c x
		run_of c 4096 50000
		run_of c 4096 40000 "\"params\":$(params 4096 '"test":"randread"')"
		for threads in 16 2; do
			run_of c 4096 30000 "\"params\":$(params 4096 \
				"\"test\":\"randread\",\"threads\":$threads,\"direct\":true")"
		done
		end c 4
	} >r.jsonl
	expect 0 table r.jsonl
	equal "tables" "$(grep -c '^block size' out)" 4
	out_has "seqread, sequential read()"
	equal "headings" "$(grep -A 1 '^randread' out | grep threads)" \
		"threads 2, direct no
threads 2, direct yes
threads 16, direct yes"
}

t_a_run_that_no_sweep_took_in_can_be_reported() {
	run_of c 4096 50000 | jq -c 'del(.campaign_id)' >r.jsonl
	expect 0 table r.jsonl
	out_has "label      (no label), of r.jsonl"
	{
		campaign c x
		run_of c 4096 50000
	} >>r.jsonl
	expect 2 table r.jsonl
	err_has "(no label), x"
	expect 0 table r.jsonl:
	expect 0 table r.jsonl:x
}

t_a_torn_last_line_is_told_once_and_the_rest_is_shown() {
	{
		campaign c x
		run_of c 4096 50000
		run_of c 8192 50000 | head -c 100
	} >r.jsonl
	expect 0 table r.jsonl
	equal "stderr" "$(cat err)" "rawread: r.jsonl: last line is torn, dropped"
	out_has "1 row, 1 run:"
}

t_a_broken_line_is_told_with_its_number() {
	{
		campaign c x
		run_of c 4096 50000 '"span_ns":-1'
	} >r.jsonl
	expect 2 table r.jsonl
	err_is_one_line
	err_has "r.jsonl:2: run.span_ns"
	equal "stdout" "$(cat out)" ""
	echo '{"type":"run","schema":2}' >r.jsonl
	expect 2 table r.jsonl
	err_has "r.jsonl:1: schema 2 is not known"
}

t_records_may_come_from_a_pipe() {
	{
		campaign c x
		run_of c 4096 50000
		end c 1
	} | "$RAWREAD" report - >out || fail "status $?"
	out_has "label      x, of -"
}

t_nothing_from_a_file_reaches_the_terminal_unescaped() {
	esc='\u001b[2J\u0007'
	{
		campaign c "x$esc" "\"kernel_version\":\"$esc\u009b\""
		run_of c 4096 50000 "\"cold\":{\"verdict\":\"warm\",
			\"causes\":[\"$esc\nw  8192: forged\"]}"
		end c 1 "\"cause\":\"$esc\""
	} >r.jsonl
	expect 0 table r.jsonl
	! LC_ALL=C grep -q '[^ -~]' out || fail "$(LC_ALL=C grep '[^ -~]' out)"
	! grep -q '^w  8192' out || fail "a forged line"
	expect 2 table r.jsonl:y
	! LC_ALL=C grep -q '[^ -~]' err || fail "$(cat err)"
	err_is_one_line
}

t_lines_fit_a_mail() {
	{
		campaign c x
		for size in 1024 2048 4096 8192 16384 32768 65536 131072 262144 \
			524288; do
			run_of c $size 10485760 '"cold":{"verdict":"warm",
				"causes":["the superblock is still mounted by pid 812 (cat) in another mount namespace"]}'
		done
	} >r.jsonl
	expect 0 table r.jsonl
	! grep -qE '.{79}' out || fail "$(grep -E '.{79}' out)"
	! grep -qE ' $' out || fail "trailing blanks: $(grep -nE ' $' out)"
}

t_a_closed_pipe_or_a_full_disk_behind_stdout_is_trouble() {
	{
		campaign c x
		run_of c 4096 50000
	} >r.jsonl
	status=0
	table r.jsonl >/dev/full 2>err || status=$?
	equal "the status" "$status" 2
	err_is_one_line
	err_has "write standard output: No space left on device"
	mkfifo pipe
	: <pipe &
	exec 9>pipe
	wait
	status=0
	table r.jsonl >&9 2>err || status=$?
	equal "the status" "$status" 2
	err_has "write standard output: Broken pipe"
}

t_a_label_in_utf8_is_shown_as_it_is() {
	label=$(printf 'K\303\244rn')
	for name in "$label" x; do
		expect 0 "$RAWREAD" import --label "$name" -o out.jsonl \
			--csv "$TESTS/golden/test6.kbs.csv"
	done
	expect 0 "$RAWREAD" report "out.jsonl:$label"
	out_has "$label"
	expect 0 "$RAWREAD" diff "out.jsonl:$label" out.jsonl:x
	out_has "A  $label, of out.jsonl"
	expect 0 "$RAWREAD" diff --format classic "out.jsonl:$label" out.jsonl:x
	out_has "                   $label            x"
}

run_tests "$@"
