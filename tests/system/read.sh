#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs on scratch file systems: what is proved cold and what is not, settings
# put back, direct I/O, errors of a disk.
# shellcheck source=tests/support/lib.sh
. "${TESTS:-tests}/support/lib.sh"
# shellcheck source=tests/support/scratch.sh
. "${TESTS:-tests}/support/scratch.sh"

ra_file() {
	echo "/sys/class/block/${loop#/dev/}/bdi/read_ahead_kb"
}

t_a_run_after_a_remount_is_proved_cold_and_the_next_is_not() {
	need_mounts
	scratch_fs ext4 100M /mnt/a
	scratch_foo 50 /mnt/a
	remounted /mnt/a
	expect 0 "$RAWREAD" read --cold -s 64k -p 2 --json record /mnt/a
	verdict_is record cold
	equal before "$(json record .cold.resident_before_bytes)" 0
	equal path "$(json record '.targets[0].path')" /mnt/a/foo
	[ "$(json record .cold.device_bytes)" -ge 51380224 ] ||
		fail "$(json record .cold)"
	equal device "$(json record '.devices[0].name')" "${loop#/dev/}"
	expect 1 "$RAWREAD" read --cold -s 64k -p 2 --json record /mnt/a
	err_has "52428800 of 52428800 bytes of the range were in the page cache"
	verdict_is record warm "device bytes "
}

t_each_test_and_layout_is_cold_after_a_remount() {
	need_mounts
	scratch_fs ext4 100M /mnt/a
	scratch_foo 16 /mnt/a
	for test in seqread seqreadv seqpread randread randreadv randpread; do
		for layout in slice shared; do
			remounted /mnt/a
			expect 0 "$RAWREAD" read --cold -t $test -p 3 -s 16k \
				--layout $layout --json record /mnt/a
		done
	done
}

t_willneed_reads_inside_the_span() {
	need_mounts
	scratch_fs ext4 100M /mnt/a
	scratch_foo 32 /mnt/a
	remounted /mnt/a
	expect 0 "$RAWREAD" read --cold --fadvise willneed -s 64k --json - \
		/mnt/a
}

# All of it reads as zeros out of nowhere, at the speed of memory. What the
# device moves meanwhile is other people's.
t_preallocated_files_and_holes_are_never_cold() {
	need_mounts
	for type in ext4 xfs btrfs; do
		command -v mkfs.$type >/dev/null || continue
		scratch_fs $type 400M /mnt/$type
		fallocate -l 100M /mnt/$type/unwritten
		truncate -s 100M /mnt/$type/hole
		sync -f /mnt/$type
		remounted /mnt/$type
		for file in unwritten hole; do
			for direct in "" -z; do
				expect 1 "$RAWREAD" read --cold -s 64k $direct \
					--json record /mnt/$type/$file
				verdict_is record warm \
					"holes and unwritten extents are 104857600"
				remounted /mnt/$type
			done
		done
	done
}

# The lowest devices may be busy with other people's bytes, and the loop moves
# zeros out of nowhere: the image's holes tell.
t_a_loop_device_over_holes_is_never_cold() {
	need_mounts
	loop=$(scratch_loop holes 64M)
	expect 1 "$RAWREAD" read --cold -z -s 1m --json record "$loop"
	verdict_is record warm "holes and unwritten extents are 67108864"
}

t_a_buffered_loop_is_warm_and_named() {
	need_mounts
	scratch_fs ext4 100M /mnt/a
	scratch_foo 32 /mnt/a
	umount /mnt/a
	losetup -d "$loop"
	loop=$(losetup -f --show "$PWD/1.ext4.img")
	cat 1.ext4.img >/dev/null
	mount "$loop" /mnt/a
	expect 1 "$RAWREAD" read --cold -s 64k --json record /mnt/a
	verdict_is record warm "${loop#/dev/}"
}

t_a_hidden_layer_is_not_proved_cold() {
	need_mounts
	scratch_fs ext4 100M /mnt/a
	mkdir /mnt/a/lower /mnt/o
	scratch_foo 16 /mnt/a/lower
	remounted /mnt/a
	mount -t overlay -o ro,lowerdir=/mnt/a/lower:/mnt/o overlay /mnt/o ||
		skip "needs overlay"
	expect 1 "$RAWREAD" read --cold -s 64k --json record /mnt/o
	verdict_is record unknown overlay
}

