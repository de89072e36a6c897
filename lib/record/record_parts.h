/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parts of a run line that have a file of their own: private to lib/record.
 * What encodes returns NULL without memory. What decodes takes NULL for a part
 * that the line does not have, and returns 0, -EINVAL with the key named, or
 * -ENOMEM; what it allocated until then is freed with the run.
 */
#ifndef RAWREAD_RECORD_RECORD_PARTS_H
#define RAWREAD_RECORD_RECORD_PARTS_H

#include <jansson.h>

struct err;
struct histogram;
struct run_cold;
struct run_record;

json_t *run_cold_encode(const struct run_cold *cold);
int run_cold_decode(const json_t *json, struct run_cold *cold, struct err *err);
void run_cold_free(struct run_cold *cold);

/* A column of numbers for each member, in the order of the threads. */
json_t *run_threads_encode(const struct run_record *run);

/* After the targets and cpus of @run. */
int run_threads_decode(const json_t *json, struct run_record *run,
		       struct err *err);

/* Of a histogram that is not empty. */
json_t *run_latency_encode(const struct histogram *latency);

/* The histogram as it was counted; percentiles are made from it again. */
int run_latency_decode(const json_t *json, struct histogram **latency,
		       struct err *err);

#endif
