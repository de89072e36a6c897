// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/loop_cost.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/base/clock.h"
#include "lib/base/err.h"
#include "lib/base/histogram.h"
#include "rawread/plan.h"
#include "rawread/worker.h"

#define LOOP_READS  20000
#define LOOP_ROUNDS 3 /* the least of which is ours: others only add */

static void lane_init(const struct plan *plan, const struct plan_lane *planned,
		      struct sequence_counter *counter, struct lane *lane)
{
	const struct plan_target *target = &plan->targets[planned->target];
	struct sequence_part part = planned->part;

	/* The engine has no end of a file, and the part is gone round. */
	part.last_asked_bytes = plan_last_bytes(plan, target);
	part.limit = SEQUENCE_ENDLESS;
	if (part.order == SEQUENCE_DRAWN)
		part.count = SEQUENCE_ENDLESS;
	*lane = (struct lane){
		.end_offset_bytes = target->offset_bytes + target->range_bytes,
	};
	sequence_init(&lane->sequence, &part,
		      plan->layout == LAYOUT_SHARED ? counter : NULL);
}

static uint64_t measure_once(const struct plan_thread *thread,
			     const struct plan *plan, struct histogram *latency)
{
	struct sequence_counter counter = { 0 };
	struct worker_shared shared = { 0 };
	const struct engine_job job = { 0 };
	struct worker worker = {
		.ops = &engine_null,
		.shared = &shared,
		.lane_count = thread->lane_count,
		.watch = { .latency = latency },
		.job = &job,
	};
	uint64_t begun_ns, took_ns;
	unsigned int i;

	worker.lanes = aligned_alloc(CACHE_LINE_BYTES,
				     thread->lane_count * sizeof(struct lane));
	if (!worker.lanes)
		return 0;
	for (i = 0; i < thread->lane_count; i++)
		lane_init(plan, &thread->lanes[i], &counter, &worker.lanes[i]);
	begun_ns = clock_now_ns();
	worker_run_reads(&worker, LOOP_READS / thread->lane_count + 1);
	took_ns = clock_now_ns() - begun_ns;
	free(worker.lanes);
	return took_ns * 1000 /
	       ((LOOP_READS / thread->lane_count + 1) * thread->lane_count);
}

static uint64_t measure(const struct plan *plan, struct histogram *latency)
{
	uint64_t least_ns = UINT64_MAX;
	unsigned int i;

	for (i = 0; i < LOOP_ROUNDS; i++) {
		uint64_t ns = measure_once(&plan->threads[0], plan, latency);

		if (ns < least_ns)
			least_ns = ns;
	}
	return least_ns;
}

int loop_cost_measure(const struct plan *plan, bool latency,
		      struct loop_cost *cost, struct err *err)
{
	struct histogram *histogram;
	uint64_t bare_ns;

	*cost = (struct loop_cost){ 0 };
	if (!plan->threads[0].lanes[0].part.count)
		return 0;
	bare_ns = measure(plan, NULL);
	cost->loop_ns = bare_ns;
	if (!latency)
		return 0;
	histogram = malloc(sizeof(*histogram));
	if (!histogram)
		return err_set(err, -ENOMEM, "cost of the loop");
	histogram_init(histogram);
	cost->loop_ns = measure(plan, histogram);
	cost->latency_ns = cost->loop_ns > bare_ns ? cost->loop_ns - bare_ns
						   : 0;
	free(histogram);
	return 0;
}
