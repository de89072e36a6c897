#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# "rawread engines" on file systems that differ, a block device and a disk that
# fails.
# shellcheck source=tests/support/lib.sh
. "${TESTS:-tests}/support/lib.sh"
# shellcheck source=tests/support/scratch.sh
. "${TESTS:-tests}/support/scratch.sh"

# works NAME: what stands in the column of the row that NAME begins.
works() {
	sed -n "s/^$1  *\(yes\|-\)  *\(yes\|-\)  *\([a-z-]*\)  *.*/\3/p" out
}

t_only_the_first_block_is_in_the_page_cache_afterwards() {
	need_mounts
	command -v fincore >/dev/null || skip "needs fincore"
	for type in ext4 xfs; do
		command -v mkfs.$type >/dev/null || continue
		scratch_fs $type 400M /mnt/$type
		scratch_foo 4 /mnt/$type
		umount /mnt/$type
		mount "$loop" /mnt/$type
		expect 0 "$RAWREAD" engines /mnt/$type/foo
		equal "$type, cached" \
			"$(fincore -nb -o RES /mnt/$type/foo | tr -d ' ')" 4096
		for way in read 'read --direct' 'preadv2 --rwf nowait' \
			'libaio --direct' mmap splice; do
			equal "$way on $type" "$(works "$way")" yes
		done
	done
}

# Newer kernels may take more.
t_a_flag_that_a_file_system_does_not_take_is_named() {
	need_mounts
	head -c 10000 /dev/urandom >/mnt/foo
	expect 0 "$RAWREAD" engines /mnt/foo
	for flag in nowait dontcache; do
		[ "$(works "preadv2 --rwf $flag")" = no ] || continue
		name=RWF_$(echo $flag | tr "[:lower:]" "[:upper:]")
		out_has "n/a: /mnt/foo: its file system does not take $name of"
	done
	for way in read pread preadv2 'preadv2 --rwf hipri' mmap splice libaio; do
		equal "$way" "$(works "$way")" yes
	done
}

t_a_file_system_that_refuses_direct_io_is_told() {
	need_mounts
	command -v mksquashfs >/dev/null || skip "needs mksquashfs"
	mkdir tree /mnt/s
	head -c 1M /dev/urandom >tree/foo
	mksquashfs tree image -quiet >/dev/null
	loop=$(losetup -f --show "$PWD/image")
	mount -t squashfs "$loop" /mnt/s || skip "needs squashfs"
	expect 0 "$RAWREAD" engines /mnt/s/foo
	for way in 'read --direct' 'libaio --direct'; do
		equal "$way" "$(works "$way")" no
	done
	out_has "its file system refuses direct I/O"
	equal mmap "$(works mmap)" yes
}

t_a_block_device_is_tried_and_not_written() {
	need_mounts
	head -c 1M /dev/urandom >image
	before=$(sha256sum <image)
	loop=$(scratch_loop image 1M)
	expect 0 "$RAWREAD" engines "$loop"
	for way in read readv pread preadv2 mmap splice libaio 'read --direct'; do
		equal "$way" "$(works "$way")" yes
	done
	losetup -d "$loop"
	equal "the bytes" "$(sha256sum <image)" "$before"
}

t_a_disk_that_fails_is_the_reason() {
	need_mounts
	head -c 64M /dev/urandom >image
	loop=$(scratch_loop image 64M)
	blockdev --flushbufs "$loop"
	truncate -s 0 image
	expect 0 "$RAWREAD" engines "$loop"
	for way in read readv pread preadv2 mmap splice libaio 'read --direct'; do
		equal "$way" "$(works "$way")" no
	done
	out_has "read $loop: Input/output error"
	out_has "bad block below the mapping (SIGBUS)"
}

run_tests "$@"
