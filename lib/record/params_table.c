// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/record/params_table.h"

#include <limits.h>

/*
 * X(name, key, argument, kind, member, lowest, highest, record key, help)
 *
 * An option without a record key is about reporting, or about how targets are
 * named, and is no part of the run itself. In place of the lowest a choice has
 * its names. What is shared is the same for all runs of a sweep, which takes
 * these options too.
 */
#define PARAMS_SHARED(X)                                                       \
	X("test", 't', "N|NAME", TEST, test, 0, 0, "test",                     \
	  "Test 0 to 23, or its name: seqread, seqreadv, seqpread, randread, " \
	  "randreadv, randpread, ... (default: 0, or 2 with -i)")              \
	X("engine", KEY_ENGINE, "NAME", TEXT, engine, 0, 0, "engine",          \
	  "Read with this engine in place of the test's own; 'rawread "        \
	  "engines' lists them")                                               \
	X("rwf", KEY_RWF, "FLAGS", SET, rwf, PARAM_NAMES_RWF, 0, "rwf",        \
	  "Flags of engine preadv2: nowait, hipri, dontcache, with commas")    \
	X("iovecs", 'i', "N", COUNT, iovecs, 1, IOV_MAX, "iovecs",             \
	  "Number of iovecs of the readv and writev tests (default: 8)")       \
	X("threads", 'p', "N", COUNT, threads, 1, 65536, "threads",            \
	  "Threads in all (default: one for each target; 1 with -x or -f); "   \
	  "in the batch tests one thread drives all targets, and there are "   \
	  "N divided by the targets")                                          \
	X("layout", KEY_LAYOUT, "NAME", NAME, layout, PARAM_NAMES_LAYOUT, 0,   \
	  "layout",                                                            \
	  "How threads of one target divide it: shared (one counter; the "     \
	  "classic form's default), slice (a contiguous part each), stripe "   \
	  "(every so many blocks), each (all of it, each)")                    \
	X("pattern", KEY_PATTERN, "NAME", NAME, pattern, PARAM_NAMES_PATTERN,  \
	  0, "pattern",                                                        \
	  "Order of the blocks: sequential, reverse or stride in the "         \
	  "sequential tests, random or random-repeat in the random ones")      \
	X("stride", KEY_STRIDE, "SIZE", SIZE, stride_bytes, 1, INT64_MAX,      \
	  "stride_bytes",                                                      \
	  "From one read of --pattern stride to the next; what lies between "  \
	  "is not read")                                                       \
	X("pin", KEY_PIN, "HOW", TEXT, pin, 0, 0, "pin",                       \
	  "Pin threads: scatter (default), compact, near (the targets' "       \
	  "devices), none, or a LIST of CPUs as 0,2-5")                        \
	X("reads", 'n', "N", COUNT, reads, 1, INT64_MAX, "reads",              \
	  "Each thread reads at least N blocks; all stop together (default: "  \
	  "1024 in the classic form, else the whole range once)")              \
	X("loops", 'l', "N", COUNT, loops, 1, INT64_MAX, "loops",              \
	  "Repeat -n so often (default: 1)")                                   \
	X("bytes", KEY_BYTES, "SIZE", SIZE, stop_bytes, 1, INT64_MAX,          \
	  "stop_bytes",                                                        \
	  "Read so much of each target, in whole blocks that its threads "     \
	  "share out; each thread ends at its own end")                        \
	X("time", KEY_TIME, "TIME", TIME, time_ns, 1, INT64_MAX, "time_ns",    \
	  "Read for so long, as 10 or 500ms, over and over; all stop "         \
	  "together")                                                          \
	X("ramp", KEY_RAMP, "TIME", TIME, ramp_ns, 1, INT64_MAX, "ramp_ns",    \
	  "Read for so long before --time begins; it does not count")          \
	X("range", 'r', "MB", SIZE_MB, range_bytes, 1, INT64_MAX,              \
	  "range_bytes",                                                       \
	  "Length of the range in MB, or with a suffix (default: 1024 MB or "  \
	  "the smallest target in the classic form, else each whole target)")  \
	X("seed", KEY_SEED, "N", COUNT, seed, 0, INT64_MAX, "seed",            \
	  "Seed of the random tests' order (default: 1)")                      \
	X("direct", 'z', NULL, FLAG, direct, 0, 0, "direct",                   \
	  "Open with O_DIRECT")                                                \
	X("sync", 'c', NULL, FLAG, sync, 0, 0, "sync", "Open with O_SYNC")     \
	X("noatime", KEY_NOATIME, NULL, FLAG, noatime, 0, 0, "noatime",        \
	  "Open with O_NOATIME")                                               \
	X("fadvise", KEY_FADVISE, "HINT", NAME, fadvise, PARAM_NAMES_FADVISE,  \
	  0, "fadvise",                                                        \
	  "Give posix_fadvise: none, normal, sequential, random, willneed, "   \
	  "noreuse")                                                           \
	X("madvise", KEY_MADVISE, "HINT", NAME, madvise, PARAM_NAMES_MADVISE,  \
	  0, "madvise",                                                        \
	  "Give madvise to the mappings of engine mmap: none, normal, "        \
	  "sequential, random, willneed, hugepage, nohugepage")                \
	X("readahead", KEY_READAHEAD, NULL, FLAG, readahead, 0, 0,             \
	  "readahead",                                                         \
	  "Call readahead(2) for its part of the range before the first read") \
	X("read-ahead-kb", KEY_READ_AHEAD, "N", COUNT, read_ahead_kib, 0,      \
	  UINT32_MAX, "read_ahead_kib",                                        \
	  "Read-ahead of the targets' file systems for this run; put back "    \
	  "after it")                                                          \
	X("warm", KEY_WARM, "fill=HOW", NAME, warm, PARAM_NAMES_WARM, 0,       \
	  "warm",                                                              \
	  "Measure a warm run: empty the range's page cache (a device's "      \
	  "whole), then fill the range by fill=read (one thread, in order) "   \
	  "or fill=write (what is there is written again)")                    \
	X("latency", KEY_LATENCY, NULL, FLAG, latency, 0, 0, "latency",        \
	  "Time each read, and keep a histogram; this costs a clock a read")   \
	X("verify", KEY_VERIFY, NULL, FLAG, verify, 0, 0, "verify",            \
	  "Compare each block with what 'rawread prepare' wrote; rates mean "  \
	  "nothing then")                                                      \
	X("destroy-data", KEY_DESTROY, "TARGET", CONSENT, destroy_data, 0, 0,  \
	  NULL,                                                                \
	  "Let a write test overwrite devices that nothing holds and files "   \
	  "that 'rawread prepare' made, or this one target, whatever it is")

