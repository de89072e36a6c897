#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The classic form: its lines, its layout, its defects that are gone.
# shellcheck source=tests/support/lib.sh
. "${TESTS:-tests}/support/lib.sh"

# files SIZE NUMBER...: mntN/foo of noise.
files() {
	size=$1
	shift
	for number; do
		mkdir -p "mnt$number"
		head -c "$size" /dev/urandom >"mnt$number/foo"
	done
	pattern=$PWD/mnt%d/foo
}

version() {
	"$RAWREAD" --version | cut -d' ' -f2
}

# line NUMBER TEXT: that line of stdout, every blank of it.
line() {
	equal "line $1" "$(sed -n "$1p" out)." "$2."
}

# line_like NUMBER REGEX
line_like() {
	sed -n "$1p" out | grep -Eq -e "^$2\$" || {
		show
		fail "line $1 is not like '$2'"
	}
}

rule='-----  ---------------  ----------  -------  --------------'

t_the_layout_is_the_classic_one_line_by_line() {
	files 1048576 1 2
	expect 0 "$RAWREAD" -m 2 -p 4 -d 1 -n 20 -f -c -t 0 -s 4096 \
		--file-pattern "$pattern"
	line 1 "              rawread $(version)"
	line 2 "-t 0          sequential read() test"
	line 3 "-p 4          number of processes"
	line 4 "-m 2          device modulo"
	line 5 "-d 1          starting device number"
	line 6 "-s 4096       read buffer or readv size in bytes"
	line 7 "-n 20         inner loop count"
	line 8 "-l 1          outer loop count"
	line 9 "-r 1          range in MB"
	line 10 "-o 0          is seek offset"
	line 11 "-f            using /mnt/mnt..."
	line 12 "-c            O_SYNC flag used "
	line 13 ""
	line 14 "   80         length of DASD read (kbytes)"
	line 15 "   80         minimum kbytes read by each process"
	line 16 ""
	share='   ([0-9]+\.[0-9]{2} *|- *)'
	line_like 17 "$share %user"
	line_like 18 "$share %sys"
	line_like 19 "$share %idle"
	equal "width of %user" "$(sed -n 17p out | cut -c1-13 | wc -c)" 14
	equal "place of %user" "$(sed -n 17p out | cut -c15-)" "%user"
	line 20 ""
	line 21 "procs           device    num read   KB/sec     I/O Ops/sec"
	line 22 "$rule"
	line_like 23 "    2  $PWD/mnt1/foo  [ 0-9]{10,}  [ 0-9]{7,}  [ 0-9]{14,} "
	line_like 24 "    2  $PWD/mnt2/foo  [ 0-9]{10,}  [ 0-9]{7,}  [ 0-9]{14,} "
	line 25 "$rule"
	line_like 26 "    4 {17}  [ 0-9]{10,}  [ 0-9]{7,}  [ 0-9]{14,} "
	line 27 ""
	line_like 28 "Total run time [0-9]+\.[0-9]{6} seconds"
	line 29 ""
	line_like 30 "Cold           .*"
}

t_n_is_a_minimum_and_all_stop_together() {
	files 1048576 1
	expect 0 "$RAWREAD" -p 4 -m 1 -n 20 -f -s 4096 --file-pattern "$pattern"
	reads=$(sed -n '/foo/s/.*foo *\([0-9]*\) .*/\1/p' out | head -n 1)
	[ "$reads" -ge 80 ] || fail "$reads reads, not 80 or more"
}

t_one_thread_reads_n_times_l() {
	files 1048576 1
	expect 0 "$RAWREAD" -n 7 -l 3 -f -s 4096 --file-pattern "$pattern"
	out_has "-l 3          outer loop count"
	out_has "   28         length of DASD read (kbytes)"
	out_has "   84         minimum kbytes read by each process"
	line_like 22 "    1  $PWD/mnt1/foo          21  .*"
}

t_the_range_is_the_smallest_target_and_r_prints_it() {
	files 3145728 1
	files 2097152 2
	expect 0 "$RAWREAD" -p 2 -n 5 -f -s 4096 --file-pattern "$pattern" \
		--json record
	out_has "-r 2          range in MB"
	equal range "$(json record .params.range_bytes)" 2097152
	json record .command | grep -q -e '--range 2m' ||
		fail "the command lacks the range: $(json record .command)"
}

