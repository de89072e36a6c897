#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Which block each thread reads, and when: as strace sees the system calls, so
# that a layout or a pattern is not merely a name in the record.
# shellcheck source=tests/support/lib.sh
. "${TESTS:-tests}/support/lib.sh"

# blocks WORDS...: of 4 KB that the threads read from f, a line for each thread
# in the file order.
blocks() {
	need_strace
	[ -e f ] || noise f 32768
	rm -f trace.*
	run strace -ff -qq -o trace -e trace=pread64 -P "$PWD/f" "$RAWREAD" \
		read -t 4 -s 4k "$@" ./f
	[ "$status" = 0 ] || {
		show
		fail "status $status of $*"
	}
	for thread in trace.*; do
		sed -n 's/^pread64(.*, \([0-9]*\))  *= [0-9]*$/\1/p' "$thread" |
			awk '{ printf "%s%d", (NR > 1 ? " " : ""), $1 / 4096 }
				END { if (NR) print "" }'
	done >order
}

# in_order LINES WORDS...: as printf makes them of LINES.
in_order() {
	# shellcheck disable=SC2059 # it has the ends of lines in it
	wanted=$(printf "$1")
	shift
	blocks "$@"
	equal "blocks of $*" "$(cat order)" "$wanted"
}

t_each_layout_gives_a_thread_the_blocks_that_it_says() {
	in_order '0 1 2 3 4 5 6 7'
	in_order '0 1 2 3\n4 5 6 7' -p 2 --layout slice
	in_order '0 2 4 6\n1 3 5 7' -p 2 --layout stripe
	in_order '0 3 6\n1 4 7\n2 5' -p 3 --layout stripe
	in_order '0 1 2 3 4 5 6 7\n0 1 2 3 4 5 6 7' -p 2 --layout each
	in_order '0 1 2 3 4 5 6 7' --layout shared
}

t_a_shared_counter_gives_each_block_to_one_thread() {
	blocks -p 3 --layout shared
	equal blocks "$(tr ' ' '\n' <order | sort -n | tr '\n' ' ')" \
		"0 1 2 3 4 5 6 7 "
	while read -r line; do
		echo "$line" | tr ' ' '\n' | sort -nc || fail "not upwards: $line"
	done <order
}

t_reverse_begins_at_the_end_of_each_threads_part() {
	in_order '7 6 5 4 3 2 1 0' --pattern reverse
	in_order '3 2 1 0\n7 6 5 4' -p 2 --pattern reverse
	in_order '7 6 5 4 3 2 1 0\n7 6 5 4 3 2 1 0' -p 2 --layout each \
		--pattern reverse
	in_order '7 6 5 4 3 2 1 0' --layout shared --pattern reverse
	blocks -p 2 --layout stripe --pattern reverse
	equal blocks "$(sort order | tr '\n' ' ')" "6 4 2 0 7 5 3 1 "
}

t_a_stride_leaves_out_what_lies_between() {
	in_order '0 2 4 6' --pattern stride --stride 8k
	in_order '0 3 6' --pattern stride --stride 12k
	in_order '0 2\n4 6' -p 2 --pattern stride --stride 8k
	in_order '0 4\n2 6' -p 2 --layout stripe --pattern stride --stride 8k
	in_order '0' --pattern stride --stride 1m
	in_order '0 1 2 3 4 5 6 7' --pattern stride --stride 4k
}

t_a_random_order_is_a_permutation_that_the_seed_decides() {
	blocks -t randpread --seed 7
	mv order first
	equal blocks "$(tr ' ' '\n' <first | sort -n | tr '\n' ' ')" \
		"0 1 2 3 4 5 6 7 "
	blocks -t randpread --seed 7
	equal "again" "$(cat order)" "$(cat first)"
	for seed in 8 9 10; do
		blocks -t randpread --seed $seed
		! cmp -s order first || continue
		different=yes
	done
	equal "another order by another seed" "${different:-no}" yes
	blocks -t randpread --seed 7 -p 2
	equal "of two threads" "$(tr '\n' ' ' <order)" "$(cat first) "
	blocks -t randpread --seed 7 -p 3 --layout stripe
	equal "of three" "$(tr ' ' '\n' <order | sort -n | tr '\n' ' ')" \
		"0 1 2 3 4 5 6 7 "
}

t_draws_with_repeats_are_of_the_whole_range_for_each_thread() {
	blocks -t randpread --pattern random-repeat --seed 3 -p 2
	equal threads "$(wc -l <order)" 2
	equal draws "$(wc -w <order)" 8
	cp order first
	blocks -t randpread --pattern random-repeat --seed 3 -p 2
	equal again "$(cat order)" "$(cat first)"
	[ "$(sed -n 1p order)" != "$(sed -n 2p order)" ] ||
		fail "both threads draw the same: $(cat order)"
	[ "$(tr ' ' '\n' <order | sort -u | wc -l)" -lt 8 ] ||
		fail "none came again: $(cat order)"
	! tr ' ' '\n' <order | grep -qv '^[0-7]$' || fail "$(cat order)"
}

t_an_end_by_bytes_cuts_the_order_off_and_begins_it_again() {
	in_order '0 1 2' --bytes 12k
	in_order '0 1 2' --bytes 10000b
	in_order '0 1 2 3 4 5 6 7 0 1' --bytes 40k
	in_order '0 2\n1' -p 2 --layout stripe --bytes 12k
	in_order '2 3 4' -o 8k -r 12k
	in_order '2 3 4 2 3' -o 8k -r 12k --bytes 20k
	in_order '4 3 2' -o 8k -r 12k --pattern reverse
}

# calls NAME: of the aio calls of the one thread, how many of what.
calls() {
	sed -n "s/.*$1([^,]*, \([0-9]*\), .*= \([0-9]*\)\$/\1 \2/p" trace
}

t_a_batch_waits_for_all_and_a_minimum_batch_for_one() {
	need_strace
	noise a 32768
	noise b 20000
	noise c 4096
	for test in 16 20; do
		run timeout 60 strace -f -qq -o trace \
			-e trace=io_submit,io_getevents "$RAWREAD" read \
			-t $test -p 3 -s 4k ./a ./b ./c
		equal "status of $test" "$status" 0
		equal "threads that submit" \
			"$(grep io_submit trace | cut -d' ' -f1 | sort -u | wc -l)" 1
		equal "first batch of $test" "$(calls io_submit | head -n 1)" \
			"3 3"
		# All that is left in flight, or one; never more than is there.
		case $test in
		16) calls io_getevents | awk '$1 != $2 { exit 1 }' ;;
		20) calls io_getevents | awk '$1 != 1 { exit 1 }' ;;
		esac || fail "test $test waits for another number: $(cat trace)"
	done
}

run_tests "$@"
