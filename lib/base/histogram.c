// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/base/histogram.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#define MILLION 1000000u

static uint64_t add_saturated(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static uint64_t multiply_saturated(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

void histogram_init(struct histogram *h)
{
	memset(h, 0, sizeof(*h));
	h->min_ns = UINT64_MAX;
}

void histogram_add_many(struct histogram *h, uint64_t value_ns, uint64_t count)
{
	uint64_t *bucket = &h->counts[histogram_bucket_of(value_ns)];

	if (!count)
		return;
	*bucket = add_saturated(*bucket, count);
	h->count = add_saturated(h->count, count);
	h->sum_ns =
		add_saturated(h->sum_ns, multiply_saturated(value_ns, count));
	if (value_ns < h->min_ns)
		h->min_ns = value_ns;
	if (value_ns > h->max_ns)
		h->max_ns = value_ns;
}

void histogram_merge(struct histogram *to, const struct histogram *from)
{
	unsigned int i;

	for (i = 0; i < HISTOGRAM_BUCKET_COUNT; i++)
		to->counts[i] = add_saturated(to->counts[i], from->counts[i]);
	to->count = add_saturated(to->count, from->count);
	to->sum_ns = add_saturated(to->sum_ns, from->sum_ns);
	if (from->min_ns < to->min_ns)
		to->min_ns = from->min_ns;
	if (from->max_ns > to->max_ns)
		to->max_ns = from->max_ns;
}

int histogram_set_exact(struct histogram *h, uint64_t min_ns, uint64_t max_ns,
			uint64_t sum_ns)
{
	if (!h->count || min_ns > max_ns ||
	    histogram_bucket_of(min_ns) != histogram_bucket_of(h->min_ns) ||
	    histogram_bucket_of(max_ns) != histogram_bucket_of(h->max_ns) ||
	    sum_ns < multiply_saturated(min_ns, h->count) ||
	    sum_ns > multiply_saturated(max_ns, h->count))
		return -EINVAL;
	h->min_ns = min_ns;
	h->max_ns = max_ns;
	h->sum_ns = sum_ns;
	return 0;
}

/*
 * ceil(count * millionths / 10^6). The product may have 84 bits; whole
 * millions and the rest apart, nothing exceeds 64.
 */
static uint64_t rank_of(uint64_t count, unsigned int millionths)
{
	uint64_t rank = count / MILLION * millionths +
			(count % MILLION * millionths + MILLION - 1) / MILLION;

	return rank ? rank : 1;
}

uint64_t histogram_percentile(const struct histogram *h,
			      unsigned int millionths)
{
	uint64_t left, high_ns;
	unsigned int i;

	assert(millionths <= MILLION);
	if (!h->count)
		return 0;
	left = rank_of(h->count, millionths);
	for (i = 0; i < HISTOGRAM_BUCKET_COUNT; i++) {
		if (h->counts[i] >= left)
			break;
		left -= h->counts[i];
	}
	/* Counts that were made elsewhere might not add up. */
	if (i == HISTOGRAM_BUCKET_COUNT)
		return h->max_ns;
	high_ns = histogram_bucket_high(i);
	return high_ns < h->max_ns ? high_ns : h->max_ns;
}

uint64_t histogram_mean(const struct histogram *h)
{
	return h->count ? h->sum_ns / h->count : 0;
}

/* How many low bits of a value its bucket does not tell apart. */
static unsigned int bucket_shift(unsigned int index)
{
	assert(index < HISTOGRAM_BUCKET_COUNT);
	return index < HISTOGRAM_OCTAVE_BUCKETS
		       ? 0
		       : index / HISTOGRAM_OCTAVE_BUCKETS - 1;
}

uint64_t histogram_bucket_low(unsigned int index)
{
	unsigned int shift = bucket_shift(index);

	return (uint64_t)(index - shift * HISTOGRAM_OCTAVE_BUCKETS) << shift;
}

uint64_t histogram_bucket_high(unsigned int index)
{
	return histogram_bucket_low(index) +
	       ((UINT64_C(1) << bucket_shift(index)) - 1);
}

unsigned int histogram_next(const struct histogram *h, unsigned int index)
{
	while (index < HISTOGRAM_BUCKET_COUNT && !h->counts[index])
		index++;
	return index;
}
