#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Two labels compared.
# shellcheck source=tests/support/lib.sh
. "${TESTS:-tests}/support/lib.sh"
# shellcheck source=tests/fixtures/records/lines.sh
. "${TESTS:-tests}/fixtures/records/lines.sh"

compare() {
	"$RAWREAD" diff "$@"
}

# The published figures of both kernels by a metric, in published.METRIC.
import_published() {
	for label in test6 test6-mm1; do
		"$RAWREAD" import --csv "$TESTS/golden/$label.$1.csv" \
			--label $label -o "published.$1" >/dev/null
	done
}

from_blocksize_down() {
	sed -n '/^ *Blocksize/,$p' "$1" | sed 's/ *$//'
}

# classic_is_golden METRIC
classic_is_golden() {
	import_published "$1"
	expect 1 compare --format classic "published.$1:test6" \
		"published.$1:test6-mm1"
	from_blocksize_down out >ours
	from_blocksize_down "$TESTS/golden/test6-vs-test6-mm1.$1.txt" >theirs
	[ -s theirs ] || fail "no golden table"
	cmp ours theirs || fail "$(diff ours theirs)"
	grep -qx 'Results:seqread-_vs_.seqread-' out || fail "no title"
	grep '^ *tolerance = ' "$TESTS/golden/test6-vs-test6-mm1.$1.txt" \
		>caption
	grep -qFx "$(cat caption)" out || fail "not the caption"
}

# row BLOCK-SIZE [N]: its cells in the Nth table (KB/s, then %CPU).
row() {
	grep -E "^ *$1 " out | sed -n "${2:-1}p" | tr -s ' ' |
		sed 's/^ //; s/ $//'
}

sums() {
	tail -n 1 out
}

# A and B, in a.jsonl and b.jsonl, of one row each: the members given.
pair() {
	{
		campaign a A
		run_of a 4096 50000 "${1:-}"
		end a 1
	} >a.jsonl
	{
		campaign b B
		run_of b 4096 50000 "${2:-}"
		end b 1
	} >b.jsonl
}

t_the_published_table_of_rates_comes_out_byte_for_byte() {
	classic_is_golden kbs
}

t_the_published_table_of_cpu_comes_out_byte_for_byte() {
	classic_is_golden cpu
}

t_a_file_with_both_metrics_gives_both_classic_tables() {
	import_published kbs
	import_published cpu
	cat published.kbs published.cpu >all
	expect 1 compare --format classic all:test6 all:test6-mm1
	awk '/^ *Blocksize/ { n++ } n { print > ("table" n) }' out
	for n in 1 2; do
		sed -i '/^$/,$d' "table$n"
	done
	from_blocksize_down "$TESTS/golden/test6-vs-test6-mm1.kbs.txt" >kbs
	from_blocksize_down "$TESTS/golden/test6-vs-test6-mm1.cpu.txt" >cpu
	cmp table1 kbs || fail "$(cat out)"
	cmp table2 cpu || fail "$(cat out)"
}

t_the_text_table_says_which_way_each_star_goes() {
	import_published kbs
	import_published cpu
	cat published.kbs published.cpu >all
	expect 1 compare all:test6 all:test6-mm1
	equal "a slower row" "$(row 1024)" \
		"1024 44083 22641 -48.64 -21442.00 1322.49 * worse"
	equal "a row within" "$(row 4096)" \
		"4096 44024 45260 2.81 1236.00 1320.72"
	equal "a faster row" "$(row 524288)" \
		"524288 28997 48005 65.55 19008.00 869.91 * better"
	equal "less CPU" "$(row 1024 2)" \
		"1024 27.87 11.72 -57.95 -16.15 1.34 * better"
	equal "more CPU" "$(row 4096 2)" "4096 9 9.99 11.00 0.99 0.77 * worse"
	out_has "worth one run a side"
	equal "the sums" "$(sums)" \
		"20 rows judged in 2 tables: 9 worse, 9 better, 2 within; 0 not judged"
}

t_the_other_way_round_is_worse_where_it_was_better() {
	import_published kbs
	expect 1 compare published.kbs:test6-mm1 published.kbs:test6
	equal "the sums" "$(sums)" \
		"10 rows judged in 1 table: 7 worse, 2 better, 1 within; 0 not judged"
}

