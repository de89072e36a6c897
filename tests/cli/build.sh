#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The Makefile: what is made again, and when.
# shellcheck source=tests/support/lib.sh
. "${TESTS:-tests}/support/lib.sh"

# With a build folder of the test's own.
make_in_tree() {
	command -v pkg-config >/dev/null || skip "needs pkg-config"
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u MAKEOVERRIDES -u O -u SAN \
		-u CC -u CFLAGS make -C "$TESTS/.." --no-print-directory \
		O="$PWD/build" DEPS=no "$@"
}

made() {
	expect 0 make_in_tree "$PWD/build/obj/lib/base/err.o" "$@"
	grep -c '^  CC' out || true
}

t_other_flags_make_objects_again_and_the_same_ones_do_not() {
	equal first "$(made)" 1
	equal again "$(made)" 0
	equal "other flags" "$(made CFLAGS=-O0)" 1
	equal "the same" "$(made CFLAGS=-O0)" 0
	equal "a sanitizer" "$(made CFLAGS=-O0 SAN=undefined)" 1
	equal "another compiler" "$(made CC='gcc -pipe')" 1
	equal "warnings as errors" "$(made CC='gcc -pipe' WERROR=1)" 0
}

t_clean_and_what_is_made_after_it_are_not_done_at_once() {
	object=$PWD/build/obj/lib/base/err.o
	mkdir -p build/old
	expect 0 make_in_tree -j 4 clean "$object"
	[ ! -e build/old ] || fail "not cleaned"
	[ -e "$object" ] || fail "not made"
	expect 0 make_in_tree -j 4 "$object" clean
	[ ! -e build ] || fail "not cleaned"
}

t_help_is_the_comment_on_top() {
	expect 0 make_in_tree help
	out_has "make check        the same installation"
	out_has "DEPS=no"
	out_lacks "GPL"
	out_lacks ":="
}

run_tests "$@"
