/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What all CPUs did, from /proc/stat: two readings and their difference,
 * which is a pure function. Any thread.
 */
#ifndef RAWREAD_SYSTEM_CPUTIME_H
#define RAWREAD_SYSTEM_CPUTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/* Ticks of one CPU since boot, as the kernel counts them. */
struct cputime_cpu {
	unsigned int number;
	uint64_t user; /* guest is in it already */
	uint64_t nice; /* guest_nice is in it already */
	uint64_t system, idle, iowait, irq, softirq, steal;
};

struct cputime {
	struct cputime_cpu *cpus;
	size_t cpu_count;
};

struct cputime_delta {
	uint64_t user; /* with nice */
	uint64_t system, idle, iowait, irq, softirq, steal;
	unsigned int cpus; /* that stand in both readings */
	bool cpus_changed; /* a CPU stands in one reading only */
};

/* Reads @root/proc/stat. Returns 0 or -errno; free with cputime_free(). */
int cputime_read(const char *root, struct cputime *cputime, struct err *err);

/* The text of a /proc/stat, for made-up ones. -EINVAL without CPU lines. */
int cputime_parse(const char *text, struct cputime *cputime, struct err *err);
void cputime_free(struct cputime *cputime);

/*
 * Per CPU that stands in both, per field, never below 0 (iowait of a CPU may
 * count backwards), summed.
 */
void cputime_subtract(const struct cputime *before, const struct cputime *after,
		      struct cputime_delta *delta);

/* Ticks a second of each CPU: sysconf(_SC_CLK_TCK). */
unsigned int cputime_ticks_per_s(void);

#endif
