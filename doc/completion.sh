#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# completion.sh RAWREAD: prints the completion for bash, made from the same
# tables as the parser.
set -eu

rawread=$1

cat <<'END'
# Completion of rawread for bash; made by doc/completion.sh.
_rawread()
{
	local word=${COMP_WORDS[COMP_CWORD]} options=
	case ${COMP_WORDS[1]} in
END
"$rawread" help --commands | cut -f1 | while read -r command; do
	printf '	%s) options="%s" ;;\n' "$command" \
		"$("$rawread" help --options "$command" |
			awk -F '\t' '$1 != "" { printf " --%s", $1 }')"
done
cat <<'END'
	esac
	if [ "$COMP_CWORD" = 1 ]; then
END
printf '		options="help%s"\n' \
	"$("$rawread" help --commands | awk -F '\t' '{ printf " %s", $1 }')"
cat <<'END'
	fi
	COMPREPLY=($(compgen -W "$options" -- "$word"))
}
complete -o default -F _rawread rawread
END
