#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# format.sh FILE...: clang-format decides on layout. Its answer changes with
# its version, so only the version the project is laid out with is asked.
set -eu

version=14

for name in clang-format-$version clang-format; do
	if "$name" --version 2>/dev/null | grep -q "version $version\."; then
		"$name" --dry-run --Werror "$@"
		exit
	fi
done
echo "needs clang-format $version"
exit 77
