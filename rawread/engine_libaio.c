// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Linux aio: requests are queued, given to the kernel together, and waited
 * for. The calls of libaio return -errno and leave errno alone.
 */
#include <errno.h>
#include <inttypes.h>
#include <libaio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/base/units.h"
#include "rawread/engine.h"
#include "rawread/engine_files.h"

struct libaio_state {
	const struct engine_job *job;
	io_context_t context;
	bool are_open;		/* the files */
	unsigned int in_flight; /* the kernel has them */
	unsigned int queued;	/* and these not yet */
	struct iocb *iocbs;	/* one for each slot */
	struct iocb **queue;	/* as many */
	struct io_event *events;
	struct engine_fd fds[]; /* one for each file of the job */
};

static int say_setup_fault(unsigned int slots, int code, struct err *err)
{
	uint64_t most = 0, used = 0;

	if (code == -ENOSYS)
		return err_say(err, code,
			       "engine libaio: this kernel has no Linux aio "
			       "(CONFIG_AIO), or does not let us call it");
	if (code != -EAGAIN ||
	    file_read_u64("", "/proc/sys/fs/aio-max-nr", &most, NULL) < 0 ||
	    file_read_u64("", "/proc/sys/fs/aio-nr", &used, NULL) < 0)
		return err_set(err, code, "io_setup for %u request%s", slots,
			       plural(slots));
	return err_say(err, code,
		       "io_setup for %u request%s: fs.aio-max-nr is %" PRIu64
		       " for all processes, and fs.aio-nr, what is in use, is "
		       "%" PRIu64
		       "; raise it with 'sysctl fs.aio-max-nr=N', or lower -p",
		       slots, plural(slots), most, used);
}

static int libaio_probe(struct err *err)
{
	io_context_t context = NULL;
	int rc = io_setup(1, &context);

	if (rc < 0)
		return say_setup_fault(1, rc, err);
	io_destroy(context);
	return 0;
}

static void libaio_close(void *state)
{
	struct libaio_state *as = state;

	if (!as)
		return;
	/* Waits for what is in flight: the buffers are not ours to keep. */
	if (as->context)
		io_destroy(as->context);
	if (as->are_open)
		engine_files_close(as->job, as->fds);
	free(as->iocbs);
	free(as->queue);
	free(as->events);
	free(as);
}

static int setup(struct libaio_state *as, struct err *err)
{
	unsigned int slots = as->job->slots;
	int rc = io_setup((int)slots, &as->context);

	if (rc < 0) {
		as->context = NULL;
		return say_setup_fault(slots, rc, err);
	}
	as->iocbs = calloc(slots, sizeof(*as->iocbs));
	as->queue = calloc(slots, sizeof(*as->queue));
	as->events = calloc(slots, sizeof(*as->events));
	if (!as->iocbs || !as->queue || !as->events)
		return err_set(err, -ENOMEM, "engine libaio for %u requests",
			       slots);
	return 0;
}

static int libaio_open(const struct engine_job *job, void **state,
		       struct err *err)
{
	struct libaio_state *as;
	int rc;

	*state = NULL;
	as = calloc(1, sizeof(*as) + job->file_count * sizeof(as->fds[0]));
	if (!as)
		return err_set(err, -ENOMEM, "engine libaio");
	as->job = job;
	rc = setup(as, err);
	if (!rc)
		rc = engine_files_open(job, as->fds, err);
	as->are_open = !rc;
	if (rc < 0)
		libaio_close(as);
	else
		*state = as;
	return rc;
}

static int libaio_begin(void *state, struct err *err)
{
	const struct libaio_state *as = state;

	return engine_files_advise(as->job, as->fds, err);
}

static int libaio_submit(void *state, struct io_op *op)
{
	struct libaio_state *as = state;
	const struct engine_job *job = as->job;
	struct iocb *iocb = &as->iocbs[op->slot];
	char *buffer = job->buffer + op->slot * job->slot_bytes;

	*iocb = (struct iocb){
		.data = op,
		.aio_lio_opcode = job->is_write ? IO_CMD_PWRITE : IO_CMD_PREAD,
		.aio_fildes = as->fds[op->file].fd,
		.u.c = {
			.buf = buffer + engine_roll(job, op),
			.nbytes = op->size_bytes,
			.offset = (long long)op->offset_bytes,
		},
	};
	as->queue[as->queued++] = iocb;
	return 1;
}

