#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# headers.sh "COMPILER FLAGS" HEADER...: each header compiles alone, first and
# twice.
set -eu

compile=$1
shift
status=0
# The words of a command and its flags.
# shellcheck disable=SC2086
compiles() {
	printf '#include "%s"\n#include "%s"\nint main(void);\n' "$1" "$1" |
		$compile -fsyntax-only -x c -
}

for header; do
	compiles "$header" || {
		echo "headers: $header does not compile alone" >&2
		status=1
	}
done
exit $status
