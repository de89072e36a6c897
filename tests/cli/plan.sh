#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# "rawread plan": what would be done, with nothing read.
# shellcheck source=tests/support/lib.sh
. "${TESTS:-tests}/support/lib.sh"

# column NUMBER: of the table of threads, in one line.
column() {
	sed -n '/^THREAD/,/^$/p' out | sed '1d;/^$/d' |
		awk -v n="$1" '{ printf "%s%s", (NR > 1 ? " " : ""), $n }'
}

t_targets_threads_cpus_ranges_and_bytes_are_shown() {
	truncate -s 1000000 a
	truncate -s 2000000 b
	export HWLOC_SYNTHETIC='pack:2 [numa] core:2 pu:2'
	expect 0 "$RAWREAD" plan -p 4 -s 64k a b
	grep -Eq '^a +1000000 +0 +1000000 +16 +2$' out || fail "$(cat out)"
	grep -Eq '^b +2000000 +0 +2000000 +31 +2$' out || fail "$(cat out)"
	equal targets "$(column 2)" "a b a b"
	equal CPUs "$(column 3)" "0 4 2 6"
	equal nodes "$(column 4)" "0 1 0 1"
	equal packages "$(column 5)" "0 1 0 1"
	equal blocks "$(column 9)" "0-7 0-15 8-15 16-30"
	equal bytes "$(column 10)" "524288 1048576 475712 951424"
	out_has "3000000 bytes in all; each thread ends at its own end"
}

t_two_thousand_cpus_are_no_matter() {
	truncate -s 1g f
	export HWLOC_SYNTHETIC='pack:2 node:8 core:64 pu:2'
	expect 0 "$RAWREAD" plan -p 2048 f
	equal "distinct CPUs" \
		"$(column 3 | tr ' ' '\n' | sort -un | wc -l)" 2048
	equal "nodes of the first 16" \
		"$(column 4 | cut -d' ' -f1-16 | tr ' ' '\n' | sort -un | wc -l)" 16
	expect 2 "$RAWREAD" plan --pin 2048 f
	err_has "CPU 2048 may not be used; CPUs 0-2047 may"
}

t_a_machine_may_come_from_a_file() {
	truncate -s 1m f
	export HWLOC_XMLFILE="$TESTS/fixtures/topology/hybrid.xml"
	expect 0 "$RAWREAD" plan -p 8 -s 4k f
	equal CPUs "$(column 3)" "0 2 4 6 8 10 1 3"
	equal kinds "$(column 8)" "0 0 1 1 1 1 0 0"
	export HWLOC_XMLFILE=/no/such.xml
	expect 2 "$RAWREAD" plan f
	err_has "topology file /no/such.xml: No such file"
}

# Threads on its CPUs have their buffers elsewhere, and there may be none at all
# on a node of memory alone.
t_nodes_without_memory_or_without_cpus_are_no_matter() {
	truncate -s 1m f
	for machine in memoryless-node far-memory offline cpuset; do
		export HWLOC_XMLFILE="$TESTS/fixtures/topology/$machine.xml"
		for pin in scatter compact near; do
			expect 0 "$RAWREAD" plan -p 4 -s 4k --pin $pin f
			equal "threads on $machine" "$(column 1)" "0 1 2 3"
		done
		expect 0 "$RAWREAD" plan -p 64 -s 4k f
		out_has "note: 64 threads share "
		expect 2 "$RAWREAD" plan --pin 4096 f
		err_has "CPU 4096 may not be used; CPUs "
	done
}

t_compact_fills_a_node_before_the_next() {
	truncate -s 1m f
	export HWLOC_SYNTHETIC='pack:2 [numa] core:2 pu:2'
	expect 0 "$RAWREAD" plan -p 8 -s 4k --pin compact f
	equal CPUs "$(column 3)" "0 2 1 3 4 6 5 7"
	equal nodes "$(column 4)" "0 0 0 0 1 1 1 1"
	out_has "pin compact"
	out_lacks note:
}

