#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The command line of rawread sweep: what is wrong is told in one line with the
# cure, before anything is touched.
# shellcheck source=tests/support/lib.sh
. "${TESTS:-tests}/support/lib.sh"

sweep() {
	"$RAWREAD" sweep "$@"
}

# refused TEXT ARGS...: status 2, one line that has TEXT, and no record file.
refused() {
	text=$1
	shift
	expect 2 sweep "$@"
	err_is_one_line
	err_has "$text"
	[ ! -s out ] || fail "something is on stdout"
	[ ! -e r.jsonl ] || fail "a refused sweep left a record file"
}

some_dir() {
	mkdir dir
	head -c 1M /dev/urandom >dir/foo
	sync dir/foo
}

# Root is not the one that people start with by mistake.
as_nobody() {
	[ "$(id -u)" = 0 ] || return 0
	command -v setpriv >/dev/null || skip "needs setpriv"
	chmod -R a+rX .
	nobody test -x "$RAWREAD" || skip "needs a build that others may read"
}

nobody() {
	if [ "$(id -u)" = 0 ]; then
		setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
	else
		"$@"
	fi
}

t_a_record_file_has_to_be_named() {
	refused "-o FILE is required" .
	refused "-o FILE is required" -o "" .
}

t_a_directory_has_to_be_named() {
	refused "no directory; name mount points" -o r.jsonl
}

t_labels_that_reports_could_not_name_are_refused() {
	refused "--label is empty" -o r.jsonl -L "" .
	refused "--label '  ' is blank" -o r.jsonl -L "  " .
	refused "no colon may stand in it" -o r.jsonl -L a:b .
	refused "--label 'a\\x0ab': no line break or other control" \
		-o r.jsonl -L "a
b" .
	refused "it has to be UTF-8" -o r.jsonl -L "$(printf '\344')" .
}

t_block_sizes_are_checked() {
	refused "block-sizes" -o r.jsonl -s 4q .
	refused "block-sizes" -o r.jsonl -s 0 .
	refused "more than 1g" -o r.jsonl -s 1g..4g .
	refused "block-sizes" -o r.jsonl -s "" .
	refused "block-sizes" -o r.jsonl -s 64k..4k .
}

t_counts_are_checked() {
	refused "reps" -o r.jsonl -R 0 .
	refused "reps" -o r.jsonl -R x .
	refused "reps" -o r.jsonl -R 1000001 .
	refused "threads" -o r.jsonl -p 0 .
	refused "offset" -o r.jsonl --offset -1 .
	refused "read-ahead-kb" -o r.jsonl --read-ahead-kb much .
}

t_an_unknown_flush_names_those_there_are() {
	refused "there are remount, fadvise, drop-caches and none" \
		-o r.jsonl --flush sync .
}

t_drop_caches_that_would_never_be_dropped_are_refused() {
	for how in none drop-caches; do
		refused "--flush $how has no use for it" -o r.jsonl \
			--allow-drop-caches --flush $how .
	done
}

t_options_that_are_not_ours_are_named() {
	refused "'--nonsense'" -o r.jsonl --nonsense .
	refused "'-m'" -o r.jsonl -m 2 .
	refused "'--label' needs a value" -o r.jsonl . --label
	refused "'--direct=1'" -o r.jsonl --direct=1 .
}

t_options_of_the_runs_are_checked_too() {
	some_dir
	refused "test '99' does not exist" -o r.jsonl -t 99 dir
	refused "test 1, sequential write(), writes, and a sweep compares \
reads; use 'rawread read' for it" -o r.jsonl -t 1 dir
	refused "layout" -o r.jsonl --layout diagonal dir
	refused "-i 4 is for the readv and writev tests" -o r.jsonl --flush none \
		-t 0 -i 4 dir
	refused "repeats -n, which is not given" -o r.jsonl --flush none \
		-l 2 dir
	mkdir dir2
	cp dir/foo dir2/foo
	refused "give --threads 2 or more, or fewer targets" -o r.jsonl \
		--flush none -p 1 dir dir2
}

t_a_directory_that_is_not_there_is_named() {
	refused "open nowhere: No such file or directory; name the directory \
that holds foo" -o r.jsonl nowhere
	: >file
	refused "file is not a directory; name the one that holds foo" \
		-o r.jsonl file
}

t_what_is_no_mount_point_is_not_remounted() {
	some_dir
	refused "dir is not a mount point; mount a file system there, or use \
--flush fadvise" -o r.jsonl dir
	# It has no foo, but that is not what is wrong with it.
	mkdir empty
	refused "empty is not a mount point" -o r.jsonl empty
}

t_a_missing_foo_comes_with_the_command_that_makes_it() {
	mkdir "my dir"
	refused "'rawread prepare --size 1G my dir' makes it" -o r.jsonl \
		--flush fadvise "my dir"
}

