#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Direct I/O is called effective when the devices and the page cache say so,
# never because open(2) took the flag; and what it needs is told beforehand.
# shellcheck source=tests/support/lib.sh
. "${TESTS:-tests}/support/lib.sh"
# shellcheck source=tests/support/scratch.sh
. "${TESTS:-tests}/support/scratch.sh"

# claim_holds FILE BYTES: effective is what the devices delivered, past the page
# cache; refused is n/a; all else is not effective, or unknown, with a reason.
claim_holds() {
	file=$1 bytes=$2
	for way in read 'pread -t 4' 'libaio -t 14' 'preadv2 -t 2 -i 4'; do
		# shellcheck disable=SC2086
		reads_or_n_a "$bytes" -z -s 64k --engine $way "$file"
		claim="n/a"
		[ "$status" = 0 ] || continue
		claim=$(json record '.targets[0].direct_io')
		case $claim in
		effective)
			moved=$(json record .cold.device_bytes)
			[ "$moved" -ge "$((bytes * 9 / 10))" ] ||
				fail "$way, $file: $claim, $moved device bytes"
			equal "cached by $way" \
				"$(json record .cold.resident_after_bytes)" \
				"$(json record .cold.resident_before_bytes)"
			;;
		"not effective" | unknown)
			[ "$(json record '.targets[0].direct_io_reason')" != null ] ||
				fail "$way, $file: $claim, and no reason"
			;;
		*) fail "$way, $file: $claim" ;;
		esac
	done
}

# not_claimed FILE BYTES: by no way, whatever the reason.
not_claimed() {
	claim_holds "$@"
	case $claim in effective) fail "$1: $claim" ;; esac
}

t_on_ext4_and_xfs_it_is_effective() {
	need_mounts
	mkdir tree
	noise tree/foo 4194304
	noise tree/odd 1000001
	for type in ext4 xfs; do
		command -v mkfs.$type >/dev/null || continue
		scratch_tree $type tree /mnt/$type
		claim_holds /mnt/$type/foo 4194304
		equal "claim on $type" "$claim" effective
		reads_or_n_a 1000001 -z -s 64k /mnt/$type/odd
		equal "an odd file on $type" "$status" 0
		equal cached "$(json record .cold.resident_after_bytes)" 0
	done
}

t_on_a_file_system_in_memory_it_is_never_effective() {
	need_mounts
	mkdir tree
	noise tree/foo 1048576
	scratch_tree tmpfs tree /mnt/a
	not_claimed /mnt/a/foo 1048576
	# Nor with sizes that no disk could read.
	reads_or_n_a 1048576 -z -s 1000b /mnt/a/foo
}

t_on_squashfs_it_is_refused() {
	need_mounts
	mkdir tree
	noise tree/foo 1048576
	scratch_tree squashfs tree /mnt/a
	not_claimed /mnt/a/foo 1048576
	equal claim "$claim" n/a
	err_has "/mnt/a/foo: its file system refuses direct I/O"
}

# Of a compressed one as well as of a plain one.
t_on_erofs_each_file_has_its_own_answer() {
	need_mounts
	mkdir tree
	noise tree/foo 1048576
	noise tree/odd 100001
	yes "lines that can be compressed" | head -c 1048576 >tree/lines
	scratch_tree erofs tree /mnt/a
	claim_holds /mnt/a/foo 1048576
	reads_or_n_a 100001 -z -s 64k /mnt/a/odd
	mkfs.erofs -zlz4 lz4.img tree >/dev/null 2>&1 || skip "needs lz4"
	scratch_image lz4.img /mnt/b erofs
	not_claimed /mnt/b/lines 1048576
}

# It falls back to the page cache for both, without a word.
t_on_btrfs_compressed_and_odd_files_are_not_effective() {
	need_mounts
	scratch_fs btrfs 400M /mnt/a -o compress-force=zstd
	yes "lines that can be compressed" | head -c 8388608 >/mnt/a/lines
	noise /mnt/a/foo 4194304
	noise /mnt/a/odd 1000001
	sync -f /mnt/a
	umount /mnt/a
	mount "$loop" /mnt/a
	not_claimed /mnt/a/lines 8388608
	claim_holds /mnt/a/foo 4194304
	reads_or_n_a 1000001 -z -s 1000b /mnt/a/odd
	claim_holds /mnt/a/odd 1000001
}

t_through_overlay_it_is_what_the_layer_below_does() {
	need_mounts
	mkdir tree
	noise tree/foo 1048576
	scratch_tree overlay tree /mnt/a
	not_claimed /mnt/a/foo 1048576
}

t_through_fuse_it_is_never_effective() {
	need_mounts
	mkdir tree
	noise tree/foo 1048576
	scratch_tree fuse tree /mnt/a
	cat /mnt/a/foo >/dev/null
	not_claimed /mnt/a/foo 1048576
}

# Above, the loop device answers direct I/O from the cache of its image.
t_through_a_buffered_loop_it_is_not_effective() {
	need_mounts
	mkdir tree
	noise tree/foo 4194304
	scratch_tree ext4 tree /mnt/a
	umount /mnt/a
	losetup -d "$loop"
	loop=$(losetup -f --show "$PWD/1.ext4.img")
	cat 1.ext4.img >/dev/null
	mount "$loop" /mnt/a
	not_claimed /mnt/a/foo 4194304
}

# From 1 KB up in a sweep: what cannot be is said, and the rest goes on.
t_on_4k_sectors_each_engine_says_what_it_needs() {
	need_mounts
	loop=$(scratch_loop image 200M -b 4096)
	mkfs.ext4 -q -F -b 4096 "$loop"
	mkdir /mnt/a
	mount "$loop" /mnt/a
	noise /mnt/a/foo 100001
	sync -f /mnt/a
	remounted /mnt/a
	for way in read pread 'readv -t 2 -i 3' preadv2 'preadv2 -t 8 -i 2' \
		splice libaio 'libaio -t 16' 'libaio -t 22'; do
		for size in 512 1k 2k 6k; do
			# shellcheck disable=SC2086
			reads_or_n_a 100001 -z -s $size --engine $way /mnt/a
			equal "$way by $size" "$status" 2
			err_has "n/a: needs 4096: direct I/O on /mnt/a/foo"
		done
		for size in 4k 8k 64k 512k; do
			# shellcheck disable=SC2086
			reads_or_n_a 100001 -z -s $size --engine $way /mnt/a
			equal "$way by $size" "$status" 0
			equal "cached by $way" \
				"$(json record .cold.resident_after_bytes)" 0
		done
	done
	reads_or_n_a 100001 -z -s 4k -o 512b /mnt/a
	equal "an offset in a sector" "$status" 2
	reads_or_n_a 100001 -z -s 4k -r 5000b /mnt/a
	equal "a range that ends in one" "$status" 2
}

t_on_a_block_device_of_4k_sectors_as_well() {
	need_mounts
	noise image 1048576
	sync image
	loop=$(losetup -f --show --direct-io=on -b 4096 "$PWD/image")
	reads_or_n_a 1048576 -z -s 2k "$loop"
	equal "status of 2k" "$status" 2
	err_has "n/a: needs 4096: direct I/O on $loop"
	claim_holds "$loop" 1048576
	equal claim "$claim" effective
}

run_tests "$@"
