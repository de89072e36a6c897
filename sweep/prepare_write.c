// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/content.h"
#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/base/stop.h"
#include "lib/base/units.h"
#include "lib/system/prepared.h"
#include "sweep/prepare.h"
#include "sweep/progress.h"

#define CHUNK_BYTES MIB

/*
 * From the path, by FNV-1a: a device or file system that shares equal blocks
 * would else read one file for another.
 */
static uint64_t seed_of(const char *path)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *path; path++)
		hash = (hash ^ (unsigned char)*path) * UINT64_C(0x100000001b3);
	return hash;
}

static int write_data(int fd, const struct prepare *prepare, size_t index,
		      struct progress *progress, struct err *err)
{
	const char *path = prepare->files[index].path;
	uint64_t *words = malloc(CHUNK_BYTES), done = 0;
	const uint64_t size_bytes = prepare->size_bytes;
	uint64_t seed = seed_of(path);
	int rc = 0;

	if (!words)
		return err_set(err, -ENOMEM, "write %s", path);
	while (!rc && done < size_bytes) {
		uint64_t chunk = size_bytes - done < CHUNK_BYTES
					 ? size_bytes - done
					 : CHUNK_BYTES;

		if (stop_asked()) {
			rc = err_say(err, -EINTR, "stopped before %s was done",
				     path);
			break;
		}
		content_fill(seed, done / sizeof(*words), words,
			     CHUNK_BYTES / sizeof(*words));
		rc = fd_write_all(fd, words, chunk);
		if (rc < 0)
			err_set(err, rc, "write %s at %llu of %llu bytes", path,
				(unsigned long long)done,
				(unsigned long long)size_bytes);
		/* Begin now what the fsync would otherwise wait for alone. */
		sync_file_range(fd, (off_t)done, (off_t)chunk,
				SYNC_FILE_RANGE_WRITE);
		done += chunk;
		progress_show(
			progress, index * size_bytes + done,
			prepare->count * size_bytes, "file %zu of %zu, %llu %%",
			index + 1, prepare->count,
			(unsigned long long)(done / (size_bytes / 100 + 1)));
	}
	free(words);
	return rc;
}

/* A file system that cannot keep the mark keeps the file. */
static int write_mark(int fd, struct prepare_file *file, struct err *err)
{
	int rc = prepared_write(fd, seed_of(file->path), err);

	file->unmarked = rc == -EOPNOTSUPP;
	return file->unmarked ? 0 : rc;
}

static int check_whole(int fd, const char *path, uint64_t size_bytes,
		       struct err *err)
{
	uint64_t missing_bytes;
	int rc = prepare_missing_bytes(fd, size_bytes, &missing_bytes, err);

	if (rc < 0 || !missing_bytes)
		return rc;
	return err_say(err, -EIO,
		       "%s: the file system keeps %llu of the %llu bytes "
		       "written as holes, unwritten or compressed",
		       path, (unsigned long long)missing_bytes,
		       (unsigned long long)size_bytes);
}

/* Not over a file that came while ours was written, unless that is asked. */
static int give_name(const char *from, const char *to, bool replace,
		     struct err *err)
{
	int failed = renameat2(AT_FDCWD, from, AT_FDCWD, to,
			       replace ? 0 : RENAME_NOREPLACE);

	/* Some file systems have no flags there. */
	if (failed && errno == EINVAL)
		failed = rename(from, to);
	return failed ? err_set(err, -errno, "rename %s to %s", from, to) : 0;
}

static int sync_dir(const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), rc = 0;

	if (fd < 0)
		return err_set(err, -errno, "open %s", path);
	if (fsync(fd) < 0)
		rc = err_set(err, -errno, "sync %s", path);
	close(fd);
	return rc;
}

int prepare_write(struct prepare *prepare, size_t index,
		  struct progress *progress, struct err *err)
{
	const char *path = prepare->files[index].path;
	const char *name = strrchr(path, '/');
	char *dir = strndup(path, (size_t)(name - path) + 1);
	char *temporary = NULL;
	int fd = -1, rc;

	if (dir)
		temporary =
			text_format("%s.%s.%d", dir, name + 1, (int)getpid());
	if (!temporary) {
		rc = err_set(err, -ENOMEM, "write %s", path);
		goto out;
	}
	fd = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0) {
		rc = err_set(err, -errno, "create %s", temporary);
		goto out;
	}
	rc = write_data(fd, prepare, index, progress, err);
	if (!rc)
		rc = write_mark(fd, &prepare->files[index], err);
	if (!rc && fsync(fd) < 0)
		rc = err_set(err, -errno, "sync %s", temporary);
	if (!rc)
		rc = check_whole(fd, path, prepare->size_bytes, err);
	if (!rc)
		rc = give_name(temporary, path, prepare->replace, err);
	if (rc < 0)
		unlink(temporary);
	else
		rc = sync_dir(dir, err);
out:
	if (fd >= 0)
		close(fd);
	free(temporary);
	free(dir);
	return rc;
}
