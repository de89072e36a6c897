# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# Tests of the command line and of the system, in plain sh.
#
# A test is a function t_a_sentence_about_what_holds() in tests/cli/*.sh or
# tests/system/*.sh, and the file ends with `run_tests "$@"`. Each runs in a
# process group, a work directory and (system) a mount namespace of its own,
# under a time limit; so a dead test leaves nothing, and the order is free.
#
# RAWREAD is the program under test, HELPERS the folder of test programs.

set -u

: "${RAWREAD:?is set by tests/run.sh}"

fail() {
	echo "$*" >&2
	exit 1
}

# skip REASON: counted, and shown.
skip() {
	echo "SKIP $*"
	exit 77
}

need_root() {
	[ "$(id -u)" = 0 ] || skip "needs root"
}

# Leaks cannot be looked for under strace.
need_strace() {
	command -v strace >/dev/null || skip "needs strace"
	strace -o /dev/null true 2>/dev/null || skip "strace may not trace here"
	export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0"
}

# run CMD...: its status in $status, its output in the files out and err.
run() {
	status=0
	"$@" >out 2>err </dev/null || status=$?
}

show() {
	echo "--- out" >&2
	head -c 4000 out >&2
	echo "--- err" >&2
	head -c 4000 err >&2
}

# expect STATUS CMD...
expect() {
	wanted=$1
	shift
	run "$@"
	[ "$status" = "$wanted" ] && return
	show
	fail "status $status, not $wanted: $*"
}

out_has() {
	grep -qF -e "$1" out || {
		show
		fail "stdout lacks: $1"
	}
}

out_lacks() {
	! grep -qF -e "$1" out || {
		show
		fail "stdout has: $1"
	}
}

err_has() {
	grep -qF -e "$1" err || {
		show
		fail "stderr lacks: $1"
	}
}

# The one line that an error is.
err_is_one_line() {
	[ "$(wc -l <err)" = 1 ] || {
		show
		fail "stderr is not one line"
	}
}

# equal WHAT IS WANTED
equal() {
	[ "$2" = "$3" ] || fail "$1 is '$2', not '$3'"
}

# json FILE FILTER: one value out of the last line of a record file. For tests
# only, so jq may be had by `make deps`.
json() {
	tail -n 1 "$1" | jq -r "$2"
}

# verdict_is RECORD VERDICT [TEXT OF A CAUSE]
verdict_is() {
	[ "$(json "$1" .cold.verdict)" = "$2" ] ||
		fail "not $2: $(json "$1" .cold)"
	[ $# = 2 ] || json "$1" '.cold.causes[]' | grep -qF -e "$3" ||
		fail "no cause says '$3': $(json "$1" .cold)"
}

# is_true RECORD FILTER: jq says true.
is_true() {
	[ "$(json "$1" "$2")" = true ] || fail "not so: $2 in $(json "$1" .)"
}

# noise FILE BYTES: of what cannot be compressed.
noise() {
	head -c "$2" /dev/urandom >"$1"
}

# All that "rawread engines" lists to read by, a line each, as the words that
# ask for it: "pread", "libaio --direct", "preadv2 --rwf nowait".
ways_to_read() {
	"$RAWREAD" engines | sed -n \
		's/^\([a-z0-9]*\( --[a-z]*\( [a-z]*\)\{0,1\}\)\{0,1\}\)  *yes  *[y-].*/\1/p' |
		grep -v '^null' | sed 's/ *$//' >ways
	[ "$(wc -l <ways)" -ge 10 ] || fail "ways to read: $(cat ways)"
	cat ways
}

# reads_or_n_a BYTES WORDS...: "rawread read" of so many bytes, or it says that
# it cannot be had here, in one line and in the record. What it was in $status.
reads_or_n_a() {
	bytes=$1
	shift
	rm -f record
	run timeout 60 "$RAWREAD" read --json record "$@"
	case $status in
	0)
		equal "bytes of $*" "$(json record .bytes)" "$bytes"
		;;
	2)
		err_is_one_line
		err_has "n/a: "
		equal "$*, n/a" "$(json record .not_available)" true
		equal "$*, bytes" "$(json record .bytes)" null
		;;
	*)
		show
		fail "status $status of read $*"
		;;
	esac
}

