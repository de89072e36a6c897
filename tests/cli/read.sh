#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# "rawread read": records, counts, and every input that is refused.
# shellcheck source=tests/support/lib.sh
. "${TESTS:-tests}/support/lib.sh"

# refused TEXT ARGS...: exit 2, one line on stderr with TEXT, none on stdout.
refused() {
	text=$1
	shift
	expect 2 timeout 20 "$RAWREAD" read "$@"
	err_has "$text"
	err_is_one_line
	equal stdout "$(wc -c <out)" 0
}

t_json_prints_the_record_and_no_text() {
	noise f 1048576
	expect 0 "$RAWREAD" read -p 2 -s 64k --json - f
	equal lines "$(wc -l <out)" 1
	equal type "$(json out .type)" run
	equal schema "$(json out .schema)" 1
	equal bytes "$(json out .bytes)" 1048576
	equal unique "$(json out .unique_bytes)" 1048576
	equal reads "$(json out .reads)" 16
	equal path "$(json out '.targets[0].path')" f
	equal threads "$(json out '.targets[0].threads')" 2
	equal test "$(json out .params.test)" seqread
	equal error "$(json out .error)" null
	[ "$(json out .span_ns)" -gt 0 ] || fail "no span"
	[ "$(json out .loop_ns_per_1000_reads)" -gt 0 ] || fail "no loop"
	[ "$(json out .own_cpu_ns)" -gt 0 ] || fail "no CPU time"
	[ "$(json out .cpu.ticks_per_s)" -gt 0 ] || fail "no ticks"
}

t_json_to_a_descriptor_leaves_stdout_empty() {
	noise f 100000
	run sh -c "\"$RAWREAD\" read --json fd:3 f 3>record"
	equal status "$status" 0
	equal stdout "$(wc -c <out)" 0
	equal bytes "$(json record .bytes)" 100000
}

t_json_to_a_file_appends() {
	noise f 100000
	expect 0 "$RAWREAD" read --json record f
	expect 0 "$RAWREAD" read --json record -s 4k f
	equal lines "$(wc -l <record)" 2
	equal block "$(json record .params.block_bytes)" 4096
}

t_a_torn_last_line_is_cut_off_and_said() {
	noise f 100000
	expect 0 "$RAWREAD" read --json record f
	printf '{"type":"run","sch' >>record
	expect 0 "$RAWREAD" read --json record f
	err_has "a torn last line of 18 bytes was cut off"
	equal lines "$(jq -s length record)" 2
}

t_without_json_the_classic_layout_and_what_is_beyond() {
	noise f 1048576
	expect 0 "$RAWREAD" read -p 2 -s 64k f
	out_has "-n 8          inner loop count"
	out_has "procs           device    num read   KB/sec"
	out_has "Cold           "
	out_has "Device bytes   "
	out_has "CPU time       "
	out_has "Placement      CPUs "
}

t_an_odd_file_is_delivered_to_its_last_byte() {
	noise f 100001
	for test in seqread seqreadv seqpread randread randreadv randpread; do
		for layout in slice shared; do
			for size in 1k 1000b 64k 1m; do
				expect 0 "$RAWREAD" read -t $test -p 3 \
					--layout $layout -s $size --json - f
				equal "$test $layout $size" \
					"$(json out .bytes)" 100001
				equal short "$(json out .short_reads)" null
			done
		done
	done
}

t_an_offset_and_a_range_cut_a_part_out() {
	noise f 3145728
	expect 0 "$RAWREAD" read -o 1 -r 1 -s 64k --json - f
	equal bytes "$(json out .bytes)" 1048576
	equal offset "$(json out '.targets[0].offset_bytes')" 1048576
	expect 0 "$RAWREAD" read -o 1000b -r 100001b -s 64k --json - f
	equal bytes "$(json out .bytes)" 100001
	equal reads "$(json out .reads)" 2
}

t_each_target_has_its_own_whole_range() {
	noise a 100000
	noise b 300000
	expect 0 "$RAWREAD" read -p 4 -s 4k --json - a b
	equal a "$(json out '.targets[0].bytes')" 100000
	equal b "$(json out '.targets[1].bytes')" 300000
	equal all "$(json out .bytes)" 400000
}

