// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/record/params_table.h"

#include <limits.h>

/*
 * X(name, key, argument, kind, member, lowest, highest, record key, help)
 *
 * An option without a record key is about reporting, or about how targets are
 * named, and is no part of the run itself. What is shared is the same for all
 * runs of a sweep, which takes these options too.
 */
#define PARAMS_SHARED(X)                                                      \
	X("test", 't', "N|NAME", TEST, test, 0, 0, "test",                    \
	  "Test 0, 2, 4, 6, 8 or 10, or its name: seqread, seqreadv, "        \
	  "seqpread, randread, randreadv, randpread (default: 0, or 2 with "  \
	  "-i)")                                                              \
	X("engine", KEY_ENGINE, "NAME", TEXT, engine, 0, 0, "engine",         \
	  "Read with read, readv, pread or null in place of the test's own")  \
	X("iovecs", 'i', "N", COUNT, iovecs, 1, IOV_MAX, "iovecs",            \
	  "Number of iovecs of the readv tests (default: 8)")                 \
	X("threads", 'p', "N", COUNT, threads, 1, 65536, "threads",           \
	  "Threads in all (default: one for each target; 1 with -x or -f)")   \
	X("layout", KEY_LAYOUT, "NAME", LAYOUT, layout, 0, 0, "layout",       \
	  "How threads of one target divide it: shared (one counter; the "    \
	  "classic form's default) or slice")                                 \
	X("pin", KEY_PIN, "HOW", TEXT, pin, 0, 0, "pin",                      \
	  "Pin threads: scatter (default), none, or a LIST of CPUs as 0,2-5") \
	X("reads", 'n', "N", COUNT, reads, 1, INT64_MAX, "reads",             \
	  "Each thread reads at least N blocks; all stop together (default: " \
	  "1024 in the classic form, else the whole range once)")             \
	X("loops", 'l', "N", COUNT, loops, 1, INT64_MAX, "loops",             \
	  "Repeat -n so often (default: 1)")                                  \
	X("range", 'r', "MB", SIZE_MB, range_bytes, 1, INT64_MAX,             \
	  "range_bytes",                                                      \
	  "Length of the range in MB, or with a suffix (default: 1024 MB or " \
	  "the smallest target in the classic form, else each whole target)") \
	X("seed", KEY_SEED, "N", COUNT, seed, 0, INT64_MAX, "seed",           \
	  "Seed of the random tests' order (default: 1)")                     \
	X("direct", 'z', NULL, FLAG, direct, 0, 0, "direct",                  \
	  "Open with O_DIRECT")                                               \
	X("sync", 'c', NULL, FLAG, sync, 0, 0, "sync", "Open with O_SYNC")    \
	X("fadvise", KEY_HINT, "HINT", HINT, hint, 0, 0, "fadvise",           \
	  "Give posix_fadvise: none, normal, sequential, random, willneed, "  \
	  "noreuse")                                                          \
	X("read-ahead-kb", KEY_READ_AHEAD, "N", COUNT, read_ahead_kib, 0,     \
	  UINT32_MAX, "read_ahead_kib",                                       \
	  "Read-ahead of the targets' file systems for this run; put back "   \
	  "after it")

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
	{ name, key, arg, 0, help, 0 },
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
	  highest },
const struct param_row params_rows[] = { PARAMS_SHARED(ROW) PARAMS_READ(ROW)
						 PARAMS_REPORT(ROW) };
#undef ROW

const size_t params_row_count = sizeof(params_rows) / sizeof(params_rows[0]);