/* A single run's own: what is read, and which targets. */
#define PARAMS_READ(X)                                                         \
	X("block-size", 's', "SIZE", SIZE, block_bytes, 1, BLOCK_MAX_BYTES,    \
	  "block_bytes", "Bytes of one read, or of one iovec (default: 256k)") \
	X("offset", 'o', "MB", SIZE_MB, offset_bytes, 0, INT64_MAX,            \
	  "offset_bytes", "Start of the range in MB, or with a suffix")        \
	X("device-modulo", 'm', "N", COUNT, modulo, 1, 65536, NULL,            \
	  "Number of targets with -x or -f (default: -p); thread i works on "  \
	  "target i modulo N")                                                 \
	X("first-device", 'd', "N", COUNT, first_device, 1, 65536, NULL,       \
	  "Number of the first target with -x or -f: 2 is sdb, /mnt/mnt2 "     \
	  "(default: 1)")                                                      \
	X("disks", 'x', NULL, FLAG, use_disks, 0, 0, NULL,                     \
	  "Read /dev/sda, /dev/sdb, ...")                                      \
	X("files", 'f', NULL, FLAG, use_files, 0, 0, NULL,                     \
	  "Read the file foo in /mnt/mnt1, /mnt/mnt2, ...")                    \
	X("file-pattern", KEY_FILE_PATTERN, "PATH", TEXT, file_pattern, 0, 0,  \
	  NULL, "Where -f looks; %d is the number (default: /mnt/mnt%d/foo)")

/* What is told of a run that was done, and to whom; "plan" does none. */
#define PARAMS_REPORT(X)                                           \
	X("cold", KEY_COLD, NULL, FLAG, cold, 0, 0, NULL,          \
	  "Exit 1 unless the run was proved cold")                 \
	X("json", KEY_JSON, "FILE|fd:N|-", TEXT, json, 0, 0, NULL, \
	  "Write the run's record there, one line; - is stdout")   \
	X("spreadsheet", 'e', NULL, FLAG, spreadsheet, 0, 0, NULL, \
	  "One more line, for a spreadsheet")                      \
	X("quiet", 'q', NULL, FLAG, quiet, 0, 0, NULL,             \
	  "Only the results, a line for each target")

#define OPTION(name, key, arg, kind, member, lowest, highest, json, help) \
	{ name, key,                                                      \
	  arg,	PARAM_##kind == PARAM_CONSENT ? OPTION_ARG_OPTIONAL : 0,  \
	  help, 0 },
const struct argp_option params_options[] = { PARAMS_SHARED(OPTION) PARAMS_READ(
	OPTION) PARAMS_REPORT(OPTION){ 0 } };
const struct argp_option params_plan_options[] = { PARAMS_SHARED(
	OPTION) PARAMS_READ(OPTION){ 0 } };
const struct argp_option params_shared_options[] = { PARAMS_SHARED(OPTION){
	0 } };
#undef OPTION

#define ROW(name, key, arg, kind, member, lowest, highest, json, help) \
	{ name,                                                        \
	  json,                                                        \
	  key,                                                         \
	  PARAM_##kind,                                                \
	  offsetof(struct run_params, member),                         \
	  sizeof(((struct run_params *)0)->member),                    \
	  lowest,                                                      \
	  highest,                                                     \
	  (enum param_names_id)(lowest) },
const struct param_row params_rows[] = { PARAMS_SHARED(ROW) PARAMS_READ(ROW)
						 PARAMS_REPORT(ROW) };
#undef ROW

const size_t params_row_count = sizeof(params_rows) / sizeof(params_rows[0]);