t_blocks_read_twice_are_counted_once_and_said() {
	noise f 1048576
	expect 0 "$RAWREAD" read -n 20 -s 64k --json - f
	equal bytes "$(json out .bytes)" 1310720
	equal unique "$(json out .unique_bytes)" 1048576
	equal verdict "$(json out .cold.verdict)" warm
	json out '.cold.causes[]' | grep -q '^blocks were read twice' ||
		fail "no cause says so"
	expect 0 "$RAWREAD" read -n 20 -s 64k f
	out_has "blocks are read twice"
}

t_cold_that_is_not_proved_is_exit_1_with_the_cause() {
	noise f 1048576
	cat f >/dev/null
	expect 1 "$RAWREAD" read --cold --json record f
	err_has "--cold: the run was "
	err_is_one_line
	# Measured it was, all the same.
	equal bytes "$(json record .bytes)" 1048576
}

t_a_memory_file_system_is_never_cold() {
	grep -q '^[^ ]* /dev/shm tmpfs ' /proc/mounts || skip "needs /dev/shm"
	at=$(mktemp -p /dev/shm)
	noise "$at" 100000
	run "$RAWREAD" read --cold --json record "$at"
	rm "$at"
	equal status "$status" 1
	equal verdict "$(json record .cold.verdict)" warm
	err_has "memory"
}

t_the_engine_null_touches_no_target_and_proves_nothing() {
	noise f 1048576
	expect 0 "$RAWREAD" read --engine null -s 4k -p 2 --json - f
	equal reads "$(json out .reads)" 256
	equal verdict "$(json out .cold.verdict)" unknown
	noise odd 100001
	expect 0 "$RAWREAD" read --engine null -z -s 4k --json - odd
	equal "bytes with -z" "$(json out .bytes)" 100001
	expect 0 "$RAWREAD" read --engine readv -s 4k --json - f
	equal bytes "$(json out .bytes)" 1048576
}

t_the_command_is_whole_with_blanks_and_quotes() {
	mkdir "my disk #1"
	noise "my disk #1/it's a file" 100000
	expect 0 "$RAWREAD" read -p 2 -s 4k --fadvise random --pin none \
		--json record "my disk #1/it's a file"
	json record .command |
		sed "s|^rawread read|'$RAWREAD' read --json second|" >again.sh
	expect 0 sh again.sh
	equal command "$(json second .command)" "$(json record .command)"
	equal path "$(json second '.targets[0].path')" \
		"$PWD/my disk #1/it's a file"
}

t_the_command_holds_in_another_directory_and_for_any_name() {
	command -v bash >/dev/null || skip "needs bash"
	name=$(printf 'caf\351 \\n')
	noise "$name" 100000
	expect 0 "$RAWREAD" read -s 4k --json record "$name"
	json record .command | grep -qF "/caf\\xe9 " ||
		fail "$(json record .command)"
	json record .command |
		sed "s|^rawread read|'$RAWREAD' read --json '$PWD/second'|" \
			>again.sh
	mkdir elsewhere
	cd elsewhere
	expect 0 bash ../again.sh
	cd ..
	equal bytes "$(json second .bytes)" 100000
	equal command "$(json second .command)" "$(json record .command)"
}

t_a_name_cannot_draw_on_the_terminal() {
	name=$(printf 'a\033[2J\nb')
	noise "$name" 1000
	expect 0 "$RAWREAD" read -n 3 "$name"
	out_has "bytes at 0 of a\\x1b[2J\\x0ab"
	! grep -q "$(printf '\033')" out || fail "raw"
}

t_the_text_has_the_true_total_and_the_way() {
	noise f 1048576
	expect 0 "$RAWREAD" read -p 2 -s 64k --engine null -t 0 f
	grep -Eq '^Total          [0-9]+ KB/s over the span, first thread done after [0-9]+\.[0-9]{6} s, last after [0-9]+\.[0-9]{6} s$' out || {
		show
		fail "no total"
	}
	grep -q '^Read by  *engine null, layout slice' out || fail "$(cat out)"
	out_lacks "seed"
	expect 0 "$RAWREAD" read -t randread --seed 7 --fadvise random f
	grep -q '^Read by  *engine read, layout slice.*fadvise random.*seed 7' \
		out || fail "$(cat out)"
}

