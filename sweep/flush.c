// SPDX-License-Identifier: GPL-2.0-or-later
#include "sweep/flush.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/err.h"
#include "lib/record/record.h"
#include "sweep/drop.h"
#include "sweep/flush_proof.h"
#include "sweep/remount_check.h"
#include "sweep/sweep_targets.h"

static int remount_method_open(struct flush *flush, struct err *err)
{
	return remount_open(flush->targets, &flush->remount, err);
}

static int remount_method_run(struct flush *flush, char **alive,
			      struct err *err)
{
	return remount_cycle(&flush->remount, alive, err);
}

static void remount_method_close(struct flush *flush)
{
	remount_close(&flush->remount);
}

const struct flush_method flush_remount = {
	.name = "remount",
	.is_cold = true,
	.check = remount_check,
	.open = remount_method_open,
	.run = remount_method_run,
	.close = remount_method_close,
};

static int fadvise_method_run(struct flush *flush, char **alive,
			      struct err *err)
{
	(void)alive;
	return drop_files(flush->targets, err);
}

const struct flush_method flush_fadvise = {
	.name = "fadvise",
	.is_cold = true,
	.run = fadvise_method_run,
};

static int drop_caches_method_check(const struct sweep_targets *targets,
				    const char *record_path, struct err *err)
{
	(void)targets;
	(void)record_path;
	return drop_caches_check(err);
}

static int drop_caches_method_run(struct flush *flush, char **alive,
				  struct err *err)
{
	(void)flush;
	(void)alive;
	return drop_caches(err);
}

const struct flush_method flush_drop_caches = {
	.name = "drop-caches",
	.is_cold = true,
	.check = drop_caches_method_check,
	.run = drop_caches_method_run,
};

static int none_method_run(struct flush *flush, char **alive, struct err *err)
{
	(void)flush;
	(void)alive;
	(void)err;
	return 0;
}

const struct flush_method flush_none = {
	.name = "none",
	.run = none_method_run,
};

static const struct flush_method *const methods[] = {
	&flush_remount, &flush_fadvise, &flush_drop_caches, &flush_none
};

int flush_method_parse(const char *name, const struct flush_method **method,
		       struct err *err)
{
	size_t i;

	for (i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
		if (!strcmp(methods[i]->name, name)) {
			*method = methods[i];
			return 0;
		}
	return err_say(err, -EINVAL,
		       "flush method '%s' is not known; there are remount, "
		       "fadvise, drop-caches and none",
		       name);
}

int flush_open(struct flush *flush, struct err *err)
{
	return flush->method->open ? flush->method->open(flush, err) : 0;
}

void flush_close(struct flush *flush)
{
	if (flush->method && flush->method->close)
		flush->method->close(flush);
}

int flush_run(struct flush *flush, struct run_flush *result, struct err *err)
{
	uint64_t begun_ns = clock_now_ns();
	char *alive = NULL;
	int rc;

	*result = (struct run_flush){ .method = strdup(flush->method->name) };
	if (!result->method)
		return err_set(err, -ENOMEM, "flush");
	rc = flush->method->run(flush, &alive, err);
	if (!rc && flush->method->is_cold)
		rc = flush_prove(flush, alive, result, &flush->is_left, err);
	free(alive);
	result->took_ns = clock_now_ns() - begun_ns;
	if (rc < 0)
		flush_result_free(result);
	return rc;
}

void flush_result_free(struct run_flush *result)
{
	free(result->method);
	free(result->fallback);
	free(result->cause);
	*result = (struct run_flush){ 0 };
}
