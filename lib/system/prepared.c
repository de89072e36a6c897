// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/system/prepared.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include "lib/base/err.h"
#include "lib/base/file.h"

/* The number of the format stands first; the last two may be "-". */
#define MARK_PRINT \
	"2 seed=%016" PRIx64 " size=%" PRIu64 " inode=%" PRIu64 " born=%s fs=%s"
#define MARK_SCAN                                                  \
	"2 seed=%16" SCNx64 " size=%20" SCNu64 " inode=%20" SCNu64 \
	" born=%31[0-9.-] fs=%32[0-9a-f-]%n"

/* Longer than any of ours. */
#define MARK_ROOM 192

#define UNKNOWN "-"

/* Since Linux 6.9; headers of long-lived distributions do not have it. */
struct fs_uuid {
	uint8_t length;
	uint8_t bytes[16];
};
#define GET_FS_UUID _IOR(0x15, 0, struct fs_uuid)

/* What a copy of a file has otherwise, though it has the same inode. */
struct identity {
	char born[32];
	char fs[33];
};

static void identity_read(int fd, struct identity *identity)
{
	struct identity is = { UNKNOWN, UNKNOWN };
	struct fs_uuid uuid = { 0 };
	struct statx stx;
	unsigned int i;

	if (!statx(fd, "", AT_EMPTY_PATH, STATX_BTIME, &stx) &&
	    stx.stx_mask & STATX_BTIME)
		snprintf(is.born, sizeof(is.born), "%lld.%09u",
			 (long long)stx.stx_btime.tv_sec,
			 stx.stx_btime.tv_nsec);
	if (!ioctl(fd, GET_FS_UUID, &uuid) && uuid.length == sizeof(uuid.bytes))
		for (i = 0; i < sizeof(uuid.bytes); i++)
			snprintf(is.fs + 2 * i, 3, "%02x", uuid.bytes[i]);
	*identity = is;
}

static int stat_fd(int fd, struct stat *st, struct err *err)
{
	return fstat(fd, st) < 0 ? fd_err(err, -errno, fd, "stat") : 0;
}

int prepared_write(int fd, uint64_t seed, struct err *err)
{
	struct identity identity;
	char text[MARK_ROOM];
	struct stat st;
	int length, rc;

	rc = stat_fd(fd, &st, err);
	if (rc < 0)
		return rc;
	identity_read(fd, &identity);
	length = snprintf(text, sizeof(text), MARK_PRINT, seed,
			  (uint64_t)st.st_size, (uint64_t)st.st_ino,
			  identity.born, identity.fs);
	if (fsetxattr(fd, PREPARED_NAME, text, (size_t)length, 0) < 0)
		return fd_err(err, -errno, fd, "set " PREPARED_NAME " of");
	return 0;
}

/* Another kernel may not tell what was known to the one before. */
static bool is_known(const char *one, const char *other)
{
	return strcmp(one, UNKNOWN) != 0 && strcmp(other, UNKNOWN) != 0;
}

/*
 * Whether what can be compared is the same; @is_weak: the births cannot. On one
 * file system, an inode is used again, and the UUID is the same.
 */
static bool identity_fits(const struct identity *marked,
			  const struct identity *now, bool *is_weak)
{
	bool births = is_known(marked->born, now->born);
	bool systems = is_known(marked->fs, now->fs);

	*is_weak = !births;
	return (!births || !strcmp(marked->born, now->born)) &&
	       (!systems || !strcmp(marked->fs, now->fs));
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
	struct identity marked, now;
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
	identity_read(fd, &now);
	if (!strncmp(text, "1 ", 2))
		rc = say(err, -ENODATA, fd,
			 "has a mark of an earlier version, which its copies "
			 "would have too; take it away, and prepare it again");
	else if (sscanf(text, MARK_SCAN, &mark->seed, &mark->size_bytes,
			&mark->inode, marked.born, marked.fs, &used) != 5 ||
		 used != length)
		rc = say(err, -ENODATA, fd,
			 "has a " PREPARED_NAME " that 'rawread prepare' of "
			 "this version does not write");
	else if (mark->inode != st.st_ino ||
		 !identity_fits(&marked, &now, &mark->is_weak))
		rc = say(err, -ENODATA, fd,
			 "is a copy of a file that 'rawread prepare' made");
	else if (mark->size_bytes != (uint64_t)st.st_size)
		rc = say(err, -ENODATA, fd,
			 "has another size than 'rawread prepare' gave it");
	if (rc < 0)
		*mark = (struct prepared){ 0 };
	return rc;
}
