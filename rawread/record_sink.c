// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/record_sink.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/units.h"
#include "lib/record/record.h"
#include "lib/record/store.h"

static int check_writable(int fd, struct err *err)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY)
		return 0;
	return err_say(err, -EBADF,
		       "--json: descriptor %d is not open for writing", fd);
}

int record_sink_open(const char *json, struct record_sink *sink,
		     struct err *err)
{
	uint64_t number = STDOUT_FILENO;
	size_t torn_bytes;
	int rc = 0;

	*sink = (struct record_sink){ .fd = -1 };
	if (!json)
		return 0;
	if (strcmp(json, "-") && strncmp(json, "fd:", 3)) {
		rc = store_prepare(json, &torn_bytes, err);
		if (rc < 0)
			return rc;
		if (torn_bytes)
			fprintf(stderr,
				"rawread: %s: a torn last line of %zu bytes "
				"was cut off\n",
				json, torn_bytes);
		sink->path = json;
		return 0;
	}
	if (json[0] == 'f')
		rc = count_parse("--json fd:", json + 3, 0, INT_MAX, &number,
				 err);
	if (!rc)
		rc = check_writable((int)number, err);
	if (!rc)
		sink->fd = (int)number;
	return rc;
}

int record_sink_write(const struct record_sink *sink,
		      const struct run_record *run, struct err *err)
{
	json_t *line;
	int rc;

	if (!sink->path && sink->fd < 0)
		return 0;
	line = run_record_encode(run);
	if (!line)
		return err_set(err, -ENOMEM, "record of the run");
	/* What was printed before it stands before it. */
	fflush(stdout);
	rc = sink->path ? store_append(sink->path, line, err)
			: store_write_fd(sink->fd, line, err);
	json_decref(line);
	return rc;
}