t_what_is_no_file_to_be_read_is_refused() {
	mkdir dir
	: >dir/foo
	refused "/dir/foo is empty" -o r.jsonl --flush none dir
	rm dir/foo
	mkdir dir/foo
	refused "/dir/foo is not a regular file" -o r.jsonl --flush none dir
	rmdir dir/foo
	mkfifo dir/foo
	refused "/dir/foo is not a regular file" -o r.jsonl --flush none dir
	rm dir/foo
	ln -s /proc/version dir/foo
	refused "/dir/foo" -o r.jsonl --flush none dir
}

t_what_is_named_twice_is_refused() {
	some_dir
	ln -s dir link
	refused "dir and link are the same directory" -o r.jsonl \
		--flush none dir link
	mkdir other
	ln dir/foo other/foo
	refused "are the same file" -o r.jsonl --flush none dir other
}

t_a_file_that_is_no_record_file_is_left_alone() {
	some_dir
	echo precious >r.txt
	expect 2 sweep -o r.txt --flush none -s 64k dir
	err_is_one_line
	err_has "r.txt exists and is not a record file"
	equal "the file" "$(cat r.txt)" precious
	expect 2 sweep -o . --flush none -s 64k dir
	err_is_one_line
	expect 2 sweep -o nowhere/r.jsonl --flush none -s 64k dir
	err_is_one_line
	err_has "nowhere/r.jsonl: No such file or directory"
	expect 2 sweep -o /dev/full --flush none -s 64k dir
	err_is_one_line
	err_has "/dev/full is not a regular file"
}

t_a_range_beyond_the_file_names_both() {
	some_dir
	refused "/dir/foo" -o r.jsonl --flush none -s 64k --range 2m dir
	refused "is not below that; lower --offset" -o r.jsonl --flush none \
		-s 64k --offset 2m dir
}

t_the_default_label_is_the_kernel_release() {
	some_dir
	expect 0 sweep -o r.jsonl --flush none -s 64k -R 1 dir
	equal label "$(head -n 1 r.jsonl | jq -r .label)" "$(uname -r)"
	out_has "r.jsonl: 1 run of $(uname -r), 1 block size x 1 repetition"
	[ ! -s err ] || fail "something is on stderr, which is no terminal"
}

t_the_default_rows_are_1k_to_512k_three_times() {
	some_dir
	expect 0 sweep -o r.jsonl --flush none dir
	equal rows "$(jq -r 'select(.type == "run") | .params.block_bytes' \
		r.jsonl | sort -n | uniq -c | awk '{ print $1, $2 }' |
		sed -n '1p;$p' | tr '\n' ' ')" "3 1024 3 524288 "
}

t_an_offset_is_where_the_runs_begin() {
	some_dir
	expect 0 sweep -o r.jsonl --flush none -s 64k -R 1 --offset 256k dir
	equal offset "$(jq -r 'select(.type == "run") |
		.targets[0].offset_bytes' r.jsonl)" 262144
	equal bytes "$(jq -r 'select(.type == "run") | .bytes' r.jsonl)" 786432
}

t_a_warm_sweep_needs_no_flush_and_takes_none() {
	some_dir
	for how in remount fadvise drop-caches; do
		refused "--warm fills the cache before each run, and --flush \
$how empties it; give one" -o r.jsonl --warm fill=read --flush $how dir
	done
	expect 0 sweep -o r.jsonl --warm fill=read -s 4k,64k -R 1 dir
	equal "flush, command, proof" "$(jq -r 'select(.type == "run") |
		[.flush.method, (.command | contains("--cold")),
		(.command | contains("--warm fill=read")), .cold.verdict,
		.cold.causes[0]] | join(" ")' r.jsonl | sort -u)" \
		"none false true warm filled by reading before, as --warm asked"
	[ ! -s err ] || fail "$(cat err)"
	expect 0 "$RAWREAD" report r.jsonl
	out_has "2 rows, 2 runs: 0 cold, 2 filled, 0 not, 0 with errors or n/a"
}

t_a_seed_orders_the_rows_of_tests_that_have_no_use_for_it() {
	some_dir
	expect 0 sweep -o r.jsonl --flush none -s 4k,16k,64k -R 1 --seed 7 dir
	equal "runs with a seed" "$(grep -c -- --seed r.jsonl)" 1
	equal "seed of the campaign" "$(head -n 1 r.jsonl | jq .seed)" 7
}

t_rows_end_by_time_or_bytes_as_runs_do() {
	some_dir
	for how in '--time 20ms --ramp 10ms' '--bytes 256k'; do
		# Words, not one.
		# shellcheck disable=SC2086
		expect 0 sweep -o r.jsonl --flush none -s 16k -R 1 $how dir
	done
	equal bytes "$(jq -r 'select(.params.stop_bytes) | .bytes' r.jsonl)" \
		262144
	equal commands "$(jq -r 'select(.type == "run") | .command' r.jsonl |
		grep -cE -- '--time 20ms --ramp 10ms|--bytes 256k')" 2
}

