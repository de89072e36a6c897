#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Who may include whom: lib/base nothing of ours; lib/system and lib/record
# lib/base; rawread, sweep and reports lib. Prints each include that goes
# sideways or up, and fails then.
set -eu

# layer        may include headers below
rules='
lib/base       lib/base
lib/system     lib/base lib/system
lib/record     lib/base lib/record
rawread        lib/base lib/system lib/record rawread
sweep          lib/base lib/system lib/record sweep
reports        lib/base lib/record reports
'

bad=$(echo "$rules" | while read -r layer allowed; do
	[ -n "$layer" ] || continue
	find "$layer" -maxdepth 1 -name '*.[ch]' | sort | while read -r file; do
		sed -n 's/^[ \t]*#[ \t]*include[ \t]*"\([^"]*\)".*/\1/p' "$file" |
			while read -r header; do
				case " $allowed " in
				*" ${header%/*} "*)
					[ -e "$header" ] || echo "$file includes $header, which does not exist"
					;;
				*) echo "$file ($layer) includes $header; it may include only: $allowed" ;;
				esac
			done
	done
done)
if [ -n "$bad" ]; then
	echo "$bad" >&2
	exit 1
fi
# A folder that stands in no rule would be checked by nobody.
find lib rawread sweep reports -name '*.[ch]' | sed 's|/[^/]*$||' | sort -u |
	while read -r layer; do
		echo "$rules" | grep -q "^$layer " || {
			echo "layers: $layer stands in no rule" >&2
			exit 1
		}
	done
