// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Batches: what the kernel takes at once, and what is waited for. The calls of
 * libaio are ours here, in this whole program: they hand on, but for what a
 * test has asked for.
 */
#include "rawread/engine.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <libaio.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/file.h"
#include "tests/unit/engine_rig.h"

static struct {
	int setup_code;	   /* what io_setup is to say */
	long most;	   /* io_submit takes so many; 0: all */
	unsigned int full; /* so many io_submits say EAGAIN, after the first */
	unsigned int interrupted; /* so many io_getevents say EINTR */
	unsigned int submits;	  /* calls */
	long last_least;	  /* what io_getevents was to wait for */
} fake;

/* POSIX has them fit, and C does not. */
static void find_real(const char *name, void *function)
{
	void *found = dlsym(RTLD_NEXT, name);

	memcpy(function, &found, sizeof(found));
}

int io_setup(int maxevents, io_context_t *ctxp)
{
	int (*real)(int, io_context_t *);

	find_real("io_setup", &real);
	return fake.setup_code ? fake.setup_code : real(maxevents, ctxp);
}

int io_submit(io_context_t ctx, long nr, struct iocb *ios[])
{
	int (*real)(io_context_t, long, struct iocb *[]);

	find_real("io_submit", &real);
	if (fake.submits++ && fake.full) {
		fake.full--;
		return -EAGAIN;
	}
	return real(ctx, fake.most && nr > fake.most ? fake.most : nr, ios);
}

int io_getevents(io_context_t ctx, long min_nr, long nr,
		 struct io_event *events, struct timespec *timeout)
{
	int (*real)(io_context_t, long, long, struct io_event *,
		    struct timespec *);

	find_real("io_getevents", &real);
	fake.last_least = min_nr;
	if (fake.interrupted) {
		fake.interrupted--;
		return -EINTR;
	}
	return real(ctx, min_nr, nr, events, timeout);
}

#define BATCH 8

struct batch {
	struct engine_rig rig;
	struct io_op ops[BATCH];
	struct io_op *done[BATCH];
};

static void batch_begin(struct batch *batch)
{
	memset(&fake, 0, sizeof(fake));
	rig_begin(&batch->rig, &engine_libaio,
		  &(struct rig_want){ .slots = BATCH });
}

static void batch_queue(struct batch *batch, unsigned int first,
			unsigned int count)
{
	unsigned int i;

	for (i = first; i < first + count; i++) {
		batch->ops[i] = (struct io_op){ .slot = i,
						.offset_bytes = 8192 * i,
						.size_bytes = 4096,
						.result = -1 };
		cr_assert_eq(
			engine_libaio.submit(batch->rig.state, &batch->ops[i]),
			1);
	}
}

static int batch_reap(struct batch *batch, unsigned int min_ops)
{
	return engine_libaio.reap(batch->rig.state, batch->done, min_ops,
				  BATCH);
}

static void batch_expect(const struct batch *batch, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		cr_expect_eq(batch->ops[i].result, 4096, "%u: %ld", i,
			     batch->ops[i].result);
		rig_expect(&batch->rig, batch->ops[i].offset_bytes, 4096,
			   i * batch->rig.job.slot_bytes);
	}
}

Test(engine_libaio, a_batch_is_given_to_the_kernel_in_one_call)
{
	struct batch batch;

	batch_begin(&batch);
	batch_queue(&batch, 0, BATCH);
	cr_expect_eq(fake.submits, 0);
	cr_expect_eq(batch_reap(&batch, BATCH), BATCH);
	cr_expect_eq(fake.submits, 1, "%u", fake.submits);
	batch_expect(&batch, BATCH);
	rig_end(&batch.rig);
}

Test(engine_libaio, no_more_are_waited_for_than_are_in_flight, .timeout = 30)
{
	struct batch batch;

	batch_begin(&batch);
	batch_queue(&batch, 0, 5);
	cr_expect_eq(batch_reap(&batch, BATCH), 5);
	cr_expect_eq(fake.last_least, 5, "%ld", fake.last_least);
	batch_expect(&batch, 5);
	/* With none, there is nothing to wait for. */
	cr_expect_eq(batch_reap(&batch, BATCH), 0);
	rig_end(&batch.rig);
}

Test(engine_libaio, one_that_is_done_is_refilled_while_others_are_in_flight)
{
	struct batch batch;
	int got, left = 5;

	batch_begin(&batch);
	batch_queue(&batch, 0, 4);
	got = batch_reap(&batch, 1);
	cr_assert_geq(got, 1);
	batch_queue(&batch, 4, 1);
	for (left -= got; left; left -= got)
		cr_assert_geq(got = batch_reap(&batch, 1), 1);
	batch_expect(&batch, 5);
	rig_end(&batch.rig);
}

Test(engine_libaio, what_the_kernel_takes_in_parts_is_given_on)
{
	struct batch batch;

	batch_begin(&batch);
	fake.most = 3;
	batch_queue(&batch, 0, BATCH);
	cr_expect_eq(batch_reap(&batch, BATCH), BATCH);
	cr_expect_eq(fake.submits, 3, "%u", fake.submits);
	batch_expect(&batch, BATCH);
	rig_end(&batch.rig);
}

