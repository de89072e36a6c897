/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time that only goes forward, and the wall clock's in words. Any thread. */
#ifndef RAWREAD_BASE_CLOCK_H
#define RAWREAD_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define NS_PER_S  UINT64_C(1000000000)
#define NS_PER_MS UINT64_C(1000000)

static inline uint64_t clock_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
}

/* Nanoseconds since some moment before; a step of the wall clock is not seen.
 */
static inline uint64_t clock_now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

/* The wall clock as "2026-11-30T16:21:48Z"; NULL without memory. */
char *clock_wall_text(void);

#endif