t_a_label_beside_itself_is_within() {
	import_published kbs
	expect 0 compare published.kbs:test6 published.kbs:test6
	equal "the sums" "$(sums)" \
		"10 rows judged in 1 table: 0 worse, 0 better, 10 within; 0 not judged"
}

t_what_is_only_better_exits_0() {
	pair '"span_ns":2000000000' '"span_ns":1000000000'
	expect 0 compare a.jsonl b.jsonl
	equal "the row" "$(row 4096)" "4096 65536 131072 100.00 65536.00 1966.08 * better"
}

t_a_tolerance_may_be_given_for_one_metric_or_for_both() {
	pair "\"span_ns\":1000000000,\"cpu\":$(cpu 100 900)" \
		"\"span_ns\":1050000000,\"cpu\":$(cpu 104 896)"
	expect 1 compare a.jsonl b.jsonl
	equal "the sums" "$(sums)" \
		"2 rows judged in 2 tables: 1 worse, 0 better, 1 within; 0 not judged"
	expect 0 compare --tol 5% a.jsonl b.jsonl
	out_has "KB/s: tolerance = 0.00 + 5.00% of A"
	out_has "%CPU: tolerance = 0.00 + 5.00% of A"
	expect 1 compare --tol 0.1 a.jsonl b.jsonl
	equal "the sums" "$(sums)" \
		"2 rows judged in 2 tables: 2 worse, 0 better, 0 within; 0 not judged"
	expect 1 compare --tol kbs=5% --tol cpu=0.1+2% a.jsonl b.jsonl
	equal "the sums" "$(sums)" \
		"2 rows judged in 2 tables: 1 worse, 0 better, 1 within; 0 not judged"
	out_has "%CPU: tolerance = 0.10 + 2.00% of A"
}

t_a_difference_equal_to_the_tolerance_has_no_star() {
	printf 'Blocksize,KB/s\n1024,100\n2048,100\n' >a.csv
	printf 'Blocksize,KB/s\n1024,97\n2048,96.99\n' >b.csv
	for label in a b; do
		"$RAWREAD" import --csv $label.csv --label $label -o all >/dev/null
	done
	expect 1 compare all:a all:b
	equal "on the edge" "$(row 1024)" "1024 100 97 -3.00 -3.00 3.00"
	equal "beyond" "$(row 2048)" "2048 100 96.99 -3.01 -3.01 3.00 * worse"
}

t_of_nothing_the_percentage_is_not_told() {
	printf 'Blocksize,%%CPU\n1024,0\n2048,0\n4096,127.6%%\n' >a.csv
	printf 'Blocksize,%%CPU\n1024,5\n2048,0.5\n4096,49.03%%\n' >b.csv
	for label in a b; do
		"$RAWREAD" import --csv $label.csv --label $label -o all >/dev/null
	done
	expect 1 compare --tol 1+3% all:a all:b
	equal "beyond" "$(row 1024)" "1024 0 5 n/a 5.00 1.00 * worse"
	equal "within" "$(row 2048)" "2048 0 0.5 n/a 0.50 1.00"
	equal "per cent" "$(row 4096)" \
		"4096 127.6% 49.03% -61.58 -78.57 4.83 * better"
	expect 1 compare --format classic --tol 1+3% all:a all:b
	out_has "      1024            0            5      n/a         5.00         1.00  *"
	! grep -qiE 'nan|inf' out || fail "$(cat out)"
}

