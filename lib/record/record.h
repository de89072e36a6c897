/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run as it was measured: a "run" line of a record file, see
 * rawread-record(5). Counts and integers only; rates are made in reports/.
 *
 * A struct run_record owns all it points to. Main thread.
 */
#ifndef RAWREAD_RECORD_RECORD_H
#define RAWREAD_RECORD_RECORD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/record/params.h"

#define RECORD_SCHEMA 1

struct err;
struct histogram;

/* What all threads of one target did. */
struct run_target {
	char *path;
	uint64_t size_bytes;
	uint64_t offset_bytes; /* of the range */
	uint64_t range_bytes;
	unsigned int threads;
	uint64_t bytes; /* delivered */
	uint64_t reads;
	uint64_t thread_ns; /* elapsed, summed over its threads */
	uint64_t first_done_ns, last_done_ns; /* of its threads */
	/* Read-ahead in force, as the kernel told it; -1: it did not. */
	int64_t read_ahead_kib;
	/* "effective", "not effective" or "unknown", and why it is not the
	 * first; NULL: without O_DIRECT.
	 */
	char *direct_io;
	char *direct_io_reason;
};

/* What one thread did, and where. */
struct run_thread_record {
	unsigned int cpu; /* it was pinned to, as the next four; else 0 */
	int64_t node;	  /* of its memory; -1: none is near */
	unsigned int core;
	unsigned int smt;    /* among the CPUs of its core */
	unsigned int kind;   /* of the core: 0 is the fastest */
	unsigned int target; /* of several, in the batch tests, it says none */
	uint64_t bytes;
	uint64_t reads;
	uint64_t done_ns; /* since the span began */
	uint64_t cpu_ns;
	bool is_moved; /* found on another CPU */
};

/* Deltas of one block device over the span. */
struct run_device {
	char *name; /* "loop0" */
	uint64_t requests;
	uint64_t read_bytes;
	uint64_t queue_ms; /* summed over requests */
	uint64_t busy_ms;
	uint64_t write_requests;
	uint64_t write_bytes;
};

struct run_devices {
	struct run_device *list;
	size_t count;
};

/* What is told of a latency beside its largest value. */
struct run_percentile {
	const char *name; /* to people */
	const char *key;  /* of the record */
	unsigned int millionths;
};
#define RUN_PERCENTILE_COUNT 4
extern const struct run_percentile run_percentiles[RUN_PERCENTILE_COUNT];

/* Ticks of all CPUs below which percentages mean nothing. */
#define TICKS_LEAST 100

/* Ticks of all CPUs over the span; guest is part of user. */
struct run_cpu {
	uint64_t user, system, idle, iowait, irq, softirq, steal;
	unsigned int ticks_per_s; /* of each CPU */
	unsigned int cpus;	  /* counted in both readings */
	bool cpus_changed;	  /* a CPU line was missing in one */
};

/* Of the bytes delivered, what may have come from elsewhere is the rest: tails,
 * inline parts, a page that someone else read.
 */
#define PROOF_PCT 98

enum cold_verdict { COLD_PROVED, COLD_WARM, COLD_UNKNOWN };

struct run_cold {
	enum cold_verdict verdict;
	/* -1: could not be told. */
	int64_t resident_before_bytes;
	int64_t resident_after_bytes;
	int64_t device_bytes;  /* of the lowest or the mount: the fewer */
	int64_t hole_bytes;    /* holes and unwritten extents read */
	int64_t encoded_bytes; /* compressed or inline */
	char **causes;	       /* sentences, why it is not COLD_PROVED */
	size_t cause_count;
};

/* How the sweep emptied the cache before the run. */
struct run_flush {
	char *method;	/* "remount", "fadvise", "drop-caches", "none" */
	char *fallback; /* what else was needed, or NULL */
	char *cause;	/* why it was needed, or NULL */
	uint64_t took_ns;
};

struct run_record {
	char *campaign_id; /* NULL until a sweep took the run in */
	uint64_t rep;	   /* from 1 */
	uint64_t order;	   /* from 1, in the order of the clock */
	char *begun;	   /* wall clock, "2026-11-30T16:21:48Z" */
	char *command;	   /* repeats the run by hand */
	struct run_params params;

	uint64_t span_ns; /* barrier to last byte */
	uint64_t bytes;
	uint64_t reads;
	uint64_t short_reads;
	uint64_t unique_bytes;	  /* of the ranges, each byte counted once */
	uint64_t first_done_ns;	  /* when the first thread was done */
	uint64_t own_cpu_ns;	  /* of our threads, exact */
	uint64_t task_read_bytes; /* the kernel's account of this process */
	/* Engine null, same plan; 0: unknown. And what --latency adds. */
	uint64_t loop_ns_per_1000_reads;
	uint64_t latency_ns_per_1000_reads;
	/* Of our threads. */
	uint64_t nowait_retries; /* preadv2 asked again without NOWAIT */
	uint64_t voluntary_switches, involuntary_switches;
	uint64_t minor_faults, major_faults;

	struct run_target *targets;
	unsigned int target_count;
	struct run_thread_record *threads;
	unsigned int thread_count; /* 0: not told */
	struct histogram *latency; /* of all reads; NULL: not measured */
	struct run_cpu cpu;
	struct run_devices lowest; /* the proof of cold */
	struct run_devices shape;  /* the devices of the mounts themselves */
	struct run_cold cold;
	struct run_flush flush;

	/* CPUs the threads ran on, "0,1"; NULL when not pinned. */
	char *cpus;
	/* Threads or buffers found elsewhere at the end than planned. */
	unsigned int moved_threads;
	unsigned int moved_buffers;

	/* Why there is no result: the run failed, or could not be (n/a). */
	char *error;
	bool not_available;

	/* A published figure: "kbs" or "cpu", and the number as given. */
	char *imported_metric;
	char *imported_text;
};

void run_record_free(struct run_record *run);

/* The line as an object; NULL without memory. */
json_t *run_record_encode(const struct run_record *run);

/*
 * Keys that are not known are ignored, those missing are 0, NULL, or -1 where
 * that means "not told". Returns 0, -EINVAL when a value is not of its kind
 * (named), -ENOMEM.
 */
int run_record_decode(const json_t *json, struct run_record *run,
		      struct err *err);

const char *cold_verdict_name(enum cold_verdict verdict);

/* Adds a sentence to the causes. Returns 0 or -ENOMEM. */
int run_cold_add_cause(struct run_cold *cold, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
