// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/run.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/err.h"
#include "lib/base/histogram.h"
#include "lib/base/stop.h"
#include "lib/base/units.h"
#include "rawread/buffers.h"
#include "rawread/observe.h"
#include "rawread/plan.h"
#include "rawread/run_thread.h"
#include "rawread/thread_limits.h"

/* Enough for a loop and a struct err, and 10000 threads want little. */
#define STACK_BYTES (256 * 1024)

static void run_free(struct run *run)
{
	free(run->threads);
	free(run->lanes);
	free(run->files);
	free(run->done);
	free(run->latencies);
	free(run->counters);
}

/* On lines of its own, not touched. NULL without memory. */
static void *untouched_array(size_t count, size_t size)
{
	const size_t line = CACHE_LINE_BYTES;

	return aligned_alloc(line, (count * size + line - 1) / line * line);
}

/* The same with zeros. */
static void *aligned_array(size_t count, size_t size)
{
	void *array = untouched_array(count, size);

	if (array)
		memset(array, 0, count * size);
	return array;
}

static int run_init(struct run *run, const struct run_setup *setup,
		    struct err *err)
{
	const struct plan *plan = setup->plan;
	unsigned int i;
	int rc;

	*run = (struct run){ .setup = setup };
	run->threads = aligned_array(plan->thread_count, sizeof(*run->threads));
	run->lanes = aligned_array(plan->lane_count, sizeof(*run->lanes));
	run->counters =
		aligned_array(plan->target_count, sizeof(*run->counters));
	run->files = calloc(plan->lane_count, sizeof(*run->files));
	run->done = calloc(plan->lane_count, sizeof(struct io_op *));
	/* Each is touched by its own thread first. */
	if (setup->latency)
		run->latencies = untouched_array(plan->thread_count,
						 sizeof(*run->latencies));
	if (!run->threads || !run->lanes || !run->counters || !run->files ||
	    !run->done || (setup->latency && !run->latencies)) {
		rc = err_set(err, -ENOMEM, "%u threads", plan->thread_count);
		goto failed;
	}
	atomic_init(&run->shared.behind, plan->thread_count);
	for (i = 0; i < plan->thread_count; i++)
		run_thread_init(run, i);
	rc = gate_init(&run->gate, err);
	if (!rc)
		return 0;
failed:
	run_free(run);
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