# S23, and what the quickstart compares.
t_settings_that_differ_are_listed_and_do_not_part_the_rows() {
	{
		campaign a default
		run_of a 1024 50000
		run_of a 65536 50000
		end a 2
		campaign b ra16 "\"kernel_release\":\"6.19.0\",
			\"boot_id\":\"99999999-1\",\"targets\":[
			$(campaign_target 1 '"scheduler":"bfq","nr_requests":64'),
			$(campaign_target 2 '"scheduler":"bfq","nr_requests":64')]"
		for size in 1024 65536; do
			run_of b $size 20000 "\"targets\":[
				$(run_target 1 '"read_ahead_kib":16'),
				$(run_target 2 '"read_ahead_kib":16')],
				\"params\":$(params $size '"read_ahead_kib":16')"
		done
		end b 2
	} >r.jsonl
	expect 1 compare r.jsonl:default r.jsonl:ra16
	sed '/^seqread/,$d' out | tr -s ' ' >above
	for line in ' kernel 6.18.5 6.19.0' ' boot 4f1c08a2 99999999' \
		' scheduler none bfq' ' nr_requests 128 64' \
		' read-ahead in force (KB) 2560 16' \
		' --read-ahead-kb not given 16'; do
		grep -qFx "$line" above || fail "no '$line' in $(cat above)"
	done
	! grep -qF 'read_ahead_kb of queue' above || fail "that is the same"
	equal "tables" "$(grep -c '^block size' out)" 2
	equal "the sums" "$(sums)" \
		"4 rows judged in 2 tables: 2 worse, 0 better, 2 within; 0 not judged"
}

t_a_hint_that_one_label_has_pairs_with_none_of_the_other() {
	pair '' "\"params\":$(params 4096 '"fadvise":"random"'),
		\"span_ns\":9000000000"
	expect 1 compare a.jsonl b.jsonl
	grep -qE '^  fadvise +none +random$' out || fail "$(cat out)"
	out_has "1 worse"
}

t_what_varies_inside_a_label_is_matched_by_its_value() {
	{
		campaign a A
		run_of a 4096 50000
		campaign b B
		run_of b 4096 20000 "\"params\":$(params 4096 '"fadvise":"random"')"
		run_of b 4096 50000
	} >r.jsonl
	expect 0 compare r.jsonl:A r.jsonl:B
	equal "headings" "$(grep -A 1 '^seqread, KB/s' out | grep fadvise)" \
		"fadvise none
fadvise random"
	out_has "only in B"
	equal "the sums" "$(sums)" \
		"2 rows judged in 4 tables: 0 worse, 0 better, 2 within; 2 not judged"
}

t_unlike_workloads_are_refused_unless_forced() {
	pair '' "\"targets\":[$(run_target 1 '"range_bytes":1048576')]"
	expect 2 compare a.jsonl b.jsonl
	err_is_one_line
	err_has "targets 2 in A and 1 in B"
	err_has "range 64m in A and 1m in B"
	err_has "--force"
	equal "stdout" "$(cat out)" ""
	expect 0 compare --force a.jsonl b.jsonl
	grep -qE '^  range +64m +1m$' out || fail "$(cat out)"
	pair '' "\"params\":$(params 4096 '"threads":16')"
	expect 2 compare a.jsonl b.jsonl
	err_has "threads 2 in A and 16 in B"
	pair
	campaign b B "\"targets\":[$(campaign_target 1 '"fs_type":"xfs"')]" >b.jsonl
	run_of b 4096 50000 >>b.jsonl
	expect 2 compare a.jsonl b.jsonl
	err_has "file system ext4 in A and xfs in B"
}

t_rows_that_were_not_cold_are_shown_and_not_judged_unless_asked() {
	pair '' '"span_ns":9000000000,"cold":{"verdict":"warm","device_bytes":0,
		"causes":["holes"]}'
	expect 2 compare a.jsonl b.jsonl
	err_is_one_line
	err_has "nothing could be judged; the rows are 2 not cold (--warm"
	equal "the row" "$(row 4096 | cut -d' ' -f3,7)" "14564 Bw"
	out_has "B w  4096: device bytes 0 of 134217728"
	equal "the sums" "$(sums)" \
		"0 rows judged in 2 tables: 0 worse, 0 better, 0 within; 2 not judged"
	expect 1 compare --warm a.jsonl b.jsonl
	equal "the row" "$(row 4096 | cut -d' ' -f3,7-)" "14564 * worse Bw"
}

# filled HOW [MEMBERS]: members of a run that --warm fill=HOW made warm.
filled() {
	printf '%s\n' "\"params\":$(params 4096 "\"warm\":\"fill=$1\""),
		\"cold\":{\"verdict\":\"warm\",\"device_bytes\":0,\"causes\":[
		\"filled by $1 before, as --warm asked\"]}${2:+,$2}"
}

