#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Flushing: what is refused, what comes back, and what is said when the cache
# stayed warm.
# shellcheck source=tests/support/lib.sh
. "${TESTS:-tests}/support/lib.sh"
# shellcheck source=tests/support/scratch.sh
. "${TESTS:-tests}/support/scratch.sh"

sweep() {
	"$RAWREAD" sweep -L test -o r.jsonl -s 64k -R 1 "$@"
}

# A status of 2 and one line, with the mounts as before and no record file.
refused() {
	before=$(mounts_below)
	expect 2 sweep "$@"
	err_is_one_line
	equal "the mount table" "$(mounts_below)" "$before"
	[ ! -e r.jsonl ] || fail "a refused sweep left a record file"
}

t_a_remount_leaves_nothing_in_memory_on_ext4() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	scratch_foo 8 /mnt/a
	expect 0 sweep /mnt/a
	equal verdict "$(runs r.jsonl .cold.verdict)" cold
	equal resident "$(runs r.jsonl .cold.resident_before_bytes)" 0
	equal bytes "$(runs r.jsonl .bytes)" 8388608
	equal method "$(runs r.jsonl .flush.method)" remount
	equal fallback "$(runs r.jsonl .flush.fallback)" null
	out_has "all proved cold"
}

t_a_remount_leaves_nothing_in_memory_on_xfs() {
	need_mounts
	scratch_fs xfs 320M /mnt/a
	scratch_foo 8 /mnt/a
	expect 0 sweep /mnt/a
	equal verdict "$(runs r.jsonl .cold.verdict)" cold
}

t_a_btrfs_subvolume_comes_back_as_the_subvolume() {
	need_mounts
	scratch_fs btrfs 256M /mnt/all
	btrfs -q subvolume create "/mnt/all/my vol"
	umount /mnt/all
	mkdir /mnt/a
	mount -o "subvol=my vol" "$loop" /mnt/a
	scratch_foo 8 /mnt/a
	before=$(mounts_below)
	expect 0 sweep /mnt/a
	equal "the mount table" "$(mounts_below)" "$before"
	equal verdict "$(runs r.jsonl .cold.verdict)" cold
}

t_options_propagation_and_order_come_back() {
	need_mounts
	scratch_fs ext4 64M "/mnt/my disk #1" -o commit=77,noatime,nosuid
	scratch_fs ext4 64M /mnt/b -o nodev,sync
	scratch_fs xfs 320M /mnt/c -o noexec,nodiratime
	mount --make-shared "/mnt/my disk #1"
	mount --make-unbindable /mnt/b
	scratch_foo 4 "/mnt/my disk #1" /mnt/b /mnt/c
	before=$(mounts_below)
	expect 0 sweep /mnt/c "/mnt/my disk #1" /mnt/b
	equal "the mount table" "$(mounts_below)" "$before"
}

t_a_mount_on_another_listed_one_comes_back_on_it() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	scratch_foo 4 /mnt/a
	scratch_fs ext4 64M /mnt/a/below
	scratch_foo 4 /mnt/a/below
	before=$(mounts_below)
	expect 0 sweep /mnt/a/below /mnt/a
	equal "the mount table" "$(mounts_below)" "$before"
}

t_odd_names_are_taken_as_they_are() {
	need_mounts
	long=/mnt/$(printf '%0200d/%0200d/%0200d' 1 2 3)
	tab=$(printf '/mnt/tab\tand\\back')
	scratch_fs ext4 32M "/mnt/my disk #1"
	scratch_fs ext4 32M "$tab"
	scratch_fs ext4 32M "$long"
	scratch_fs ext4 32M /mnt/-o
	scratch_fs ext4 32M /mnt/real
	ln -s /mnt/real link
	scratch_foo 1 "/mnt/my disk #1" "$tab" "$long" /mnt/-o /mnt/real
	before=$(mounts_below)
	(cd /mnt && sweep -o "$work/r.jsonl" -- "my disk #1" "$tab" "$long" \
		-o "$work/link") >out 2>err ||
		{
			show
			fail "the sweep failed"
		}
	equal "the mount table" "$(mounts_below)" "$before"
	equal "the paths" "$(runs r.jsonl '.targets[].path')" \
		"/mnt/my disk #1/foo
$tab/foo
$long/foo
/mnt/-o/foo
/mnt/real/foo"
}

