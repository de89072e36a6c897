// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/thread_limits.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/base/units.h"

/* The line of /proc/self/cgroup that pids are limited by, and its mount. */
static char *pids_group_path(char *groups)
{
	char *line, *rest = NULL;
	char *found = NULL;

	for (line = strtok_r(groups, "\n", &rest); line && !found;
	     line = strtok_r(NULL, "\n", &rest)) {
		char *names = strchr(line, ':');
		char *path = names ? strchr(names + 1, ':') : NULL;

		if (!path)
			continue;
		*path++ = '\0';
		if (!strcmp(names, ":"))
			found = text_format("/sys/fs/cgroup%s/pids.max", path);
		else if (!strcmp(names, ":pids"))
			found = text_format("/sys/fs/cgroup/pids%s/pids.max",
					    path);
	}
	return found;
}

static void print_pids_max(FILE *out)
{
	char *groups = NULL, *path = NULL, *limit = NULL;

	if (!file_read_text("", "/proc/self/cgroup", &groups, NULL))
		path = pids_group_path(groups);
	if (path && !file_read_text("", path, &limit, NULL))
		fprintf(out, "pids.max %s, ", limit);
	free(limit);
	free(path);
	free(groups);
}

int thread_limits_say(int code, unsigned int number, unsigned int count,
		      struct err *err)
{
	uint64_t machine = 0;
	struct rlimit user, space;
	char *limits = NULL;
	size_t size;
	FILE *out = open_memstream(&limits, &size);

	if (out) {
		print_pids_max(out);
		if (!getrlimit(RLIMIT_NPROC, &user) &&
		    user.rlim_cur != RLIM_INFINITY)
			fprintf(out, "ulimit -u %" PRIu64 ", ",
				(uint64_t)user.rlim_cur);
		if (!file_read_u64("", "/proc/sys/kernel/threads-max", &machine,
				   NULL))
			fprintf(out, "threads-max %" PRIu64 ", ", machine);
		/* Their stacks. */
		if (!getrlimit(RLIMIT_AS, &space) &&
		    space.rlim_cur != RLIM_INFINITY)
			fprintf(out, "ulimit -v %" PRIu64 ", ",
				(uint64_t)space.rlim_cur / KIB);
		fputs("memory", out);
		fclose(out);
	}
	err_say(err, code,
		"thread %u of %u could not be made: %s (limits: %s; lower -p or "
		"raise them)",
		number + 1, count, strerror(-code), limits ? limits : "memory");
	free(limits);
	return code;
}
