// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/record_threads.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/base/err.h"
#include "lib/base/histogram.h"
#include "lib/record/record.h"
#include "rawread/placement.h"
#include "rawread/plan.h"
#include "rawread/record_run.h"
#include "rawread/run.h"
#include "rawread/topology.h"
#include "rawread/unique.h"

/* The thread that drives a lane, of which each has as many. */
static unsigned int thread_of(const struct run_samples *samples,
			      unsigned int lane)
{
	return lane / (samples->lane_count / samples->thread_count);
}

static void add_to_target(const struct record_sources *from, unsigned int lane,
			  struct run_record *run)
{
	const struct run_samples *samples = from->samples;
	const struct lane_sample *sample = &samples->lanes[lane];
	struct run_target *target =
		&run->targets[from->plan->lanes[lane].target];
	uint64_t ns = samples->threads[thread_of(samples, lane)].elapsed_ns;

	if (!sample->reads)
		return;
	target->bytes += sample->bytes;
	target->reads += sample->reads;
	target->thread_ns += ns;
	if (!target->first_done_ns || ns < target->first_done_ns)
		target->first_done_ns = ns;
	if (ns > target->last_done_ns)
		target->last_done_ns = ns;
}

/* One that found no block left waited for the others. */
static void add_waiting(const struct record_sources *from, unsigned int lane,
			struct run_record *run)
{
	struct run_target *target =
		&run->targets[from->plan->lanes[lane].target];

	if (!from->samples->lanes[lane].reads)
		target->thread_ns += target->last_done_ns;
}

static void add_lane(const struct record_sources *from, unsigned int lane,
		     struct run_record *run)
{
	const struct lane_sample *sample = &from->samples->lanes[lane];
	struct run_thread_record *thread =
		&run->threads[thread_of(from->samples, lane)];

	thread->bytes += sample->bytes;
	thread->reads += sample->reads;
	run->bytes += sample->bytes;
	run->reads += sample->reads;
	run->short_reads += sample->short_reads;
	run->nowait_retries += sample->retries;
	add_to_target(from, lane, run);
}

static void add_place(const struct topology_pu *pu,
		      struct run_thread_record *thread)
{
	thread->cpu = pu->os_index;
	thread->node = pu->node == NODE_NONE ? -1 : (int64_t)pu->node;
	thread->core = pu->core;
	thread->smt = pu->smt;
	thread->kind = pu->slowness;
}

static void add_thread(const struct record_sources *from, unsigned int index,
		       struct run_record *run)
{
	const struct thread_sample *sample = &from->samples->threads[index];
	const struct plan_thread *planned = &from->plan->threads[index];
	struct run_thread_record *thread = &run->threads[index];

	if (from->placement->pus)
		add_place(&from->placement->pus[index], thread);
	thread->target = planned->lane_count > 1 ? index % run->target_count
						 : planned->target;
	thread->done_ns = sample->elapsed_ns;
	thread->cpu_ns = sample->cpu_ns;
	thread->is_moved = sample->is_moved;
	run->own_cpu_ns += sample->cpu_ns;
	run->voluntary_switches += sample->voluntary_switches;
	run->involuntary_switches += sample->involuntary_switches;
	run->minor_faults += sample->minor_faults;
	run->major_faults += sample->major_faults;
}

/* The run's samples go on without it. */
static int copy_latency(const struct run_samples *samples,
			struct run_record *run, struct err *err)
{
	if (!samples->latency)
		return 0;
	run->latency = malloc(sizeof(*run->latency));
	if (!run->latency)
		return err_set(err, -ENOMEM, "record of the run");
	*run->latency = *samples->latency;
	return 0;
}

int record_add_threads(const struct record_sources *from,
		       struct run_record *run, struct err *err)
{
	const struct run_samples *samples = from->samples;
	unsigned int i;
	int rc;

	run->threads = calloc(samples->thread_count, sizeof(*run->threads));
	if (!run->threads)
		return err_set(err, -ENOMEM, "record of the run");
	run->thread_count = samples->thread_count;
	run->cpus = placement_cpus(from->placement);
	if (from->placement->pus && !run->cpus)
		return err_set(err, -ENOMEM, "record of the run");
	run->span_ns = samples->span_ns;
	run->first_done_ns = samples->first_done_ns;
	run->moved_threads = samples->moved_threads;
	run->moved_buffers = samples->moved_buffers;
	for (i = 0; i < samples->lane_count; i++)
		add_lane(from, i, run);
	for (i = 0; i < samples->lane_count; i++)
		add_waiting(from, i, run);
	for (i = 0; i < samples->thread_count; i++)
		add_thread(from, i, run);
	rc = copy_latency(samples, run, err);
	for (i = 0; !rc && i < run->target_count; i++) {
		uint64_t bytes;

		rc = unique_count(from->plan, i, samples->lanes, &bytes, err);
		run->unique_bytes += bytes;
	}
	return rc;
}
