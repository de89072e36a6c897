// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "lib/base/err.h"
#include "lib/base/histogram.h"
#include "lib/record/fields.h"
#include "lib/record/record.h"
#include "lib/record/record_parts.h"

const struct run_percentile run_percentiles[RUN_PERCENTILE_COUNT] = {
	{ "p50", "p50_ns", 500000 },
	{ "p90", "p90_ns", 900000 },
	{ "p99", "p99_ns", 990000 },
	{ "p99.9", "p999_ns", 999000 },
};

/* What is exact, beside the buckets. */
struct exact {
	uint64_t count, sum_ns, min_ns, max_ns;
};

#define EXACT(member) FIELD(U64, struct exact, member)
static const struct field exact_fields[] = { EXACT(count), EXACT(sum_ns),
					     EXACT(min_ns), EXACT(max_ns) };
#define EXACT_COUNT (sizeof(exact_fields) / sizeof(exact_fields[0]))

static json_t *buckets_encode(const struct histogram *latency)
{
	json_t *buckets = json_array();
	unsigned int i;

	for (i = histogram_next(latency, 0);
	     buckets && i < HISTOGRAM_BUCKET_COUNT;
	     i = histogram_next(latency, i + 1)) {
		json_t *pair = json_pack("[o, o]",
					 json_count(histogram_bucket_low(i)),
					 json_count(latency->counts[i]));

		if (json_array_append_new(buckets, pair)) {
			json_decref(buckets);
			return NULL;
		}
	}
	return buckets;
}

json_t *run_latency_encode(const struct histogram *latency)
{
	const struct exact exact = { .count = latency->count,
				     .sum_ns = latency->sum_ns,
				     .min_ns = latency->min_ns,
				     .max_ns = latency->max_ns };
	json_t *json = fields_object(exact_fields, EXACT_COUNT, &exact);
	size_t i;

	if (!json)
		return NULL;
	/* For who reads a line without a program of ours. */
	for (i = 0; i < RUN_PERCENTILE_COUNT; i++)
		if (json_object_set_new(
			    json, run_percentiles[i].key,
			    json_count(histogram_percentile(
				    latency, run_percentiles[i].millionths))))
			goto failed;
	if (!json_object_set_new(json, "buckets", buckets_encode(latency)))
		return json;
failed:
	json_decref(json);
	return NULL;
}

/* Whether @number is a count; json_integer_value() of what is none is 0. */
static bool is_count(const json_t *number)
{
	return json_is_integer(number) && json_integer_value(number) >= 0;
}

/* Each bucket once, by its low end, in their order, and none empty. */
static int buckets_decode(const json_t *buckets, struct histogram *latency,
			  struct err *err)
{
	size_t i, count = json_array_size(buckets);
	uint64_t next_ns = 0;

	for (i = 0; i < count; i++) {
		const json_t *pair = json_array_get(buckets, i);
		const json_t *low = json_array_get(pair, 0);
		const json_t *seen = json_array_get(pair, 1);
		uint64_t low_ns = (uint64_t)json_integer_value(low);
		unsigned int bucket = histogram_bucket_of(low_ns);

		if (json_array_size(pair) != 2 || !is_count(low) ||
		    !is_count(seen) || !json_integer_value(seen) ||
		    low_ns != histogram_bucket_low(bucket) || low_ns < next_ns)
			return err_say(err, -EINVAL,
				       "latency.buckets[%zu] is not the low "
				       "end of a bucket after the one before, "
				       "and how often it was seen",
				       i);
		histogram_add_many(latency, low_ns,
				   (uint64_t)json_integer_value(seen));
		next_ns = low_ns + 1;
	}
	return 0;
}

int run_latency_decode(const json_t *json, struct histogram **latency,
		       struct err *err)
{
	struct exact exact = { 0 };
	int rc;

	*latency = NULL;
	if (!json)
		return 0;
	rc = fields_decode(json, exact_fields, EXACT_COUNT, &exact, "latency",
			   err);
	if (rc < 0)
		return rc;
	*latency = malloc(sizeof(**latency));
	if (!*latency)
		return err_set(err, -ENOMEM, "latency");
	histogram_init(*latency);
	rc = buckets_decode(json_object_get(json, "buckets"), *latency, err);
	if (rc < 0)
		return rc;
	if ((*latency)->count != exact.count ||
	    histogram_set_exact(*latency, exact.min_ns, exact.max_ns,
				exact.sum_ns) < 0)
		return err_say(err, -EINVAL,
			       "latency.count, sum_ns, min_ns or max_ns "
			       "cannot be of these latency.buckets");
	return 0;
}
