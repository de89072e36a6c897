// SPDX-License-Identifier: GPL-2.0-or-later
#include "sweep/drop.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/system/residency.h"
#include "sweep/sweep_targets.h"

#define DROP_CACHES "/proc/sys/vm/drop_caches"

int drop_files(const struct sweep_targets *targets, struct err *err)
{
	size_t i;
	int rc = 0;

	for (i = 0; !rc && i < targets->count; i++) {
		const char *path = targets->list[i].path;
		int fd = open(path, O_RDONLY | O_CLOEXEC);

		if (fd < 0)
			return err_set(err, -errno, "open %s", path);
		rc = residency_drop(fd, err);
		close(fd);
	}
	return rc;
}

static int say_refused(int code, struct err *err)
{
	return err_say(err, code,
		       "write %s: %s; start with sudo outside of a container, "
		       "or use --flush fadvise",
		       DROP_CACHES, strerror(-code));
}

int drop_caches_check(struct err *err)
{
	int fd = open(DROP_CACHES, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return say_refused(-errno, err);
	close(fd);
	return 0;
}

int drop_caches(struct err *err)
{
	int rc;

	/* Dirty pages are not dropped. */
	sync();
	rc = file_write_text("", DROP_CACHES, "1", err);
	return rc < 0 ? say_refused(rc, err) : 0;
}