# The header has whole MB.
t_a_range_that_is_no_whole_mb_is_told_and_recorded_to_the_byte() {
	files 41000000 1
	for range in 100001 40000000; do
		expect 0 "$RAWREAD" -n 5 -f -s 4096 -r ${range}b -o 513b \
			--file-pattern "$pattern" --json record
		out_has "Range          $range bytes at 513 of $PWD/mnt1/foo"
		equal range "$(json record .params.range_bytes)" $range
		json record .command | grep -q -e "--range ${range}b" ||
			fail "$(json record .command)"
	done
	out_has "-r 38         range in MB"
}

t_the_recorded_command_repeats_the_run() {
	files 2097152 1 2
	expect 0 "$RAWREAD" -m 2 -p 4 -n 9 -l 2 -f -c -t 8 -i 3 -s 4k -o 1 \
		--file-pattern "$pattern" --json first
	json first .command |
		sed "s|^rawread read|'$RAWREAD' read --json second|" >again.sh
	expect 0 sh again.sh
	equal command "$(json first .command)" "$(json second .command)"
	equal params "$(json first '.params | tostring')" \
		"$(json second '.params | tostring')"
}

t_q_has_a_line_for_each_device_and_the_rest_on_stderr() {
	files 1048576 1 2
	expect 0 "$RAWREAD" -q -m 2 -p 2 -n 20 -f -s 4096 \
		--file-pattern "$pattern"
	equal lines "$(wc -l <out)" 2
	line_like 1 '( *[0-9]+\.[0-9]{2}|    -) ( *[0-9]+\.[0-9]{2}|    -) ( *[0-9]+\.[0-9]{2}|    -) [ 0-9]{4,} [ 0-9]{6,}'
	err_has "Cold           "
}

t_e_has_one_more_line() {
	files 2097152 1
	expect 0 "$RAWREAD" -e -q -n 20 -f -s 4096 -o 1 \
		--file-pattern "$pattern"
	line_like 2 "Rawread_Version_$(version) [0-9]+ ([0-9]+\.[0-9]{2}|-) [0-9]+ t 0 p 1 s 4096 o 1048576 i 0 n 20 l 1 x 0 z 0 d 1 m 1"
}

t_iovecs_choose_test_2_and_have_their_title() {
	files 1048576 1
	expect 0 "$RAWREAD" -i 4 -n 5 -f -s 4096 --file-pattern "$pattern"
	line 2 "-t 2          sequential readv() test"
	line 11 "-i 4          iovec count"
	out_has "procs           device   num readv   KB/sec     I/O Ops/sec"
	out_has "   80         length of DASD read (kbytes)"
	expect 0 "$RAWREAD" -t 8 -n 5 -f -s 4096 --file-pattern "$pattern"
	line 2 "-t 8          random readv() test"
	line 11 "-i 8          iovec count"
}

t_each_test_that_reads_has_its_title() {
	files 1048576 1
	while read -r id title; do
		expect 0 "$RAWREAD" -t "$id" -n 5 -f -s 4096 \
			--file-pattern "$pattern"
		out_has "$(printf '%s%-10s %s test' '-t ' "$id" "$title")"
	done <<-END
		0 sequential read()
		2 sequential readv()
		4 sequential pread()
		6 random read()
		8 random readv()
		10 random pread()
		12 sequential aioread()
		14 random aioread()
		16 batch sequential aioread()
		18 batch random aioread()
		20 minimum batch sequential aioread()
		22 minimum batch random aioread()
	END
}

# What a public harness does: all tests in a row, on a file that is to be read.
t_each_test_that_writes_asks_and_changes_nothing() {
	files 4096 1
	before=$(cksum <mnt1/foo)
	while read -r id title; do
		expect 2 "$RAWREAD" -t "$id" -f --file-pattern "$pattern"
		err_has "test $id, $title, writes over $PWD/mnt1/foo; give"
		err_is_one_line
		equal stdout "$(wc -c <out)" 0
	done <<-END
		1 sequential write()
		3 sequential writev()
		5 sequential pwrite()
		7 random write()
		9 random writev()
		11 random pwrite()
		13 sequential aiowrite()
		15 random aiowrite()
		17 batch sequential aiowrite()
		19 batch random aiowrite()
		21 minimum batch sequential aiowrite()
		23 minimum batch random aiowrite()
	END
	expect 2 "$RAWREAD" -t 24 -f --file-pattern "$pattern"
	err_has "test '24' does not exist"
	equal "the file" "$(cksum <mnt1/foo)" "$before"
}

