// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/system/prepared.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include "lib/base/err.h"
#include "lib/base/file.h"

/* The number of the format stands first. */
#define MARK_PRINT "1 seed=%016" PRIx64 " size=%" PRIu64 " inode=%" PRIu64
#define MARK_SCAN \
	"1 seed=%16" SCNx64 " size=%20" SCNu64 " inode=%20" SCNu64 "%n"

/* Longer than any of ours. */
#define MARK_ROOM 128

static int stat_fd(int fd, struct stat *st, struct err *err)
{
	return fstat(fd, st) < 0 ? fd_err(err, -errno, fd, "stat") : 0;
}

int prepared_write(int fd, uint64_t seed, struct err *err)
{
	char text[MARK_ROOM];
	struct stat st;
	int length, rc;

	rc = stat_fd(fd, &st, err);
	if (rc < 0)
		return rc;
	length = snprintf(text, sizeof(text), MARK_PRINT, seed,
			  (uint64_t)st.st_size, (uint64_t)st.st_ino);
	if (fsetxattr(fd, PREPARED_NAME, text, (size_t)length, 0) < 0)
		return fd_err(err, -errno, fd, "set " PREPARED_NAME " of");
	return 0;
}

/* err_say() of "PATH" and @what about it. */
static int say(struct err *err, int code, int fd, const char *what)
{
	char *link = text_format("/proc/self/fd/%d", fd);
	char *path = link ? realpath(link, NULL) : NULL;

	err_say(err, code, "%s %s", path ? path : "an open file", what);
	free(path);
	free(link);
	return code;
}

int prepared_read(int fd, struct prepared *mark, struct err *err)
{
	char text[MARK_ROOM];
	ssize_t length;
	struct stat st;
	int used = 0, rc;

	*mark = (struct prepared){ 0 };
	rc = stat_fd(fd, &st, err);
	if (rc < 0)
		return rc;
	length = fgetxattr(fd, PREPARED_NAME, text, sizeof(text) - 1);
	if (length < 0 && errno == ENODATA)
		return say(err, -ENODATA, fd,
			   "has no mark of 'rawread prepare'");
	if (length < 0 && errno == EOPNOTSUPP)
		return say(err, -EOPNOTSUPP, fd,
			   "can have no mark of 'rawread prepare': its file "
			   "system keeps no extended attributes of users");
	if (length < 0 && errno != ERANGE)
		return fd_err(err, -errno, fd, "read " PREPARED_NAME " of");
	text[length < 0 ? 0 : length] = '\0';
	if (sscanf(text, MARK_SCAN, &mark->seed, &mark->size_bytes,
		   &mark->inode, &used) != 3 ||
	    used != length)
		rc = say(err, -ENODATA, fd,
			 "has a " PREPARED_NAME " that 'rawread prepare' of "
			 "this version does not write");
	else if (mark->inode != st.st_ino)
		rc = say(err, -ENODATA, fd,
			 "is a copy of a file that 'rawread prepare' made");
	else if (mark->size_bytes != (uint64_t)st.st_size)
		rc = say(err, -ENODATA, fd,
			 "has another size than 'rawread prepare' gave it");
	if (rc < 0)
		*mark = (struct prepared){ 0 };
	return rc;
}
