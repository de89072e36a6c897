#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A sweep that is told to end: whenever that is, mounts are as found, records
# are whole, no process is left, and the status is 128 + the signal.
# shellcheck source=tests/support/lib.sh
. "${TESTS:-tests}/support/lib.sh"
# shellcheck source=tests/support/scratch.sh
. "${TESTS:-tests}/support/scratch.sh"

two_disks() {
	need_mounts
	scratch_fs ext4 64M /mnt/a
	scratch_fs ext4 64M "/mnt/b c"
	scratch_foo 4 /mnt/a "/mnt/b c"
	before=$(mounts_below)
	loops=$(losetup -l -n -O NAME,BACK-FILE | grep -F " $work/")
}

# $pid becomes a sweep that would go on for hours. With INT as a terminal gives
# it: a shell's background process would have it ignored.
sweep_begin() {
	rm -f r.jsonl
	hold env --default-signal=INT,HUP,QUIT "$RAWREAD" sweep -L test \
		-o r.jsonl -R 10000 "$@" /mnt/a "/mnt/b c" >out 2>err
	pid=$holder
}

# As it has to be after signal $1 (a number), called $2.
sweep_ended_by() {
	code=0
	wait "$pid" || code=$?
	[ "$code" = $((128 + $1)) ] || {
		show
		fail "status $code after SIG$2"
	}
	equal "the mount table" "$(mounts_below)" "$before"
	equal "loop devices" \
		"$(losetup -l -n -O NAME,BACK-FILE | grep -F " $work/")" \
		"$loops"
	for process in /proc/[0-9]*; do
		at=$(readlink "$process/exe") || continue
		in=$(readlink "$process/cwd") || continue
		[ "$at" = "$RAWREAD" ] && [ "$in" = "$work" ] &&
			fail "process ${process#/proc/} is left"
	done
	[ -e r.jsonl ] || return 0
	[ -s r.jsonl ] || fail "an empty record file is left"
	jq -e . r.jsonl >/dev/null || fail "a line is torn"
	equal "the first line" "$(head -n 1 r.jsonl | jq -r .type)" campaign
	equal "the end" "$(json r.jsonl '[.type, .complete, .cause] | @csv')" \
		"\"end\",,\"SIG$2\""
	equal "runs" "$(json r.jsonl '.runs // 0')" \
		"$(runs r.jsonl .rep | wc -l)"
	equal "errors" "$(runs r.jsonl 'select(.error) | .error')" ""
}

# Moments from before the first flush to some rows later.
moments() {
	seed=$1
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		seed=$(((seed * 1103515245 + 12345) % 2147483648))
		printf '0.%03d\n' $((seed / 65536 % 900))
	done
}

t_sigint_at_ten_moments() {
	two_disks
	for moment in $(moments 1); do
		sweep_begin
		sleep "$moment"
		kill -INT "$pid"
		sweep_ended_by 2 INT
	done
}

t_sigterm_at_ten_moments() {
	two_disks
	for moment in $(moments 2); do
		sweep_begin
		sleep "$moment"
		kill -TERM "$pid"
		sweep_ended_by 15 TERM
	done
}

t_sighup_and_a_hundred_more_signals_change_nothing() {
	two_disks
	for moment in 0.2 0.33 0.4 0.52; do
		sweep_begin
		sleep "$moment"
		kill -HUP "$pid"
		for again in $(seq 100); do
			kill -INT "$pid" 2>/dev/null || break
			: "$again"
		done
		sweep_ended_by 1 HUP
	done
}

# The run would not end by itself: it has to be told.
t_a_signal_reaches_the_run() {
	two_disks
	sweep_begin -s 4k -n 100000000000 --read-ahead-kb 64 --flush none
	until [ "$(cat "/sys/block/${loop#/dev/}/queue/read_ahead_kb")" = 64 ]; do
		sleep 0.02
	done
	kill -INT "$pid"
	sweep_ended_by 2 INT
	[ "$(cat "/sys/block/${loop#/dev/}/queue/read_ahead_kb")" != 64 ] ||
		fail "the read-ahead was not put back"
}

# Before there is a result there is nothing to be recorded of it.
t_a_signal_before_the_first_result_leaves_the_file_as_it_was() {
	two_disks
	"$RAWREAD" sweep -L one -o r.jsonl -s 64k -R 1 --flush none /mnt/a \
		>out 2>err || fail "no sweep: $(cat err)"
	cp r.jsonl kept
	hold env --default-signal=INT "$RAWREAD" sweep -L test -o r.jsonl \
		-s 4k -R 1 -n 100000000000 --read-ahead-kb 64 --flush none \
		"/mnt/b c" >out 2>err
	pid=$holder
	until [ "$(cat "/sys/block/${loop#/dev/}/queue/read_ahead_kb")" = 64 ]; do
		sleep 0.02
	done
	kill -INT "$pid"
	code=0
	wait "$pid" || code=$?
	equal status $code 130
	err_has "before the first of 1 runs was done; nothing was written to"
	cmp r.jsonl kept || fail "the file was changed"
}

t_a_signal_while_a_mount_is_busy_ends_the_waiting() {
	two_disks
	hold env -C /mnt/a sleep 100
	sweep_begin
	# The other one is away while this one is waited for.
	while mountpoint -q "/mnt/b c"; do sleep 0.02; done
	kill -INT "$pid"
	sweep_ended_by 2 INT
}

t_sigquit_is_an_end_in_order_too() {
	two_disks
	# shellcheck disable=SC3045 # dash and bash have it
	ulimit -c 0
	sweep_begin -s 4k -n 100000000000 --read-ahead-kb 64 --flush none
	until [ "$(cat "/sys/block/${loop#/dev/}/queue/read_ahead_kb")" = 64 ]; do
		sleep 0.02
	done
	kill -QUIT "$pid"
	sweep_ended_by 3 QUIT
	[ "$(cat "/sys/block/${loop#/dev/}/queue/read_ahead_kb")" != 64 ] ||
		fail "the read-ahead was not put back"
	hold env -C /mnt/a sleep 100
	sweep_begin
	while mountpoint -q "/mnt/b c"; do sleep 0.02; done
	kill -QUIT "$pid"
	sweep_ended_by 3 QUIT
}

t_a_signal_ends_the_wait_for_a_locked_record_file() {
	two_disks
	"$RAWREAD" read --json r.jsonl --engine null /mnt/a
	hold flock -F r.jsonl sleep 100
	until ! flock -n r.jsonl true; do sleep 0.02; done
	for command in "sweep -L test -o" "read --json"; do
		# shellcheck disable=SC2086 # words
		hold env --default-signal=INT "$RAWREAD" $command r.jsonl /mnt/a
		pid=$holder
		# It asks for the lock as soon as it has the file open.
		until readlink "/proc/$pid"/fd/* | grep -q '/r\.jsonl$'; do
			sleep 0.02
		done
		kill -INT "$pid"
		code=0
		wait "$pid" || code=$?
		equal "$command" $code 130
	done
	equal lines "$(wc -l <r.jsonl)" 1
}

run_tests "$@"