t_rows_that_were_to_be_warm_are_judged() {
	pair "$(filled read)" "$(filled read '"span_ns":9000000000')"
	expect 1 compare a.jsonl b.jsonl
	equal "the row" "$(row 4096 | cut -d' ' -f3,7-)" "14564 * worse"
	out_has "warm fill=read"
	out_has "B -  4096: page cache: filled by read before, as --warm asked"
	out_lacks "device bytes"
}

t_what_was_to_be_warm_is_not_compared_with_what_was_not() {
	pair '' "$(filled read)"
	expect 2 compare a.jsonl b.jsonl
	err_has "warm none in A and fill=read in B"
	pair "$(filled read)" "$(filled write)"
	expect 2 compare a.jsonl b.jsonl
	err_has "warm fill=read in A and fill=write in B"
	expect 0 compare --force a.jsonl b.jsonl
}

t_rows_that_were_verified_are_shown_and_not_judged() {
	pair '' "\"params\":$(params 4096 '"verify":true'),
		\"span_ns\":9000000000"
	expect 2 compare --warm a.jsonl b.jsonl
	err_has "the rows are 2 verified (their rates mean nothing)"
	equal "the row" "$(row 4096 | cut -d' ' -f3,7-)" "14564 Bv"
	out_has "B v  4096: every byte was compared, so that rates mean nothing"
}

t_where_threads_ran_is_listed_where_it_differs() {
	pair '"cpus":"0,1","threads":{"cpu":[0,1],"core":[0,1]}' \
		'"cpus":"0,2","threads":{"cpu":[0,2],"core":[0,0],
		"smt":[0,1],"kind":[1,1]}'
	expect 0 compare a.jsonl b.jsonl
	sed '/^seqread/,$d' out | tr -s ' ' >above
	for line in ' CPUs of threads 0,1 0,2' \
		' siblings of threads first of each core 0 x 1, 1 x 1' \
		' core kinds of threads fastest 1 x 2'; do
		grep -qFx "$line" above || fail "no '$line' in $(cat above)"
	done
	# A line from before there were columns is as one of first CPUs.
	pair '"cpus":"0,1"' '"cpus":"0,1","threads":{"cpu":[0,1],"core":[0,1]}'
	expect 0 compare a.jsonl b.jsonl
	out_lacks "of threads"
}

t_how_a_run_read_is_listed_where_it_differs() {
	pair '' "\"params\":$(params 4096 '"pattern":"reverse",
		"engine":"preadv2","rwf":"nowait,dontcache","madvise":"random",
		"readahead":true,"noatime":true,"latency":true,
		"time_ns":10000000000,"ramp_ns":500000000')"
	# Another order is another workload.
	expect 2 compare a.jsonl b.jsonl
	err_has "pattern"
	expect 0 compare --force a.jsonl b.jsonl
	sed '/^seqread/,$d' out | tr -s ' ' >above
	for line in ' pattern sequential reverse' \
		' rwf none nowait,dontcache' ' madvise none random' \
		' readahead no yes' ' noatime no yes' ' latency no yes' \
		' reads whole range 10s after 500ms'; do
		grep -qFx "$line" above || fail "no '$line' in $(cat above)"
	done
}

t_a_short_row_is_judged_by_rate_and_not_by_cpu() {
	pair '' "\"cpu\":$(cpu 60 20)"
	expect 0 compare a.jsonl b.jsonl
	equal "KB/s" "$(row 4096 1 | cut -d' ' -f7-)" ""
	equal "%CPU" "$(row 4096 2 | cut -d' ' -f3,7-)" "75.00 Bt"
	out_has "not judged: 1 too short for %CPU"
}

t_failed_rows_stay_visible_with_their_reason() {
	pair
	run_of b 8192 1 '"error":"open /mnt/mnt1/foo: EIO"' >>b.jsonl
	run_of a 8192 50000 >>a.jsonl
	run_of a 512 1 '"error":"needs 4096","not_available":true' >>a.jsonl
	run_of b 512 1 '"error":"needs 4096","not_available":true' >>b.jsonl
	expect 1 compare a.jsonl b.jsonl
	equal "an error" "$(row 8192)" "8192 50000 error n/a n/a n/a * worse Be"
	equal "n/a" "$(row 512)" "512 n/a n/a n/a n/a n/a An Bn"
	out_has "B e  8192: open /mnt/mnt1/foo: EIO"
	out_has "A n  512: needs 4096"
	out_has "not judged: 2 failed or n/a"
	equal "the sums" "$(sums)" \
		"4 rows judged in 2 tables: 2 worse, 0 better, 2 within; 2 not judged"
	expect 1 compare --format classic a.jsonl b.jsonl
	out_has "      8192        50000            -      n/a          n/a          n/a  * Be"
}

