#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Wrong options: one line on stderr that names the object, exit 2, and nothing
# done. Options of a kind that all commands share are tried with each.
# shellcheck source=tests/support/lib.sh
. "${TESTS:-tests}/support/lib.sh"

# refused TEXT WORDS...: the line has TEXT in it.
refused() {
	text=$1
	shift
	expect 2 "$RAWREAD" "$@"
	err_is_one_line
	err_has "$text"
	equal "stdout of $*" "$(cat out)" ""
}

t_an_unknown_option_is_named_by_every_command() {
	for command in read plan engines prepare sweep report diff import; do
		refused "'--bogus'" "$command" --bogus
		refused "'--bogus=3'" "$command" file --bogus=3
		refused "'-%'" "$command" -% file
	done
}

t_every_command_has_help_with_its_options() {
	for command in read plan engines prepare sweep report diff import; do
		for help in --help -h; do
			expect 0 "$RAWREAD" "$command" $help
			out_has "rawread $command"
			out_has "--help"
			equal "stderr" "$(cat err)" ""
		done
	done
}

t_a_word_that_is_no_command_is_told() {
	refused "'bogus'" bogus
	refused "summary is not in this version" summary a b
	refused "no command"
}

t_report_wants_one_file() {
	refused "name a record file" report
	refused "'b' is one more" report a b
	refused "open record file none.jsonl: No such file" report none.jsonl
	refused "open record file none.jsonl:x: No such file" report none.jsonl:x
	: >empty
	refused "empty holds no runs" report empty
	mkdir folder
	refused "read folder: Is a directory" report folder
}

t_diff_wants_two_files() {
	refused "name A and B" diff
	refused "name A and B" diff a
	refused "'c' is one more" diff a b c
	refused "open record file none" diff none none
	refused "standard input can be read once" diff -- - -:x
}

t_tolerances_and_formats_are_checked_before_files_are_read() {
	for tolerance in '' % -1 nan 3+% 1+2 kbs= kbs=x cpu=-1%; do
		refused "--tol: '" diff --tol "$tolerance" none none
	done
	refused "metric 'iops' is not known; there are kbs and cpu" \
		diff --tol iops=3% none none
	refused "metric '' is not known" diff --tol =3% none none
	refused "'html' is not known; there are text and classic" \
		diff --format html none none
	refused "'--tol'" diff a b --tol
	refused "'--warm=1'" diff --warm=1 a b
}

t_wrong_values_of_a_read_are_named() {
	: >file
	refused "block-size: '1x'" read -s 1x file
	refused "block-size: '0'" read -s 0 file
	refused "threads: '0'" read -p 0 file
	refused "test '99'" read -t 99 file
	refused "file is empty" read -t 1 file
	refused "there are shared, slice, stripe and each" \
		read --layout any file
	refused "pattern 'any'" read --pattern any file
	refused "hint 'maybe'" read --engine mmap --madvise maybe file
	refused "time: '5x'" read --time 5x file
	refused "there are none, fill=read and fill=write" \
		read --warm fill=air file
	refused "'later'" read --engine preadv2 --rwf later file
	refused "hint 'maybe'" read --fadvise maybe file
	refused "range: '99999999999999999999'" read -r 99999999999999999999 file
	refused "no target" read
	refused "-i 4" read -t 0 -i 4 file
}

t_an_option_that_would_do_nothing_is_refused() {
	: >file
	for command in read plan; do
		refused "-d 2 numbers" $command -d 2 ./file
		refused "where -f looks" $command --file-pattern %d ./file
		refused "has no %d" $command -f -m 2 -p 2 --file-pattern file
	done
	refused "-q is a form" read -q --json - ./file
	refused "-e is a form" read -e --json - ./file
	refused "-d 2 numbers" -d 2 ./file
}

t_an_error_is_one_line_whatever_a_file_is_called() {
	name=$(printf 'a\nb\033[2J')
	refused 'a\x0ab\x1b[2J' report "$name"
	refused 'a\x0ab\x1b[2J' import --csv "$name" --label x -o out.jsonl
}

run_tests "$@"
