// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/file_id.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/err.h"

int file_id_check(int fd, const char *path, const struct file_id *id,
		  struct err *err)
{
	struct stat st;
	bool is_same;

	if (!id->dev)
		return 0;
	if (fstat(fd, &st) < 0)
		return err_set(err, -errno, "stat %s", path);
	if (S_ISBLK(st.st_mode))
		is_same = !id->inode && st.st_rdev == id->dev;
	else
		is_same = st.st_dev == id->dev && st.st_ino == id->inode;
	return is_same ? 0
		       : err_say(err, -ESTALE,
				 "%s became another file meanwhile; start "
				 "again",
				 path);
}

/* What is there may be of a kind that cannot be opened so. */
static int say_open_fault(const char *path, const struct file_id *id, int code,
			  struct err *err)
{
	int fd = open(path, O_PATH | O_CLOEXEC);
	int rc = fd < 0 ? 0 : file_id_check(fd, path, id, err);

	if (fd >= 0)
		close(fd);
	return rc == -ESTALE ? rc : err_set(err, code, "open %s", path);
}

int file_id_open(const char *path, int flags, const struct file_id *id,
		 struct err *err)
{
	int fd = open(path, flags | O_NONBLOCK | O_CLOEXEC), rc;

	if (fd < 0)
		return say_open_fault(path, id, -errno, err);
	rc = file_id_check(fd, path, id, err);
	/* Some file systems (9p) read less at a time with it. */
	if (!rc && !(flags & O_NONBLOCK)) {
		int is = fcntl(fd, F_GETFL);

		if (is < 0 || fcntl(fd, F_SETFL, is & ~O_NONBLOCK) < 0)
			rc = err_set(err, -errno, "open %s", path);
	}
	if (rc < 0) {
		close(fd);
		return rc;
	}
	return fd;
}