# An autoclear loop device goes with the last close.
t_a_loop_device_of_mount_outlives_the_flush_with_its_settings() {
	need_mounts
	truncate -s 64M x.img
	mkfs.ext4 -q -F -b 4096 x.img
	mkdir /mnt/a
	mount -o loop x.img /mnt/a
	loop=$(findmnt -n -o SOURCE /mnt/a)
	equal autoclear "$(cat "/sys/block/${loop#/dev/}/loop/autoclear")" 1
	losetup --direct-io=on "$loop"
	echo 32 >"/sys/block/${loop#/dev/}/queue/read_ahead_kb"
	scratch_foo 4 /mnt/a
	before=$(mounts_below)
	expect 0 sweep /mnt/a
	equal "the mount table" "$(mounts_below)" "$before"
	equal "read-ahead" \
		"$(cat "/sys/block/${loop#/dev/}/queue/read_ahead_kb")" 32
	equal autoclear "$(cat "/sys/block/${loop#/dev/}/loop/autoclear")" 1
	equal backing "$(cat "/sys/block/${loop#/dev/}/loop/backing_file")" \
		"$work/x.img"
}

# btrfs has a read-ahead of its own, which each mount sets anew.
t_a_read_ahead_that_the_mount_resets_is_put_back() {
	need_mounts
	scratch_fs btrfs 256M /mnt/a
	scratch_foo 4 /mnt/a
	at=/sys/fs/btrfs/$(findmnt -n -o UUID /mnt/a)/bdi/read_ahead_kb
	echo 64 >"$at"
	expect 0 sweep /mnt/a
	equal "read-ahead" "$(cat "$at")" 64
	equal "recorded" "$(runs r.jsonl '.targets[].read_ahead_kib')" 64
}

# Each member is a loop device that would go with its last user.
t_all_members_of_a_btrfs_are_held() {
	need_mounts
	command -v mkfs.btrfs >/dev/null || skip "needs mkfs.btrfs"
	one=$(scratch_loop one.img 128M)
	two=$(scratch_loop two.img 128M)
	mkfs.btrfs -q -f -d raid0 -m raid1 "$one" "$two"
	mkdir /mnt/a
	mount -t btrfs "$one" /mnt/a
	losetup -d "$one" "$two"
	scratch_foo 4 /mnt/a
	before=$(mounts_below)
	expect 0 sweep /mnt/a
	equal "the mount table" "$(mounts_below)" "$before"
	equal verdict "$(runs r.jsonl .cold.verdict)" cold
	equal "the members" "$(head -n 1 r.jsonl |
		jq -r '.targets[].device' | tr , '\n' | sort)" \
		"$(printf '%s\n' "${one#/dev/}" "${two#/dev/}" | sort)"
}

t_an_image_on_another_target_makes_that_busy() {
	need_mounts
	scratch_fs ext4 128M /mnt/a
	scratch_foo 1 /mnt/a
	truncate -s 32M /mnt/a/x.img
	mkfs.ext4 -q -F -b 4096 /mnt/a/x.img
	mkdir /mnt/b
	mount -o loop /mnt/a/x.img /mnt/b
	scratch_foo 1 /mnt/b
	refused /mnt/a /mnt/b
	err_has "/mnt/a is still in use by "
	err_has "(backing file /mnt/a/x.img)"
}

t_a_mount_that_is_busy_for_a_moment_is_waited_for() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	scratch_foo 4 /mnt/a
	before=$(mounts_below)
	hold env -C /mnt/a sleep 0.7
	expect 0 sweep /mnt/a
	equal verdict "$(runs r.jsonl .cold.verdict)" cold
	equal "the mount table" "$(mounts_below)" "$before"
}

t_a_mount_that_stays_busy_is_left_and_its_user_is_named() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	scratch_fs ext4 64M /mnt/b
	scratch_foo 4 /mnt/a /mnt/b
	hold env -C /mnt/a sleep 100
	refused /mnt/a /mnt/b
	err_has "/mnt/a is still in use by pid $holder (sleep), its directory"
	err_has "stop that and start again"
}

t_a_device_that_another_sweep_has_is_left_alone() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	scratch_foo 1 /mnt/a
	before=$(mounts_below)
	expect 2 flock "$loop" "$RAWREAD" sweep -o r.jsonl -s 64k -R 1 /mnt/a
	err_is_one_line
	err_has "$loop is locked, most likely by another sweep; wait for it"
	equal mounts "$(mounts_below)" "$before"
	[ ! -e r.jsonl ] || fail "a record file was left"
	expect 0 "$RAWREAD" sweep -o r.jsonl -s 64k -R 1 /mnt/a
}

