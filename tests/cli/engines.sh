#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# "rawread engines": what there is, what works on a file, and why not.
# shellcheck source=tests/support/lib.sh
. "${TESTS:-tests}/support/lib.sh"

# works NAME: what stands in the column of the row that NAME begins.
works() {
	sed -n "s/^$1  *\(yes\|-\)  *\(yes\|-\)  *\([a-z-]*\)  *.*/\3/p" out
}

t_all_engines_are_listed_and_work_on_this_machine() {
	expect 0 "$RAWREAD" engines
	for engine in read readv pread preadv2 mmap splice libaio write writev \
		pwrite null; do
		equal "$engine" "$(works $engine)" yes
	done
	for way in 'read --direct' 'preadv2 --rwf nowait' 'preadv2 --rwf hipri' \
		'preadv2 --rwf dontcache' 'libaio --direct'; do
		equal "$way" "$(works "$way")" -
		grep -q "^$way .*depends on the file" out || fail "$(cat out)"
	done
}

t_each_engine_that_reads_is_tried_on_the_file() {
	head -c 100001 /dev/urandom >f
	: >empty
	printf x >short
	for file in f empty short; do
		expect 0 "$RAWREAD" engines ./$file
		for engine in read readv pread preadv2 mmap splice libaio null \
			'preadv2 --rwf hipri'; do
			equal "$engine on $file" "$(works "$engine")" yes
		done
		for engine in write writev pwrite; do
			equal "$engine on $file" "$(works $engine)" -
		done
	done
	out_has "not tried: it would write"
}

t_nothing_is_written_and_nothing_opened_for_writing() {
	head -c 100001 /dev/urandom >f
	need_strace
	before=$(stat -c '%y %z %s' f)
	run strace -f -qq -o trace -e trace=openat,open,write,pwrite64,truncate \
		-P "$PWD/f" "$RAWREAD" engines "$PWD/f"
	equal status "$status" 0
	grep -q O_RDONLY trace || fail "$(cat trace)"
	! grep -v O_RDONLY trace || fail "$(cat trace)"
	equal "times and size" "$(stat -c '%y %z %s' f)" "$before"
}

t_what_can_not_be_read_is_said_in_one_line() {
	mkdir d
	mkfifo fifo
	: >a
	expect 2 "$RAWREAD" engines ./gone
	err_has "open ./gone: No such file or directory"
	expect 2 "$RAWREAD" engines d
	err_has "d is a directory; name a file in it"
	expect 2 "$RAWREAD" engines fifo
	err_has "fifo is neither a file nor a block device"
	expect 2 "$RAWREAD" engines a d
	err_has "one path at a time"
	for words in ./gone d fifo /dev/null 'a d' --nonsense; do
		# shellcheck disable=SC2086
		expect 2 "$RAWREAD" engines $words
		err_is_one_line
		equal stdout "$(wc -c <out)" 0
	done
}

t_a_file_that_one_may_not_read_is_trouble() {
	need_root
	command -v setpriv >/dev/null || skip "needs setpriv"
	: >secret
	chmod 600 secret
	cp "$RAWREAD" rawread
	chmod 755 . rawread
	expect 2 setpriv --reuid 65534 --regid 65534 --clear-groups \
		./rawread engines ./secret
	err_has "open ./secret: Permission denied"
	err_is_one_line
}

t_a_full_disk_behind_stdout_is_trouble() {
	run sh -c "\"$RAWREAD\" engines >/dev/full"
	equal status "$status" 2
	err_is_one_line
}

t_a_kernel_without_a_call_is_told() {
	need_strace
	: >f
	run strace -f -qq -o trace -e trace=io_setup -e inject=io_setup:error=ENOSYS \
		"$RAWREAD" engines ./f
	grep -q INJECTED trace || skip "strace may not inject here"
	equal status "$status" 0
	equal libaio "$(works libaio)" no
	out_has "this kernel has no Linux aio"
	equal "the others" "$(works pread)" yes
	run strace -f -qq -o trace -e trace=preadv2 -e inject=preadv2:error=ENOSYS \
		"$RAWREAD" engines
	equal preadv2 "$(works preadv2)" no
	equal "its flags" "$(works 'preadv2 --rwf nowait')" no
	out_has "this kernel has no preadv2(2)"
}

run_tests "$@"
