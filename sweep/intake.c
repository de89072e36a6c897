// SPDX-License-Identifier: GPL-2.0-or-later
#include "sweep/intake.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

/* More than a record has; a child that runs wild does not fill our memory. */
#define TEXT_MAX_BYTES (UINT64_C(64) << 20)

int intake_open(struct intake *intake, int *write_fd)
{
	int fds[2], rc = 0;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -errno;
	intake->fd = fcntl(fds[0], F_DUPFD_CLOEXEC, INTAKE_FD_LOWEST);
	*write_fd = fcntl(fds[1], F_DUPFD_CLOEXEC, INTAKE_FD_LOWEST);
	if (intake->fd < 0 || *write_fd < 0 ||
	    fcntl(intake->fd, F_SETFL, O_NONBLOCK) < 0)
		rc = -errno;
	close(fds[0]);
	close(fds[1]);
	if (rc < 0) {
		intake_close(intake);
		if (*write_fd >= 0)
			close(*write_fd);
		*write_fd = -1;
	}
	return rc;
}

void intake_close(struct intake *intake)
{
	if (intake->fd >= 0)
		close(intake->fd);
	intake->fd = -1;
}

/* Makes room for more than the zero at the end; false without memory. */
static bool has_room(struct intake *intake)
{
	size_t room = intake->room_bytes * 2 + 4096;
	char *grown;

	if (intake->room_bytes - intake->used_bytes >= 2)
		return true;
	if (intake->room_bytes >= TEXT_MAX_BYTES)
		return false;
	grown = realloc(intake->text, room);
	if (!grown)
		return false;
	grown[intake->used_bytes] = '\0';
	intake->text = grown;
	intake->room_bytes = room;
	return true;
}

void intake_read(struct intake *intake)
{
	char spare[4096];
	ssize_t got;

	do {
		if (!has_room(intake)) {
			got = read(intake->fd, spare, sizeof(spare));
			continue;
		}
		got = read(intake->fd, intake->text + intake->used_bytes,
			   intake->room_bytes - intake->used_bytes - 1);
		if (got <= 0)
			continue;
		intake->used_bytes += (size_t)got;
		intake->text[intake->used_bytes] = '\0';
	} while (got > 0 || (got < 0 && errno == EINTR));
	if (!got || errno != EAGAIN)
		intake_close(intake);
}
