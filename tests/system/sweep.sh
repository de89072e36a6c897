#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Sweeps: the rows of the record file, and what happens when one fails.
# shellcheck source=tests/support/lib.sh
. "${TESTS:-tests}/support/lib.sh"
# shellcheck source=tests/support/scratch.sh
. "${TESTS:-tests}/support/scratch.sh"

sweep() {
	"$RAWREAD" sweep -L test -o r.jsonl "$@"
}

two_disks() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	scratch_fs ext4 64M /mnt/b
	scratch_foo "$1" /mnt/a /mnt/b
}

# The first line is the campaign's, the last its end, and all are whole.
whole() {
	jq -e . "$1" >/dev/null || fail "$1 holds a line that is not JSON"
	equal "the first line" "$(head -n 1 "$1" | jq -r .type)" campaign
	equal "the last line" "$(tail -n 1 "$1" | jq -r .type)" end
	equal "campaigns" "$(jq -r .campaign_id "$1" | sort -u | wc -l)" 1
}

t_every_row_is_recorded_cold_and_in_its_order() {
	two_disks 2
	expect 0 sweep --block-sizes 1k..512k --reps 2 /mnt/a /mnt/b
	whole r.jsonl
	equal runs "$(runs r.jsonl .rep | sort | uniq -c | tr -s ' ')" \
		" 10 1
 10 2"
	equal orders "$(runs r.jsonl .order)" "$(seq 20)"
	equal verdicts "$(runs r.jsonl .cold.verdict | sort -u)" cold
	equal sizes "$(runs r.jsonl .params.block_bytes | sort -n | uniq -c |
		awk '{ print $1, $2 }')" \
		"$(for i in 0 1 2 3 4 5 6 7 8 9; do echo 2 $((1024 << i)); done)"
	equal bytes "$(runs r.jsonl .bytes | sort -u)" 4194304
	equal end "$(json r.jsonl '[.runs, .complete, .cause] | @csv')" \
		"20,true,"
}

t_the_campaign_tells_of_machine_and_targets() {
	two_disks 1
	expect 0 sweep -s 64k -R 1 /mnt/a /mnt/b
	head -n 1 r.jsonl >campaign
	equal label "$(json campaign .label)" test
	equal kernel "$(json campaign .kernel_release)" "$(uname -r)"
	equal boot "$(json campaign .boot_id)" \
		"$(cat /proc/sys/kernel/random/boot_id)"
	equal command "$(json campaign .command)" \
		"rawread sweep -L test -o r.jsonl -s 64k -R 1 /mnt/a /mnt/b"
	equal path "$(json campaign '.targets[1].path')" /mnt/b/foo
	equal source "$(json campaign '.targets[1].source')" "$loop"
	equal device "$(json campaign '.targets[1].device')" "${loop#/dev/}"
	equal type "$(json campaign '.targets[1].fs_type')" ext4
	equal uuid "$(json campaign '.targets[1].uuid')" \
		"$(blkid -p -s UUID -o value "$loop")"
	equal "direct I/O" "$(json campaign '.targets[1].loop_direct')" 1
	equal size "$(json campaign '.targets[1].size_bytes')" 1048576
	equal flush "$(json campaign .flush_method)" remount
}

