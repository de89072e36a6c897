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
unset FILTER TEST_SECONDS CRITERION_TEST_PATTERN
jobs=$(nproc)

mkdir -p "$O"
rm -f "$O"/tests/counts "$O"/*/tests/counts

passed=0 failed=0 skipped=0

# step NAME COMMAND...: one thing that passes, fails, or (77) is skipped.
step() {
	name=$1
	shift
	echo "== $name"
	"$@"
	case $? in
	0) passed=$((passed + 1)) ;;
	77)
		echo "skip - $name" >&2
		skipped=$((skipped + 1))
		;;
	*)
		echo "FAIL - $name" >&2
		failed=$((failed + 1))
		;;
	esac
}

# tests BUILD "KIND..." [VARIABLE=...]: tests/run.sh counts them one by one, and
# leaves a line for each kind that it ran.
tests() {
	build=$1 kinds=$2
	shift 2
	echo "== $kinds tests of $build"
	# shellcheck disable=SC2086 # kinds are words
	make --no-print-directory -k O="$build" WERROR=1 "$@" $kinds
	made=$?
	for kind in $kinds; do
		good='' bad='' not_run=''
		read -r good bad not_run <<-END
			$(sed -n "s/^$kind //p" "$build/tests/counts")
		END
		if [ -z "$not_run" ]; then
			echo "FAIL - the $kind tests of $build were not run" >&2
			bad=1
		fi
		passed=$((passed + ${good:-0})) failed=$((failed + bad))
		skipped=$((skipped + ${not_run:-0}))
	done
	if [ $made != 0 ] && [ $failed = 0 ]; then
		echo "FAIL - make of the tests of $build" >&2
		failed=1
	fi
}

format() {
	make -s --no-print-directory O="$O" check-format >"$O/format.log" 2>&1 &&
		return
	cat "$O/format.log"
	! grep -q '^needs clang-format' "$O/format.log" || return 77
	return 1
}

step "layers" make --no-print-directory O="$O" check-layers
step "shell scripts" make --no-print-directory O="$O" check-shell
step "format" format
step "build with gcc" make --no-print-directory -j "$jobs" O="$O" WERROR=1 \
	all "$O/tests/unit"
step "headers" make --no-print-directory O="$O" WERROR=1 check-headers
tests "$O" "unit cli system"
step "build with clang" make --no-print-directory -j "$jobs" O="$O/clang" CC=clang \
	WERROR=1 all "$O/clang/tests/unit"
step "build for asan, ubsan" make --no-print-directory -j "$jobs" O="$O/asan" \
	SAN=address,undefined WERROR=1 all "$O/asan/tests/unit"
tests "$O/asan" "unit cli system" SAN=address,undefined
tests "$O/tsan" race SAN=thread

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ] && [ $passed != 0 ]