/*
 * Gives the kernel what is queued. It may take a part, and the call tells of
 * an error only when it befell the first: that one is done, with the error.
 * Where the kernel has no room (EAGAIN) the rest waits for what is in flight.
 * Returns how many were put into @done.
 */
static unsigned int give(struct libaio_state *as, struct io_op **done,
			 unsigned int max_ops)
{
	unsigned int count = 0, first = 0;

	while (first < as->queued && count < max_ops) {
		struct iocb **head = as->queue + first;
		struct io_op *op = head[0]->data;
		int rc = io_submit(as->context, (long)(as->queued - first),
				   head);

		if (rc == -EAGAIN && as->in_flight)
			break;
		if (rc > 0) {
			as->in_flight += (unsigned int)rc;
			first += (unsigned int)rc;
		} else {
			op->result = rc ? rc : -EAGAIN;
			done[count++] = op;
			first++;
		}
	}
	as->queued -= first;
	if (first && as->queued)
		memmove(as->queue, as->queue + first,
			as->queued * sizeof(*as->queue));
	return count;
}

static int libaio_reap(void *state, struct io_op **done, unsigned int min_ops,
		       unsigned int max_ops)
{
	struct libaio_state *as = state;
	unsigned int count = give(as, done, max_ops), least, most;
	int rc, i;

	if (count == max_ops || !as->in_flight)
		return (int)count;
	/* More than there are in flight would be waited for without end. */
	least = min_ops > count ? min_ops - count : 0;
	if (least > as->in_flight)
		least = as->in_flight;
	most = max_ops - count;
	if (most > as->in_flight)
		most = as->in_flight;
	rc = io_getevents(as->context, (long)least, (long)most, as->events,
			  NULL);
	if (rc == -EINTR)
		return (int)count;
	if (rc < 0)
		return count ? (int)count : rc;
	for (i = 0; i < rc; i++) {
		struct io_op *op = as->events[i].data;

		/* -errno in a field that has no sign, of 32 bits on some. */
		op->result = (int64_t)(long)as->events[i].res;
		done[count++] = op;
	}
	as->in_flight -= (unsigned int)rc;
	return (int)count;
}

/*
 * What is in flight makes room when it is done, and it was not, or there was
 * none: the kernel does not say which of its limits it was.
 */
static bool libaio_explain(const void *state, const struct io_op *op, int code,
			   struct err *err)
{
	const struct libaio_state *as = state;
	const struct engine_job *job = as->job;
	uint64_t most = 0;

	if (code != -EAGAIN ||
	    file_read_u64("", "/proc/sys/fs/aio-max-nr", &most, NULL) < 0)
		return false;
	err_say(err, code,
		"%s %s at offset %" PRIu64
		": the kernel took no request (io_submit: EAGAIN) while none "
		"was in flight: it is short of memory, or of requests, of "
		"which fs.aio-max-nr gives %" PRIu64
		" to all processes and nr_requests some to each device; raise "
		"them, or lower -p",
		job->is_write ? "write" : "read", job->files[op->file].path,
		op->offset_bytes, most);
	return true;
}

static int libaio_finish(void *state, struct err *err)
{
	const struct libaio_state *as = state;

	return as->job->is_write ? engine_files_sync(as->job, as->fds, err) : 0;
}

const struct engine_ops engine_libaio = {
	.name = "libaio",
	.summary = "Linux aio: io_submit(2), io_getevents(2); writes end in "
		   "fsync(2)",
	.reads = true,
	.writes = true,
	.fills_buffer = true,
	.probe = libaio_probe,
	.open = libaio_open,
	.begin = libaio_begin,
	.submit = libaio_submit,
	.reap = libaio_reap,
	.finish = libaio_finish,
	.explain = libaio_explain,
	.close = libaio_close,
};