t_a_file_system_kept_by_another_namespace_is_dropped_otherwise() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	scratch_foo 4 /mnt/a
	hold unshare -m --propagation private sleep 100
	# When it has become sleep it has mounts of its own.
	until [ "$(cat /proc/$holder/comm)" = sleep ]; do sleep 0.02; done
	expect 0 sweep /mnt/a
	equal fallback "$(runs r.jsonl .flush.fallback)" fadvise
	equal verdict "$(runs r.jsonl .cold.verdict)" cold
	runs r.jsonl .flush.cause >cause
	grep -q "/mnt/a outlived its unmounting: mounted in the namespace of \
pid $holder (sleep)" cause ||
		fail "the cause does not name pid $holder: $(cat cause)"
	err_is_one_line
	err_has "1 of 1 runs needed more than unmounting; first: $(cat cause)"
	expect 0 "$RAWREAD" report r.jsonl
	tr -s ' \n' ' ' <out >joined
	grep -qF -e "the flush needed fadvise too: $(cat cause)" joined || {
		show
		fail "the table does not tell the cause"
	}
}

# Pages that are mapped stay, whatever is advised: a program that runs.
t_what_cannot_be_dropped_is_a_warm_row_and_exit_1() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	cp "$(command -v sleep)" /mnt/a/foo
	hold unshare -m --propagation private /mnt/a/foo 100
	until [ "$(cat /proc/$holder/comm)" = foo ]; do sleep 0.02; done
	before=$(mounts_below)
	expect 1 sweep -s 4k /mnt/a
	err_has "1 of 1 runs were not proved cold; first: "
	err_has "/mnt/a/foo were still in memory after remount"
	equal verdict "$(runs r.jsonl .cold.verdict)" warm
	equal fallback "$(runs r.jsonl .flush.fallback)" fadvise
	equal "the mount table" "$(mounts_below)" "$before"
}

t_a_preallocated_file_is_not_cold() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	fallocate -l 8M /mnt/a/foo
	expect 1 sweep /mnt/a
	err_has "1 of 1 runs were not proved cold"
	equal verdict "$(runs r.jsonl .cold.verdict)" warm
	equal holes "$(runs r.jsonl .cold.hole_bytes)" 8388608
}

# What the fallback cured is not why the run is warm.
t_a_cause_that_was_cured_is_not_named() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	fallocate -l 8M /mnt/a/foo
	cat /mnt/a/foo >/dev/null
	hold unshare -m --propagation private sleep 100
	until [ "$(cat /proc/$holder/comm)" = sleep ]; do sleep 0.02; done
	expect 1 sweep /mnt/a
	equal fallback "$(runs r.jsonl .flush.fallback)" fadvise
	err_has "1 of 1 runs were not proved cold; first: "
	! grep "were not proved cold" err | grep -q "after remount" ||
		fail "$(cat err)"
}

t_runs_without_a_flush_are_warm_and_no_failure() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	scratch_foo 4 /mnt/a
	cat /mnt/a/foo >/dev/null
	expect 0 sweep --flush none /mnt/a
	equal verdict "$(runs r.jsonl .cold.verdict)" warm
	equal method "$(runs r.jsonl .flush.method)" none
	out_lacks "cold"
}

t_fadvise_wants_no_mount_point() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	mkdir /mnt/a/dir
	scratch_foo 4 /mnt/a/dir
	before=$(cat /proc/self/mountinfo)
	expect 0 sweep --flush fadvise /mnt/a/dir
	equal verdict "$(runs r.jsonl .cold.verdict)" cold
	equal "the mount table, ids too" "$(cat /proc/self/mountinfo)" "$before"
}

t_memory_file_systems_are_refused_and_keep_their_data() {
	need_mounts
	mkdir /mnt/a
	for type in tmpfs ramfs; do
		mount -t $type none /mnt/a
		scratch_foo 1 /mnt/a
		sum=$(sha256sum /mnt/a/foo)
		refused /mnt/a
		err_has "/mnt/a is a $type: it lives in memory"
		err_has "no cold read of it exists"
		equal "the data" "$(sha256sum /mnt/a/foo)" "$sum"
		umount /mnt/a
	done
}

t_the_root_is_refused() {
	need_mounts
	refused /
	err_has "/ belongs to the system"
}

