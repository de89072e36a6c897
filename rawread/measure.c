// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/measure.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "lib/base/clock.h"
#include "lib/base/err.h"
#include "lib/base/stop.h"
#include "lib/record/tests.h"
#include "rawread/engine.h"
#include "rawread/setup.h"
#include "rawread/verify.h"
#include "rawread/warm.h"

static int fadvise_of(enum fadvise fadvise)
{
	static const int advice[] = {
		[FADVISE_NONE] = -1,
		[FADVISE_NORMAL] = POSIX_FADV_NORMAL,
		[FADVISE_SEQUENTIAL] = POSIX_FADV_SEQUENTIAL,
		[FADVISE_RANDOM] = POSIX_FADV_RANDOM,
		[FADVISE_WILLNEED] = POSIX_FADV_WILLNEED,
		[FADVISE_NOREUSE] = POSIX_FADV_NOREUSE,
	};

	return advice[fadvise];
}

static int madvise_of(enum madvise madvise)
{
	static const int advice[] = {
		[MADVISE_NONE] = -1,
		[MADVISE_NORMAL] = MADV_NORMAL,
		[MADVISE_SEQUENTIAL] = MADV_SEQUENTIAL,
		[MADVISE_RANDOM] = MADV_RANDOM,
		[MADVISE_WILLNEED] = MADV_WILLNEED,
		[MADVISE_HUGEPAGE] = MADV_HUGEPAGE,
		[MADVISE_NOHUGEPAGE] = MADV_NOHUGEPAGE,
	};

	return advice[madvise];
}

static int open_flags_of(const struct run_params *params)
{
	return (params->test->is_write ? O_WRONLY : O_RDONLY) |
	       (params->direct ? O_DIRECT : 0) | (params->sync ? O_SYNC : 0) |
	       (params->noatime ? O_NOATIME : 0);
}

static struct run_setup run_setup_of(const struct setup *setup,
				     const struct buffers *buffers,
				     const uint64_t *seeds)
{
	const struct run_params *params = &setup->params;

	return (struct run_setup){
		.plan = &setup->plan,
		.targets = setup->targets.list,
		.ops = setup->ops,
		.placement = &setup->placement,
		.topology = setup->topology,
		.buffers = buffers,
		.iovecs = params->iovecs,
		.iovec_bytes = params->block_bytes,
		.open_flags = open_flags_of(params),
		.advice = fadvise_of(params->fadvise),
		.memory_advice = madvise_of(params->madvise),
		.readahead = params->readahead,
		.rwf = params->rwf,
		.is_write = params->test->is_write,
		.waits_for_all = params->test->batch == BATCH_WHOLE,
		.latency = params->latency,
		.seeds = seeds,
	};
}

/* What is needed before a byte of a target is touched. */
static int claim(const struct setup *setup, struct measurement *m,
		 uint64_t **seeds, struct err *err)
{
	const struct run_params *params = &setup->params;
	const struct buffer_shape shape = {
		.iovec_bytes = params->block_bytes,
		.iovecs = params->iovecs,
		.slots = setup->plan.threads[0].lane_count,
		.is_written = params->test->is_write,
	};
	int rc = 0;

	if (params_writes(params))
		rc = destroy_claim(params, &setup->targets, &m->destroy, err);
	if (!rc && params->verify)
		rc = verify_seeds(&setup->targets, seeds, err);
	if (!rc)
		rc = buffers_make(&setup->placement, &shape, &m->buffers, err);
	if (!rc)
		rc = read_ahead_apply(params, &setup->targets, &m->read_ahead,
				      err);
	return rc;
}

int measure(const struct setup *setup, struct measurement *m, struct err *err)
{
	const struct target *targets = setup->targets.list;
	const struct plan *plan = &setup->plan;
	const struct loop_way way = {
		.ops = setup->ops,
		.waits_for_all = setup->params.test->batch == BATCH_WHOLE,
		.latency = setup->params.latency,
	};
	struct run_setup run;
	uint64_t *seeds = NULL;
	int rc;

	*m = (struct measurement){ 0 };
	rc = claim(setup, m, &seeds, err);
	/* With the read-ahead of the run, which decides on the folios. */
	if (!rc && setup->params.warm)
		rc = warm_fill(setup->params.warm, plan, targets, err);
	if (!rc)
		rc = observe_targets(plan, targets, &m->observation, err);
	if (!rc)
		rc = loop_cost_measure(plan, &way, &m->cost, err);
	if (!rc && stop_asked())
		rc = err_say(err, -EINTR, "interrupted");
	if (rc < 0)
		goto out;
	m->begun = clock_wall_text();
	m->attempted = true;
	run = run_setup_of(setup, &m->buffers, seeds);
	rc = run_execute(&run, &m->observation, &m->samples, err);
	m->not_available = rc == -EOPNOTSUPP;
	if (!rc)
		rc = observe_targets_after(plan, targets, &m->observation, err);
out:
	free(seeds);
	return rc;
}

int measurement_restore(struct measurement *m, struct err *err)
{
	destroy_release(&m->destroy);
	return read_ahead_restore(&m->read_ahead, err);
}

void measurement_free(struct measurement *m)
{
	destroy_release(&m->destroy);
	run_samples_free(&m->samples);
	observe_free(&m->observation);
	buffers_free(&m->buffers);
	read_ahead_free(&m->read_ahead);
	free(m->begun);
	*m = (struct measurement){ 0 };
}
