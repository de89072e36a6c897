// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/file_id.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/stat.h>

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
