#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What is made from the tables of options: manual pages and completion.
# shellcheck source=tests/support/lib.sh
. "${TESTS:-tests}/support/lib.sh"

doc=$TESTS/../doc

# complete WORDS...: what bash would offer for the last one.
complete_words() {
	command -v bash >/dev/null || skip "needs bash"
	sh "$doc/completion.sh" "$RAWREAD" >completion
	# shellcheck disable=SC2016 # for bash to expand
	expect 0 bash -c '. ./completion
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		_rawread
		printf "%s\n" "${COMPREPLY[@]}"' bash rawread "$@"
}

t_every_option_of_a_command_stands_in_its_page() {
	for command in read plan engines prepare sweep report diff import; do
		expect 0 sh "$doc/options.sh" "$RAWREAD" \
			<"$doc/rawread-$command.1.scd"
		sh "$doc/options.sh" "$RAWREAD" \
			<"$doc/rawread-$command.1.scd" >page
		"$RAWREAD" help --options "$command" >table
		printf 'help\th\n' >>table
		while IFS='	' read -r name _; do
			grep -qF -e "*--$name*" page ||
				fail "rawread-$command(1) lacks --$name"
		done <table
		! grep '^@' page || fail "not filled: rawread-$command(1)"
	done
}

# Its lines begin with titles that fifteen columns hold.
t_every_line_of_the_output_stands_in_the_page_of_read() {
	{
		sed -n 's/.*"\([A-Z][A-Za-z/ ]*[A-Za-z]\)  .*/\1/p' \
			"$TESTS"/../rawread/findings_*.c
		printf '%s\n' "Read by" "Written by"
	} | sort -u >printed
	sed -n '/^# OUTPUT/,/^# EXIT/p' "$doc/rawread-read.1.scd" |
		grep '^\*[A-Z]' | grep -o '\*[A-Z][^*]*\*' | tr -d '*' |
		sort -u >told
	[ "$(wc -l <printed)" -gt 15 ] || fail "$(cat printed)"
	equal titles "$(cat told)" "$(cat printed)"
}

t_pages_are_plain_ascii() {
	for page in "$doc"/*.scd; do
		sh "$doc/options.sh" "$RAWREAD" <"$page" >filled
		! LC_ALL=C grep -n '[^ -~	]' filled || fail "$page"
	done
}

t_a_program_that_fails_fails_its_page_and_its_completion() {
	printf '#!/bin/sh\nexit 3\n' >broken
	chmod +x broken
	for line in '@OPTIONS read@' '@COMMANDS@'; do
		status=0
		echo "$line" | sh "$doc/options.sh" ./broken >page || status=$?
		equal "status of $line" "$status" 3
	done
	expect 3 sh "$doc/completion.sh" ./broken
}

t_completion_offers_commands_options_and_values() {
	complete_words pl
	equal command "$(cat out)" plan
	complete_words --he
	equal option "$(cat out)" --help
	complete_words help rep
	equal "help's word" "$(cat out)" report
	complete_words help rec
	equal "help's word" "$(cat out)" record
	for command in read plan engines prepare sweep report diff import; do
		complete_words $command --he
		equal "help of $command" "$(cat out)" --help
	done
	complete_words plan --js
	equal "an option of another" "$(cat out)" ""
	complete_words read --layout s
	equal values "$(tr '\n' ' ' <out)" "shared slice "
}

t_every_value_that_completion_offers_is_accepted() {
	truncate -s 1m f
	sh "$doc/completion.sh" "$RAWREAD" >completion
	sed -n 's/^	--\([a-z]*\)) values="\(.*\)" ;;/\1 \2/p' completion >values
	grep -q '^layout ' values || fail "$(cat completion)"
	while read -r name words; do
		for word in $words; do
			case $name in
			flush) run "$RAWREAD" sweep --flush "$word" ;;
			format) run "$RAWREAD" diff --format "$word" ;;
			*) run "$RAWREAD" plan "--$name" "$word" f ;;
			esac
			! grep "'$word'" err || fail "--$name $word"
		done
	done <values
}

# A man that tells what it is called with, and has the page of diff alone.
fake_man() {
	mkdir -p bin prefix/bin
	cp "$RAWREAD" prefix/bin/rawread
	cat >bin/man <<-'END'
		#!/bin/sh
		[ "$1" != -w ] || [ "$3" = rawread-diff ] || exit 16
		echo "man $*"
	END
	chmod +x bin/man
	PATH=$PWD/bin:$PATH
}

t_help_shows_the_page_beside_the_program_or_the_one_that_man_has() {
	fake_man
	expect 0 prefix/bin/rawread help diff
	equal "what man was asked" "$(cat out)" "man 1 rawread-diff"
	mkdir -p prefix/share/man/man1
	: >prefix/share/man/man1/rawread-diff.1.gz
	expect 0 prefix/bin/rawread help diff
	out_has "man $PWD/prefix/bin/../share/man/man1/rawread-diff.1.gz"
	mkdir prefix/bin/man
	: >prefix/bin/man/rawread-diff.1
	expect 0 prefix/bin/rawread help diff
	out_has "man $PWD/prefix/bin/man/rawread-diff.1"
}

t_help_shows_the_options_where_there_is_no_page() {
	fake_man
	expect 0 prefix/bin/rawread help plan
	out_has "Usage: rawread plan"
	equal stderr "$(cat err)" ""
	expect 0 prefix/bin/rawread help
	out_has "Commands:"
	expect 2 prefix/bin/rawread help record
	err_has "neither beside the program nor installed"
}

run_tests "$@"