t_a_topology_file_that_is_none_is_named() {
	noise f 4096
	echo none >x.xml
	HWLOC_XMLFILE=$PWD/x.xml
	export HWLOC_XMLFILE
	refused "HWLOC_XMLFILE=$PWD/x.xml is no topology" f
}

t_a_record_file_of_another_schema_is_not_appended_to() {
	noise f 4096
	echo '{"type":"run","schema":2}' >new
	refused "new has schema 2, and this version writes 1" --json new f
	equal "the file" "$(cat new)" '{"type":"run","schema":2}'
}

t_a_name_that_begins_with_a_dash_goes_behind_two() {
	noise ./-n 100000
	expect 0 "$RAWREAD" read --json - -- -n
	equal path "$(json out '.targets[0].path')" -n
}

t_every_hint_is_taken() {
	noise f 1048576
	for hint in none normal sequential random willneed noreuse; do
		expect 0 "$RAWREAD" read --fadvise $hint --json - f
		equal hint "$(json out '.params.fadvise // "none"')" $hint
		equal bytes "$(json out .bytes)" 1048576
	done
	refused "hint 'nope' is not known; there are none, normal," \
		--fadvise nope f
}

t_pinned_threads_and_those_that_are_not() {
	noise f 1048576
	cpu=$(sed -n 's/^Cpus_allowed_list:[^0-9]*\([0-9]*\).*/\1/p' \
		/proc/self/status)
	expect 0 "$RAWREAD" read -p 3 --pin "$cpu" -s 4k --json - f
	equal cpus "$(json out .cpus)" "$cpu"
	equal moved "$(json out .moved_threads)" null
	equal buffers "$(json out .moved_buffers)" null
	expect 0 "$RAWREAD" read -p 3 --pin none -s 4k --json - f
	equal cpus "$(json out .cpus)" null
	expect 0 "$RAWREAD" read -p 300 -s 4k f
	out_has "300 threads share "
}

t_a_cpu_that_may_not_be_used_is_refused_with_those_that_may() {
	noise f 4096
	refused "CPU 9999 may not be used; CPUs " --pin 9999 f
	cpu=$(sed -n 's/^Cpus_allowed_list:[^0-9]*\([0-9]*\).*/\1/p' \
		/proc/self/status)
	command -v taskset >/dev/null || return 0
	expect 2 taskset -c "$cpu" "$RAWREAD" read --pin 0-1 f
	err_has "may not be used; CPUs $cpu may"
	expect 0 taskset -c "$cpu" "$RAWREAD" read -p 2 --json - f
	equal cpus "$(json out .cpus)" "$cpu"
}

t_a_made_up_topology_can_be_planned_and_not_read_on() {
	noise f 4096
	export HWLOC_SYNTHETIC='pack:2 [numa] core:2 pu:2'
	refused "the topology is not this machine's" f
	err_has "--pin none"
	expect 0 "$RAWREAD" read --pin none --json - f
	expect 0 "$RAWREAD" plan -p 8 f
}

t_missing_targets_are_named_with_the_cure() {
	mkdir dir
	: >empty
	noise f 100001
	refused "open gone: No such file or directory; 'rawread prepare'" gone
	refused "dir is a directory and nothing is mounted on it; mount" dir
	refused "empty is empty" empty
	refused "no target" -s 4k
	refused "/dev/null is neither a file nor a block device" /dev/null
	refused "f and ./f are the same; name it once" f ./f
	refused "open /dev/sdzzy: no such disk" -x -d 18277
	refused "nothing is mounted on /no/mnt3" -f -d 3 \
		--file-pattern /no/mnt%d/foo
	refused "has no %d" -p 2 -f --file-pattern /mnt/foo
}

