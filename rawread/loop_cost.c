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
		      unsigned int number, struct sequence_counter *counter,
		      struct lane *lane)
{
	const struct plan_target *target = &plan->targets[planned->target];
	struct sequence_part part = planned->part;

	/* The engine has no end of a file, and the part is gone round. */
	part.last_asked_bytes = plan_last_bytes(plan, target);
	part.limit = SEQUENCE_ENDLESS;
	if (part.order == SEQUENCE_DRAWN)
		part.count = SEQUENCE_ENDLESS;
	*lane = (struct lane){
		.op = { .file = number, .slot = number },
		.end_offset_bytes = target->offset_bytes + target->range_bytes,
	};
	sequence_init(&lane->sequence, &part,
		      plan->layout == LAYOUT_SHARED ? counter : NULL);
}

/* Goes round, and gives ns for 1000 reads. */
static int time_loop(struct worker *worker, uint64_t *ns, struct err *err)
{
	uint64_t begun_ns = clock_now_ns(), took_ns, reads = 0;
	unsigned int i;
	int rc = worker_run_reads(worker, LOOP_READS / worker->lane_count + 1);

	took_ns = clock_now_ns() - begun_ns;
	if (rc < 0)
		return err_say(err, rc, "%s", worker->err.text);
	for (i = 0; i < worker->lane_count; i++)
		reads += worker->lanes[i].reads;
	*ns = took_ns * 1000 / reads;
	return 0;
}

static int measure_once(const struct plan *plan, const struct loop_way *way,
			struct histogram *latency, uint64_t *ns,
			struct err *err)
{
	const struct plan_thread *thread = &plan->threads[0];
	struct sequence_counter counter = { 0 };
	struct worker_shared shared = { 0 };
	const struct engine_job job = { .slots = thread->lane_count };
	struct worker worker = {
		.ops = engine_null_like(way->ops),
		.shared = &shared,
		.lane_count = thread->lane_count,
		.waits_for_all = way->waits_for_all,
		.watch = { .latency = latency },
		.job = &job,
	};
	unsigned int i;
	int rc;

	worker.lanes = aligned_alloc(CACHE_LINE_BYTES,
				     thread->lane_count * sizeof(struct lane));
	worker.done = calloc(thread->lane_count, sizeof(*worker.done));
	if (!worker.lanes || !worker.done) {
		rc = err_set(err, -ENOMEM, "cost of the loop");
		goto out;
	}
	for (i = 0; i < thread->lane_count; i++)
		lane_init(plan, &thread->lanes[i], i, &counter,
			  &worker.lanes[i]);
	rc = worker.ops->open(&job, &worker.state, err);
	if (!rc)
		rc = time_loop(&worker, ns, err);
	worker.ops->close(worker.state);
out:
	free(worker.done);
	free(worker.lanes);
	return rc;
}

static int measure(const struct plan *plan, const struct loop_way *way,
		   struct histogram *latency, uint64_t *least_ns,
		   struct err *err)
{
	unsigned int i;
	int rc = 0;

	*least_ns = UINT64_MAX;
	for (i = 0; !rc && i < LOOP_ROUNDS; i++) {
		uint64_t ns = 0;

		rc = measure_once(plan, way, latency, &ns, err);
		if (ns < *least_ns)
			*least_ns = ns;
	}
	return rc;
}

static int measure_latency(const struct plan *plan, const struct loop_way *way,
			   struct loop_cost *cost, struct err *err)
{
	struct histogram *histogram = malloc(sizeof(*histogram));
	uint64_t bare_ns = cost->loop_ns;
	int rc;

	if (!histogram)
		return err_set(err, -ENOMEM, "cost of the loop");
	histogram_init(histogram);
	rc = measure(plan, way, histogram, &cost->loop_ns, err);
	cost->latency_ns = cost->loop_ns > bare_ns ? cost->loop_ns - bare_ns
						   : 0;
	free(histogram);
	return rc;
}

int loop_cost_measure(const struct plan *plan, const struct loop_way *way,
		      struct loop_cost *cost, struct err *err)
{
	int rc;

	*cost = (struct loop_cost){ 0 };
	rc = measure(plan, way, NULL, &cost->loop_ns, err);
	if (!rc && way->latency)
		rc = measure_latency(plan, way, cost, err);
	if (rc < 0)
		*cost = (struct loop_cost){ 0 };
	return rc;
}
