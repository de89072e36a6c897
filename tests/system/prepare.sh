#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# rawread prepare: a foo is whole, or it is not there.
# shellcheck source=tests/support/lib.sh
. "${TESTS:-tests}/support/lib.sh"
# shellcheck source=tests/support/scratch.sh
. "${TESTS:-tests}/support/scratch.sh"

prepare() {
	"$RAWREAD" prepare "$@"
}

files_of() {
	(cd "$1" && find . -type f ! -path './lost+found*' | sort)
}

on_type() {
	need_mounts
	scratch_fs "$@" /mnt/a
	expect 0 prepare --size 5000000 /mnt/a
	equal line "$(cat out)" "/mnt/a/foo: 5000000 bytes, written"
	equal files "$(files_of /mnt/a)" ./foo
	equal size "$(stat -c %s /mnt/a/foo)" 5000000
	[ "$(gzip -c /mnt/a/foo | wc -c)" -ge 5000000 ] || fail "it compresses"
	expect 0 prepare --size 5000000 /mnt/a
	out_has "/mnt/a/foo: 5000000 bytes, kept as it is"
}

t_a_file_on_ext4_is_whole_and_then_kept() {
	on_type ext4 64M
}

t_a_file_on_xfs_is_whole_and_then_kept() {
	on_type xfs 320M
}

t_a_file_on_btrfs_is_whole_and_then_kept() {
	on_type btrfs 256M
}

t_a_file_on_tmpfs_is_whole_and_then_kept() {
	need_mounts
	mkdir /mnt/a
	expect 0 prepare --size 100k /mnt/a
	out_has "written; nothing is mounted on /mnt/a, it lies on /mnt"
	expect 0 prepare --size 100k /mnt/a
	out_has "kept as it is"
	truncate -s 100k /mnt/a/hole
	mv /mnt/a/hole /mnt/a/foo
	expect 2 prepare --size 100k /mnt/a
	err_has "102400 of its 102400 bytes are holes"
}

# mark_of DEVICE PATH: of a file on ext4; getfattr may not be there.
mark_of() {
	debugfs -R "ea_get $2 user.rawread.prepared" "$1" 2>/dev/null |
		sed -n 's/^user.rawread.prepared.* = //p'
}

t_a_file_that_is_written_bears_the_mark_and_one_that_is_kept_does_not() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	mkdir /mnt/a/others
	scratch_foo 1 /mnt/a/others
	expect 0 prepare --size 1M /mnt/a /mnt/a/others
	[ ! -s err ] || fail "something is on stderr"
	mark=$(mark_of "$loop" /foo)
	echo "$mark" | grep -qE "^\"2 seed=[0-9a-f]{16} size=1048576 \
inode=$(stat -c %i /mnt/a/foo) born=$(stat -c %W /mnt/a/foo)\.[0-9]{9} \
fs=([0-9a-f]{32}|-)\"\$" || fail "the mark is: $mark"
	equal "the mark of others' file" "$(mark_of "$loop" /others/foo)" ""
}

t_a_file_that_was_written_over_is_kept_with_its_mark() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	expect 0 prepare --size 1M /mnt/a
	mark=$(mark_of "$loop" /foo)
	[ -n "$mark" ] || fail "no mark"
	dd if=/dev/urandom of=/mnt/a/foo bs=1M count=1 conv=notrunc 2>dd.log
	sum=$(sha256sum /mnt/a/foo)
	expect 0 prepare --size 1M /mnt/a
	out_has "kept as it is"
	equal "the data" "$(sha256sum /mnt/a/foo)" "$sum"
	equal "the mark" "$(mark_of "$loop" /foo)" "$mark"
}

t_a_file_system_without_attributes_is_told_and_has_the_file() {
	need_mounts
	mkdir /mnt/a
	mount -t ramfs ramfs /mnt/a
	expect 0 prepare --size 100k /mnt/a
	equal line "$(cat out)" "/mnt/a/foo: 102400 bytes, written"
	equal size "$(stat -c %s /mnt/a/foo)" 102400
	err_is_one_line
	err_has "/mnt/a/foo: its file system keeps no mark of prepare"
	err_has "--destroy-data=PATH"
	err_has "--verify cannot be used"
	expect 0 prepare --size 100k /mnt/a
	out_has "kept as it is"
	[ ! -s err ] || fail "it is told of a file that was not written"
}

# A fresh file system gives the first file the same inode as the next one does.
t_a_copy_on_another_file_system_is_not_marked_and_the_file_stays_so() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	first=$loop
	expect 0 prepare --size 1M /mnt/a
	scratch_fs ext4 64M /mnt/b
	cp -a --preserve=all /mnt/a/foo /mnt/b/foo
	equal inode "$(stat -c %i /mnt/b/foo)" "$(stat -c %i /mnt/a/foo)"
	equal mark "$(mark_of "$loop" /foo)" "$(mark_of "$first" /foo)"
	expect 2 "$RAWREAD" read -t 1 -n 1 --destroy-data /mnt/b
	err_has "/mnt/b/foo is a copy of a file that 'rawread prepare' made"
	expect 2 "$RAWREAD" read --verify /mnt/b
	# On another device, the same file is the same.
	umount /mnt/a
	losetup -d "$first"
	loop=$(losetup -f --show --direct-io=on "$PWD/1.ext4.img")
	mount "$loop" /mnt/a
	expect 0 "$RAWREAD" read --verify /mnt/a
	expect 0 "$RAWREAD" read -t 1 -n 1 --destroy-data /mnt/a
}

