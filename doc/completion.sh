#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# completion.sh RAWREAD: prints the completion for bash, made from the same
# tables as the parser.
set -eu

rawread=$1
table=$("$rawread" help --commands)
commands=$(printf '%s\n' "$table" | cut -f1 | paste -sd ' ')

# Values that are words of a list; tests/cli/manual.sh tries each.
values() {
	case $1 in
	fadvise) echo "none normal sequential random willneed noreuse" ;;
	layout) echo "shared slice" ;;
	engine) echo "read readv pread preadv2 mmap splice libaio null" ;;
	test) echo "seqread seqreadv seqpread randread randreadv randpread" ;;
	pin) echo "scatter none" ;;
	flush) echo "remount fadvise drop-caches none" ;;
	format) echo "text classic" ;;
	esac
}

cat <<'END'
# Completion of rawread for bash; made by doc/completion.sh.
_rawread()
{
	local word=${COMP_WORDS[COMP_CWORD]} options=
	local before=${COMP_WORDS[COMP_CWORD-1]} values=
	case ${COMP_WORDS[1]} in
END
all=
for command in $commands; do
	table=$("$rawread" help --options "$command")
	names=$(printf '%s\n' "$table" | cut -f1)
	line=
	for name in $names help; do
		line="$line --$name"
		all="$all $name"
	done
	printf '\t%s) options="%s" ;;\n' "$command" "$line"
done
printf '\thelp) options="%s record" ;;\n' "$commands"
cat <<'END'
	esac
	case $before in
END
# shellcheck disable=SC2086 # a word an option
for name in $(printf '%s\n' $all | sort -u); do
	words=$(values "$name")
	[ -z "$words" ] || printf '\t--%s) values="%s" ;;\n' "$name" "$words"
done
cat <<'END'
	esac
	if [ "$COMP_CWORD" = 1 ]; then
END
printf '\t\toptions="help %s --help --version"\n' "$commands"
cat <<'END'
	elif [ -n "$values" ]; then
		options=$values
	fi
	COMPREPLY=($(compgen -W "$options" -- "$word"))
}
complete -o default -F _rawread rawread
END
