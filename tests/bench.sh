#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# bench.sh O: what our loop costs beside a bare one, and fio's beside both.
# From a hot page cache, floor and rawread in turn, the same reads at the same
# offsets; each figure is the median of the ratios floor / rawread of the
# pairs, so 0.98 is 2 % slower than bare. Times are the threads' CPU time: hot
# reads wait for nothing, and what others do on the machine stays out. PAIRS,
# CALLS, SIZES and THREADS in the environment choose less; BENCH_DIR is where
# the file is made.
set -eu

rawread=$1/rawread
floor=$1/tests/support/bench_floor
pairs=${PAIRS:-15}
file_mb=64
run_ns=300000000
work=$(mktemp -d -p "${BENCH_DIR:-${TMPDIR:-/tmp}}")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
file=$work/foo

# One CPU for each thread, of those this process may use.
cpus=$(sed -n 's/^Cpus_allowed_list:[^0-9]*//p' /proc/self/status |
	tr , '\n' | awk -F- '{ for (i = $1; i <= ($2 == "" ? $1 : $2); i++) print i }')

median() {
	sort -n | awk '{ v[NR] = $1 } END {
		m = int((NR + 1) / 2)
		printf "%.3f", NR % 2 ? v[m] : (v[m] + v[m + 1]) / 2
	}'
}

# floor_ns CALL BLOCK IOVECS READS CPU...: ns a read.
floor_ns() {
	call=$1
	shift
	"$floor" "$call" "$file" "$@" | awk '{ printf "%.4f", $1 / $2 }'
}

# our_ns CALL BLOCK IOVECS READS CPU...
our_ns() {
	case $1 in read) test=0 ;; readv) test=2 ;; pread) test=4 ;; esac
	block=$2 iovecs=$3 reads=$4
	shift 4
	[ "$test" = 2 ] || iovecs=
	"$rawread" read -t "$test" ${iovecs:+-i "$iovecs"} -p $# \
		--pin "$(echo "$@" | tr ' ' ,)" -s "$block" -n "$reads" \
		--json - "$file" |
		awk -F '[:,]' '{
			for (i = 1; i < NF; i++) {
				if ($i == "\"reads\"" && !reads) reads = $(i + 1)
				if ($i == "\"own_cpu_ns\"") ns = $(i + 1)
			}
			printf "%.4f", ns / reads
		}'
}

# fio_ns BLOCK READS CPU...: psync is pread; by itself fio's buffer lies 16 bytes
# off a page, which costs it a lot.
fio_ns() {
	block=$1 reads=$2
	shift 2
	part=$((file_mb * 1048576 / $#))
	fio --name=bench --filename="$file" --rw=read --ioengine=psync \
		--bs="$block" --size=$part --offset_increment=$part \
		--io_size=$((reads * block)) --numjobs=$# --thread \
		--cpus_allowed="$(echo "$@" | tr ' ' ,)" \
		--cpus_allowed_policy=split --gtod_reduce=1 --invalidate=0 \
		--iomem_align=4096 \
		--group_reporting --output-format=json |
		awk -F '[ :,]+' '/"job_runtime"/ && !ms { ms = $3 }
			/"total_ios"/ && !ios { ios = $3 }
			/"usr_cpu"/ && !pct { pct = $3 }
			/"sys_cpu"/ && !sys { sys = $3 }
			END { printf "%.4f", ms * 10000 * (pct + sys) / ios }'
}

ratio() {
	awk "BEGIN { printf \"%.5f\n\", $1 / $2 }"
}

# Odd pairs begin with the floor and even ones with us.
bench_pair() {
	if [ $((pair % 2)) = 1 ]; then
		base=$(floor_ns "$@")
		ours=$(our_ns "$@")
	else
		ours=$(our_ns "$@")
		base=$(floor_ns "$@")
	fi
	echo "$base" >>"$work/base"
	ratio "$base" "$ours" >>"$work/ours"
	if [ "$1" = pread ] && command -v fio >/dev/null; then
		block=$2 reads=$4
		shift 4
		ratio "$base" "$(fio_ns "$block" "$reads" "$@")" >>"$work/fio"
	fi
}

# bench_row CALL BLOCK CPU...
bench_row() {
	call=$1 block=$2
	shift 2
	iovecs=1
	[ "$call" != readv ] || iovecs=2
	guess=$(floor_ns "$call" "$block" "$iovecs" 2000 "$@")
	count=$(awk "BEGIN { printf \"%d\", $run_ns / $guess }")
	rm -f "$work/base" "$work/ours" "$work/fio"
	pair=0
	while [ $pair -lt "$pairs" ]; do
		pair=$((pair + 1))
		bench_pair "$call" "$block" "$iovecs" "$count" "$@"
	done
	base=$(median <"$work/base")
	ours=$(median <"$work/ours")
	beside=-
	[ ! -s "$work/fio" ] || beside=$(median <"$work/fio")
	printf '%-6s %7d %7d %12.1f %9s %9s\n' "$call" $# "$block" "$base" \
		"$ours" "$beside"
}

head -c $((file_mb * 1048576)) /dev/urandom >"$file"
sync "$file"
cat "$file" >/dev/null

echo "machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)," \
	"$(echo "$cpus" | wc -l) CPUs, Linux $(uname -r)," \
	"$(stat -f -c %T "$work"), load $(cut -d' ' -f1 /proc/loadavg)"
echo "$pairs pairs of ${run_ns%000000} ms; floor / rawread, median"
printf '%-6s %7s %7s %12s %9s %9s\n' call threads block 'floor ns' rawread fio
for threads in ${THREADS:-1 2}; do
	[ "$threads" -le "$(echo "$cpus" | wc -l)" ] || continue
	for call in ${CALLS:-read pread readv}; do
		for size in ${SIZES:-1024 4096 65536 524288}; do
			# shellcheck disable=SC2046
			bench_row "$call" "$size" \
				$(echo "$cpus" | tail -n "$threads")
		done
	done
done
