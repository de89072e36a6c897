#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Published figures: what is taken, and that nothing is written of a bad file.
# shellcheck source=tests/support/lib.sh
. "${TESTS:-tests}/support/lib.sh"

import() {
	"$RAWREAD" import "$@"
}

# A bad table: one line with this in it, and no record file.
refused() {
	printf '%b' "$1" >in.csv
	expect 2 import --csv in.csv --label x -o out.jsonl
	err_is_one_line
	err_has "$2"
	[ ! -e out.jsonl ] || fail "a record file was made"
}

t_a_published_table_becomes_a_campaign_its_figures_and_an_end() {
	expect 0 import --csv "$TESTS/golden/test6.kbs.csv" --label test6 \
		-o out.jsonl
	out_has "10 figures of KB/s for seqread, label test6"
	equal "the types" "$(jq -r .type out.jsonl | uniq -c | tr -s ' \n' ' ')" \
		" 1 campaign 10 run 1 end "
	equal "the label" "$(head -n 1 out.jsonl | jq -r .label)" test6
	equal "the origin" "$(head -n 1 out.jsonl | jq -r .imported_from)" \
		"$TESTS/golden/test6.kbs.csv"
	equal "a figure" "$(sed -n 4p out.jsonl | jq -rc \
		'[.params.test, .params.block_bytes, .imported_metric, .imported_text]')" \
		'["seqread",4096,"kbs","44024"]'
	equal "the end" "$(json out.jsonl '[.runs, .complete] | @csv')" "10,true"
	equal "campaigns" "$(jq -r .campaign_id out.jsonl | sort -u | wc -l)" 1
}

t_the_command_that_is_recorded_repeats_the_import() {
	cp "$TESTS/golden/test6.cpu.csv" "my table.csv"
	expect 0 import --csv "my table.csv" --label "it's" -o out.jsonl
	command=$(head -n 1 out.jsonl | jq -r .command)
	equal "the command" "$command" \
		"rawread import --csv 'my table.csv' --label 'it'\\''s' -o out.jsonl"
}

t_both_metrics_of_a_label_make_one_series() {
	for metric in kbs cpu; do
		expect 0 import --csv "$TESTS/golden/test6.$metric.csv" \
			--label test6 -o out.jsonl
	done
	expect 0 "$RAWREAD" report out.jsonl
	out_has "10 rows, 20 published figures"
	grep -qE '^ +1024 +44083 +27\.87 ' out || fail "$(cat out)"
	grep -qE '^ +524288 +28997 +2\.97 ' out || fail "$(cat out)"
}

t_another_test_may_have_given_the_figures_even_one_not_in_this_version() {
	expect 0 import --csv "$TESTS/golden/test6.kbs.csv" --label x \
		--test batchseqaioread -o out.jsonl
	expect 0 import --csv "$TESTS/golden/test6.kbs.csv" --label x \
		--test 6 -o out.jsonl
	expect 0 "$RAWREAD" report out.jsonl
	out_has "batchseqaioread, batch sequential aioread()"
	out_has "randread, random read()"
	expect 2 import --csv "$TESTS/golden/test6.kbs.csv" --label x \
		--test 24 -o out.jsonl
	err_has "--test: '24'"
}

t_each_bad_line_is_told_and_nothing_is_written() {
	refused 'Blocksize,IOPS\n1024,5\n' "in.csv:1: 'IOPS'"
	err_has "KBs/sec, KB/s and %CPU"
	refused 'Blocksize,KB/s\n1024,5\n2048,nan\n' "in.csv:3: 'nan'"
	refused 'Blocksize,KB/s\n1024,inf\n' "in.csv:2: 'inf'"
	refused 'Blocksize,KB/s\n1024,-5\n' "in.csv:2: '-5'"
	refused 'Blocksize,KB/s\n1024,5,6\n' "in.csv:2: not two columns"
	refused 'Blocksize,KB/s\n1024,5\n1024,6\n' "stands in line 2 already"
	refused '' "holds no figures"
	refused 'Blocksize,KB/s\n' "holds no figures"
}

t_crlf_quotes_and_blank_lines_are_tolerated() {
	printf '"Blocksize","KB/s"\r\n\r\n"1024" , "44083"\r\n' >in.csv
	expect 0 import --csv in.csv --label x -o out.jsonl
	equal "the figure" \
		"$(jq -r 'select(.type == "run").imported_text' out.jsonl)" 44083
}

t_a_torn_line_of_the_record_file_is_cut_off_before_more_is_appended() {
	expect 0 import --csv "$TESTS/golden/test6.kbs.csv" --label x -o out.jsonl
	printf '{"type":"run","sch' >>out.jsonl
	expect 0 import --csv "$TESTS/golden/test6.cpu.csv" --label x -o out.jsonl
	err_is_one_line
	err_has "out.jsonl: a torn last line of 18 bytes was cut off"
	expect 0 "$RAWREAD" report out.jsonl
	out_has "10 rows, 20 published figures"
}

t_another_kind_of_file_is_never_appended_to() {
	cp "$TESTS/golden/test6.kbs.csv" out.csv
	chmod u+w out.csv
	expect 2 import --csv "$TESTS/golden/test6.kbs.csv" --label x -o out.csv
	err_is_one_line
	err_has "out.csv exists and is not a record file"
	cmp out.csv "$TESTS/golden/test6.kbs.csv" || fail "it was changed"
}

t_what_is_missing_is_named() {
	csv=$TESTS/golden/test6.kbs.csv
	expect 2 import --label x -o out.jsonl
	err_has "--csv FILE"
	expect 2 import --csv "$csv" -o out.jsonl
	err_has "--label LABEL"
	expect 2 import --csv "$csv" --label '' -o out.jsonl
	err_has "--label is empty"
	expect 2 import --csv "$csv" --label a:b -o out.jsonl
	err_has "no colon may stand in it"
	expect 2 import --csv "$csv" --label x -o ''
	err_has "-o FILE"
	expect 2 import --csv "$csv" --label x
	err_has "-o FILE"
	expect 2 import --label x -o out.jsonl "$csv"
	err_is_one_line
	err_has "given as --csv"
	expect 2 import --csv none.csv --label x -o out.jsonl
	err_has "open none.csv: No such file or directory"
	expect 2 import --csv "$csv" --label x -o none/out.jsonl
	err_has "none/out.jsonl: No such file or directory"
	[ ! -e out.jsonl ] || fail "a record file was made"
}

t_a_full_disk_is_told() {
	expect 2 import --csv "$TESTS/golden/test6.kbs.csv" --label x -o /dev/full
	err_is_one_line
	err_has "/dev/full is not a regular file"
	status=0
	import --csv "$TESTS/golden/test6.kbs.csv" --label x -o out.jsonl \
		>/dev/full 2>err || status=$?
	equal "the status" "$status" 2
	err_has "standard output: No space left on device"
}

run_tests "$@"
