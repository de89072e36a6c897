#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# bench.sh O: what our loop costs beside a bare one, and fio's beside both.
# From a hot page cache, floor and rawread in turn, the same reads of one
# cached file; each figure is the median of the ratios floor / rawread of the
# pairs, so 0.98 is 2 % slower than bare, and behind it stands half the spread
# of their middle half. Times are the threads' CPU time: hot reads wait for
# nothing, and what others do on the machine stays out.
#
# PAIRS, CALLS, SIZES and THREADS in the environment choose less; BENCH_DIR is
# where the file is made. The last line names what falls short of its goal; the
# figures are information, and the exit status is 0; 2 when there are none, since
# a program failed or the file does not stay in the page cache.
set -eu

# shellcheck source=tests/bench/programs.sh
. "$(dirname "$0")/bench/programs.sh"

rawread=$1/rawread
floor=$1/tests/bench/floor
pairs=${PAIRS:-15}
calls=${CALLS:-read pread readv preadv2 mmap shared latency splice libaio}
file_bytes=$((64 << 20))
run_ns=250000000
work=$(mktemp -d -p "${BENCH_DIR:-${TMPDIR:-/tmp}}")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
file=$work/foo

# One CPU for each thread, of those this process may use.
cpus=$(sed -n 's/^Cpus_allowed_list:[^0-9]*//p' /proc/self/status |
	tr , '\n' | awk -F- '{ for (i = $1; i <= ($2 == "" ? $1 : $2); i++) print i }')

# quartile N FILE: 2 is the median; between two figures it is in proportion.
quartile() {
	sort -n "$2" | awk -v n="$1" '{ v[NR] = $1 } END {
		at = 1 + (NR - 1) * n / 4
		low = int(at)
		high = low < NR ? low + 1 : low
		printf "%.3f", v[low] + (at - low) * (v[high] - v[low])
	}'
}

calc() {
	awk "BEGIN { print $1 }"
}

die() {
	echo "bench: $*" >&2
	exit 2
}

# figure NAME VALUE: it is one; else the program that should tell it failed.
figure() {
	case $2 in
	'' | *[!0-9.e+-]*) die "no figure of $1 for $call, block $block" ;;
	esac
	[ "$(calc "($2 > 0)")" = 1 ] ||
		die "$1 tells $2 ns for $call, block $block"
}

# expect VALUE GOAL TEXT [SPREAD]: notes it when it is less.
expect() {
	[ "$(calc "$1 < $2")" = 0 ] ||
		echo "$3 $1${4:+ +- $4} for $2" >>"$work/missed"
}

# One thread is enough for what is only information, and a counter is shared by
# two or more.
is_wanted() {
	case $1-$2-$3 in
	shared-1-* | shared-*-524288) false ;;
	latency-1-524288) false ;;
	*-1-* | shared-*) true ;;
	latency-* | splice-* | libaio-*) false ;;
	esac
}

# Large folios or small ones are another result: one way to fill, told, for all
# that is measured.
fill() {
	ahead=$("$rawread" read --warm fill=read -s 1m --json - "$file" |
		sed -n 's/.*"read_ahead_kib":\([0-9]*\).*/\1/p')
}

# Odd pairs begin with the floor and even ones with us; fio joins each third.
# Somebody may empty the page cache of the machine: filled again, pair again.
bench_pair() {
	if [ $((pair % 2)) = 1 ]; then
		base=$(floor_ns "$@")
		ours=$(our_ns "$@")
	else
		ours=$(our_ns "$@")
		base=$(floor_ns "$@")
	fi
	case $base-$ours in
	*gone*)
		gone=$((gone + 1))
		[ $gone -le "$pairs" ] ||
			die "$file does not stay in the page cache"
		fill
		pair=$((pair - 1))
		return
		;;
	esac
	figure floor "$base"
	figure rawread "$ours"
	echo "$base" >>"$work/base"
	calc "$base / $ours" >>"$work/ours"
	if [ $((pair % 3)) = 1 ] && [ "$(fio_engine "$1")" ] &&
		command -v fio >/dev/null; then
		theirs=$(fio_ns "$@")
		figure fio "$theirs"
		calc "$base / $theirs" >>"$work/fio"
	fi
}

# The goals: of the bare call 0.98, or 0.99 where the copy is most of it; of
# fio 1.25 or as much.
compare_with_goals() {
	case $1 in
	latency | splice | libaio) return ;;
	esac
	name="$1/$2/$3"
	if [ "$3" -le 4096 ]; then
		goal=0.98 beside_goal=1.25
	else
		goal=0.99 beside_goal=0.99
	fi
	expect "$ours" $goal "$name" "$spread"
	[ "$beside" = - ] ||
		expect "$(calc "int(100 * $ours / $beside + 0.5) / 100")" \
			$beside_goal "$name fio"
}

# bench_row CALL BLOCK CPU...
bench_row() {
	call=$1 block=$2 iovecs=1
	shift 2
	[ "$call" != readv ] || iovecs=2
	guess=$(floor_ns "$call" "$block" 2000 "$@")
	if [ "$guess" = gone ]; then
		fill
		guess=$(floor_ns "$call" "$block" 2000 "$@")
	fi
	figure floor "$guess"
	count=$(calc "int($run_ns / $guess)")
	rm -f "$work/base" "$work/ours" "$work/fio"
	pair=0 gone=0
	while [ $pair -lt "$pairs" ]; do
		pair=$((pair + 1))
		bench_pair "$call" "$block" "$count" "$@"
	done
	base=$(quartile 2 "$work/base")
	ours=$(quartile 2 "$work/ours")
	spread=$(calc "($(quartile 3 "$work/ours") - $(quartile 1 "$work/ours")) / 2")
	beside=-
	[ ! -s "$work/fio" ] || beside=$(quartile 2 "$work/fio")
	printf '%-8s %7d %7d %10.1f %8s %6.3f %6s\n' "$call" $# "$block" \
		"$base" "$ours" "$spread" "$beside"
	compare_with_goals "$call" $# "$block"
}

head -c $file_bytes /dev/urandom >"$file"
sync "$file"
fill
beside=
! command -v fio >/dev/null || beside=$(fio --version)

echo "machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)," \
	"$(echo "$cpus" | wc -l) CPUs, Linux $(uname -r), load $(cut -d' ' -f1 /proc/loadavg)"
echo "file: $((file_bytes >> 20)) MiB on $(stat -f -c %T "$work"), read in order into the page" \
	"cache (--warm fill=read), read-ahead $ahead KB"
echo "$pairs pairs of ${run_ns%000000} ms: floor / rawread, median, half the" \
	"interquartile range; floor / ${beside:-fio} of each third pair"
echo "readv: 2 iovecs of a block; shared: offsets from one counter, by pread;" \
	"latency: pread, floor is rawread without --latency"
printf '%-8s %7s %7s %10s %8s %6s %6s\n' call threads block 'floor ns' \
	rawread +- fio
for threads in ${THREADS:-1 2}; do
	[ "$threads" -le "$(echo "$cpus" | wc -l)" ] || continue
	for call in $calls; do
		for size in ${SIZES:-1024 4096 65536 524288}; do
			is_wanted "$call" "$threads" "$size" || continue
			# shellcheck disable=SC2046
			bench_row "$call" "$size" \
				$(echo "$cpus" | tail -n "$threads")
		done
	done
done
if [ -s "$work/missed" ]; then
	echo "short of the goal (call/threads/block):" \
		"$(sed ':a;N;$!ba;s/\n/, /g' "$work/missed")"
else
	echo "all within the goals"
fi
