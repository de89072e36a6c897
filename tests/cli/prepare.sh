#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The command line of rawread prepare.
# shellcheck source=tests/support/lib.sh
. "${TESTS:-tests}/support/lib.sh"

prepare() {
	"$RAWREAD" prepare "$@"
}

# refused TEXT ARGS...: status 2 and one line that has TEXT.
refused() {
	text=$1
	shift
	expect 2 prepare "$@"
	err_is_one_line
	err_has "$text"
	[ ! -s out ] || fail "something is on stdout"
}

t_a_size_has_to_be_given() {
	refused "--size is required" .
	refused "--size is required and more than 0" --size 0 .
	[ ! -e foo ] || fail "there is a foo"
}

t_sizes_are_checked() {
	refused "size" --size 1q .
	refused "size" --size -1 .
	refused "size" --size 9999999999g .
	refused "'--size' needs a value" . --size
}

t_a_directory_has_to_be_named() {
	refused "no directory; name those that are to hold foo" --size 1k
}

t_a_directory_has_to_be_there() {
	refused "open nowhere: No such file or directory; it has to be there" \
		--size 1k nowhere
	: >file
	refused "file is not a directory" --size 1k file
}

t_nothing_is_written_when_one_directory_is_wrong() {
	mkdir good
	refused "open nowhere" --size 1k good nowhere
	[ ! -e good/foo ] || fail "a file was written"
}

t_a_directory_named_twice_is_refused() {
	mkdir dir
	ln -s dir link
	refused "link is given twice" --size 1k dir link
	[ ! -e dir/foo ] || fail "a file was written"
}

t_what_is_no_regular_file_is_left_alone() {
	mkdir dir
	ln -s elsewhere dir/foo
	refused "exists and is not a regular file; move it away" --size 1k dir
	refused "exists and is not a regular file" --size 1k --force dir
	[ -h dir/foo ] || fail "the symlink is gone"
}

t_another_size_is_kept_unless_forced() {
	mkdir dir
	echo precious >dir/foo
	refused "/dir/foo exists and has 9 bytes, not 1024; --force replaces it" \
		--size 1k dir
	equal "the file" "$(cat dir/foo)" precious
	expect 0 prepare --size 1k --force dir
	equal size "$(stat -c %s dir/foo)" 1024
}

t_each_file_is_told() {
	mkdir a "b c" ./-d
	expect 0 prepare --size 100001 -- a "b c" -d
	equal lines "$(sed 's/; nothing is mounted on .*//' out)" "$PWD/a/foo: 100001 bytes, written
$PWD/b c/foo: 100001 bytes, written
$PWD/-d/foo: 100001 bytes, written"
	equal size "$(stat -c %s "b c/foo")" 100001
	# A tmpfs before Linux 6.6 cannot have the mark, and that is told.
	! grep -v 'keeps no mark of prepare' err ||
		fail "something is on stderr, which is no terminal"
}

t_a_directory_where_nothing_is_mounted_is_told() {
	mkdir dir
	on=$(stat -c %m dir)
	expect 0 prepare --size 1k dir
	equal line "$(cat out)" "$PWD/dir/foo: 1024 bytes, written; nothing is \
mounted on $PWD/dir, it lies on $on"
	expect 0 prepare --size 1k dir
	out_has "kept as it is; nothing is mounted on $PWD/dir, it lies on $on"
}

t_the_mode_is_what_umask_says() {
	mkdir dir
	(umask 027 && prepare --size 1k dir) >out
	equal mode "$(stat -c %a dir/foo)" 640
}

t_more_than_the_disk_has_is_refused() {
	mkdir dir
	refused "are free; make room or give a smaller --size" --size 8000t dir
}

t_a_directory_that_may_not_be_written_is_told() {
	mkdir dir
	chmod 555 dir
	if [ "$(id -u)" = 0 ]; then
		command -v setpriv >/dev/null || skip "needs setpriv"
		chmod 755 .
		setpriv --reuid 65534 --regid 65534 --clear-groups \
			test -x "$RAWREAD" ||
			skip "needs a build that others may read"
		expect 2 setpriv --reuid 65534 --regid 65534 --clear-groups \
			"$RAWREAD" prepare --size 1k dir
	else
		expect 2 prepare --size 1k dir
	fi
	err_is_one_line
	err_has "Permission denied"
}

t_a_closed_pipe_is_trouble() {
	mkdir dir
	{
		code=0
		prepare --size 1k dir 2>err || code=$?
		echo $code >code
	} | true
	equal status "$(cat code)" 2
	equal size "$(stat -c %s dir/foo)" 1024
}

run_tests "$@"
