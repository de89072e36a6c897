#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# options.sh RAWREAD: copies a manual page in scdoc form from stdin to stdout,
# and puts the options of a command in place of a line "@OPTIONS command@",
# the list of commands in place of "@COMMANDS@".
set -eu

rawread=$1

# What is piped is asked before: of a pipe, sh sees the last status only.
options() {
	table=$("$rawread" help --options "$1")
	{
		[ -z "$table" ] || printf '%s\n' "$table"
		printf 'help\th\t\tShow the options\n'
	} | awk -F '\t' '
	function plain(text) {
		gsub(/[_*\\]/, "\\\\&", text)
		return text
	}
	{
		line = $2 == "" ? "" : "*-" $2 "*"
		if ($1 != "")
			line = line (line == "" ? "" : ", ") "*--" $1 "*"
		if ($3 != "")
			line = line " _" $3 "_"
		printf "%s\n\t%s\n\n", line, plain($4)
	}'
}

commands() {
	table=$("$rawread" help --commands)
	printf '%s\n' "$table" | awk -F '\t' '{
		printf "*rawread-%s*(1)\n\t%s\n\n", $1, $2
	}'
}

while IFS= read -r line; do
	case $line in
	"@OPTIONS "*)
		name=${line#@OPTIONS }
		options "${name%@}"
		;;
	"@COMMANDS@") commands ;;
	*) printf '%s\n' "$line" ;;
	esac
done