t_what_fails_in_b_alone_is_worse_and_what_fails_in_a_is_not_judged() {
	pair '' '"error":"open /mnt/mnt1/foo: EIO"'
	expect 1 compare a.jsonl b.jsonl
	equal "the sums" "$(sums)" \
		"2 rows judged in 2 tables: 2 worse, 0 better, 0 within; 0 not judged"
	expect 2 compare b.jsonl a.jsonl
	err_has "nothing could be judged; the rows are 2 failed or n/a"
}

t_rows_that_one_side_lacks_stay_visible() {
	pair
	run_of a 1024 50000 >>a.jsonl
	run_of b 8192 50000 >>b.jsonl
	expect 0 compare a.jsonl b.jsonl
	equal "A's" "$(row 1024)" "1024 50000 - n/a n/a n/a only in A"
	equal "B's" "$(row 8192)" "8192 - 50000 n/a n/a n/a only in B"
	equal "the sums" "$(sums)" "2 rows judged in 2 tables: 0 worse, \
0 better, 2 within; 4 not judged, 2 of them missing in B"
	expect 0 compare --format classic a.jsonl b.jsonl
	out_has "      1024        50000          n/a      n/a          n/a          n/a  only in A"
}

t_no_rows_in_common_is_trouble_and_says_why() {
	pair '' "\"params\":$(params 4096 '"test":"randread"')"
	expect 2 compare a.jsonl b.jsonl
	err_is_one_line
	err_has "no rows in common: A has the tests seqread, and B has randread"
	pair '' "\"params\":$(params 512)"
	expect 2 compare a.jsonl b.jsonl
	err_has "no block size with the same settings is in both"
	pair
	run_of b 4096 5 "\"params\":$(params 4096 '"threads":3')" >b2
	run_of b 4096 5 "\"params\":$(params 4096 '"threads":4')" >>b2
	{
		head -n 1 b.jsonl
		cat b2
	} >b3
	expect 2 compare a.jsonl b3
	err_has "of seqread, 'threads' is never the same"
}

t_published_figures_can_be_compared_with_measured_ones() {
	pair
	printf 'Blocksize,KB/s\n4096,100000\n' >p.csv
	"$RAWREAD" import --csv p.csv --label old -o old.jsonl >/dev/null
	expect 1 compare old.jsonl a.jsonl
	equal "the row" "$(row 4096)" \
		"4096 100000 50000 -50.00 -50000.00 3000.00 * worse"
	out_has "A is published figures: the conditions are not known"
	out_lacks "kernel"
	out_has "seqread, %CPU: no table, since A has no figure of it"
	out_lacks "%CPU: tolerance"
	out_lacks "not judged: "
	equal "the sums" "$(sums)" \
		"1 row judged in 1 table: 1 worse, 0 better, 0 within; 0 not judged"
	expect 0 compare a.jsonl old.jsonl
	out_has "seqread, %CPU: no table, since B has no figure of it"
	expect 1 compare --format classic old.jsonl a.jsonl
	out_has "seqread, %CPU: no table, since A has no figure of it"
	equal "classic tables" "$(grep -c '^ *Blocksize' out)" 1
	printf 'Blocksize,%%CPU\n4096,10\n' >c.csv
	"$RAWREAD" import --csv c.csv --label cpu -o cpu.jsonl >/dev/null
	expect 2 compare old.jsonl cpu.jsonl
	err_is_one_line
	err_has "nothing could be judged; no metric is in both A and B"
}

