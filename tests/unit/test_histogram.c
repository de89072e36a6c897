// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/histogram.h"
#include "lib/base/splitmix.h"

Test(histogram, buckets_meet_and_are_at_most_a_64th_wide)
{
	uint64_t next = 0;
	unsigned int i;

	for (i = 0; i < HISTOGRAM_BUCKET_COUNT; i++) {
		uint64_t low = histogram_bucket_low(i);
		uint64_t high = histogram_bucket_high(i);

		cr_assert_eq(low, next, "bucket %u begins at %" PRIu64, i, low);
		cr_assert(high >= low, "bucket %u ends at %" PRIu64, i, high);
		if (low < 64)
			cr_assert_eq(high, low, "bucket %u", i);
		else
			cr_assert(high - low + 1 <= low / 64, "bucket %u", i);
		cr_assert_eq(histogram_bucket_of(low), i);
		cr_assert_eq(histogram_bucket_of(high), i);
		next = high + 1;
	}
	cr_expect_eq(next, 0, "the last bucket ends before %" PRIu64, next);
}

Test(histogram, a_value_lies_in_the_bucket_that_was_worked_out_by_hand)
{
	static const struct {
		uint64_t value, low, high;
	} cases[] = {
		{ 0, 0, 0 },
		{ 1, 1, 1 },
		{ 63, 63, 63 },
		{ 64, 64, 64 },
		{ 127, 127, 127 },
		{ 128, 128, 129 },
		{ 255, 254, 255 },
		{ 256, 256, 259 },
		{ 1001, 1000, 1007 },
		{ 1000000, 999424, 1007615 },
		{ UINT64_C(1) << 63, UINT64_C(1) << 63,
		  (UINT64_C(65) << 57) - 1 },
		{ UINT64_MAX, UINT64_C(127) << 57, UINT64_MAX },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		unsigned int index = histogram_bucket_of(cases[i].value);

		cr_assert(index < HISTOGRAM_BUCKET_COUNT);
		cr_expect_eq(histogram_bucket_low(index), cases[i].low,
			     "%" PRIu64 ": %" PRIu64, cases[i].value,
			     histogram_bucket_low(index));
		cr_expect_eq(histogram_bucket_high(index), cases[i].high,
			     "%" PRIu64 ": %" PRIu64, cases[i].value,
			     histogram_bucket_high(index));
	}
}

Test(histogram, the_ends_of_the_range_are_counted_as_they_are)
{
	static const uint64_t values[] = { 0, 1, 63, 64, UINT64_MAX };
	struct histogram h;
	size_t i;

	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		histogram_init(&h);
		histogram_add(&h, values[i]);
		cr_expect_eq(h.count, 1);
		cr_expect_eq(h.min_ns, values[i]);
		cr_expect_eq(h.max_ns, values[i]);
		cr_expect_eq(h.sum_ns, values[i]);
		cr_expect_eq(histogram_mean(&h), values[i]);
		cr_expect_eq(histogram_percentile(&h, 0), values[i]);
		cr_expect_eq(histogram_percentile(&h, 500000), values[i]);
		cr_expect_eq(histogram_percentile(&h, 1000000), values[i]);
	}
}

Test(histogram, an_empty_one_answers_0)
{
	struct histogram h;

	memset(&h, 0xff, sizeof(h));
	histogram_init(&h);
	histogram_add_many(&h, 5, 0);
	cr_expect_eq(h.count, 0);
	cr_expect_eq(h.min_ns, UINT64_MAX);
	cr_expect_eq(h.max_ns, 0);
	cr_expect_eq(histogram_mean(&h), 0);
	cr_expect_eq(histogram_percentile(&h, 0), 0);
	cr_expect_eq(histogram_percentile(&h, 1000000), 0);
	cr_expect_eq(histogram_next(&h, 0), HISTOGRAM_BUCKET_COUNT);
}

#define DRAWS 20000

static uint64_t draw_uniform(uint64_t *state)
{
	return splitmix_next(state) % 5000000;
}