t_what_does_not_fit_is_refused_with_sizes() {
	noise f 100001
	refused "f has 100001 bytes, and the offset 1048576" -o 1 f
	refused "f has 100001 bytes, and the offset 100001" -o 100001b f
	refused "f: 100001 bytes, and the range needs 1048576" -r 1 f
	refused "-r 100001b fits" -r 1 f
	refused "2 blocks of 65536 bytes" -p 4 -n 10 -s 64k f
	refused "more than 2^63" -n 9223372036854775807 f
	refused "-n times -l is more than 2^63" -n 9223372036854775807 -l 2 f
	refused "of memory; lower -s, -i or -p" -t 2 -s 1g -i 1024 -p 999 f
}

t_options_that_contradict_are_refused() {
	noise f 4096
	refused "-i 4 is for the readv and writev tests" -t 0 -i 4 f
	refused "engine pread takes no iovecs" -t 2 --engine pread f
	refused "engine 'frob' is not in this version, which has read " \
		--engine frob f
	refused "-x names disks and -f names files" -x -f
	refused "-f names targets by number, and f by path" -f f
	refused "-m 2, but 1 target is" -m 2 f
	refused "give --threads 3 or more, or fewer targets" -f -m 3 -p 2
	refused "-l 2 repeats -n" -l 2 f
	refused "'x' is neither none, compact, scatter, near nor a list" \
		--pin x f
	refused "layout 'any' is not known" --layout any f
}

t_options_that_are_wrong_are_named() {
	noise f 4096
	refused "option '--frob' is not known" --frob f
	refused "option '--frob' is not known" f --frob
	refused "option '-Q' is not known" -zQ f
	refused "option '-d' needs a value" f -d
	refused "option '--cold=1' takes no value" --cold=1 f
	refused "option '--read' may mean several" --read 3 f
	refused "block-size: 'big' is not a size" -s big f
	refused "block-size: '0'" -s 0 f
	refused "block-size: '2g' is too large" -s 2g f
	refused "threads: " -p 0 f
	refused "reads: " -n -3 f
	refused "beyond the largest file offset" -o 99999999t f
	refused "test 'x' does not exist" -t x f
}

t_where_the_record_goes_is_checked_first() {
	noise f 4096
	noise other 100
	before=$(cksum <other)
	refused "descriptor 77 is not open for writing" --json fd:77 f
	refused "--json fd:" --json fd:x f
	refused "other exists and is not a record file" --json other f
	refused "/no/dir/x: No such file" --json /no/dir/x f
	equal "the other file" "$(cksum <other)" "$before"
	run sh -c "\"$RAWREAD\" read --json fd:3 f 3<f"
	equal status "$status" 2
	err_has "descriptor 3 is not open for writing"
}

t_a_full_disk_behind_the_output_is_trouble() {
	[ -w /dev/full ] || skip "needs /dev/full"
	noise f 4096
	run sh -c "\"$RAWREAD\" read f >/dev/full"
	equal status "$status" 2
	err_has "No space left on device"
	run sh -c "\"$RAWREAD\" read --json - f >/dev/full"
	equal status "$status" 2
	err_has "No space left on device"
	err_is_one_line
}

t_a_limit_of_file_size_is_trouble_and_no_signal() {
	noise f 4096
	run sh -c "ulimit -f 1; \"$RAWREAD\" read --json record f >/dev/null"
	equal status "$status" 2
	err_has "append to record file record: File too large"
	err_is_one_line
	equal "the record file" "$(wc -c <record)" 0
}

t_a_run_in_which_no_byte_could_be_read_is_trouble() {
	need_strace
	noise f 4096
	for limit in 4 5 6 7 8; do
		run sh -c "ulimit -n $limit; exec \"$RAWREAD\" read f"
		[ "$status" = 0 ] && break
		equal "status of $limit" "$status" 2
		err_has "descriptors of this process are in use"
		err_has "raise 'ulimit -n'"
		err_is_one_line
	done
	run strace -f -qq -o trace -P /proc/stat -e inject=openat:error=EACCES \
		"$RAWREAD" read --json record f
	grep -q INJECTED trace || skip "strace may not trace here"
	equal status "$status" 2
	err_has "open /proc/stat"
	err_is_one_line
}

