#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The write tests: all classic tests pass with consent, and nothing that is in
# use, or that nobody consented to, is written to.
# shellcheck source=tests/support/lib.sh
. "${TESTS:-tests}/support/lib.sh"
# shellcheck source=tests/support/scratch.sh
. "${TESTS:-tests}/support/scratch.sh"

# Ids of the classic tests that write.
WRITES="1 3 5 7 9 11 13 15 17 19 21 23"

sum_of() {
	sha256sum <"$1" | cut -d' ' -f1
}

# all_tests_pass DEVICE OPTION...: as a public harness runs them.
all_tests_pass() {
	device=$1
	shift
	for test in $(seq 0 23); do
		expect 0 "$RAWREAD" -t "$test" -n 40 "$@" "$device"
		out_has "-t $(printf %-10s "$test") "
		out_has "Total run time"
	done
}

# refused DEVICE TEXT OPTION...: by each write test, and not a byte changes.
refused() {
	device=$1 text=$2
	shift 2
	before=$(sum_of "$device")
	for test in $WRITES; do
		expect 2 "$RAWREAD" -t "$test" -n 4 "$@" "$device"
		err_has "$text"
	done
	equal content "$(sum_of "$device")" "$before"
}

t_all_tests_pass_on_a_loop_device() {
	need_mounts
	loop=$(scratch_loop x.img 32M)
	all_tests_pass "$loop" --destroy-data
	RAWREAD_DESTROY_DATA=$loop
	export RAWREAD_DESTROY_DATA
	all_tests_pass "$loop"
}

t_all_tests_pass_on_a_zram_device() {
	need_mounts
	[ -e /sys/class/zram-control/hot_add ] || skip "needs zram"
	number=$(cat /sys/class/zram-control/hot_add)
	trap 'echo "$number" >/sys/class/zram-control/hot_remove' EXIT
	echo 32M >"/sys/block/zram$number/disksize"
	all_tests_pass "/dev/zram$number" --destroy-data
	all_tests_pass "/dev/zram$number" --destroy-data -z
}

t_a_device_may_have_a_path_of_255_characters() {
	need_mounts
	loop=$(scratch_loop x.img 16M)
	long=$(printf '%0120d' 0)
	mkdir "/mnt/$long"
	device=$(printf '/mnt/%s/%0129d' "$long" 0)
	equal length ${#device} 255
	ln -s "$loop" "$device"
	all_tests_pass "$device" --destroy-data
}

t_without_consent_nothing_is_written() {
	need_mounts
	loop=$(scratch_loop x.img 4M)
	refused "$loop" "give --destroy-data"
	expect 2 "$RAWREAD" plan -t 1 "$loop"
	err_has "give --destroy-data"
	expect 0 "$RAWREAD" plan -t 1 --destroy-data "$loop"
	head -c 4M /dev/urandom >/mnt/file
	refused /mnt/file "give --destroy-data"
}

t_consent_is_for_the_target_that_it_names() {
	need_mounts
	loop=$(scratch_loop x.img 4M)
	head -c 4M /dev/urandom >/mnt/file
	head -c 4M /dev/urandom >/mnt/other
	refused /mnt/file /mnt/other --destroy-data=/mnt/other
	refused "$loop" /mnt/other --destroy-data=/mnt/other
	RAWREAD_DESTROY_DATA=/mnt/other
	export RAWREAD_DESTROY_DATA
	refused /mnt/file /mnt/other
	before=$(sum_of /mnt/other)
	expect 2 "$RAWREAD" -t 1 -n 4 /mnt/other /mnt/file
	equal content "$(sum_of /mnt/other)" "$before"
}

t_a_file_that_prepare_did_not_make_has_to_be_named() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	head -c 4M /dev/urandom >/mnt/a/file
	refused /mnt/a/file "--destroy-data=/mnt/a/file" --destroy-data
	expect 0 "$RAWREAD" -t 1 -n 4 --destroy-data=/mnt/a/file /mnt/a/file
}

t_the_command_that_is_recorded_consents_from_everywhere() {
	need_mounts
	work=$PWD
	mkdir "/mnt/my disk"
	head -c 4M /dev/urandom >"/mnt/my disk/file"
	cd "/mnt/my disk"
	expect 0 "$RAWREAD" read -t 1 -s 64k --destroy-data=file \
		--json "$work/record" file
	cd /
	before=$(sum_of "/mnt/my disk/file")
	json "$work/record" .command | sed "s,^rawread,'$RAWREAD'," >"$work/again"
	cd "$work"
	expect 0 sh again
	[ "$(sum_of "/mnt/my disk/file")" != "$before" ] ||
		fail "it wrote nothing"
}