t_what_the_kernel_uses_is_not_replaced() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	head -c 2M /dev/zero >/mnt/a/foo
	sum=$(sha256sum /mnt/a/foo)
	loop=$(losetup -f --show /mnt/a/foo)
	expect 2 prepare --force --size 4M /mnt/a
	err_has "/mnt/a/foo is the backing file of ${loop#/dev/}; detach it first"
	losetup -d "$loop"
	equal "the data" "$(sha256sum /mnt/a/foo)" "$sum"
	equal files "$(files_of /mnt/a)" ./foo
	expect 0 prepare --force --size 4M /mnt/a
}

t_it_is_on_disk_when_prepare_ends() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	expect 0 prepare --size 4M /mnt/a
	sum=$(sha256sum </mnt/a/foo)
	# What is on the device, by another way than the mount's cache.
	debugfs -R 'dump /foo foo' "$loop" 2>/dev/null
	equal "the data on the device" "$(sha256sum <foo)" "$sum"
}

t_no_two_files_hold_the_same_data() {
	need_mounts
	mkdir /mnt/a /mnt/b
	expect 0 prepare --size 1M /mnt/a /mnt/b
	! cmp -s /mnt/a/foo /mnt/b/foo || fail "they are equal"
	# Nor does one repeat itself.
	equal "blocks that differ" "$(split -b 4096 --filter='sha256sum' \
		/mnt/a/foo | sort -u | wc -l)" 256
	# And it is the same when it is made again.
	sum=$(sha256sum /mnt/a/foo)
	rm /mnt/a/foo
	expect 0 prepare --size 1M /mnt/a
	equal "the data" "$(sha256sum /mnt/a/foo)" "$sum"
}

# A file that an interrupted benchmark left: the right size, no data.
t_unwritten_extents_and_holes_are_refused_and_replaced_by_force() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	fallocate -l 4M /mnt/a/foo
	expect 2 prepare --size 4M /mnt/a
	err_is_one_line
	err_has "/mnt/a/foo exists, and 4194304 of its 4194304 bytes are holes"
	err_has "--force replaces it"
	expect 0 prepare --size 4M --force /mnt/a
	out_has "written"
	head -c 1M /mnt/a/foo >part
	truncate -s 4M part
	cp --sparse=always part /mnt/a/foo
	expect 2 prepare --size 4M /mnt/a
	err_has "/mnt/a/foo exists, and 3145728 of its 4194304 bytes"
	expect 0 prepare --size 4M --force /mnt/a
	expect 0 prepare --size 4M /mnt/a
	out_has "kept"
}

t_compressed_data_is_refused() {
	need_mounts
	scratch_fs btrfs 256M /mnt/a -o compress-force=zstd
	head -c 4M /dev/zero >/mnt/a/foo
	sync /mnt/a/foo
	expect 2 prepare --size 4M /mnt/a
	err_has "holes, unwritten or compressed"
	expect 0 prepare --size 4M --force /mnt/a
	expect 0 prepare --size 4M /mnt/a
	out_has "kept"
}

t_the_space_is_asked_for_before_anything_is_written() {
	need_mounts
	scratch_fs ext4 40M /mnt/a
	mkdir /mnt/a/one /mnt/a/two /mnt/room
	expect 2 prepare --size 100M /mnt/a/one /mnt/room
	err_is_one_line
	err_has "1 file of 104857600 bytes need 104857600 bytes, and"
	equal files "$(files_of /mnt/a)$(files_of /mnt/room)" ""
	# Each fits, and not both.
	expect 2 prepare --size 20M /mnt/a/one /mnt/a/two
	err_has "2 files of 20971520 bytes need 41943040 bytes, and"
	equal files "$(files_of /mnt/a)" ""
	expect 0 prepare --size 20M /mnt/a/one
	expect 2 prepare --size 20M /mnt/a/one /mnt/a/two
	err_has "1 file of 20971520 bytes need 20971520 bytes, and"
	equal files "$(files_of /mnt/a)" ./one/foo
}

# The disk says yes and then has less: what was begun is taken away.
t_a_write_that_fails_leaves_only_what_was_there() {
	need_mounts
	mkdir /mnt/a /mnt/b
	expect 0 prepare --size 1M /mnt/b
	expect 2 sh -c "ulimit -f 4096 && '$RAWREAD' prepare --force \
		--size 8M /mnt/a /mnt/b"
	err_is_one_line
	err_has "write /mnt/a/foo at "
	err_has "File too large"
	equal files "$(files_of /mnt/a)" ""
	equal files "$(files_of /mnt/b)" ./foo
	equal "the old size" "$(stat -c %s /mnt/b/foo)" 1048576
}

t_an_interrupted_prepare_leaves_only_what_was_there() {
	need_mounts
	mkdir /mnt/a
	expect 0 prepare --size 1M /mnt/a
	for signal in 1 2 15; do
		hold env --default-signal=INT,HUP "$RAWREAD" prepare --force \
			--size 8G /mnt/a >out 2>err
		pid=$holder
		until [ "$(files_of /mnt/a | wc -l)" = 2 ]; do sleep 0.01; done
		kill -$signal $pid
		code=0
		wait $pid || code=$?
		equal status $code $((128 + signal))
		err_has "stopped before /mnt/a/foo was done"
		equal files "$(files_of /mnt/a)" ./foo
		equal "the old size" "$(stat -c %s /mnt/a/foo)" 1048576
	done
}

run_tests "$@"