/* Each decade of 1 to 10^10 as often as another. */
static uint64_t draw_log_uniform(uint64_t *state)
{
	uint64_t decades = splitmix_next(state) % 10, low = 1;

	while (decades--)
		low *= 10;
	return low + splitmix_next(state) % (9 * low);
}

/* Nineteen of twenty from memory, one from a disk. */
static uint64_t draw_bimodal(uint64_t *state)
{
	return splitmix_next(state) % 20
		       ? 900 + splitmix_next(state) % 300
		       : 8000000 + splitmix_next(state) % 4000000;
}

static uint64_t draw_constant(uint64_t *state)
{
	(void)state;
	return 123457;
}

static uint64_t draw_anything(uint64_t *state)
{
	return splitmix_next(state);
}

static const struct {
	const char *name;
	uint64_t (*draw)(uint64_t *state);
	size_t count;
} distributions[] = {
	{ "uniform", draw_uniform, DRAWS },
	{ "log-uniform", draw_log_uniform, DRAWS },
	{ "bimodal", draw_bimodal, DRAWS },
	{ "constant", draw_constant, DRAWS },
	{ "64 bits", draw_anything, DRAWS },
	{ "an odd number", draw_log_uniform, DRAWS - 1 },
	{ "three values", draw_uniform, 3 },
	{ "two values", draw_uniform, 2 },
	{ "one value", draw_uniform, 1 },
};

#define DISTRIBUTION_COUNT (sizeof(distributions) / sizeof(distributions[0]))

static int compare_values(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void expect_percentiles(const char *name, const struct histogram *h,
			       const uint64_t *sorted, size_t count)
{
	static const unsigned int wanted[] = { 1,      500000, 900000,
					       990000, 999000, 999999 };
	size_t i;

	for (i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		size_t rank = (count * wanted[i] + 999999) / 1000000;
		uint64_t exact = sorted[rank - 1];
		uint64_t got = histogram_percentile(h, wanted[i]);

		cr_expect(got >= exact && got - exact <= exact / 64,
			  "%s, %u: %" PRIu64 " instead of %" PRIu64, name,
			  wanted[i], got, exact);
	}
	cr_expect_eq(histogram_percentile(h, 1000000), sorted[count - 1], "%s",
		     name);
	cr_expect_eq(h->count, count, "%s", name);
	cr_expect_eq(h->min_ns, sorted[0], "%s", name);
	cr_expect_eq(h->max_ns, sorted[count - 1], "%s", name);
}

Test(histogram, percentiles_are_those_of_the_sorted_values_or_a_64th_more)
{
	static uint64_t values[DRAWS];
	struct histogram h;
	size_t i, j;

	for (i = 0; i < DISTRIBUTION_COUNT; i++) {
		uint64_t state = 1 + i;
		size_t count = distributions[i].count;

		histogram_init(&h);
		for (j = 0; j < count; j++) {
			values[j] = distributions[i].draw(&state);
			histogram_add(&h, values[j]);
		}
		qsort(values, count, sizeof(values[0]), compare_values);
		expect_percentiles(distributions[i].name, &h, values, count);
	}
}

Test(histogram, parts_merged_are_all_added_to_one)
{
	struct histogram all, parts[3];
	size_t i, j;

	for (i = 0; i < DISTRIBUTION_COUNT; i++) {
		uint64_t state = 100 + i;

		histogram_init(&all);
		for (j = 0; j < 3; j++)
			histogram_init(&parts[j]);
		for (j = 0; j < distributions[i].count; j++) {
			uint64_t value = distributions[i].draw(&state);

			histogram_add(&all, value);
			histogram_add(&parts[j % 3], value);
		}
		/* The last into the second: the first is the largest. */
		histogram_merge(&parts[1], &parts[2]);
		histogram_merge(&parts[1], &parts[0]);
		cr_expect_eq(memcmp(&parts[1], &all, sizeof(all)), 0, "%s",
			     distributions[i].name);
	}
}

Test(histogram, buckets_written_and_added_again_are_the_same_histogram)
{
	struct histogram h, again;
	size_t i, j;

	for (i = 0; i < DISTRIBUTION_COUNT; i++) {
		uint64_t state = 200 + i;
		unsigned int b;

		histogram_init(&h);
		histogram_init(&again);
		for (j = 0; j < distributions[i].count; j++)
			histogram_add(&h, distributions[i].draw(&state));
		for (b = histogram_next(&h, 0); b < HISTOGRAM_BUCKET_COUNT;
		     b = histogram_next(&h, b + 1))
			histogram_add_many(&again, histogram_bucket_low(b),
					   h.counts[b]);
		cr_expect_eq(histogram_set_exact(&again, h.min_ns, h.max_ns,
						 h.sum_ns),
			     0, "%s", distributions[i].name);
		cr_expect_eq(memcmp(&again, &h, sizeof(h)), 0, "%s",
			     distributions[i].name);
	}
}

Test(histogram, figures_that_the_buckets_contradict_are_refused)
{
	static const struct {
		uint64_t min_ns, max_ns, sum_ns;
		int rc;
	} cases[] = {
		{ 129, 1007, 2000, 0 },
		{ 130, 1007, 2000, -EINVAL }, /* another bucket */
		{ 127, 1007, 2000, -EINVAL },
		{ 129, 1008, 2000, -EINVAL },
		{ 129, 999, 2000, -EINVAL },
		{ 129, 1007, 3 * 129 - 1, -EINVAL }, /* less than all of min */
		{ 129, 1007, 3 * 1007 + 1, -EINVAL },
		{ 1007, 129, 2000, -EINVAL },
	};
	struct histogram h, before;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		histogram_init(&h);
		histogram_add(&h, 128);
		histogram_add_many(&h, 1000, 2);
		before = h;
		cr_expect_eq(histogram_set_exact(&h, cases[i].min_ns,
						 cases[i].max_ns,
						 cases[i].sum_ns),
			     cases[i].rc, "case %zu", i);
		cr_expect_eq(!memcmp(&h, &before, sizeof(h)), cases[i].rc != 0,
			     "case %zu", i);
	}
	histogram_init(&h);
	cr_expect_eq(histogram_set_exact(&h, UINT64_MAX, 0, 0), -EINVAL);
	cr_expect_eq(histogram_set_exact(&h, 0, 0, 0), -EINVAL);
}

