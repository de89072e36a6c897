#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What `make check` does once the packages are there: the checks of the tree,
# builds with gcc and clang where warnings are errors, all tests, and the tests
# under the address, undefined behaviour and thread sanitizers. What needs
# root or a loop device is skipped with the reason. Goes on after a failure,
# and ends in "N passed, N failed, N skipped".
set -u

: "${O:=build}"
export DEPS=no
counts=$PWD/$O/check.counts
jobs=$(nproc)

mkdir -p "$O"
rm -f "$counts" "$O"/tests/counts "$O"/*/tests/counts

# step NAME COMMAND...: one thing that passes, fails, or (77) is skipped.
step() {
	name=$1
	shift
	echo "== $name"
	"$@"
	case $? in
	0) echo "$name 1 0 0" ;;
	77)
		echo "skip - $name" >&2
		echo "$name 0 0 1"
		;;
	*)
		echo "FAIL - $name" >&2
		echo "$name 0 1 0"
		;;
	esac >>"$counts"
}

# Failures inside are counted one by one by tests/run.sh.
tests() {
	echo "== tests: $*"
	make --no-print-directory -k WERROR=1 "$@" || broken=$((broken + 1))
}

format() {
	make -s --no-print-directory O="$O" check-format >"$O/format.log" 2>&1 &&
		return
	cat "$O/format.log"
	! grep -q '^needs clang-format' "$O/format.log" || return 77
	return 1
}

broken=0
step "layers" make --no-print-directory O="$O" check-layers
step "shell scripts" make --no-print-directory O="$O" check-shell
step "format" format
step "build with gcc" make --no-print-directory -j "$jobs" O="$O" WERROR=1 \
	all "$O/tests/unit"
step "headers" make --no-print-directory O="$O" WERROR=1 check-headers
tests O="$O" test
step "build with clang" make --no-print-directory -j "$jobs" O="$O/clang" CC=clang \
	WERROR=1 all "$O/clang/tests/unit"
step "build for asan, ubsan" make --no-print-directory -j "$jobs" O="$O/asan" \
	SAN=address,undefined WERROR=1 all "$O/asan/tests/unit"
tests O="$O/asan" SAN=address,undefined test
tests O="$O/tsan" SAN=thread race
# The tests stand in the counts of their builds.
cat "$O"/tests/counts "$O"/asan/tests/counts "$O"/tsan/tests/counts \
	>>"$counts" 2>/dev/null

# A kind of tests that did not even build has no line of its own.
for want in "$O/tests/counts unit" "$O/tests/counts cli" \
	"$O/tests/counts system" "$O/asan/tests/counts unit" \
	"$O/asan/tests/counts cli" "$O/asan/tests/counts system" \
	"$O/tsan/tests/counts race"; do
	grep -q "^${want##* } " "${want% *}" 2>/dev/null ||
		step "${want##* } tests of ${want%%/tests*} were run" false
done
awk '{ passed += $(NF - 2); failed += $(NF - 1); skipped += $NF }
	END {
		printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
		exit failed != 0
	}' "$counts"