# Rates of 4096, %CPU of 8192: each is a row of its own table alone.
t_a_row_without_a_metric_on_either_side_is_no_row_of_its_table() {
	for label in A B; do
		printf 'Blocksize,KB/s\n4096,100000\n' >k.csv
		printf 'Blocksize,%%CPU\n8192,10\n' >c.csv
		for csv in k.csv c.csv; do
			"$RAWREAD" import --csv $csv --label $label \
				-o r.jsonl >/dev/null
		done
	done
	for format in text classic; do
		expect 0 compare --format $format r.jsonl:A r.jsonl:B
		equal "rows" "$(grep -cE '^ *(4096|8192) ' out)" 2
	done
	expect 0 compare r.jsonl:A r.jsonl:B
	equal "the sums" "$(sums)" \
		"2 rows judged in 2 tables: 0 worse, 0 better, 2 within; 0 not judged"
}

t_runs_of_several_sweeps_and_boots_are_pooled() {
	for boot in 1 2 3; do
		campaign a$boot A "\"boot_id\":\"boot-$boot\""
		run_of a$boot 4096 $((40000 + boot * 1000))
		end a$boot 1
	done >a.jsonl
	for boot in 4 5; do
		campaign b$boot B "\"boot_id\":\"boot-$boot\""
		run_of b$boot 4096 42000
		end b$boot 1
	done >b.jsonl
	expect 0 compare a.jsonl b.jsonl
	equal "the means" "$(row 4096 | cut -d' ' -f-3)" "4096 42000 42000"
	grep -qE '^  boot +boot-1, boot-2, boot-3 +boot-4, boot-5$' out ||
		fail "$(cat out)"
	out_has "by the tolerance of means alone"
}

t_several_labels_and_none_named_is_refused_with_their_names() {
	import_published kbs
	expect 2 compare published.kbs published.kbs:test6
	err_is_one_line
	err_has "several labels, test6, test6-mm1"
	expect 2 compare published.kbs:test6 published.kbs:test7
	err_has "does not have the label test7, but test6, test6-mm1"
}

t_a_file_with_a_colon_in_its_name_is_taken_whole_first() {
	import_published kbs
	mv published.kbs a:b
	expect 1 compare a:b:test6 a:b:test6-mm1
	expect 2 compare a:c:test6 a:b:test6
	err_has "open record file a:c:test6: No such file or directory"
}

t_lines_fit_a_mail_and_are_ascii() {
	{
		campaign a default-of-6.18.0-rc7
		campaign b ra16-of-6.19.0-rc1-mm1 '"cpu_model":"AMD EPYC 9654 96-Core Processor of some kind"'
		for size in 1024 2048 4096 8192 16384 32768 65536 131072 262144 524288; do
			run_of a $size 20485760
			run_of b $size 10485760 '"cold":{"verdict":"warm",
				"causes":["the superblock is still mounted by pid 812 (cat) in another mount namespace"]}'
		done
	} >r.jsonl
	for options in "--warm" "--warm --tol 0"; do
		# Words, not one.
		# shellcheck disable=SC2086
		expect 1 compare $options r.jsonl:default-of-6.18.0-rc7 \
			r.jsonl:ra16-of-6.19.0-rc1-mm1
		! grep -qE '.{79}' out || fail "$(grep -E '.{79}' out)"
		! LC_ALL=C grep -q '[^ -~]' out || fail "not ASCII"
		! grep -qE ' $' out || fail "trailing blanks: $(grep -nE ' $' out)"
	done
}

t_one_run_on_either_side_is_what_a_star_is_worth() {
	pair
	run_of a 4096 50000 >>a.jsonl
	for sides in "a b" "b a"; do
		expect 0 compare "${sides% *}.jsonl" "${sides#* }.jsonl"
		out_has "worth one run a side"
	done
	run_of b 4096 50000 >>b.jsonl
	expect 0 compare a.jsonl b.jsonl
	out_lacks "worth one run a side"
}

t_a_partial_label_says_so() {
	pair
	{
		campaign b B '"runs":30'
		run_of b 4096 50000
		end b 1 '"cause":"SIGTERM"'
	} >b.jsonl
	expect 0 compare a.jsonl b.jsonl
	out_has "B  interrupted by SIGTERM after 1 of 30 runs"
}

t_a_full_disk_behind_stdout_is_trouble_and_no_verdict() {
	pair '' '"span_ns":9000000000'
	status=0
	compare a.jsonl b.jsonl >/dev/full 2>err || status=$?
	equal "the status" "$status" 2
	err_is_one_line
	err_has "write standard output: No space left on device"
}

run_tests "$@"