t_holes_and_memory_are_not_to_be_flushed() {
	grep -q '^[^ ]* /dev/shm tmpfs ' /proc/mounts || skip "needs /dev/shm"
	at=$(mktemp -p /dev/shm)
	noise "$at" 100000
	run "$RAWREAD" read --cold "$at"
	rm "$at"
	equal status "$status" 1
	! grep -q flush err || fail "$(cat err)"
	noise f 100000
	cat f >/dev/null
	expect 1 "$RAWREAD" read --cold f
}

t_a_closed_pipe_behind_the_output_is_trouble() {
	noise f 4096
	run sh -c "{ \"$RAWREAD\" read f; echo \$? >status; } | true"
	# What the pipe still took before it was closed is no fault.
	case $(cat status) in 0) ;; 2) err_has "Broken pipe" ;; *) show
		fail "status $(cat status)" ;; esac
}

t_descriptors_that_run_out_are_told_with_the_limit() {
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		noise f$i 1000
	done
	run sh -c "ulimit -n 16; \"$RAWREAD\" read f? f??"
	equal status "$status" 2
	err_has "all 16 descriptors of this process are in use"
	err_has "raise 'ulimit -n'"
	err_is_one_line
}

t_an_interrupted_run_is_128_and_leaves_no_record() {
	noise f 1048576
	for signal in INT TERM HUP; do
		rm -f record
		# In the background of a shell SIGINT would be ignored. Without
		# --foreground a SIGCONT follows, which upsets the leak check.
		timeout --foreground -s $signal 1 "$RAWREAD" read -n 1000000000000 -p 2 \
			--json record f >out 2>err </dev/null &&
			fail "status 0 after SIG$signal"
		err_has interrupted
		err_is_one_line
		equal "record after SIG$signal" "$(wc -c <record)" 0
	done
	status=0
	timeout --foreground --preserve-status -s TERM 1 "$RAWREAD" read \
		-n 1000000000000 f >out 2>err || status=$?
	equal status $status 143
}

t_a_read_that_fails_names_file_and_offset() {
	need_strace
	noise f 1048576
	run strace -f -qq -o trace -e inject=pread64:error=EIO:when=3 \
		"$RAWREAD" read -t seqpread -s 64k --json record f
	grep -q INJECTED trace || skip "strace may not trace here"
	equal status "$status" 1
	err_has "read f at offset 131072: Input/output error"
	err_is_one_line
	json record .error | grep -q 'offset 131072' || fail "no error in it"
	equal bytes "$(json record .bytes)" null
}

t_a_file_that_becomes_shorter_is_an_error_and_no_hang() {
	need_strace
	noise f 1048576
	run timeout 20 strace -f -qq -o trace \
		-e inject=pread64:retval=0:when=3 \
		"$RAWREAD" read -t seqpread -s 64k f
	grep -q INJECTED trace || skip "strace may not trace here"
	equal status "$status" 1
	err_has "read f at offset 131072: the file ended there"
}

t_commands_of_another_version_are_refused_by_name() {
	for word in restore summary plot export list; do
		expect 2 "$RAWREAD" $word
		err_has "rawread: $word is not in this version"
		err_is_one_line
	done
	expect 2 "$RAWREAD" frobnicate
	err_has "'frobnicate' is neither a command nor a path"
	err_has "./frobnicate"
	expect 2 "$RAWREAD"
	err_is_one_line
}

t_version_and_help() {
	expect 0 "$RAWREAD" --version
	grep -Eq '^rawread [0-9]+\.[0-9]+\.[0-9]+$' out || fail "$(cat out)"
	expect 0 "$RAWREAD" help --commands
	equal commands "$(cut -f1 out | tr '\n' ' ')" \
		"read plan engines prepare sweep report diff import "
	expect 0 "$RAWREAD" help --options read
	grep -q "^block-size	s	SIZE	Bytes of one read" out || fail "$(cat out)"
	expect 0 "$RAWREAD" help --options sweep
	grep -q "^test	t	" out || fail "no shared options: $(cat out)"
	expect 2 "$RAWREAD" help frob
	err_has "'frob' is not a command"
	expect 2 "$RAWREAD" help --options frob
	err_is_one_line
}

run_tests "$@"
