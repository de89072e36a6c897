// SPDX-License-Identifier: GPL-2.0-or-later
/* One thread fails, before the start or in between: the others come home. */
#include <errno.h>
#include <stdatomic.h>

#include "tests/race/race.h"

static atomic_uint opened, submitted;
static unsigned int fail_open_at, fail_submit_at;

static int failing_open(const struct engine_job *job, void **state,
			struct err *err)
{
	*state = NULL;
	if (atomic_fetch_add(&opened, 1) + 1 == fail_open_at)
		return err_set(err, -EMFILE, "open %s", job->files[0].path);
	return 0;
}

static int failing_submit(void *state, struct io_op *op)
{
	(void)state;
	op->result = (int64_t)op->size_bytes;
	if (atomic_fetch_add(&submitted, 1) + 1 == fail_submit_at)
		op->result = -EIO;
	return 0;
}

static void failing_close(void *state)
{
	(void)state;
}

static const struct engine_ops engine_failing = {
	.name = "failing",
	.open = failing_open,
	.submit = failing_submit,
	.close = failing_close,
};

static void check_failure(const char *words, const char *path, int code,
			  const char *text)
{
	struct run_samples samples;
	struct setup setup;
	struct err err;
	int rc;

	opened = submitted = 0;
	rc = race_run(words, path, &engine_failing, &setup, &samples, &err);
	CHECK(rc == code, "%d: %s", rc, err.text);
	CHECK(strstr(err.text, text), "%s", err.text);
	CHECK(strstr(err.text, path), "%s", err.text);
	CHECK(!samples.threads, "there are samples");
	run_samples_free(&samples);
	setup_free(&setup);
}

int main(void)
{
	const char *path = race_file();
	unsigned int i;

	for (i = 1; i <= 8; i++) {
		fail_open_at = i;
		fail_submit_at = 0;
		check_failure("-p 8 -s 1k --pin none", path, -EMFILE, "open ");
		CHECK(!submitted, "%u reads after a failed open", submitted);
		fail_open_at = 0;
		fail_submit_at = i * 17;
		check_failure("-p 8 -s 1k", path, -EIO, "read ");
		check_failure("-p 8 -s 1k -n 1000000 --layout shared", path,
			      -EIO, "Input/output error");
	}
	unlink(path);
	return 0;
}
