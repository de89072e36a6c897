/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sizes, counts and durations as people type and read them. Pure, any thread.
 */
#ifndef RAWREAD_BASE_UNITS_H
#define RAWREAD_BASE_UNITS_H

#include <stddef.h>
#include <stdint.h>

struct err;

#define KIB UINT64_C(1024)
#define MIB (KIB * 1024)

/*
 * "16384", "16k", "1g": a whole number with an optional suffix b, k, m, g,
 * t (powers of 1024, either case, "KiB" and "KB" alike). A number without a
 * suffix counts in @plain_unit_bytes: 1, or MIB for the classic -o and -r.
 *
 * Returns 0; -EINVAL when @text is not such a size; -ERANGE when it does not
 * fit into 63 bits (file offsets are signed). @what names it in the error.
 */
int size_parse(const char *what, const char *text, uint64_t plain_unit_bytes,
	       uint64_t *bytes, struct err *err);

/* A whole number from @lowest to @highest. Returns 0, -EINVAL or -ERANGE. */
int count_parse(const char *what, const char *text, uint64_t lowest,
		uint64_t highest, uint64_t *count, struct err *err);

/*
 * "1k..512k" (each twice the one before), "4k,64k,1m", and both mixed.
 * @sizes is the caller's to free; each size stands in it once, in the order
 * given. Returns 0, -EINVAL, -ERANGE or -ENOMEM.
 */
int size_list_parse(const char *what, const char *text, uint64_t **sizes,
		    size_t *size_count, struct err *err);

/* The shortest exact form: 16384 is "16k". @text holds 24 characters. */
void size_format(uint64_t bytes, char text[static 24]);

/*
 * "10", "10s", "1.5m", "0.25": a number of seconds, or of what stands behind
 * it: h, m (minutes), s, ms, us or ns, lower case. It begins with a digit, may
 * have one fraction, and is exact.
 *
 * Returns 0; -EINVAL when @text is not such a duration, or one that is no
 * whole number of nanoseconds; -ERANGE when it is not between @lowest_ns and
 * @highest_ns. @ns is 0 then, and @what names it in the error.
 */
int duration_parse(const char *what, const char *text, uint64_t lowest_ns,
		   uint64_t highest_ns, uint64_t *ns, struct err *err);

/*
 * A whole number of the largest unit that needs no fraction, for
 * duration_parse() to read back: "10s", "1500ms", "90s", "2m", and "0s".
 */
void duration_format(uint64_t ns, char text[static 32]);

/* What makes a word a plural, behind its count. */
static inline const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

#endif