t_a_file_of_prepare_may_be_written_again_and_again() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	expect 0 "$RAWREAD" prepare --size 8M /mnt/a
	expect 0 "$RAWREAD" read --verify /mnt/a
	before=$(sum_of /mnt/a/foo)
	for test in $WRITES; do
		expect 0 "$RAWREAD" -t "$test" -n 8 --destroy-data /mnt/a
	done
	[ "$(sum_of /mnt/a/foo)" != "$before" ] || fail "nothing was written"
	equal size "$(stat -c %s /mnt/a/foo)" 8388608
	expect 1 "$RAWREAD" read --verify /mnt/a
	err_has "verify /mnt/a/foo at offset 0: byte 0 is not what"
}

t_what_is_mounted_is_refused_wherever_that_is() {
	need_mounts
	# Read-only: the kernel would write to it too, when it has the time.
	scratch_fs ext4 32M /mnt/a -o ro
	refused "$loop" "mounted" --destroy-data
	refused "$loop" "mounted" "--destroy-data=$loop"
	ln -s "$loop" /mnt/link
	refused /mnt/link "mounted" --destroy-data
	expect 2 "$RAWREAD" plan -t 1 --destroy-data "$loop"
	err_has "mounted"
	umount /mnt/a
	expect 0 "$RAWREAD" -t 1 -n 4 --destroy-data "$loop"
}

t_an_image_as_long_in_another_namespace_is_no_reason() {
	need_mounts
	loop=$(scratch_loop x.img 32M)
	# shellcheck disable=SC2016 # it expands there
	hold unshare -m --propagation private sh -c '
		mkdir /mnt/p /mnt/m && mount -t tmpfs none /mnt/p &&
		truncate -s 32M /mnt/p/i && mkfs.ext4 -q -F /mnt/p/i &&
		loop=$(losetup -f --show /mnt/p/i) && mount "$loop" /mnt/m &&
		losetup -d "$loop" && touch "$0" && exec sleep 600' "$PWD/ready"
	until [ -e ready ]; do sleep 0.02; done
	expect 0 "$RAWREAD" -t 1 -n 4 --destroy-data "$loop"
	kill "$holder"
}

t_the_image_below_a_mount_is_refused() {
	need_mounts
	# Read-only: the kernel would write to it too, when it has the time.
	scratch_fs ext4 32M /mnt/a -o ro
	image=$PWD/$scratch_count.ext4.img
	refused "$image" "the backing file of ${loop#/dev/}" "--destroy-data=$image"
	other=$(losetup -f --show --direct-io=on "$image")
	refused "$other" "${loop#/dev/}" --destroy-data
}

# Through another file system its inode has another number.
t_the_image_below_a_mount_is_refused_also_when_seen_through_an_overlay() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	mkdir /mnt/a/upper /mnt/a/work /mnt/a/lower /mnt/o
	mount -t overlay -o \
		upperdir=/mnt/a/upper,workdir=/mnt/a/work,lowerdir=/mnt/a/lower \
		overlay /mnt/o || skip "needs overlay"
	head -c 4M /dev/urandom >/mnt/o/image
	head -c 3M /dev/urandom >/mnt/a/upper/other
	loop=$(losetup -f --show /mnt/o/image)
	for form in "--destroy-data" "--destroy-data=/mnt/a/upper/image"; do
		before=$(sum_of /mnt/a/upper/image)
		expect 2 "$RAWREAD" -t 1 -n 4 "$form" /mnt/a/upper/image
		err_has "perhaps the backing file of ${loop#/dev/}"
		equal content "$(sum_of /mnt/a/upper/image)" "$before"
	done
	expect 2 "$RAWREAD" -t 1 -n 4 --destroy-data=/mnt/o/image /mnt/o/image
	err_has "/mnt/o/image is the backing file of ${loop#/dev/}"
	expect 0 "$RAWREAD" -t 1 -n 4 \
		--destroy-data=/mnt/a/upper/other /mnt/a/upper/other
	# Another loop device over the file itself is another way to it.
	other=$(losetup -f --show /mnt/a/upper/image)
	mkfs.ext4 -q -F "$loop" && mkdir /mnt/m && mount -o ro "$loop" /mnt/m
	expect 2 "$RAWREAD" -t 1 -n 4 --destroy-data "$other"
	err_has "another way to ${loop#/dev/}, which is mounted on /mnt/m"
	umount /mnt/m
	losetup -d "$loop" && losetup -d "$other"
}