t_bind_mounts_and_overlays_are_refused() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	mkdir /mnt/a/sub /mnt/a/up /mnt/a/work /mnt/bind /mnt/over
	scratch_foo 1 /mnt/a/sub
	mount --bind /mnt/a/sub /mnt/bind
	refused /mnt/bind
	err_has "/mnt/bind is a bind mount of /sub on $loop"
	mount -t overlay -o lowerdir=/mnt/a/sub,upperdir=/mnt/a/up,workdir=/mnt/a/work \
		none /mnt/over || skip "needs overlay"
	refused /mnt/over
	err_has "/mnt/over is an overlay"
}

t_a_directory_of_a_btrfs_is_a_bind_mount_and_refused() {
	need_mounts
	scratch_fs btrfs 256M /mnt/a
	mkdir /mnt/a/dir /mnt/bind /mnt/vol
	btrfs -q subvolume create /mnt/a/vol
	scratch_foo 1 /mnt/a/dir /mnt/a/vol
	mount --bind /mnt/a/dir /mnt/bind
	refused /mnt/bind
	err_has "/mnt/bind is a bind mount of /dir on $loop"
	umount /mnt/bind
	# A subvolume's is the same mount as one made by subvol=.
	mount --bind /mnt/a/vol /mnt/vol
	umount /mnt/a
	before=$(mounts_below)
	expect 0 sweep /mnt/vol
	equal "the mount table" "$(mounts_below)" "$before"
}

t_peers_and_slaves_of_a_mount_refuse_it() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	scratch_foo 1 /mnt/a
	mkdir /mnt/other
	mount --make-shared /mnt/a
	mount --bind /mnt/a /mnt/other
	refused /mnt/a
	err_has "/mnt/a passes its mounts on to /mnt/other"
	mount --make-slave /mnt/other
	refused /mnt/a
	err_has "/mnt/a passes its mounts on to /mnt/other"
}

t_an_atime_of_old_comes_back() {
	need_mounts
	scratch_fs ext4 64M /mnt/a -o strictatime
	scratch_fs ext4 64M /mnt/b -o strictatime,nodiratime
	scratch_foo 1 /mnt/a /mnt/b
	before=$(mounts_below)
	expect 0 sweep /mnt/a /mnt/b
	equal "the mount table" "$(mounts_below)" "$before"
}

# "rw" of a mount whose file system can only be read.
t_an_image_that_is_read_only_comes_back_as_it_was_mounted() {
	need_mounts
	command -v mksquashfs >/dev/null || skip "needs mksquashfs"
	mkdir tree /mnt/a
	head -c 1M /dev/urandom >tree/foo
	mksquashfs tree x.img -quiet -no-progress >/dev/null
	mount -o loop x.img /mnt/a || skip "this kernel has no squashfs"
	before=$(mounts_below)
	run sweep /mnt/a
	equal "the mount table" "$(mounts_below)" "$before"
	[ "$status" != 2 ] || fail "it was refused: $(cat err)"
}

t_a_mount_with_others_on_or_over_it_is_refused() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	scratch_foo 1 /mnt/a
	mkdir "/mnt/a/my child"
	mount -t tmpfs none "/mnt/a/my child"
	refused /mnt/a
	err_has "/mnt/a/my child is mounted below /mnt/a"
	umount "/mnt/a/my child"
	scratch_fs ext4 32M /mnt/a
	refused /mnt/a
	err_has "something else is mounted at /mnt/a too"
}

t_our_own_files_on_a_target_are_named() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	scratch_foo 1 /mnt/a
	refused -o /mnt/a/new.jsonl /mnt/a
	err_has "the record file is on /mnt/a, which is to be unmounted"
	[ ! -e /mnt/a/new.jsonl ] || fail "the record file was made"
	ln -s /mnt/a/new.jsonl link
	ln -s "$work/link" link2
	refused -o link2 /mnt/a
	err_has "the record file is on /mnt/a, which is to be unmounted"
	[ ! -e /mnt/a/new.jsonl ] || fail "the record file was made"
	cp "$RAWREAD" /mnt/a/rawread
	expect 2 /mnt/a/rawread sweep -o r.jsonl /mnt/a
	err_has "rawread itself is on /mnt/a"
	expect 2 sh -c "cd /mnt/a && '$RAWREAD' sweep -o '$work/r.jsonl' ."
	err_has "the working directory is on /mnt/a"
	expect 2 sh -c "'$RAWREAD' sweep -o r.jsonl /mnt/a >/mnt/a/log"
	err_has "standard output is on /mnt/a"
	[ ! -e r.jsonl ] || fail "a refused sweep left a record file"
}