t_a_user_who_may_not_see_the_cache_is_told_unknown() {
	need_mounts
	command -v setpriv >/dev/null || skip "needs setpriv"
	scratch_fs ext4 100M /mnt/a
	scratch_foo 16 /mnt/a
	chmod 644 /mnt/a/foo
	remounted /mnt/a
	cp "$RAWREAD" /mnt/rawread
	expect 1 setpriv --reuid 65534 --regid 65534 --clear-groups \
		/mnt/rawread read --cold -s 64k --json - /mnt/a
	verdict_is out unknown "page cache: "
	equal bytes "$(json out .bytes)" 16777216
	expect 2 setpriv --reuid 65534 --regid 65534 --clear-groups \
		/mnt/rawread read --read-ahead-kb 16 /mnt/a
	err_is_one_line
	err_has read_ahead_kb
}

t_a_directory_that_is_not_mounted_is_refused() {
	need_mounts
	scratch_fs ext4 100M /mnt/a
	mkdir /mnt/a/below
	scratch_foo 1 /mnt/a /mnt/a/below
	expect 2 "$RAWREAD" read /mnt/a/below
	err_has "/mnt/a/below is a directory and nothing is mounted on it"
	err_is_one_line
	umount /mnt/a
	expect 2 "$RAWREAD" read /mnt/a
	err_is_one_line
	expect 2 "$RAWREAD" -f --file-pattern "/mnt/%d/foo"
	err_has "nothing is mounted on /mnt/1"
}

t_a_read_only_mount_can_be_measured() {
	need_mounts
	scratch_fs ext4 100M /mnt/a
	scratch_foo 16 /mnt/a
	umount /mnt/a
	mount -o ro "$loop" /mnt/a
	expect 0 "$RAWREAD" read --cold -s 64k -c --json - /mnt/a
}

t_a_block_device_is_a_target_of_its_own_size() {
	need_mounts
	head -c 20M /dev/urandom >image
	sync image
	loop=$(scratch_loop image 20M)
	blockdev --flushbufs "$loop"
	expect 0 "$RAWREAD" read --cold -s 64k -p 2 --json record "$loop"
	equal bytes "$(json record .bytes)" 20971520
	equal size "$(json record '.targets[0].size_bytes')" 20971520
	expect 2 "$RAWREAD" read -r 21 "$loop"
	err_has "$loop: 20971520 bytes, and the range needs 22020096"
	err_has "-r 20 fits"
}

t_offsets_beyond_32_bits_are_read() {
	need_mounts
	scratch_fs xfs 400M /mnt/x
	truncate -s 7T /mnt/x/huge
	head -c 1M /dev/urandom |
		dd of=/mnt/x/huge bs=1M seek=5242880 conv=notrunc status=none
	sync -f /mnt/x
	remounted /mnt/x
	expect 0 "$RAWREAD" read --cold -o 5t -r 1 -s 64k --json record \
		/mnt/x/huge
	equal offset "$(json record '.targets[0].offset_bytes')" 5497558138880
	equal bytes "$(json record .bytes)" 1048576
	expect 0 "$RAWREAD" read -t randpread -n 100 -s 64k --json record \
		/mnt/x/huge
	equal range "$(json record '.targets[0].range_bytes')" 7696581394432
	equal unique "$(json record .unique_bytes)" 6553600
}

t_read_ahead_is_set_recorded_and_put_back() {
	need_mounts
	scratch_fs ext4 100M /mnt/a
	scratch_foo 16 /mnt/a
	echo 512 >"$(ra_file)"
	remounted /mnt/a
	expect 0 "$RAWREAD" read -s 64k --json record /mnt/a
	equal "in force" "$(json record '.targets[0].read_ahead_kib')" 512
	equal requests "$(json record \
		'.devices[0] | .read_bytes / .requests > 131072')" true
	remounted /mnt/a
	expect 0 "$RAWREAD" read --read-ahead-kb 16 -s 4k --json record /mnt/a
	equal "in force" "$(json record '.targets[0].read_ahead_kib')" 16
	equal asked "$(json record .params.read_ahead_kib)" 16
	equal requests "$(json record \
		'.devices[0] | .read_bytes / .requests < 40960')" true
	equal "after it" "$(cat "$(ra_file)")" 512
	json record .command | grep -q -e '--read-ahead-kb 16' ||
		fail "$(json record .command)"
}