t_the_image_below_a_mount_is_refused_also_when_seen_through_fuse() {
	need_mounts
	command -v bindfs >/dev/null || skip "needs bindfs"
	scratch_fs ext4 64M /mnt/a
	head -c 4M /dev/urandom >/mnt/a/image
	head -c 3M /dev/urandom >/mnt/a/other
	mkdir /mnt/b
	bindfs /mnt/a /mnt/b || skip "needs FUSE"
	loop=$(losetup -f --show /mnt/a/image)
	before=$(sum_of /mnt/a/image)
	expect 2 "$RAWREAD" -t 1 -n 4 --destroy-data=/mnt/b/image /mnt/b/image
	err_has "perhaps the backing file of ${loop#/dev/}"
	equal content "$(sum_of /mnt/a/image)" "$before"
	expect 0 "$RAWREAD" -t 1 -n 4 --destroy-data=/mnt/b/other /mnt/b/other
	losetup -d "$loop"
}

t_consent_may_name_the_mount_that_is_the_target() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	scratch_foo 4 /mnt/a
	expect 0 "$RAWREAD" -t 1 -n 4 --destroy-data=/mnt/a /mnt/a
	RAWREAD_DESTROY_DATA=/mnt/a
	export RAWREAD_DESTROY_DATA
	expect 0 "$RAWREAD" -t 1 -n 4 /mnt/a
	expect 2 "$RAWREAD" -t 1 -n 4 --destroy-data=/mnt /mnt/a
	err_has "--destroy-data=/mnt"
}

# Each block of the range and none beyond it, as long as the file was.
t_a_write_test_writes_its_range_and_no_more() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	for test in $WRITES; do
		head -c 1000001 /dev/zero >/mnt/a/file
		expect 0 "$RAWREAD" read -t "$test" -s 4k -o 64k -r 500001b \
			--destroy-data=/mnt/a/file /mnt/a/file
		equal size "$(stat -c %s /mnt/a/file)" 1000001
		equal before "$(head -c 65536 /mnt/a/file | tr -d '\0' | wc -c)" 0
		equal behind "$(tail -c +565538 /mnt/a/file | tr -d '\0' | wc -c)" 0
		# Of random bytes one in 256 is zero.
		written=$(tail -c +65537 /mnt/a/file | head -c 500001 |
			tr -d '\0' | wc -c)
		[ "$written" -gt 495000 ] || fail "test $test: $written bytes"
	done
}

# Whatever the block: one that is written over and over is next to nothing.
t_what_is_written_does_not_compress() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	last=
	for test in $WRITES; do
		iovecs=
		case $test in 3 | 9) iovecs='-i 4' ;; esac
		for size in 1k '4k -z' 1000b 64k; do
			head -c 4096000 /dev/zero >/mnt/a/file
			# shellcheck disable=SC2086
			expect 0 "$RAWREAD" read -t "$test" -s $size $iovecs \
				--destroy-data=/mnt/a/file -r 4096000b /mnt/a/file
			packed=$(gzip -1 </mnt/a/file | wc -c)
			[ "$packed" -gt 4095000 ] ||
				fail "test $test, $size: $packed bytes"
			sum=$(sum_of /mnt/a/file)
			[ "$sum" != "$last" ] || fail "the same bytes again"
			last=$sum
		done
	done
}

t_direct_writes_are_whole_sectors_or_not_available() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	head -c 1000001 /dev/zero >/mnt/a/file
	expect 2 "$RAWREAD" read -t 1 -z -s 4k --destroy-data=/mnt/a/file \
		--json record /mnt/a/file
	err_has "n/a: needs "
	equal flag "$(json record .not_available)" true
	expect 0 "$RAWREAD" read -t 1 -z -s 4k -r 999424b \
		--destroy-data=/mnt/a/file /mnt/a/file
	equal size "$(stat -c %s /mnt/a/file)" 1000001
}

t_what_a_write_test_wrote_is_on_disk_when_it_ends() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	expect 0 "$RAWREAD" prepare --size 8M /mnt/a
	for test in 1 5 13 21; do
		expect 0 "$RAWREAD" read -t "$test" -s 64k --destroy-data /mnt/a
		expect 0 "$RAWREAD" read --json record /mnt/a
		json record '.cold.causes[]' >causes
		grep -q "bytes of the range were in the page cache" causes ||
			fail "they should be there: $(cat causes)"
		! grep -q dirty causes || fail "$(cat causes)"
	done
}

run_tests "$@"