t_a_slave_mount_is_refused() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	scratch_foo 1 /mnt/a
	mount --make-shared /mnt/a
	unshare -m --propagation slave "$RAWREAD" sweep -o r.jsonl /mnt/a \
		>out 2>err && fail "it was not refused"
	err_has "/mnt/a receives mounts from another namespace"
}

t_drop_caches_that_cannot_be_written_are_refused() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	scratch_foo 1 /mnt/a
	mount --bind /proc/sys /proc/sys
	mount -o remount,ro,bind /proc/sys
	refused --flush drop-caches /mnt/a
	err_has "/proc/sys/vm/drop_caches: Read-only file system"
}

t_root_without_the_right_to_mount_is_told_so() {
	need_mounts
	command -v setpriv >/dev/null || skip "needs setpriv"
	scratch_fs ext4 64M /mnt/a
	scratch_foo 1 /mnt/a
	expect 2 setpriv --bounding-set -sys_admin --inh-caps -sys_admin \
		"$RAWREAD" sweep -o r.jsonl /mnt/a
	err_is_one_line
	err_has "no right to unmount /mnt/a (CAP_SYS_ADMIN)"
	err_has "--flush fadvise"
}

t_an_ordinary_user_is_told_what_takes_root() {
	need_mounts
	command -v setpriv >/dev/null || skip "needs setpriv"
	scratch_fs ext4 64M /mnt/a
	scratch_foo 1 /mnt/a
	chmod 755 .
	setpriv --reuid 65534 --regid 65534 --clear-groups \
		test -x "$RAWREAD" || skip "needs a build that others may read"
	expect 2 setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$RAWREAD" sweep -o r.jsonl /mnt/a
	err_is_one_line
	err_has "no right to unmount /mnt/a (CAP_SYS_ADMIN); start with sudo, \
or use --flush fadvise"
	# Nor may that user look into a directory of another.
	chmod 700 .
	expect 2 setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$RAWREAD" sweep -o r.jsonl /mnt/a
	err_has "no right to unmount /mnt/a (CAP_SYS_ADMIN)"
}

# strace makes the system call fail: $1 is what and when.
sweep_with_fault() {
	fault=$1
	shift
	strace -qq -o /dev/null -e trace=mount -e inject="mount:$fault" \
		"$RAWREAD" sweep -o r.jsonl -s 64k -R 1 "$@"
}

# The second try brings it back: a prober had the device.
t_a_device_that_is_busy_for_a_moment_is_tried_again() {
	need_mounts
	need_strace
	scratch_fs ext4 64M /mnt/a
	scratch_foo 1 /mnt/a
	before=$(mounts_below)
	expect 0 sweep_with_fault error=EBUSY:when=1 /mnt/a
	equal "the mount table" "$(mounts_below)" "$before"
	equal verdict "$(runs r.jsonl .cold.verdict)" cold
}

# Nothing can be done about the one; the others are not lost with it.
t_what_cannot_be_mounted_again_is_told_and_the_rest_comes_back() {
	need_mounts
	need_strace
	scratch_fs ext4 64M /mnt/a -o noatime
	first=$loop
	scratch_fs ext4 64M /mnt/b
	scratch_foo 1 /mnt/a /mnt/b
	expect 2 sweep_with_fault error=EINVAL:when=1 /mnt/a /mnt/b
	err_is_one_line
	err_has "mount $first at /mnt/a as ext4 with rw,noatime: "
	mountpoint -q /mnt/b || fail "the other one is lost too"
	! mountpoint -q /mnt/a || fail "the fault was not made"
}

t_a_mount_that_was_changed_meanwhile_is_not_touched() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	scratch_foo 1 /mnt/a
	hold sweep -R 100000 /mnt/a >out 2>err
	pid=$holder
	until [ -s r.jsonl ]; do sleep 0.05; done
	# Again, should it be away just now, or about to be.
	while kill -0 $pid 2>/dev/null; do
		mount -o remount,nosuid /mnt/a 2>/dev/null || true
	done
	code=0
	wait $pid || code=$?
	equal status $code 2
	err_has "/mnt/a has changed: its options"
	equal cause "$(json r.jsonl .cause | cut -c1-18)" "/mnt/a has changed"
	grep -q " /mnt/a rw,nosuid" /proc/self/mountinfo ||
		fail "the change of another was undone"
}

run_tests "$@"