Test(engine_libaio, a_kernel_without_room_gets_the_rest_later, .timeout = 30)
{
	struct batch batch;

	batch_begin(&batch);
	fake.most = 3;
	fake.full = 1;
	batch_queue(&batch, 0, BATCH);
	cr_expect_eq(batch_reap(&batch, BATCH), 3);
	cr_expect_eq(fake.last_least, 3, "%ld", fake.last_least);
	/* Three are free, and queued behind the five that wait. */
	batch_expect(&batch, 3);
	batch_queue(&batch, 0, 3);
	cr_expect_eq(batch_reap(&batch, BATCH), BATCH);
	batch_expect(&batch, BATCH);
	rig_end(&batch.rig);
}

Test(engine_libaio, a_kernel_that_never_has_room_is_an_error_of_each)
{
	struct batch batch;
	char part[256];
	unsigned int i;
	struct err err;

	batch_begin(&batch);
	fake.submits = 1;
	fake.full = 3;
	batch_queue(&batch, 0, 3);
	cr_expect_eq(batch_reap(&batch, 3), 3);
	for (i = 0; i < 3; i++)
		cr_expect_eq(batch.ops[i].result, -EAGAIN);
	cr_expect(engine_libaio.explain(batch.rig.state, &batch.ops[1], -EAGAIN,
					&err));
	snprintf(part, sizeof(part),
		 "read %s at offset 8192: the kernel took no request",
		 batch.rig.path);
	cr_expect(strstr(err.text, part), "%s", err.text);
	cr_expect(strstr(err.text, "fs.aio-max-nr"), "%s", err.text);
	cr_expect(strstr(err.text, "nr_requests"), "%s", err.text);
	cr_expect_not(engine_libaio.explain(batch.rig.state, &batch.ops[1],
					    -EIO, &err));
	rig_end(&batch.rig);
}

/* The kernel refuses the third when it is given, and has taken two by then. */
Test(engine_libaio, one_that_is_refused_is_done_and_the_others_go_on)
{
	struct batch batch;

	batch_begin(&batch);
	batch_queue(&batch, 0, 2);
	batch.ops[2] = (struct io_op){ .slot = 2,
				       .offset_bytes = UINT64_MAX,
				       .size_bytes = 4096 };
	engine_libaio.submit(batch.rig.state, &batch.ops[2]);
	batch_queue(&batch, 3, 2);
	cr_expect_eq(batch_reap(&batch, 5), 5);
	cr_expect_eq(batch.ops[2].result, -EINVAL, "%ld", batch.ops[2].result);
	cr_expect_eq(batch.done[0], &batch.ops[2]);
	batch_expect(&batch, 2);
	cr_expect_eq(batch.ops[3].result, 4096);
	cr_expect_eq(batch.ops[4].result, 4096);
	rig_end(&batch.rig);
}

Test(engine_libaio, a_signal_ends_the_wait_and_loses_nothing)
{
	struct batch batch;

	batch_begin(&batch);
	fake.interrupted = 1;
	batch_queue(&batch, 0, BATCH);
	cr_expect_eq(batch_reap(&batch, BATCH), 0);
	cr_expect_eq(batch_reap(&batch, BATCH), BATCH);
	cr_expect_eq(fake.submits, 1, "%u", fake.submits);
	batch_expect(&batch, BATCH);
	rig_end(&batch.rig);
}

Test(engine_libaio, too_many_requests_name_the_limit_and_what_is_in_use)
{
	struct engine_rig rig;
	char part[128];
	uint64_t most;
	struct err err;

	cr_assert(!file_read_u64("", "/proc/sys/fs/aio-max-nr", &most, &err));
	memset(&fake, 0, sizeof(fake));
	rig_begin(&rig, &engine_libaio, &(struct rig_want){ 0 });
	engine_libaio.close(rig.state);
	/* More than a machine is given; nothing else of it is looked at. */
	rig.job.slots = (unsigned int)most + 1;
	cr_assert_lt(most, 1 << 26, "no test of a limit of %lu", most);
	cr_expect_eq(engine_libaio.open(&rig.job, &rig.state, &err), -EAGAIN);
	cr_expect_null(rig.state);
	snprintf(part, sizeof(part),
		 "io_setup for %" PRIu64 " requests: fs.aio-max-nr is %" PRIu64
		 " for all processes, and fs.aio-nr",
		 most + 1, most);
	cr_expect(strstr(err.text, part), "%s", err.text);
	cr_expect(strstr(err.text, "sysctl fs.aio-max-nr="), "%s", err.text);
	rig_end(&rig);
}

Test(engine_libaio, a_kernel_without_aio_is_told_when_it_is_asked_for)
{
	const struct engine_ops *ops;
	struct err err;

	memset(&fake, 0, sizeof(fake));
	fake.setup_code = -ENOSYS;
	cr_expect_eq(engine_find("libaio", &ops, &err), -ENOSYS);
	cr_expect(strstr(err.text, "this kernel has no Linux aio"), "%s",
		  err.text);
	fake.setup_code = 0;
	cr_expect_eq(engine_find("libaio", &ops, &err), 0);
}
