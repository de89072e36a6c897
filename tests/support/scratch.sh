# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# Scratch file systems for the system tests: everything is mounted inside a
# private mount namespace, below a tmpfs on /mnt, from images in the test's
# work directory, and all loop devices are taken away at the end.

# Re-executes the whole file inside a private mount namespace, or skips all.
if [ "$(id -u)" = 0 ] && unshare -m --propagation private true 2>/dev/null; then
	PRIVATE_MOUNTS=yes
	if [ "${IN_NAMESPACE:-}" != "$$" ] && [ $# -gt 0 ]; then
		IN_NAMESPACE=$$ exec unshare -m --propagation private sh "$0" "$@"
	fi
else
	PRIVATE_MOUNTS=no
fi

# The first thing a test that mounts says.
need_mounts() {
	[ "$PRIVATE_MOUNTS" = yes ] ||
		skip "needs root and a private mount namespace"
	losetup -f >/dev/null 2>&1 || skip "needs loop devices"
}

system_begin() {
	mount -t tmpfs rawread-test /mnt
}

# In the namespace of the test, also after it failed.
system_end() {
	cut -d' ' -f5 /proc/self/mountinfo | grep '^/mnt/' | sort -r |
		while read -r at; do
			umount "$(printf '%b' "$at")" 2>/dev/null || true
		done
	umount /mnt
	losetup -l -n -O NAME,BACK-FILE | grep -F " $1/" |
		while read -r loop _; do
			losetup -d "$loop"
		done
}

# scratch_loop IMAGE SIZE [LOSETUP OPTIONS...]: prints the device.
scratch_loop() {
	image=$1
	truncate -s "$2" "$image"
	shift 2
	losetup -f --show --direct-io=on "$@" "$PWD/$image"
}

# scratch_fs TYPE SIZE MOUNTPOINT [MOUNT OPTIONS...]: a new file system on a loop
# device with direct I/O; the device is in $loop. xfs wants 300 MB at least.
scratch_fs() {
	command -v "mkfs.$1" >/dev/null || skip "needs mkfs.$1"
	scratch_count=$((${scratch_count:-0} + 1))
	loop=$(scratch_loop "$scratch_count.$1.img" "$2")
	case $1 in
	ext4) mkfs.ext4 -q -F -b 4096 "$loop" ;;
	*) "mkfs.$1" -q -f "$loop" ;;
	esac
	scratch_type=$1 scratch_at=$3
	shift 3
	mkdir -p -- "$scratch_at"
	mount -t "$scratch_type" "$@" "$loop" "$scratch_at"
}

# remounted DIR: from $loop, so that nothing of it is in the page cache.
remounted() {
	umount "$1"
	mount "$loop" "$1"
}

# scratch_image FILE DIR TYPE [MOUNT OPTIONS...]
scratch_image() {
	image=$1 scratch_at=$2 scratch_type=$3
	shift 3
	mkdir -p "$scratch_at"
	loop=$(losetup -f --show --direct-io=on -r "$PWD/$image")
	mount -t "$scratch_type" -o ro "$@" "$loop" "$scratch_at" ||
		skip "needs $scratch_type"
}

# scratch_tree TYPE TREE DIR: the files of the folder TREE in a file system of
# any type on DIR, and nothing of them in the page cache (but of tmpfs and FUSE,
# which show what is in memory, or in the folder). Loop devices have direct I/O,
# so there is one cache.
scratch_tree() {
	case $1 in
	tmpfs)
		mkdir -p "$3"
		mount -t tmpfs rawread-test "$3"
		cp "$2"/* "$3"
		;;
	squashfs)
		command -v mksquashfs >/dev/null || skip "needs mksquashfs"
		mksquashfs "$2" squashfs.img -quiet >/dev/null
		scratch_image squashfs.img "$3" squashfs
		;;
	erofs)
		command -v mkfs.erofs >/dev/null || skip "needs mkfs.erofs"
		mkfs.erofs erofs.img "$2" >/dev/null 2>&1
		scratch_image erofs.img "$3" erofs
		;;
	overlay)
		scratch_tree ext4 "$2" "$3.lower"
		mkdir -p "$3" "$3.none"
		mount -t overlay -o "ro,lowerdir=$3.lower:$3.none" overlay "$3" ||
			skip "needs overlay"
		;;
	fuse)
		command -v bindfs >/dev/null || skip "needs bindfs"
		mkdir -p "$3"
		bindfs "$PWD/$2" "$3" || skip "needs FUSE"
		;;
	*)
		scratch_fs "$1" 400M "$3"
		cp "$2"/* "$3"
		sync -f "$3"
		remounted "$3"
		;;
	esac
}

# scratch_foo MB DIR...: a file foo of random bytes in each, on disk.
scratch_foo() {
	mb=$1
	shift
	for dir in "$@"; do
		head -c "${mb}M" /dev/urandom >"$dir/foo"
		sync "$dir/foo"
	done
}

# prepared SIZE: /mnt/a/foo, on ext4 in $loop, and nothing of it in memory.
prepared() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	expect 0 "$RAWREAD" prepare --size "$1" /mnt/a
	remounted /mnt/a
}

# The mounts below /mnt, to be compared: without ids, device numbers (btrfs
# gets another at each mount) and the numbers of peer groups.
mounts_below() {
	cut -d' ' -f4- /proc/self/mountinfo | grep ' /mnt/' |
		sed 's/shared:[0-9]*/shared/' || true
}

# runs FILE FILTER: what jq's FILTER gives for each run of a record file.
runs() {
	jq -r "select(.type == \"run\") | $2" "$1"
}