t_near_takes_the_cpus_of_the_disk_or_says_why_not() {
	truncate -s 1m f
	export HWLOC_SYNTHETIC='pack:2 [numa] core:2 pu:2'
	expect 0 "$RAWREAD" plan -p 4 -s 4k --pin near f
	equal CPUs "$(column 3)" "0 4 2 6"
	out_has "note: --pin near: no "
	out_has "its threads are scattered over all CPUs"
	unset HWLOC_SYNTHETIC
	disk=$(sed -n 's/^note: .* device of .*(\([^(), ]*\)); its .*/\1/p' out)
	[ "$disk" ] || skip "the tests are on no disk, or on several"
	sed "s/nvme0n1/$disk/" "$TESTS/fixtures/topology/disk.xml" >machine.xml
	export HWLOC_XMLFILE=machine.xml
	expect 0 "$RAWREAD" plan -p 6 -s 4k --pin near f
	equal CPUs "$(column 3)" "4 6 5 7 4 6"
	out_has "note: 6 threads share 4 CPUs"
	out_lacks "pin near: "
}

t_a_count_says_that_they_stop_together() {
	truncate -s 1m f
	expect 0 "$RAWREAD" plan -n 10 -l 2 -p 2 -s 4k --layout shared f
	out_has "at least 20 reads a thread, 163840 bytes in all; they stop"
	out_has "layout shared"
	expect 0 "$RAWREAD" plan -n 1000 -p 2 -s 4k f
	out_has "note: f: blocks are read twice"
}

t_seven_terabytes_in_small_blocks_are_counted_whole() {
	truncate -s 7T huge 2>/dev/null || skip "no file can be so large here"
	expect 0 "$RAWREAD" plan -p 64 -s 1k --pin none huge
	grep -Eq ' 7696581394432 +7516192768 +64$' out || fail "$(head -3 out)"
	equal "last blocks" "$(column 9 | awk '{ print $NF }')" \
		7398752256-7516192767
	expect 0 "$RAWREAD" plan -s 64k -o 5t --pin none huge
	out_has "2199023255552 bytes in all"
}

t_a_random_plan_shows_its_seed() {
	truncate -s 1m f
	expect 0 "$RAWREAD" plan -t randread --seed 77 f
	out_has "random read(), by engine read"
	out_has "seed 77"
}

t_nothing_is_read_and_nothing_set() {
	truncate -s 1m f
	need_strace
	run strace -f -qq -o trace -e trace=read,pread64,readv,write \
		-P "$PWD/f" "$RAWREAD" plan -p 4 f
	equal status "$status" 0
	equal "calls on the file" "$(wc -l <trace)" 0
}

t_what_read_refuses_plan_refuses_too() {
	truncate -s 1000 f
	: >empty
	for words in gone empty '-r 1 f' '-o 1 f' '--engine x f' '-t 24 f' \
		'--pin 99999 f' '-i 3 -t 0 f'; do
		# shellcheck disable=SC2086
		expect 2 "$RAWREAD" plan $words
		err_is_one_line
		equal stdout "$(wc -c <out)" 0
	done
}

t_a_plan_of_writing_wants_the_consent_that_the_run_wants() {
	head -c 1000000 /dev/zero >f
	before=$(stat -c %Y.%Z f)
	expect 2 "$RAWREAD" plan -t 1 f
	err_has "give --destroy-data"
	expect 2 "$RAWREAD" plan -t 1 --destroy-data f
	err_has "--destroy-data=f"
	equal stdout "$(wc -c <out)" 0
	expect 0 "$RAWREAD" plan -t 1 --destroy-data=f f
	out_has "sequential write()"
	expect 2 "$RAWREAD" plan --warm fill=write f
	err_has "--warm fill=write writes over f"
	equal "times of f" "$(stat -c %Y.%Z f)" "$before"
	expect 2 "$RAWREAD" plan -t 1 --destroy=f f
	err_has "plan: option '--destroy=f' has to be written out, as --destroy-data"
	[ "$(id -u)" != 0 ] || return 0
	chmod 400 f
	expect 2 "$RAWREAD" plan -t 1 --destroy-data=f f
	err_has "open f for writing: Permission denied"
}

t_a_plan_of_verifying_wants_the_mark_that_the_run_wants() {
	truncate -s 1m f
	expect 2 "$RAWREAD" plan --verify f
	err_has "--verify: f"
}

t_what_only_tells_of_a_run_is_not_known_here() {
	truncate -s 1m f
	for words in --json=record -q --quiet -e --spreadsheet --cold; do
		expect 2 "$RAWREAD" plan "$words" f
		err_is_one_line
		err_has "plan: option '$words' is not known"
	done
	expect 0 "$RAWREAD" help --options plan
	out_has "layout"
	out_lacks "json"
	out_lacks "cold"
}

run_tests "$@"