t_read_ahead_is_put_back_after_a_signal_and_a_failure() {
	need_mounts
	scratch_fs ext4 100M /mnt/a
	scratch_foo 16 /mnt/a
	echo 512 >"$(ra_file)"
	for signal in INT TERM HUP; do
		timeout --foreground -s $signal 1 "$RAWREAD" read --read-ahead-kb 16 -s 4k \
			-n 1000000000000 /mnt/a >out 2>err || true
		err_has interrupted
		equal "after SIG$signal" "$(cat "$(ra_file)")" 512
	done
	run "$RAWREAD" read --read-ahead-kb 16 --cold -s 4k /mnt/a
	equal status "$status" 1
	equal "after a warm run" "$(cat "$(ra_file)")" 512
	run sh -c "\"$RAWREAD\" read --read-ahead-kb 16 /mnt/a >/dev/full"
	equal status "$status" 2
	equal "after a full disk" "$(cat "$(ra_file)")" 512
}

t_read_ahead_of_two_targets_on_one_device_is_put_back() {
	need_mounts
	scratch_fs ext4 100M /mnt/a
	scratch_foo 8 /mnt/a
	cp /mnt/a/foo /mnt/a/bar
	echo 512 >"$(ra_file)"
	expect 0 "$RAWREAD" read --read-ahead-kb 32 --json record /mnt/a/foo \
		/mnt/a/bar
	equal both "$(json record '[.targets[].read_ahead_kib] | tostring')" \
		"[32,32]"
	equal "after it" "$(cat "$(ra_file)")" 512
	truncate -s 1M /mnt/none
	expect 2 "$RAWREAD" read --read-ahead-kb 32 /mnt/a/foo /mnt/none
	err_is_one_line
	equal "after a refusal" "$(cat "$(ra_file)")" 512
}

t_btrfs_has_a_read_ahead_of_its_own() {
	need_mounts
	scratch_fs btrfs 200M /mnt/b
	scratch_foo 16 /mnt/b
	uuid=$(blkid -o value -s UUID "$loop")
	knob=/sys/fs/btrfs/$uuid/bdi/read_ahead_kb
	before=$(cat "$knob")
	remounted /mnt/b
	before_queue=$(cat "$(ra_file)")
	expect 0 "$RAWREAD" read --read-ahead-kb 64 -s 4k --json record /mnt/b
	equal "in force" "$(json record '.targets[0].read_ahead_kib')" 64
	equal requests "$(json record \
		'.devices[0] | .read_bytes / .requests < 131072')" true
	equal "after it" "$(cat "$knob")" "$before"
	equal "the queue's" "$(cat "$(ra_file)")" "$before_queue"
}

t_read_ahead_that_another_run_has_set_is_not_set_again() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	scratch_foo 1 /mnt/a
	knob=$(ra_file)
	before=$(cat "$knob")
	hold "$RAWREAD" read --read-ahead-kb 64 -n 100000000000 /mnt/a
	until [ "$(cat "$knob")" = 64 ]; do sleep 0.02; done
	expect 2 "$RAWREAD" read --read-ahead-kb 32 /mnt/a
	err_has "read_ahead_kb was set by another run that has not ended"
	err_has "leave --read-ahead-kb out"
	err_is_one_line
	equal "during it" "$(cat "$knob")" 64
	expect 0 "$RAWREAD" read /mnt/a
	kill "$holder"
	wait "$holder" || true
	equal "after it" "$(cat "$knob")" "$before"
	expect 0 "$RAWREAD" read --read-ahead-kb 32 /mnt/a
	equal "after another" "$(cat "$knob")" "$before"
}

# Nobody reads what it prints.
t_read_ahead_is_put_back_before_the_run_is_told() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	scratch_foo 1 /mnt/a
	knob=$(ra_file)
	before=$(cat "$knob")
	mkfifo pipe
	hold sleep 100 3<>pipe
	# 64 KB fill it.
	head -c 65536 /dev/zero >pipe
	hold env --default-signal=INT "$RAWREAD" read --read-ahead-kb 64 \
		-n 2000000 -s 1k /mnt/a >pipe 2>err
	until [ "$(cat "$knob")" = 64 ]; do sleep 0.01; done
	# It does not end, and goes on to be told.
	until [ "$(cat "$knob")" = "$before" ]; do sleep 0.02; done
	until [ "$(cut -d' ' -f3 "/proc/$holder/stat")" = S ]; do
		sleep 0.02
	done
	kill -INT "$holder"
	code=0
	wait "$holder" || code=$?
	equal status $code 130
}