# hold CMD...: in the background, its pid in $holder, and not longer than the
# test, however that ends.
hold() {
	"$@" &
	holder=$!
	held="${held:-} $holder"
	trap 'kill $held 2>/dev/null || true' EXIT
}

# One test, by name, in the work directory of its own.
run_one() {
	work=${WORK:-$(mktemp -d)} || exit 1
	(
		cd "$work" || exit 1
		set -e
		if [ "${PRIVATE_MOUNTS:-}" = yes ]; then
			system_begin
		fi
		"$1"
	)
	code=$?
	if [ "${PRIVATE_MOUNTS:-}" = yes ]; then
		system_end "$work"
	fi
	rm -rf "$work"
	exit $code
}

# After a test that was killed: its namespace went with it, and what it mounted;
# loop devices and files are still there.
clean_up() {
	[ -d "$1" ] || return 0
	losetup -l -n -O NAME,BACK-FILE 2>/dev/null | grep -F " $1/" |
		while read -r device _; do
			losetup -d "$device"
		done
	rm -rf "$1"
}

# What tests/run.sh counts: a line "ok|FAIL|skip - file: sentence".
report() {
	printf '%s - %s: %s%s\n' "$1" "$(basename "$0" .sh)" \
		"$(echo "$2" | sed 's/^t_//; s/_/ /g')" "${3:+ ($3)}"
}

# names FILE: its tests. A definition that looks like one and is written in
# another way, or twice, would never be run.
names() {
	sed -n 's/^\(t_[a-z0-9_]*\)() *{.*/\1/p' "$1"
}

badly_named() {
	{
		grep -E '^[[:space:]]*(function[[:space:]]+)?t_[A-Za-z0-9_]*[[:space:]]*\(\)' "$1" |
			grep -vE '^t_[a-z0-9_]*\(\) *\{'
		names "$1" | sort | uniq -d
	} || true
}

# Processes of the group $1 that outlived their test; what it ended itself may
# take a moment to go.
left_running() {
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		left=$(running "$1")
		[ -n "$left" ] || return 0
		sleep 0.2
	done
}

running() {
	cat /proc/[0-9]*/stat 2>/dev/null | sed 's/^\([0-9]*\) (.*) /\1 /' |
		awk -v group="$1" '$4 == group && $2 != "Z" { print $1 }'
}

# One test in a process of its own; its status in $code, what it said in $log.
run_alone() {
	code=0
	WORK=$(mktemp -d) || exit 1
	export WORK
	# shellcheck disable=SC2016 # timeout is the head of the test's group
	timeout -k 10 "${TEST_SECONDS:-120}" \
		sh -c 'echo $PPID >"$WORK.group"; exec sh "$0" "$1"' "$0" "$1" \
		>"$log" 2>&1 </dev/null || code=$?
	left_running "$(cat "$WORK.group")"
	if [ -n "$left" ]; then
		kill -9 "-$(cat "$WORK.group")"
		echo "left running: $(echo "$left" | tr '\n' ' ')" >>"$log"
		[ $code != 0 ] || code=1
	fi
	rm -f "$WORK.group"
	clean_up "$WORK"
}

# Ends in a line that says how many there were, so that run.sh can tell when
# one is missing.
run_tests() {
	if [ $# -gt 0 ]; then
		run_one "$1"
	fi
	log=$(mktemp) || exit 1
	total=0
	bad=$(badly_named "$0")
	if [ -n "$bad" ]; then
		total=$((total + 1))
		report FAIL "names of tests" "$(echo "$bad" | tr '\n' ' ')"
	fi
	for name in $(names "$0"); do
		case $name in *"${FILTER:-}"*) ;; *) continue ;; esac
		total=$((total + 1))
		run_alone "$name"
		case $code in
		0) report ok "$name" ;;
		77)
			reason=$(sed -n 's/^SKIP //p' "$log")
			if [ -n "$reason" ]; then
				report skip "$name" "$reason"
			else
				report FAIL "$name" "77 without a reason"
			fi
			;;
		124 | 137)
			report FAIL "$name" "time limit"
			sed 's/^/    /' "$log"
			;;
		*)
			report FAIL "$name"
			sed 's/^/    /' "$log"
			;;
		esac
	done
	rm -f "$log"
	echo "total - $(basename "$0" .sh): $total"
}