# -p 4 over two devices: one thread drives both in the batch tests.
t_in_the_batch_tests_a_thread_drives_all_devices() {
	files 1048576 1 2
	for id in 16 18 20 22; do
		expect 0 "$RAWREAD" -t $id -m 2 -p 4 -n 20 -s 4096 -f \
			--file-pattern "$pattern" --json record
		out_has "-p 4          number of processes"
		reads=$(json record .reads)
		# Two threads, 20 reads or more of each on each device.
		[ "$reads" -ge 80 ] || fail "$reads reads in test $id"
		equal "targets of $id" "$(json record '[.targets[].threads] |
			tostring')" "[2,2]"
	done
}

t_a_named_file_needs_no_command_word() {
	files 1048576 1
	expect 0 "$RAWREAD" ./mnt1/foo -n 4 -s 64k
	out_has "./mnt1/foo           4 "
	expect 0 "$RAWREAD" "$PWD/mnt1/foo" -n 4 -s 64k
	expect 0 "$RAWREAD" -n 4 mnt1/foo
}

t_positional_targets_have_a_thread_each() {
	files 1048576 1 2 3
	expect 0 "$RAWREAD" -n 4 -s 4k mnt1/foo mnt2/foo mnt3/foo
	out_has "-p 3          number of processes"
	out_has "-m 3          device modulo"
	expect 0 "$RAWREAD" -n 4 -s 4k -p 6 mnt1/foo mnt2/foo mnt3/foo
	out_has "-p 6          number of processes"
	out_has "    2         mnt1/foo"
}

t_raw_devices_are_gone_and_it_says_what_works() {
	expect 2 "$RAWREAD" -n 4
	err_has "raw devices"
	err_has "-f for /mnt/mntN/foo, -x for /dev/sdX"
	err_is_one_line
}

t_a_short_file_is_said_before_anything_starts() {
	files 2097152 1
	files 1000000 2
	expect 2 timeout 20 "$RAWREAD" -m 2 -p 8 -f -r 2 -t 6 -s 4096 \
		--file-pattern "$pattern"
	err_has "mnt2/foo: 1000000 bytes, and the range needs 2097152"
	err_has "1097152 more than there are; -r 1000000b fits"
	err_is_one_line
	equal stdout "$(wc -c <out)" 0
}

t_random_tests_read_each_block_once() {
	files 1048576 1
	expect 0 "$RAWREAD" -t 6 -m 1 -p 4 -n 16 -s 16k -f \
		--file-pattern "$pattern" --json record
	# 4 x 16 reads of 64 blocks, and none goes on for long.
	unique=$(json record .unique_bytes)
	equal "unique bytes" "$unique" 1048576
}

# Who may not write it may read it; root may write all, and is somebody else.
t_files_are_opened_for_reading_only() {
	files 1048576 1
	chmod 444 mnt1/foo
	if [ "$(id -u)" != 0 ]; then
		expect 0 "$RAWREAD" -n 4 -f --file-pattern "$pattern"
		return
	fi
	command -v setpriv >/dev/null || skip "needs setpriv"
	cp "$RAWREAD" rawread
	chmod 755 . mnt1 rawread
	expect 0 setpriv --reuid 65534 --regid 65534 --clear-groups \
		./rawread -n 4 -f --file-pattern "$pattern"
}

t_h_and_help_show_help() {
	expect 0 "$RAWREAD" -m 2 -h
	out_has "--first-device"
	expect 0 "$RAWREAD" read --help
	out_has "--read-ahead-kb"
}

t_the_record_goes_beside_the_text() {
	files 1048576 1
	expect 0 "$RAWREAD" -n 4 -s 4k mnt1/foo --json -
	out_has "Total run time"
	equal type "$(json out .type)" run
	equal reads "$(json out .params.reads)" 4
}

run_tests "$@"
