// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/run.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/err.h"
#include "lib/base/stop.h"
#include "rawread/buffers.h"
#include "rawread/gate.h"
#include "rawread/observe.h"
#include "rawread/placement.h"
#include "rawread/plan.h"
#include "rawread/sanitizer.h"
#include "rawread/thread_limits.h"
#include "rawread/worker.h"

/* Enough for a loop and a struct err, and 10000 threads want little. */
#define STACK_BYTES (256 * 1024)
#define LOOP_READS  20000

struct run {
	const struct run_setup *setup;
	struct gate gate;
	struct worker_shared shared;
	struct run_thread *threads;
	struct sequence_counter *counters; /* one for each target */
	unsigned int started;
	uint64_t open_ns; /* when the barrier opened */
};

struct run_thread {
	struct worker worker;
	struct run *run;
	unsigned int index;
	pthread_t id;
	struct engine_file file;
	struct engine_job job;
	uint64_t done_ns; /* clock, after the last byte */
	uint64_t cpu_ns;
	bool is_moved;
};

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
		thread->is_moved |= !topology_is_pinned_to(
			setup->topology,
			placement->pus[thread->index].os_index);
}

/* Everything that may take time or fail, before the barrier. */
static int thread_prepare(struct run_thread *thread)
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
	if (!rc)
		rc = setup->ops->open(&thread->job, &worker->state,
				      &worker->err);
	worker->rc = rc;
	return rc;
}

static void thread_read(struct run_thread *thread)
{
	const struct run_setup *setup = thread->run->setup;
	struct worker *worker = &thread->worker;
	uint64_t cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);

	if (setup->ops->begin)
		worker->rc = setup->ops->begin(worker->state, &worker->err);
	if (worker->rc < 0)
		atomic_store(&thread->run->shared.stop, true);
	worker_run(worker);
	thread->done_ns = clock_now_ns();
	thread->cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_ns;
}

static void *thread_main(void *argument)
{
	struct run_thread *thread = argument;
	const struct run_setup *setup = thread->run->setup;

	if (thread_prepare(thread) < 0)
		atomic_store(&thread->run->shared.stop, true);
	gate_pass(&thread->run->gate);
	/* Set before the gate opened: somebody else is not ready, ever. */
	if (!thread->worker.rc && !atomic_load(&thread->run->shared.stop))
		thread_read(thread);
	gate_leave(&thread->run->gate);
	check_place(thread);
	setup->ops->close(thread->worker.state);
	return NULL;
}

static void thread_setup(struct run *run, unsigned int index)
{
	const struct run_setup *setup = run->setup;
	const struct plan_thread *planned = &setup->plan->threads[index];
	const struct plan_target *target =
		&setup->plan->targets[planned->target];
	struct run_thread *thread = &run->threads[index];
	struct sequence_part part = planned->part;

	/* No end of a file cuts what is asked beyond it. */
	if (setup->ops->reads_nothing)
		part.last_asked_bytes = plan_last_bytes(setup->plan, target);
	thread->run = run;
	thread->index = index;
	thread->file = (struct engine_file){
		.path = target->path,
		.open_flags = setup->open_flags,
		.advice = setup->advice,
		.offset_bytes = target->offset_bytes,
		.range_bytes = target->range_bytes,
	};
	thread->job = (struct engine_job){
		.files = &thread->file,
		.file_count = 1,
		.buffer = setup->buffers->starts[index],
		.iovec_bytes = setup->iovec_bytes,
		.iovecs = setup->iovecs,
	};
	thread->worker = (struct worker){
		.ops = setup->ops,
		.shared = &run->shared,
		.path = target->path,
		.end_offset_bytes = target->offset_bytes + target->range_bytes,
		.least_reads = setup->plan->least_reads,
	};
	sequence_init(&thread->worker.sequence, &part,
		      setup->plan->is_shared ? &run->counters[planned->target]
					     : NULL);
}

static int run_init(struct run *run, const struct run_setup *setup,
		    struct err *err)
{
	const struct plan *plan = setup->plan;
	unsigned int i;
	int rc;

	*run = (struct run){ .setup = setup };
	run->threads = aligned_alloc(
		CACHE_LINE_BYTES, plan->thread_count * sizeof(*run->threads));
	run->counters = aligned_alloc(
		CACHE_LINE_BYTES, plan->target_count * sizeof(*run->counters));
	if (!run->threads || !run->counters) {
		rc = err_set(err, -ENOMEM, "%u threads", plan->thread_count);
		goto failed;
	}
	memset(run->threads, 0, plan->thread_count * sizeof(*run->threads));
	memset(run->counters, 0, plan->target_count * sizeof(*run->counters));
	atomic_init(&run->shared.behind, plan->thread_count);
	for (i = 0; i < plan->thread_count; i++)
		thread_setup(run, i);
	rc = gate_init(&run->gate, err);
	if (!rc)
		return 0;
failed:
	free(run->threads);
	free(run->counters);
	return rc;
}