# With holes between its blocks it has more extents than one block can list; the
# second of these lists is no longer one.
t_a_file_whose_extents_cannot_be_told_is_read_and_unknown() {
	need_mounts
	command -v debugfs >/dev/null || skip "needs debugfs"
	loop=$(scratch_loop image 16M)
	mkfs.ext4 -q -F -b 1024 -O ^metadata_csum,^has_journal "$loop"
	mkdir /mnt/a
	mount "$loop" /mnt/a
	i=0
	while [ $i -lt 100 ]; do
		dd if=/dev/urandom of=/mnt/a/foo bs=1024 count=1 \
			seek=$((i * 2)) conv=notrunc 2>/dev/null
		i=$((i + 1))
	done
	umount /mnt/a
	block=$(debugfs -R "extents -n /foo" "$loop" 2>/dev/null |
		awk 'n = $8 { last = n } END { print last }')
	dd if=/dev/zero of="$loop" bs=1024 seek="$block" count=1 2>/dev/null
	mount "$loop" /mnt/a
	expect 0 "$RAWREAD" read -n 1 -s 1k --json record /mnt/a
	equal bytes "$(json record .bytes)" 1024
	equal holes "$(json record .cold.hole_bytes)" null
	json record '.cold.causes[]' >causes
	grep -q "^layout cannot be told: FIEMAP of /mnt/a/foo: " causes ||
		fail "$(cat causes)"
	# What comes to that list fails, and is recorded too.
	expect 1 "$RAWREAD" read -s 1k --json record /mnt/a
	json record .error | grep -q "/mnt/a/foo" || fail "no error"
}

t_direct_io_on_4k_sectors_is_n_a_below_and_works_above() {
	need_mounts
	loop=$(scratch_loop image 200M -b 4096)
	mkfs.ext4 -q -F -b 4096 "$loop"
	mkdir /mnt/a
	mount "$loop" /mnt/a
	head -c 100001 /dev/urandom >/mnt/a/foo
	remounted /mnt/a
	for size in 1k 2k; do
		rm -f record
		expect 2 "$RAWREAD" read -z -s $size --json record /mnt/a
		err_has "n/a: needs 4096: direct I/O on /mnt/a/foo"
		err_is_one_line
		equal "n/a" "$(json record .not_available)" true
		json record .error | grep -q '^n/a: needs 4096' ||
			fail "$(json record .error)"
		equal bytes "$(json record .bytes)" null
	done
	for test in seqread seqreadv seqpread randpread; do
		for size in 4k 64k 1m; do
			expect 0 "$RAWREAD" read -z -t $test -p 2 -s $size \
				--json record /mnt/a
			equal "$test $size" "$(json record .bytes)" 100001
			equal cached "$(json record .cold.resident_after_bytes)" 0
		done
	done
	expect 0 "$RAWREAD" read -z -s 64k /mnt/a
	out_has "Direct I/O     effective"
	expect 2 "$RAWREAD" read -z -s 4k -o 512b /mnt/a
	err_has "the offset is 512"
}

t_direct_io_that_is_page_cache_is_said() {
	need_mounts
	truncate -s 1M /mnt/memory
	expect 0 "$RAWREAD" read -z -s 64k /mnt/memory
	out_has "Direct I/O     "
	out_lacks "Direct I/O     effective"
}

t_a_file_system_that_refuses_direct_io_is_n_a() {
	need_mounts
	command -v mksquashfs >/dev/null || skip "needs mksquashfs"
	mkdir tree /mnt/s
	head -c 1M /dev/urandom >tree/foo
	mksquashfs tree image -quiet >/dev/null
	loop=$(losetup -f --show "$PWD/image")
	mount -t squashfs "$loop" /mnt/s || skip "needs squashfs"
	expect 2 "$RAWREAD" read -z --json record /mnt/s
	err_has "n/a: /mnt/s/foo: its file system refuses direct I/O"
	equal "n/a" "$(json record .not_available)" true
	expect 0 "$RAWREAD" read --json record /mnt/s
}

t_a_disk_error_names_file_and_offset_and_ends_all_threads() {
	need_mounts
	scratch_fs ext4 100M /mnt/a
	scratch_foo 64 /mnt/a
	remounted /mnt/a
	# The rest of the disk is gone while it is mounted.
	truncate -s 40M 1.ext4.img
	expect 1 timeout 60 "$RAWREAD" read -p 4 -s 64k --json record /mnt/a
	err_has "read /mnt/a/foo at offset "
	err_has "Input/output error"
	err_is_one_line
	json record .error | grep -q 'at offset' || fail "$(json record .error)"
	equal verdict "$(json record .cold)" null
}

run_tests "$@"
