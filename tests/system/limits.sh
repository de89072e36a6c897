#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Limits of a process, of a group of them and of the machine: a run that meets
# one ends at once, names it with its value, and tells no result.
# shellcheck source=tests/support/lib.sh
. "${TESTS:-tests}/support/lib.sh"
# shellcheck source=tests/support/scratch.sh
. "${TESTS:-tests}/support/scratch.sh"

# group CONTROLLER: a control group of version 1 of our own in $group.
group() {
	mkdir -p "/mnt/cgroup.$1"
	mount -t cgroup -o "$1" rawread-test "/mnt/cgroup.$1" 2>/dev/null ||
		skip "needs version 1 of the control group $1"
	group=/mnt/cgroup.$1/rawread-test-$$
	mkdir "$group" || skip "needs a control group"
	trap 'rmdir "$group"' EXIT
}

# inside WORDS...: "rawread" with them, in the group.
inside() {
	# shellcheck disable=SC2016 # the shell that joins expands it
	timeout 60 sh -c 'echo $$ >"$0/tasks"; exec "$@"' "$group" \
		"$RAWREAD" "$@"
}

# no_result: one line, and nothing that looks like figures.
no_result() {
	err_is_one_line
	equal stdout "$(wc -c <out)" 0
	[ ! -s record ] || equal bytes "$(json record .bytes)" null
	rm -f record
}

t_descriptors_that_run_out_are_told_with_their_number() {
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		noise f$i 1000
	done
	for test in 0 4 12 16 20; do
		run timeout 60 sh -c "ulimit -n 12; \"$RAWREAD\" read -t $test \
			--json record f? f??"
		equal "status of test $test" "$status" 2
		no_result
		err_has "all 12 descriptors of this process are in use"
		err_has "raise 'ulimit -n'"
	done
}

# Threads have descriptors of their own, so 16 of them need no more than one.
t_threads_do_not_add_up_their_descriptors() {
	noise f 1048576
	for engine in read mmap libaio; do
		run timeout 60 sh -c "ulimit -n 12; \"$RAWREAD\" read -s 4k \
			-p 16 --engine $engine --json record f"
		equal "status of $engine" "$status" 0
		equal "bytes of $engine" "$(json record .bytes)" 1048576
	done
}

# It holds as many files at once as it has targets, twice.
t_a_batch_of_files_beyond_the_descriptors_is_told() {
	for i in 1 2 3 4 5 6; do
		noise f$i 10000
	done
	for limit in 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		run timeout 60 sh -c "ulimit -n $limit; \"$RAWREAD\" read \
			-t 16 -p 6 --json record f?"
		[ "$status" != 0 ] || break
		err_has "descriptors of this process are in use"
		err_has "raise 'ulimit -n'"
		no_result
	done
	equal "status of $limit" "$status" 0
	equal bytes "$(json record .bytes)" 60000
}

t_threads_beyond_the_processes_of_a_group_are_told() {
	need_mounts
	group pids
	echo 12 >"$group/pids.max"
	noise f 1048576
	for engine in read libaio mmap; do
		run inside read -p 64 -s 4k --engine $engine --json record f
		[ "$status" != 0 ] || fail "$engine: 64 threads in 12"
		no_result
		err_has "12"
		err_has thread
		expect 0 inside read -p 8 -s 4k --engine $engine f
	done
}

t_threads_beyond_the_processes_of_a_user_are_told() {
	need_mounts
	command -v setpriv >/dev/null || skip "needs setpriv"
	noise /mnt/f 1048576
	chmod 644 /mnt/f
	cp "$RAWREAD" /mnt/rawread
	run timeout 60 sh -c 'ulimit -u 6 2>/dev/null || ulimit -p 6; exec setpriv --reuid 64123 \
		--regid 64123 --clear-groups /mnt/rawread read -p 32 -s 4k /mnt/f'
	[ "$status" != 0 ] || fail "32 threads in 6"
	no_result
	err_has thread
	err_has "6"
}

