# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154
#
# programs.sh: the same reads by each of three programs, for tests/bench.sh,
# which sets $rawread, $floor, $file, $file_bytes and $iovecs. All take CALL
# BLOCK READS CPU... and print ns a read, in CPU time of the threads.

# The floor of latency is ourselves without it.
floor_ns() {
	call=$1 block=$2 reads=$3
	if [ "$call" = latency ]; then
		shift
		our_ns pread "$@"
		return
	fi
	shift 3
	"$floor" "$call" "$file" "$block" "$iovecs" "$reads" "$@" |
		awk '{ printf "%.4f", $1 / $2 }'
}

# our_options CALL: the test or engine, and what goes with it.
our_options() {
	case $1 in
	read) echo -t 0 ;;
	readv) echo -t 2 -i "$iovecs" ;;
	pread) echo -t 4 ;;
	shared) echo -t 4 --layout shared ;;
	latency) echo -t 4 --latency ;;
	*) echo -t 4 --engine "$1" ;;
	esac
}

# Of the record the first "reads" is the run's. It also tells that the file was
# in memory and stayed there; else "gone" is the answer.
our_ns() {
	options=$(our_options "$1") block=$2 reads=$3
	shift 3
	# shellcheck disable=SC2086
	"$rawread" read $options -p $# --pin "$(echo "$@" | tr ' ' ,)" \
		-s "$block" -n "$reads" --json - "$file" |
		awk -F '[:,{}]' -v bytes="$file_bytes" '{
			for (i = 1; i < NF; i++) {
				if ($i == "\"reads\"" && !reads) reads = $(i + 1)
				if ($i == "\"own_cpu_ns\"") ns = $(i + 1)
				if ($i ~ /^"resident_(before|after)_bytes"$/)
					hot += $(i + 1) == bytes
			}
			if (hot == 2)
				printf "%.4f", ns / reads
			else
				printf "gone"
		}'
}

# fio's engine for a call; nothing where it has none that does the same. Its
# way to fill two iovecs, vsync joining reads, takes longer than one piece of
# their size does, so that is what it gets.
fio_engine() {
	case $1 in
	read) echo sync ;;
	pread) echo psync ;;
	readv) echo pvsync ;;
	preadv2) echo pvsync2 ;;
	mmap | libaio) echo "$1" ;;
	esac
}

# By itself fio's buffer lies 16 bytes off a page, which costs it a lot; and a
# part that does not begin the file its mmap maps anew for each read, so there
# all threads get the first.
fio_ns() {
	engine=$(fio_engine "$1") block=$(($2 * iovecs)) reads=$3
	shift 3
	part=$((file_bytes / $#)) apart=$((file_bytes / $#))
	[ "$engine" != mmap ] || apart=0
	fio --name=bench --filename="$file" --rw=read --ioengine="$engine" \
		--bs=$block --size=$part --offset_increment=$apart \
		--io_size=$((reads * block)) --numjobs=$# --thread \
		--cpus_allowed="$(echo "$@" | tr ' ' ,)" \
		--cpus_allowed_policy=split --gtod_reduce=1 --invalidate=0 \
		--disk_util=0 --iomem_align=4096 \
		--group_reporting --output-format=json |
		awk -F '[ :,]+' '
			/"job_runtime"/ && !ms { ms = $3 }
			/"total_ios"/ && !ios { ios = $3 }
			/"usr_cpu"/ && !usr { usr = $3 }
			/"sys_cpu"/ && !sys { sys = $3 }
			END { printf "%.4f", ms * 10000 * (usr + sys) / ios }'
}
