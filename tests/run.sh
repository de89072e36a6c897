#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# run.sh O KIND: runs the tests of a kind (unit, cli, system, race) with the
# build in O, and ends in "KIND: N passed, N failed, N skipped". A leak or a
# sanitizer's report is a failure whatever the test itself says; and a run of
# no tests at all is one too.
set -u

build=$1
kind=$2
logs=$build/tests/logs/$kind
passed=0 failed=0 skipped=0

case $build in /*) ;; *) build=$PWD/$build ;; esac
logs=$build/tests/logs/$kind
rm -rf "$logs"
mkdir -p "$logs"
export RAWREAD="$build/rawread" HELPERS="$build/tests/support"
TESTS=$PWD/tests
export TESTS
export ASAN_OPTIONS="log_path=$logs/sanitizer:detect_leaks=1:allocator_may_return_null=1${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
export UBSAN_OPTIONS="log_path=$logs/sanitizer:print_stacktrace=1"
export TSAN_OPTIONS="log_path=$logs/sanitizer:halt_on_error=0"

count() {
	tee "$logs/list" | grep -vE '^(ok|total) - '
	passed=$((passed + $(grep -c '^ok - ' "$logs/list")))
	failed=$((failed + $(grep -c '^FAIL - ' "$logs/list")))
	skipped=$((skipped + $(grep -c '^skip - ' "$logs/list")))
}

# Criterion's TAP has a line for each test, after how many there are.
unit() {
	timeout -k 10 900 "$build/tests/unit" --tap="$logs/tap" \
		>"$logs/out" 2>&1
	code=$?
	sed -n 's/^not ok - /FAIL - /p
		s/^ok - \(.*\) *# SKIP *\(.*\)/skip - \1(\2)/p
		/# SKIP/!s/^ok - /ok - /p' "$logs/tap" >"$logs/lines"
	planned=$(sed -n 's/^1\.\.\([0-9]*\)$/\1/p' "$logs/tap")
	if [ "$planned" != "$(grep -c . "$logs/lines")" ]; then
		echo "FAIL - unit: not all of ${planned:-?} tests have a result" \
			>>"$logs/lines"
	fi
	if [ $code -ne 0 ]; then
		cat "$logs/out"
		grep -q '^FAIL' "$logs/lines" ||
			echo "FAIL - unit: exit status $code" >>"$logs/lines"
	fi
}

race() {
	for program in "$build"/tests/race/*; do
		[ -x "$program" ] || continue
		if timeout -k 10 120 "$program" >"$logs/out" 2>&1; then
			echo "ok - ${program##*/}"
		else
			echo "FAIL - ${program##*/}"
			sed 's/^/    /' "$logs/out"
		fi
	done >"$logs/lines"
}

# A file that breaks off, or defines tests and runs none, is no success.
scripts() {
	for script in tests/"$kind"/*.sh; do
		name=$(basename "$script" .sh)
		code=0
		sh "$script" >"$logs/$name.out" 2>&1 || code=$?
		cat "$logs/$name.out"
		total=$(sed -n "s/^total - $name: //p" "$logs/$name.out")
		results=$(grep -cE "^(ok|FAIL|skip) - $name: " "$logs/$name.out")
		[ "$total" != 0 ] || [ -n "${FILTER:-}" ] || code=none
		if [ "$code" != 0 ] || [ "$total" != "$results" ]; then
			echo "FAIL - $name: status $code, $results results of" \
				"${total:-?} tests"
		fi
	done >"$logs/lines"
}

case $kind in
unit | race) $kind ;;
cli | system) scripts ;;
*)
	echo "run.sh: no such kind of tests: $kind" >&2
	exit 2
	;;
esac
for report in "$logs"/sanitizer*; do
	[ -e "$report" ] || continue
	echo "FAIL - $kind: a sanitizer's report"
	sed 's/^/    /' "$report"
done >>"$logs/lines"
count <"$logs/lines"
[ $((passed + failed + skipped)) -gt 0 ] || {
	echo "FAIL - $kind: no test was run"
	failed=1
}
echo "$kind $passed $failed $skipped" >>"$build/tests/counts"
echo "$kind: $passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
