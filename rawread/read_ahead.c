// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/read_ahead.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/record/params.h"
#include "lib/system/readahead.h"
#include "rawread/targets.h"

static bool is_changed(const struct read_ahead *read_ahead, const char *path)
{
	unsigned int i;

	for (i = 0; i < read_ahead->change_count; i++)
		if (!strcmp(read_ahead->changes[i].path, path))
			return true;
	return false;
}

/* What the value was is another run's when that has changed it. */
static int lock(const char *path, int *fd, struct err *err)
{
	int rc = 0;

	*fd = open(path, O_RDONLY | O_CLOEXEC);
	if (*fd < 0)
		return err_set(err, -errno, "open %s", path);
	if (flock(*fd, LOCK_EX | LOCK_NB) < 0)
		rc = -errno;
	if (rc == -EWOULDBLOCK)
		err_say(err, rc,
			"%s was set by another run that has not ended; start "
			"after it, or leave --read-ahead-kb out",
			path);
	else if (rc < 0)
		err_set(err, rc, "lock %s", path);
	if (rc < 0)
		close(*fd);
	return rc;
}

/* Threads that are just ending may still have a copy of the descriptor. */
static void unlock(int fd)
{
	flock(fd, LOCK_UN);
	close(fd);
}

/* Targets may share a bdi: what it was is read at the first one only. */
static int change(struct read_ahead *read_ahead, const char *path, uint64_t kib,
		  struct err *err)
{
	struct read_ahead_change *last =
		&read_ahead->changes[read_ahead->change_count];
	int rc;

	if (is_changed(read_ahead, path))
		return 0;
	rc = lock(path, &last->lock_fd, err);
	if (rc < 0)
		return rc;
	rc = readahead_read(path, &last->before_kib, err);
	if (!rc) {
		last->path = strdup(path);
		if (!last->path)
			rc = err_set(err, -ENOMEM, "read-ahead");
	}
	if (rc < 0) {
		unlock(last->lock_fd);
		return rc;
	}
	/* Also when it fails: it may have taken another value. */
	read_ahead->change_count++;
	return readahead_write(path, kib, err);
}

static int apply_to(const struct run_params *params,
		    const struct target *target, struct read_ahead *read_ahead,
		    int64_t *effective_kib, struct err *err)
{
	char *path = NULL;
	uint64_t kib;
	int rc;

	*effective_kib = -1;
	rc = readahead_path(target->fd, &path, err);
	if (rc < 0 && !params->read_ahead_given)
		return 0;
	if (rc == -ENOENT)
		return err_say(err, rc,
			       "%s: its file system has no read-ahead of its "
			       "own to set; leave --read-ahead-kb out",
			       target->path);
	if (rc < 0)
		return rc;
	if (params->read_ahead_given)
		rc = change(read_ahead, path, params->read_ahead_kib, err);
	if (!rc && !readahead_read(path, &kib, NULL))
		*effective_kib = (int64_t)kib;
	free(path);
	return rc;
}

int read_ahead_apply(const struct run_params *params,
		     const struct targets *targets,
		     struct read_ahead *read_ahead, struct err *err)
{
	unsigned int i;
	int rc = 0;

	*read_ahead = (struct read_ahead){
		.effective_kib = calloc(targets->count,
					sizeof(*read_ahead->effective_kib)),
		.changes = calloc(targets->count, sizeof(*read_ahead->changes)),
	};
	if (!read_ahead->effective_kib || !read_ahead->changes)
		rc = err_set(err, -ENOMEM, "read-ahead");
	for (i = 0; !rc && i < targets->count; i++)
		rc = apply_to(params, &targets->list[i], read_ahead,
			      &read_ahead->effective_kib[i], err);
	if (rc < 0)
		read_ahead_restore(read_ahead, NULL);
	return rc;
}

int read_ahead_restore(struct read_ahead *read_ahead, struct err *err)
{
	struct err fault;
	unsigned int i;
	int rc = 0, one;

	for (i = 0; i < read_ahead->change_count; i++) {
		const struct read_ahead_change *last = &read_ahead->changes[i];

		one = readahead_write(last->path, last->before_kib, &fault);
		if (one < 0 && !rc)
			rc = err_say(err, one,
				     "read-ahead is not as it was: %s; write "
				     "%" PRIu64 " into %s",
				     fault.text, last->before_kib, last->path);
		unlock(last->lock_fd);
		free(last->path);
	}
	read_ahead->change_count = 0;
	return rc;
}

void read_ahead_free(struct read_ahead *read_ahead)
{
	free(read_ahead->changes);
	free(read_ahead->effective_kib);
	*read_ahead = (struct read_ahead){ 0 };
}
