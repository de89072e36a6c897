/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How often each duration was seen, in buckets that grow with the value.
 *
 * A value below 64 has a bucket of its own; above, each octave has 64 of one
 * width, so that a bucket is never wider than 1/64 (1.6 %) of its low end. All
 * of uint64_t has a bucket, nothing is clamped. Index and bounds are shifts.
 *
 * A histogram is one piece of memory that owns nothing: 29.5 KiB, so put it
 * where its thread may write alone, and touch it (init does) before counting.
 * No function here locks; merge after the join.
 */
#ifndef RAWREAD_BASE_HISTOGRAM_H
#define RAWREAD_BASE_HISTOGRAM_H

#include <stdint.h>

#define HISTOGRAM_OCTAVE_BITS	 6
#define HISTOGRAM_OCTAVE_BUCKETS (1u << HISTOGRAM_OCTAVE_BITS)

/* Those below 64, and the octaves that begin at 2^6 up to 2^63. */
#define HISTOGRAM_BUCKET_COUNT \
	((64 - HISTOGRAM_OCTAVE_BITS + 1) * HISTOGRAM_OCTAVE_BUCKETS)

/* Everything but the buckets is exact. */
struct histogram {
	uint64_t count;
	uint64_t sum_ns; /* UINT64_MAX: that or more, 584 years */
	uint64_t min_ns; /* UINT64_MAX while empty */
	uint64_t max_ns; /* 0 while empty */
	uint64_t counts[HISTOGRAM_BUCKET_COUNT];
};

/* Empty, at first or again. Zeroed memory is no empty histogram. */
void histogram_init(struct histogram *h);

/* The bucket of @value_ns. Setting bit 6 puts the values below into it. */
static inline unsigned int histogram_bucket_of(uint64_t value_ns)
{
	unsigned int octave = 63u -
			      (unsigned int)__builtin_clzll(
				      value_ns | HISTOGRAM_OCTAVE_BUCKETS) -
			      HISTOGRAM_OCTAVE_BITS;

	return octave * HISTOGRAM_OCTAVE_BUCKETS +
	       (unsigned int)(value_ns >> octave);
}

/*
 * Stands between two reads. Selections rather than ifs, so that no value is
 * slower than another; the limit of the sum, a branch to some compilers, is
 * never reached.
 */
static inline void histogram_add(struct histogram *h, uint64_t value_ns)
{
	uint64_t sum_ns;

	h->counts[histogram_bucket_of(value_ns)]++;
	h->count++;
	h->sum_ns = __builtin_add_overflow(h->sum_ns, value_ns, &sum_ns)
			    ? UINT64_MAX
			    : sum_ns;
	h->min_ns = value_ns < h->min_ns ? value_ns : h->min_ns;
	h->max_ns = value_ns > h->max_ns ? value_ns : h->max_ns;
}

/* @value_ns, @count times over. A count stops at UINT64_MAX. */
void histogram_add_many(struct histogram *h, uint64_t value_ns, uint64_t count);

/* As if all that @from has seen had been added to @to. */
void histogram_merge(struct histogram *to, const struct histogram *from);

/*
 * For buckets that were kept as [low, count] and added again: what was exact
 * before. Until then the largest value is the low end of its bucket, and what
 * histogram_percentile() answers may be too small.
 *
 * Returns 0; -EINVAL, with @h as it was, when values with this smallest,
 * largest and sum cannot have filled these buckets.
 */
int histogram_set_exact(struct histogram *h, uint64_t min_ns, uint64_t max_ns,
			uint64_t sum_ns);

/*
 * The nearest rank: of the values in order, number ceil(count * @millionths /
 * 10^6), and no less than the first. 500000 is the median, 999000 p99.9,
 * and 1000000, the most, is max_ns.
 *
 * The answer is the high end of that value's bucket, or max_ns if that is
 * smaller: never less than the value, and at most 1/64 more. Empty: 0.
 */
uint64_t histogram_percentile(const struct histogram *h,
			      unsigned int millionths);

/* Rounded down; too small where the sum is at its limit. Empty: 0. */
uint64_t histogram_mean(const struct histogram *h);

/* The smallest and the largest value that bucket @index counts. */
uint64_t histogram_bucket_low(unsigned int index);
uint64_t histogram_bucket_high(unsigned int index);

/*
 * The first bucket from @index on that is not empty, HISTOGRAM_BUCKET_COUNT
 * when there is none. Begin with 0, go on with one more than the last.
 */
unsigned int histogram_next(const struct histogram *h, unsigned int index);

#endif