Test(histogram, a_rank_is_exact_among_2_to_the_60_values)
{
	const uint64_t part = UINT64_C(1) << 40;
	struct histogram h;

	histogram_init(&h);
	histogram_add_many(&h, 10, 999999 * part);
	histogram_add_many(&h, 20, part);
	cr_expect_eq(h.count, 1000000 * part);
	cr_expect_eq(histogram_percentile(&h, 999999), 10);
	cr_expect_eq(histogram_percentile(&h, 1000000), 20);

	/* One less below, and the same rank lies above. */
	histogram_init(&h);
	histogram_add_many(&h, 10, 999999 * part - 1);
	histogram_add_many(&h, 20, part + 1);
	cr_expect_eq(histogram_percentile(&h, 999998), 10);
	cr_expect_eq(histogram_percentile(&h, 999999), 20);
}

Test(histogram, counts_and_the_sum_stop_at_their_limit)
{
	struct histogram h;

	histogram_init(&h);
	histogram_add_many(&h, 10, UINT64_MAX - 1);
	histogram_add_many(&h, 20, 1);
	cr_expect_eq(h.count, UINT64_MAX);
	cr_expect_eq(h.sum_ns, UINT64_MAX);
	cr_expect_eq(histogram_percentile(&h, 999999), 10);
	cr_expect_eq(histogram_percentile(&h, 1000000), 20);

	histogram_add_many(&h, 10, 5);
	histogram_merge(&h, &h);
	cr_expect_eq(h.count, UINT64_MAX);
	cr_expect_eq(h.counts[10], UINT64_MAX);
	cr_expect_eq(h.sum_ns, UINT64_MAX);

	histogram_init(&h);
	histogram_add(&h, UINT64_MAX);
	histogram_add(&h, 1);
	cr_expect_eq(h.sum_ns, UINT64_MAX);
	cr_expect_eq(h.counts[1], 1);
}