t_a_recorded_command_repeats_the_run() {
	two_disks 1
	expect 0 sweep -s 4k -R 1 -t randpread --seed 7 --threads 4 \
		--pin none --fadvise random /mnt/a /mnt/b
	command=$(runs r.jsonl .command)
	equal command "$command" "rawread read --test randpread --threads 4 \
--pin none --seed 7 --fadvise random --block-size 4k --cold -- /mnt/a/foo \
/mnt/b/foo"
	for dir in /mnt/a /mnt/b; do
		dev=$(findmnt -n -o SOURCE $dir)
		umount $dir
		mount "$dev" $dir
	done
	# shellcheck disable=SC2086 # words
	expect 0 "$RAWREAD" read --json again.jsonl ${command#rawread read }
	equal parameters "$(json again.jsonl .params)" \
		"$(runs r.jsonl .params)"
}

t_equal_seeds_give_equal_orders() {
	two_disks 1
	expect 0 sweep --flush none -R 2 --seed 5 /mnt/a
	mv r.jsonl five
	expect 0 sweep --flush none -R 2 --seed 5 /mnt/a
	equal order "$(runs r.jsonl .params.block_bytes)" \
		"$(runs five .params.block_bytes)"
	rm r.jsonl
	expect 0 sweep --flush none -R 2 --seed 6 /mnt/a
	[ "$(runs r.jsonl .params.block_bytes)" != \
		"$(runs five .params.block_bytes)" ] ||
		fail "another seed gave the same order"
}

t_a_second_sweep_is_appended() {
	two_disks 1
	expect 0 sweep -s 64k -R 1 /mnt/a
	cp r.jsonl first
	expect 0 sweep -L other -s 64k -R 2 /mnt/a
	head -n 3 r.jsonl | cmp - first
	equal lines "$(jq -r .type r.jsonl | tr '\n' ' ')" \
		"campaign run end campaign run run end "
}

t_a_torn_line_is_cut_off_and_said() {
	two_disks 1
	expect 0 sweep -s 64k -R 1 /mnt/a
	cp r.jsonl first
	printf '{"type":"run","sch' >>r.jsonl
	expect 0 sweep -s 64k -R 1 /mnt/a
	err_has "r.jsonl: a torn last line of 18 bytes was cut off"
	head -n 3 r.jsonl | cmp - first
	equal lines "$(jq -r .type r.jsonl | tr '\n' ' ')" \
		"campaign run end campaign run end "
}

t_a_given_read_ahead_is_recorded_and_put_back() {
	two_disks 1
	at=/sys/block/${loop#/dev/}/queue/read_ahead_kb
	before=$(cat "$at")
	expect 0 sweep -s 4k,64k -R 1 --read-ahead-kb 16 /mnt/b
	equal "asked for" "$(runs r.jsonl .params.read_ahead_kib | sort -u)" 16
	equal "in force" \
		"$(runs r.jsonl '.targets[].read_ahead_kib' | sort -u)" 16
	equal "found" "$(head -n 1 r.jsonl |
		jq '.targets[].fs_read_ahead_kib')" "$before"
	equal "put back" "$(cat "$at")" "$before"
}

# The first run shows that it cannot be: one message, and no file.
t_what_refuses_the_first_run_ends_the_sweep() {
	two_disks 1
	before=$(mounts_below)
	expect 2 sweep -R 3 --range 2m /mnt/a /mnt/b
	err_is_one_line
	err_has "/mnt/a/foo"
	[ ! -e r.jsonl ] || fail "there is a record file"
	equal "the mount table" "$(mounts_below)" "$before"
}

# Direct I/O wants 512 bytes here: 256 cannot be, the rest can.
t_a_row_that_is_not_available_is_no_failure() {
	two_disks 1
	expect 0 sweep -s 256,4k -R 1 --direct /mnt/a
	equal "n/a" "$(runs r.jsonl 'select(.not_available) |
		.params.block_bytes')" 256
	equal verdict "$(runs r.jsonl 'select(.not_available | not) |
		.cold.verdict')" cold
	out_has "1 not available here"
}

# The image ends before the file does: the kernel says EIO.
t_rows_that_fail_are_recorded_and_the_rest_goes_on() {
	two_disks 8
	expect 0 sweep -s 1m -R 1 /mnt/a
	rm r.jsonl
	last=$(filefrag -v /mnt/a/foo | sed -n \
		's/^ *[0-9]*: *[0-9]*\.\. *[0-9]*: *\([0-9]*\)\.\..*/\1/p' |
		sort -n | tail -n 1)
	umount /mnt/a
	truncate -s $((last * 4096)) 1.ext4.img
	mount "$(losetup -n -O NAME -j "$work/1.ext4.img")" /mnt/a ||
		skip "the file lies before other data here"
	expect 1 sweep -s 64k,1m -R 2 /mnt/a
	whole r.jsonl
	equal rows "$(runs r.jsonl .error | grep -c "Input/output error")" 4
	err_has "4 of 4 runs failed; first: "
	equal path "$(runs r.jsonl '.targets[0].path' | sort -u)" /mnt/a/foo
	equal end "$(json r.jsonl .complete)" true
}

# Waits for the run of sweep $1, and says its pid.
child_of() {
	until child=$(pgrep -P "$1") && [ -n "$child" ]; do
		kill -0 "$1" || fail "the sweep has ended"
		sleep 0.02
	done
	echo "$child"
}

t_a_run_that_is_killed_is_an_error_row() {
	two_disks 1
	at=/sys/block/${loop#/dev/}/queue/read_ahead_kb
	before=$(cat "$at")
	# A run without end: it starts over until it has read that often.
	hold "$RAWREAD" sweep -o r.jsonl -s 4k -R 2 -n 100000000000 \
		--flush none --read-ahead-kb 64 /mnt/b >out 2>err
	pid=$holder
	first=$(child_of $pid)
	until [ "$(cat "$at")" = 64 ]; do sleep 0.02; done
	kill -9 "$first"
	while second=$(child_of $pid) && [ "$second" = "$first" ]; do
		sleep 0.02
	done
	kill -9 "$second"
	code=0
	wait $pid || code=$?
	equal status $code 1
	whole r.jsonl
	equal rows "$(runs r.jsonl .error | grep -c "signal 9 (Killed)")" 2
	equal block "$(runs r.jsonl .params.block_bytes | sort -u)" 4096
	runs r.jsonl .command | grep -q "^rawread read .*/mnt/b/foo$" ||
		fail "the command is not recorded"
	err_has "2 of 2 runs failed; first: the run was ended by signal 9"
	equal "read-ahead" "$(cat "$at")" "$before"
}

t_a_full_record_file_ends_the_sweep_and_stays_whole() {
	two_disks 1
	before=$(mounts_below)
	mkdir /mnt/small
	mount -t tmpfs -o size=16k none /mnt/small
	expect 2 "$RAWREAD" sweep -L test -o /mnt/small/r.jsonl -R 50 \
		-s 64k /mnt/a /mnt/b
	err_is_one_line
	err_has "/mnt/small/r.jsonl: No space left on device; free space there \
and start again, the lines so far are whole"
	jq -e . /mnt/small/r.jsonl >/dev/null || fail "a line is torn"
	equal "the first line" "$(head -n 1 /mnt/small/r.jsonl |
		jq -r .type)" campaign
	[ "$(runs /mnt/small/r.jsonl .rep | wc -l)" -gt 2 ] ||
		fail "there are no rows"
	umount /mnt/small
	equal "the mount table" "$(mounts_below)" "$before"
}

t_a_closed_pipe_behind_stdout_is_told_when_all_is_recorded() {
	two_disks 1
	before=$(mounts_below)
	{
		code=0
		sweep -s 64k -R 2 /mnt/a /mnt/b 2>err || code=$?
		echo $code >code
	} | true
	equal status "$(cat code)" 2
	err_has "write standard output: Broken pipe"
	whole r.jsonl
	equal end "$(json r.jsonl '[.runs, .complete] | @csv')" "2,true"
	equal "the mount table" "$(mounts_below)" "$before"
}

# mountinfo does not show what lies outside of a chroot, its own root neither.
t_a_chroot_hides_its_own_mount_and_is_swept_all_the_same() {
	need_mounts
	scratch_fs ext4 256M /mnt/a
	root=/mnt/a/root
	mkdir -p $root/proc $root/sys $root/dev $root/dir
	for file in "$RAWREAD" $(ldd "$RAWREAD" | grep -o '/[^ ]*'); do
		mkdir -p "$root$(dirname "$file")"
		cp "$file" "$root$file"
	done
	mount -t proc proc $root/proc
	mount --rbind /sys $root/sys
	mount --rbind /dev $root/dev
	expect 0 chroot $root "$RAWREAD" prepare --size 2M /dir
	expect 0 chroot $root "$RAWREAD" sweep --label test -o /r.jsonl \
		--flush fadvise --block-sizes 64k --reps 1 /dir
	equal verdict "$(runs $root/r.jsonl .cold.verdict)" cold
	equal mount "$(head -n 1 $root/r.jsonl | jq -r '.targets[0].source')" null
	expect 2 chroot $root "$RAWREAD" sweep --label test -o /r.jsonl /dir
	err_has "/dir is not a mount point"
}

run_tests "$@"