static int start_threads(struct run *run, struct err *err)
{
	unsigned int count = run->setup->plan->thread_count;
	pthread_attr_t attributes;
	int code = pthread_attr_init(&attributes);

	if (code)
		return err_set(err, -code, "attributes of %u threads", count);
	code = pthread_attr_setstacksize(&attributes, STACK_BYTES);
	while (!code && run->started < count) {
		struct run_thread *thread = &run->threads[run->started];

		code = pthread_create(&thread->id, &attributes, thread_main,
				      thread);
		if (!code)
			run->started++;
	}
	pthread_attr_destroy(&attributes);
	return code ? thread_limits_say(-code, run->started, count, err) : 0;
}

/* Of those that failed, the one that did so first. */
static int first_failure(const struct run *run, struct err *err)
{
	const struct run_thread *first = NULL;
	unsigned int i;

	for (i = 0; i < run->started; i++) {
		const struct run_thread *thread = &run->threads[i];

		if (thread->worker.rc < 0 &&
		    (!first || thread->done_ns < first->done_ns))
			first = thread;
	}
	if (!first)
		return 0;
	return err_say(err, first->worker.rc, "%s", first->worker.err.text);
}

/* Opens the barrier when all are ready, and waits until all are done. */
static void let_run(struct run *run, struct observation *observation,
		    bool *opened, int *rc, struct err *err)
{
	unsigned int coming = run->started, running = run->started;

	if (!*rc)
		gate_wait(&run->gate, &coming);
	if (!*rc && !stop_asked() && !atomic_load(&run->shared.stop) &&
	    observation)
		*rc = observe_begin(observation, err);
	if (*rc < 0 || stop_asked())
		atomic_store(&run->shared.stop, true);
	*opened = !atomic_load(&run->shared.stop);
	run->open_ns = clock_now_ns();
	gate_open(&run->gate);
	running += coming;
	if (!gate_wait(&run->gate, &running))
		atomic_store(&run->shared.stop, true);
	if (!*rc && !running && observation)
		*rc = observe_end(observation, err);
}

static int collect(struct run *run, struct run_samples *samples,
		   struct err *err)
{
	uint64_t last_ns = run->open_ns, first_ns = UINT64_MAX;
	unsigned int i;

	samples->threads = calloc(run->started, sizeof(*samples->threads));
	if (!samples->threads)
		return err_set(err, -ENOMEM, "samples");
	samples->thread_count = run->started;
	for (i = 0; i < run->started; i++) {
		const struct run_thread *thread = &run->threads[i];
		const struct worker *worker = &thread->worker;

		if (thread->done_ns > last_ns)
			last_ns = thread->done_ns;
		/* One that found nothing to read was not done first. */
		if (worker->reads && thread->done_ns < first_ns)
			first_ns = thread->done_ns;
		samples->moved_threads += thread->is_moved;
		samples->threads[i] = (struct thread_sample){
			.bytes = worker->bytes,
			.reads = worker->reads,
			.short_reads = worker->short_reads,
			.unique_bytes = worker->unique_bytes,
			.elapsed_ns = thread->done_ns - run->open_ns,
			.cpu_ns = thread->cpu_ns,
		};
	}
	samples->span_ns = last_ns - run->open_ns;
	samples->first_done_ns = first_ns < last_ns ? first_ns - run->open_ns
						    : samples->span_ns;
	samples->moved_buffers = buffers_count_moved(run->setup->buffers);
	return 0;
}

int run_execute(const struct run_setup *setup, struct observation *observation,
		struct run_samples *samples, struct err *err)
{
	struct run run;
	unsigned int i;
	int rc;

	*samples = (struct run_samples){ 0 };
	rc = run_init(&run, setup, err);
	if (rc < 0)
		return rc;
	rc = start_threads(&run, err);
	let_run(&run, observation, &samples->opened, &rc, err);
	for (i = 0; i < run.started; i++)
		pthread_join(run.threads[i].id, NULL);
	gate_destroy(&run.gate);
	if (!rc && stop_asked())
		rc = err_say(err, -EINTR, "interrupted");
	if (!rc)
		rc = first_failure(&run, err);
	if (!rc)
		rc = collect(&run, samples, err);
	free(run.threads);
	free(run.counters);
	return rc;
}

void run_samples_free(struct run_samples *samples)
{
	free(samples->threads);
	*samples = (struct run_samples){ 0 };
}

uint64_t run_loop_cost_ns(const struct plan *plan)
{
	const struct plan_thread *planned = &plan->threads[0];
	struct worker_shared shared = { .stop = false };
	struct sequence_counter counter = { 0 };
	struct sequence_part part = planned->part;
	struct worker worker = { .ops = &engine_null, .shared = &shared };
	uint64_t begun_ns;

	if (!part.count)
		return 0;
	part.wraps = true;
	sequence_init(&worker.sequence, &part,
		      plan->is_shared ? &counter : NULL);
	begun_ns = clock_now_ns();
	worker_run_reads(&worker, LOOP_READS);
	return (clock_now_ns() - begun_ns) * 1000 / LOOP_READS;
}
