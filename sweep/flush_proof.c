// SPDX-License-Identifier: GPL-2.0-or-later
#include "sweep/flush_proof.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/record/record.h"
#include "lib/system/residency.h"
#include "sweep/drop.h"
#include "sweep/flush.h"
#include "sweep/sweep_targets.h"

/* What the cache still holds, and of which file. */
struct leftover {
	const struct sweep_target *target; /* NULL: nothing is known to be */
	uint64_t resident_bytes;
	uint64_t dirty_bytes;
};

static int ask_target(const struct sweep_target *target,
		      struct leftover *leftover, struct err *err)
{
	struct residency residency;
	int fd, rc;

	fd = open(target->path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return err_set(err, -errno, "open %s", target->path);
	rc = residency_read(fd, 0, target->size_bytes, &residency, err);
	close(fd);
	if (rc < 0 || !residency.known || !residency.resident_bytes)
		return rc;
	leftover->target = target;
	leftover->resident_bytes = residency.resident_bytes;
	leftover->dirty_bytes = residency.dirty_bytes;
	return 0;
}

/* The first file that has something left stands for all. */
static int ask(const struct sweep_targets *targets, struct leftover *leftover,
	       struct err *err)
{
	size_t i;
	int rc = 0;

	*leftover = (struct leftover){ 0 };
	for (i = 0; !rc && !leftover->target && i < targets->count; i++)
		rc = ask_target(&targets->list[i], leftover, err);
	return rc;
}

/* Appends @more, which is freed, to @text. Returns 0 or -ENOMEM. */
static int text_append(char **text, const char *between, char *more)
{
	char *both = NULL;

	if (more)
		both = *text ? text_format("%s%s%s", *text, between, more)
			     : strdup(more);
	free(more);
	if (!both)
		return -ENOMEM;
	free(*text);
	*text = both;
	return 0;
}

static char *why(const struct leftover *leftover, const char *method,
		 const char *alive)
{
	char dirty[96] = "";

	if (leftover->dirty_bytes)
		snprintf(dirty, sizeof(dirty),
			 ", %llu of them dirty or being written",
			 (unsigned long long)leftover->dirty_bytes);
	return text_format("%llu bytes of %s were still in memory after %s%s"
			   "%s%s",
			   (unsigned long long)leftover->resident_bytes,
			   leftover->target->path, method, dirty,
			   alive ? ", since " : "", alive ? alive : "");
}

/* One step down. That it failed is one more cause, and no error. */
static int step(const struct flush *flush, const char *name,
		struct leftover *leftover, struct run_flush *result,
		struct err *err)
{
	struct err failed;
	char *cause;
	int rc;

	if (!strcmp(name, flush_fadvise.name))
		rc = drop_files(flush->targets, &failed);
	else
		rc = drop_caches(&failed);
	if (text_append(&result->fallback, ", ", strdup(name)) < 0)
		return err_set(err, -ENOMEM, "flush");
	if (!rc) {
		rc = ask(flush->targets, leftover, err);
		if (rc < 0 || !leftover->target)
			return rc;
		cause = why(leftover, name, NULL);
	} else {
		cause = strdup(failed.text);
	}
	if (text_append(&result->cause, "; ", cause) < 0)
		return err_set(err, -ENOMEM, "flush");
	return 0;
}

int flush_prove(const struct flush *flush, const char *alive,
		struct run_flush *result, bool *is_left, struct err *err)
{
	struct leftover leftover;
	int rc;

	*is_left = false;
	rc = ask(flush->targets, &leftover, err);
	if (rc < 0 || !leftover.target)
		return rc;
	if (text_append(&result->cause, "",
			why(&leftover, flush->method->name, alive)) < 0)
		return err_set(err, -ENOMEM, "flush");
	if (flush->method == &flush_remount)
		rc = step(flush, flush_fadvise.name, &leftover, result, err);
	if (!rc && leftover.target && flush->may_drop_caches &&
	    flush->method != &flush_drop_caches)
		rc = step(flush, flush_drop_caches.name, &leftover, result,
			  err);
	*is_left = leftover.target != NULL;
	return rc;
}