		code = pthread_create(&thread->id, &attributes, run_thread_main,
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

static bool is_over(const struct run *run)
{
	return atomic_load(&run->shared.phase) == PHASE_OVER;
}

/* The span begins: counters first, then the clock. */
static void begin_span(struct run *run, struct observation *observation,
		       int *rc, struct err *err)
{
	if (!*rc && !stop_asked() && !is_over(run) && observation)
		*rc = observe_begin(observation, err);
	if (*rc < 0 || stop_asked())
		worker_end_all(&run->shared);
	run->begun_ns = clock_now_ns();
}

/* Waits for @running threads, ending them when their time is over. */
static void wait_for_all(struct run *run, unsigned int running,
			 struct observation *observation, int *rc,
			 struct err *err)
{
	const struct plan *plan = run->setup->plan;

	if (plan->ramp_ns && !gate_wait_until(&run->gate, &running,
					      run->begun_ns + plan->ramp_ns)) {
		begin_span(run, observation, rc, err);
		worker_end_ramp(&run->shared);
	}
	if (plan->time_ns && !gate_wait_until(&run->gate, &running,
					      run->begun_ns + plan->time_ns))
		worker_end_all(&run->shared);
	if (!gate_wait(&run->gate, &running))
		worker_end_all(&run->shared);
	if (!*rc && !running && observation)
		*rc = observe_end(observation, err);
}

/* How the waiting thread was scheduled before. */
struct urgency {
	bool changed;
	int policy;
	struct sched_param usual;
};

/*
 * Threads that keep all CPUs busy would put off the end of their own time, and
 * those of a real-time policy for ever. Where it is not permitted the span
 * tells that they did.
 */
static void become_urgent(struct urgency *urgency)
{
	const int most = sched_get_priority_max(SCHED_FIFO);
	struct sched_param urgent;

	*urgency = (struct urgency){ .changed = false };
	if (pthread_getschedparam(pthread_self(), &urgency->policy,
				  &urgency->usual) ||
	    urgency->policy == SCHED_DEADLINE)
		return;
	/* Of other policies it is 0. */
	urgent.sched_priority = urgency->usual.sched_priority + 1;
	if (urgent.sched_priority > most)
		urgent.sched_priority = most;
	urgency->changed =
		!pthread_setschedparam(pthread_self(), SCHED_FIFO, &urgent);
}

static void become_usual(const struct urgency *urgency)
{
	if (urgency->changed)
		pthread_setschedparam(pthread_self(), urgency->policy,
				      &urgency->usual);
}

/* Opens the barrier when all are ready, and waits until all are done. */
static void let_run(struct run *run, struct observation *observation, int *rc,
		    struct err *err)
{
	const struct plan *plan = run->setup->plan;
	unsigned int coming = run->started;
	struct urgency urgency;

	if (!*rc)
		gate_wait(&run->gate, &coming);
	begin_span(run, plan->ramp_ns ? NULL : observation, rc, err);
	run->opened = !is_over(run);
	become_urgent(&urgency);
	gate_open(&run->gate);
	wait_for_all(run, run->started + coming, observation, rc, err);
	become_usual(&urgency);
}

/* What came in the span. */
static struct lane_sample sample_of(const struct lane *lane)
{
	return (struct lane_sample){
		.bytes = lane->bytes - lane->ramp_bytes,
		.reads = lane->reads - lane->ramp_reads,
		.short_reads = lane->short_reads - lane->ramp_short_reads,
		.retries = lane->op.retries - lane->ramp_retries,
		.unique_bytes = lane->first_bytes - lane->ramp_first_bytes,
		.ramp_reads = lane->ramp_reads,
		.ramp_unique_bytes = lane->ramp_first_bytes,
	};
}

static int collect_latency(const struct run *run, struct run_samples *samples,
			   struct err *err)
{
	unsigned int i;

	if (!run->latencies)
		return 0;
	samples->latency = malloc(sizeof(*samples->latency));
	if (!samples->latency)
		return err_set(err, -ENOMEM, "samples");
	histogram_init(samples->latency);
	for (i = 0; i < run->started; i++)
		histogram_merge(samples->latency, &run->latencies[i]);
	return 0;
}

static bool has_read(const struct run_thread *thread)
{
	unsigned int i;

	for (i = 0; i < thread->worker.lane_count; i++)
		if (thread->worker.lanes[i].reads >
		    thread->worker.lanes[i].ramp_reads)
			return true;
	return false;
}

/* When the first and the last were done of those that found what to read. */
static int collect_span(const struct run *run, struct run_samples *samples,
			struct err *err)
{
	uint64_t last_ns = run->begun_ns, first_ns = UINT64_MAX;
	char time[32];
	unsigned int i;

	for (i = 0; i < run->started; i++) {
		const struct run_thread *thread = &run->threads[i];

		if (!has_read(thread))
			continue;
		if (thread->done_ns > last_ns)
			last_ns = thread->done_ns;
		if (thread->done_ns < first_ns)
			first_ns = thread->done_ns;
	}
	samples->span_ns = last_ns - run->begun_ns;
	samples->first_done_ns = samples->span_ns ? first_ns - run->begun_ns
						  : 0;
	if (samples->span_ns)
		return 0;
	duration_format(run->setup->plan->time_ns, time);
	return err_say(err, -ENODATA,
		       "nothing was read in --time %s; give it longer", time);
}

static int collect(struct run *run, struct run_samples *samples,
		   struct err *err)
{
	unsigned int i;

	samples->thread_count = run->started;
	samples->lane_count = run->setup->plan->lane_count;
	samples->threads =
		calloc(samples->thread_count, sizeof(*samples->threads));
	samples->lanes = calloc(samples->lane_count, sizeof(*samples->lanes));
	if (!samples->threads || !samples->lanes)
		return err_set(err, -ENOMEM, "samples");
	for (i = 0; i < samples->lane_count; i++)
		samples->lanes[i] = sample_of(&run->lanes[i]);
	for (i = 0; i < run->started; i++) {
		const struct run_thread *thread = &run->threads[i];

		samples->threads[i] = thread->used;
		samples->threads[i].elapsed_ns =
			thread->done_ns - run->begun_ns;
		samples->moved_threads += thread->used.is_moved;
	}
	samples->moved_buffers = buffers_count_moved(run->setup->buffers);
	return collect_latency(run, samples, err);
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
	let_run(&run, observation, &rc, err);
	samples->opened = run.opened;
	for (i = 0; i < run.started; i++)
		pthread_join(run.threads[i].id, NULL);
	gate_destroy(&run.gate);
	if (!rc && stop_asked())
		rc = err_say(err, -EINTR, "interrupted");
	if (!rc)
		rc = first_failure(&run, err);
	if (!rc)
		rc = collect_span(&run, samples, err);
	if (!rc)
		rc = collect(&run, samples, err);
	run_free(&run);
	return rc;
}

void run_samples_free(struct run_samples *samples)
{
	free(samples->lanes);
	free(samples->threads);
	free(samples->latency);
	*samples = (struct run_samples){ 0 };
}