# small WORDS...: "rawread read" with an address space of 100000 KiB.
small() {
	# Of a sanitizer that has no room it is no report of a fault.
	run env ASAN_OPTIONS= sh -c "ulimit -v 100000; \"$RAWREAD\" --version"
	[ "$status" = 0 ] || skip "this build wants a larger address space"
	run timeout 60 sh -c "ulimit -v 100000; \"$RAWREAD\" read $* \
		--json record f"
	[ "$status" != 0 ] || fail "$*: all had room"
	no_result
}

t_buffers_and_threads_beyond_the_address_space_are_told() {
	truncate -s 64m f
	small -s 32m -p 8
	err_has "buffer of 33554432 bytes: no room in the address space"
	err_has "'ulimit -v' gives 100000 KiB"
	small -s 4k -p 500
	err_has "of 500 could not be made"
	err_has "ulimit -v 100000, "
}

# Restricted, and the CPU numbers stay those of the machine.
t_a_group_of_cpus_is_all_there_is() {
	need_mounts
	[ "$(nproc)" -ge 2 ] || skip "needs two CPUs"
	group cpuset
	last=$(sed -n 's/^Cpus_allowed_list:.*[^0-9]\([0-9]*\)$/\1/p' \
		/proc/self/status)
	echo "$last" >"$group/cpuset.cpus"
	cat /mnt/cgroup.cpuset/cpuset.mems >"$group/cpuset.mems"
	noise f 1048576
	expect 0 inside read -p 2 -s 4k --json record f
	equal CPUs "$(json record .cpus)" "$last"
	equal bytes "$(json record .bytes)" 1048576
	equal moved "$(json record .moved_threads)" null
	rm record
	expect 0 inside read -p 2 -s 4k f
	out_has "2 threads share 1 CPU"
	expect 2 inside read --pin "$((last - 1))" f
	err_has "CPU $((last - 1)) may not be used; CPUs $last may"
	no_result
	expect 0 inside read -p 3 --pin none -s 4k f
	expect 0 inside read -p 2 --pin compact -s 4k f
	expect 0 inside read -p 2 --pin near -s 4k f
}

t_an_affinity_is_all_there_is() {
	command -v taskset >/dev/null || skip "needs taskset"
	[ "$(nproc)" -ge 2 ] || skip "needs two CPUs"
	noise f 1048576
	taskset -c 1 true || skip "needs CPU 1"
	for pin in scatter compact near 1 1,1; do
		expect 0 taskset -c 1 "$RAWREAD" read --pin $pin -p 4 -s 4k \
			--json record f
		equal "CPUs of $pin" "$(json record .cpus)" 1
		equal "threads of $pin" \
			"$(json record '.threads.cpu | tostring')" "[1,1,1,1]"
	done
	rm record
	for pin in 0 0-1 1,0 0,2-5; do
		expect 2 taskset -c 1 "$RAWREAD" read --pin $pin -p 4 f
		err_has "may not be used; CPUs 1 may"
		no_result
	done
	expect 0 taskset -c 1 "$RAWREAD" read -p 4 -s 4k f
	out_has "4 threads share 1 CPU"
	expect 0 taskset -c 1 "$RAWREAD" plan -p 4 -s 4k f
	out_has "4 threads share 1 CPU"
}

# fs.aio-max-nr is the machine's: what it refuses is told by the kernel, here by
# a system call that fails.
t_contexts_of_aio_that_run_out_are_told() {
	need_strace
	noise f 1048576
	run timeout 60 strace -f -qq -o trace -e trace=io_setup \
		-e inject=io_setup:error=EAGAIN \
		"$RAWREAD" read -t 12 -p 8 -s 4k --json record f
	grep -q INJECTED trace || skip "strace may not inject here"
	[ "$status" != 0 ] || fail "all contexts were there"
	no_result
	err_has aio-max-nr
	err_has "$(cat /proc/sys/fs/aio-max-nr)"
}

run_tests "$@"