t_records_of_a_sweep_hold_all_that_its_runs_found() {
	some_dir
	expect 0 sweep -o r.jsonl --flush none -s 16k -R 1 --latency -p 2 dir
	equal columns "$(jq -c 'select(.type == "run") | .threads |
		[.bytes, .reads]' r.jsonl)" "[[524288,524288],[32,32]]"
	equal latencies "$(jq 'select(.type == "run") | .latency |
		.count == 64 and .min_ns <= .p50_ns and .p999_ns <= .max_ns and
		([.buckets[][1]] | add) == 64' r.jsonl)" true
}

t_help_lists_own_and_shared_options() {
	expect 0 sweep --help
	out_has "--block-sizes"
	out_has "--read-ahead-kb"
	out_has "DIR..."
}

t_a_terminal_is_shown_how_long_it_takes() {
	command -v script >/dev/null || skip "needs script"
	some_dir
	expect 0 script -qec "'$RAWREAD' sweep -L mm -o r.jsonl --flush none \
		-s 4k,64k -R 30 dir" typescript
	out_has "mm: run 1 of 60, "
	grep -q "mm: run [0-9]* of 60, [0-9]*k, [0-9]* s left" out || {
		show
		fail "no time is shown"
	}
}

# Without its campaign's line no run would be of anything.
t_a_record_file_that_is_taken_away_or_replaced_ends_the_sweep() {
	some_dir
	for how in rm replace; do
		"$RAWREAD" sweep -o r.jsonl --flush none -s 4k -R 100000 dir \
			>out 2>err &
		pid=$!
		until [ -s r.jsonl ]; do sleep 0.02; done
		# The other is there at once, not after a moment of none.
		cp r.jsonl new
		if [ $how = rm ]; then rm r.jsonl; else mv new r.jsonl; fi
		code=0
		wait $pid || code=$?
		equal status $code 2
		if [ $how = rm ]; then
			err_has "record file r.jsonl"
			[ ! -e r.jsonl ] || fail "it was made anew"
		else
			err_has "record file r.jsonl was replaced during"
		fi
		rm -f r.jsonl new
	done
}

t_a_full_stdout_is_trouble() {
	[ -w /dev/full ] || skip "needs /dev/full"
	some_dir
	code=0
	sweep -o r.jsonl --flush none -s 64k -R 1 dir >/dev/full 2>err ||
		code=$?
	equal status $code 2
	err_has "write standard output: No space left on device"
	equal end "$(json r.jsonl .complete)" true
}

t_an_ordinary_user_may_sweep_own_files_with_fadvise() {
	as_nobody
	some_dir
	mkdir out.d
	chmod 777 out.d
	[ "$(id -u)" != 0 ] || chown -R 65534 dir out.d
	expect 0 nobody "$RAWREAD" sweep -o out.d/r.jsonl --flush fadvise \
		-s 64k -R 1 dir
	equal verdict "$(jq -r 'select(.type == "run") | .cold.verdict' \
		out.d/r.jsonl)" cold
}

# mincore and cachestat tell nothing of the files of others.
t_what_an_ordinary_user_cannot_know_is_not_called_cold() {
	[ "$(id -u)" = 0 ] || skip "needs root, for a file of another"
	as_nobody
	some_dir
	mkdir out.d
	chmod 777 out.d
	expect 1 nobody "$RAWREAD" sweep -o out.d/r.jsonl --flush fadvise \
		-s 64k -R 1 dir
	err_has "1 of 1 runs were not proved cold"
	equal verdict "$(jq -r 'select(.type == "run") | .cold.verdict' \
		out.d/r.jsonl)" unknown
}

t_an_ordinary_user_is_refused_drop_caches() {
	as_nobody
	some_dir
	mkdir out.d
	chmod 777 out.d
	expect 2 nobody "$RAWREAD" sweep -o out.d/r.jsonl --flush drop-caches \
		dir
	err_is_one_line
	err_has "/proc/sys/vm/drop_caches: Permission denied; start with sudo"
	[ ! -e out.d/r.jsonl ] || fail "there is a record file"
}

t_an_ordinary_user_is_told_at_once_that_read_ahead_takes_root() {
	as_nobody
	some_dir
	mkdir out.d
	chmod 777 out.d
	[ "$(id -u)" != 0 ] || chown -R 65534 dir
	expect 2 nobody "$RAWREAD" sweep -o out.d/r.jsonl --flush fadvise \
		--read-ahead-kb 16 dir
	err_is_one_line
	err_has "read_ahead_kb"
	[ ! -e out.d/r.jsonl ] || fail "there is a record file"
}

run_tests "$@"
