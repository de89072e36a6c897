// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/run_thread.h"

#include <sched.h>
#include <sys/resource.h>

#include "lib/base/clock.h"
#include "lib/base/histogram.h"
#include "rawread/buffers.h"
#include "rawread/placement.h"
#include "rawread/plan.h"
#include "rawread/sanitizer.h"
#include "rawread/targets.h"

/*
 * A table of descriptors of its own: in one that threads share, each read has
 * to take and drop a reference to the file, and read(2) a lock as well. Where
 * it is not permitted it is only slower. ThreadSanitizer does not know of it,
 * and would take equal numbers for the same descriptor.
 */
static void own_descriptors(void)
{
	if (!UNDER_THREAD_SANITIZER)
		unshare(CLONE_FILES);
}

/* At the start and at the end: the kernel may have had other ideas. */
static void check_place(struct run_thread *thread)
{
	const struct run_setup *setup = thread->run->setup;
	const struct placement *placement = setup->placement;

	if (placement->pus)
		thread->used.is_moved |= !topology_is_pinned_to(
			placement->pus[thread->index].os_index);
}

/* Everything that may take time or fail, before the barrier. */
static int prepare(struct run_thread *thread)
{
	const struct run_setup *setup = thread->run->setup;
	struct worker *worker = &thread->worker;
	int rc = 0;

	own_descriptors();
	if (setup->placement->pus)
		rc = topology_pin_self(
			setup->topology,
			setup->placement->pus[thread->index].os_index,
			&worker->err);
	check_place(thread);
	if (worker->watch.latency)
		histogram_init(worker->watch.latency);
	if (!rc)
		rc = setup->ops->open(&thread->job, &worker->state,
				      &worker->err);
	worker->rc = rc;
	return rc;
}

/* What this thread has used since it exists. */
static struct thread_sample usage_read(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return (struct thread_sample){
		.cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID),
		.voluntary_switches = (uint64_t)usage.ru_nvcsw,
		.involuntary_switches = (uint64_t)usage.ru_nivcsw,
		.minor_faults = (uint64_t)usage.ru_minflt,
		.major_faults = (uint64_t)usage.ru_majflt,
	};
}

static void usage_add_since(struct thread_sample *used,
			    const struct thread_sample *before)
{
	const struct thread_sample now = usage_read();

	used->cpu_ns = now.cpu_ns - before->cpu_ns;
	used->voluntary_switches =
		now.voluntary_switches - before->voluntary_switches;
	used->involuntary_switches =
		now.involuntary_switches - before->involuntary_switches;
	used->minor_faults = now.minor_faults - before->minor_faults;
	used->major_faults = now.major_faults - before->major_faults;
}

static void run_worker(struct run_thread *thread)
{
	const struct run_setup *setup = thread->run->setup;
	struct worker *worker = &thread->worker;
	struct thread_sample before = usage_read();

	if (setup->ops->begin)
		worker->rc = setup->ops->begin(worker->state, &worker->err);
	if (setup->plan->ramp_ns && !worker->rc) {
		worker_run(worker);
		worker_enter(worker, 1);
		before = usage_read();
	}
	worker_run(worker);
	if (setup->ops->finish && !worker->rc)
		worker->rc = setup->ops->finish(worker->state, &worker->err);
	thread->done_ns = clock_now_ns();
	usage_add_since(&thread->used, &before);
	if (worker->rc < 0)
		worker_end_all(worker->shared);
}

void *run_thread_main(void *argument)
{
	struct run_thread *thread = argument;
	struct run *run = thread->run;

	if (prepare(thread) < 0)
		worker_end_all(&run->shared);
	gate_pass(&run->gate);
	/* Else somebody is not ready, ever. */
	if (run->opened)
		run_worker(thread);
	gate_leave(&run->gate);
	check_place(thread);
	run->setup->ops->close(thread->worker.state);
	return NULL;
}

/* For the engine, while it begins. */
static bool is_over(const void *shared)
{
	const struct worker_shared *of_run = shared;

	return atomic_load_explicit(&of_run->phase, memory_order_relaxed) ==
	       PHASE_OVER;
}

static void lane_init(struct run *run, const struct plan_lane *planned,
		      unsigned int number, struct engine_file *file,
		      struct lane *lane)
{
	const struct run_setup *setup = run->setup;
	const struct plan *plan = setup->plan;
	const struct plan_target *target = &plan->targets[planned->target];
	struct sequence_part part = planned->part;

	/* No end of a file cuts what is asked beyond it. */
	if (setup->ops->reads_nothing)
		part.last_asked_bytes = plan_last_bytes(plan, target);
	*file = (struct engine_file){
		.path = target->path,
		.open_flags = setup->open_flags,
		.advice = setup->advice,
		.memory_advice = setup->memory_advice,
		.readahead = setup->readahead,
	};
	plan_reach(plan, planned, &file->offset_bytes, &file->range_bytes);
	if (setup->targets)
		file->id = target_id(&setup->targets[planned->target]);
	*lane = (struct lane){
		.op = { .file = number, .slot = number },
		.path = target->path,
		.end_offset_bytes = target->offset_bytes + target->range_bytes,
		.seed = setup->seeds ? setup->seeds[planned->target] : 0,
	};
	sequence_init(&lane->sequence, &part,
		      plan->layout == LAYOUT_SHARED
			      ? &run->counters[planned->target]
			      : NULL);
}

void run_thread_init(struct run *run, unsigned int index)
{
	const struct run_setup *setup = run->setup;
	const struct plan_thread *planned = &setup->plan->threads[index];
	size_t first = (size_t)(planned->lanes - setup->plan->lanes);
	struct run_thread *thread = &run->threads[index];
	unsigned int i;

	*thread = (struct run_thread){
		.run = run,
		.index = index,
		.files = &run->files[first],
	};
	for (i = 0; i < planned->lane_count; i++)
		lane_init(run, &planned->lanes[i], i, &thread->files[i],
			  &run->lanes[first + i]);
	thread->job = (struct engine_job){
		.files = thread->files,
		.file_count = planned->lane_count,
		.buffer = setup->buffers->starts[index],
		.slot_bytes = setup->buffers->slot_bytes,
		.slots = planned->lane_count,
		.roll_mask = setup->buffers->roll_mask,
		.iovec_bytes = setup->iovec_bytes,
		.iovecs = setup->iovecs,
		.rwf = setup->rwf,
		.is_write = setup->is_write,
		.is_over = is_over,
		.run = &run->shared,
	};
	thread->worker = (struct worker){
		.ops = setup->ops,
		.shared = &run->shared,
		.lanes = &run->lanes[first],
		.lane_count = planned->lane_count,
		.done = &run->done[first],
		.least_reads = setup->plan->least_reads,
		.waits_for_all = setup->waits_for_all,
		.watch = { .latency = run->latencies ? &run->latencies[index]
						     : NULL,
			   .verify = setup->seeds != NULL },
		.job = &thread->job,
	};
}
