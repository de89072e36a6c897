// SPDX-License-Identifier: GPL-2.0-or-later
#include "sweep/prepare.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/system/claims.h"
#include "lib/system/extents.h"
#include "lib/system/mounts.h"

int prepare_missing_bytes(int fd, uint64_t size_bytes, uint64_t *missing_bytes,
			  struct err *err)
{
	struct extent_shares shares;
	off_t hole;
	int rc;

	*missing_bytes = 0;
	rc = extents_read(fd, 0, size_bytes, &shares, err);
	if (rc < 0)
		return rc;
	*missing_bytes = shares.hole_bytes + shares.unwritten_bytes +
			 shares.encoded_bytes;
	if (shares.known)
		return 0;
	/* Less exact: unwritten extents count as data once they are cached. */
	hole = lseek(fd, 0, SEEK_HOLE);
	if (hole >= 0 && (uint64_t)hole < size_bytes)
		*missing_bytes = size_bytes - (uint64_t)hole;
	return 0;
}

/*
 * Taking the name from what the kernel uses loses it when that ends, and a file
 * that is swapped on would stay after all. Guesses count for writing into it.
 */
static int check_unused(int fd, const char *path, struct err *err)
{
	struct claim claim;
	int rc = claim_of_file("", fd, &claim, err);

	if (!rc && claim.holder && !claim.is_guess)
		rc = err_say(err, -EBUSY, "%s is %s; %s first", path,
			     claim.holder, claim.cure);
	claim_free(&claim);
	return rc;
}

/* An existing file is kept when it could have been written by us. */
static int look_at_file(struct prepare_file *file, const struct stat *st,
			uint64_t size_bytes, bool replace, struct err *err)
{
	bool has_size = (uint64_t)st->st_size == size_bytes;
	uint64_t missing_bytes = 0;
	int fd, rc = 0;

	if (!has_size && !replace)
		return err_say(err, -EEXIST,
			       "%s exists and has %llu bytes, not %llu; "
			       "--force replaces it",
			       file->path, (unsigned long long)st->st_size,
			       (unsigned long long)size_bytes);
	/* What may not be read is told by its name; a FIFO that took its place
	 * is not waited for.
	 */
	fd = open(file->path, (has_size ? O_RDONLY : O_PATH) | O_NOFOLLOW |
				      O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return err_set(err, -errno, "open %s", file->path);
	if (has_size)
		rc = prepare_missing_bytes(fd, size_bytes, &missing_bytes, err);
	file->whole = !rc && has_size && !missing_bytes;
	if (!rc && !file->whole && replace)
		rc = check_unused(fd, file->path, err);
	close(fd);
	if (rc < 0 || file->whole || replace)
		return rc;
	return err_say(err, -EEXIST,
		       "%s exists, and %llu of its %llu bytes are holes, "
		       "unwritten or compressed; --force replaces it",
		       file->path, (unsigned long long)missing_bytes,
		       (unsigned long long)size_bytes);
}

/*
 * A mount that was forgotten leaves a directory that looks the same. Where the
 * mount is not shown (in a chroot), or not told (before Linux 5.8), nothing is
 * claimed.
 */
static int find_mount(const char *real_dir, struct prepare_file *file,
		      struct err *err)
{
	struct mount_entry mount;
	int fd, rc;

	fd = open(real_dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return err_set(err, -errno, "open %s", real_dir);
	rc = mount_of_fd(fd, &mount, err);
	close(fd);
	if (rc == -ENOENT || rc == -EOPNOTSUPP)
		return 0;
	if (rc < 0)
		return rc;
	if (strcmp(mount.target, real_dir)) {
		file->lies_on = strdup(mount.target);
		if (!file->lies_on)
			rc = err_set(err, -ENOMEM, "prepare %s", real_dir);
	}
	mount_free(&mount);
	return rc;
}

static int look_at_dir(const char *dir, uint64_t size_bytes, bool replace,
		       struct prepare_file *file, struct err *err)
{
	char *real = realpath(dir, NULL);
	struct stat st;
	int rc = 0;

	if (!real)
		return err_say(err, -errno,
			       "open %s: %s; it has to be there before", dir,
			       strerror(errno));
	if (stat(real, &st) < 0)
		rc = err_set(err, -errno, "stat %s", dir);
	else if (!S_ISDIR(st.st_mode))
		rc = err_say(err, -ENOTDIR,
			     "%s is not a directory; name the one that is to "
			     "hold %s",
			     dir, PREPARE_NAME);
	file->dev = st.st_dev;
	if (!rc)
		rc = find_mount(real, file, err);
	if (!rc)
		file->path = text_format("%s/" PREPARE_NAME,
					 strcmp(real, "/") ? real : "");
	free(real);
	if (rc < 0)
		return rc;
	if (!file->path)
		return err_set(err, -ENOMEM, "prepare %s", dir);
	if (lstat(file->path, &st) < 0)
		return errno == ENOENT
			       ? 0
			       : err_set(err, -errno, "stat %s", file->path);
	if (!S_ISREG(st.st_mode))
		return err_say(err, -EEXIST,
			       "%s exists and is not a regular file; move it "
			       "away",
			       file->path);
	return look_at_file(file, &st, size_bytes, replace, err);
}

static int check_once(const struct prepare *prepare, const char *dir,
		      struct err *err)
{
	const struct prepare_file *last = &prepare->files[prepare->count - 1];
	size_t i;

	for (i = 0; i + 1 < prepare->count; i++)
		if (!strcmp(prepare->files[i].path, last->path))
			return err_say(err, -EINVAL,
				       "%s is given twice; name it once", dir);
	return 0;
}

/* All that will be written to the file system of file @index, at once. */
static int check_space(const struct prepare *prepare, size_t index,
		       struct err *err)
{
	const struct prepare_file *file = &prepare->files[index];
	uint64_t need_bytes = 0, had_bytes;
	unsigned int number = 0;
	struct statvfs fs;
	size_t i;
	int fd, rc = 0;
	char *dir = strndup(file->path,
			    (size_t)(strrchr(file->path, '/') - file->path));

	if (!dir)
		return err_set(err, -ENOMEM, "prepare %s", file->path);
	fd = open(dir[0] ? dir : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || fstatvfs(fd, &fs) < 0)
		rc = err_set(err, -errno, "ask for the space at %s", dir);
	if (fd >= 0)
		close(fd);
	/* A tmpfs without a limit has no blocks at all. */
	if (rc < 0 || !fs.f_blocks)
		goto out;
	for (i = 0; i < prepare->count; i++) {
		if (prepare->files[i].whole ||
		    prepare->files[i].dev != file->dev)
			continue;
		number++;
		if (__builtin_add_overflow(need_bytes, prepare->size_bytes,
					   &need_bytes))
			need_bytes = UINT64_MAX;
	}
	had_bytes = (uint64_t)fs.f_bavail * fs.f_frsize;
	if (need_bytes > had_bytes)
		rc = err_say(err, -ENOSPC,
			     "%s: %u file%s of %llu bytes need %llu bytes, and "
			     "%llu are free; make room or give a smaller "
			     "--size",
			     dir, number, number == 1 ? "" : "s",
			     (unsigned long long)prepare->size_bytes,
			     (unsigned long long)need_bytes,
			     (unsigned long long)had_bytes);
out:
	free(dir);
	return rc;
}

int prepare_open(char *const *dirs, size_t dir_count, uint64_t size_bytes,
		 bool replace, struct prepare *prepare, struct err *err)
{
	size_t i;
	int rc = 0;

	*prepare = (struct prepare){ .size_bytes = size_bytes,
				     .replace = replace };
	prepare->files = calloc(dir_count, sizeof(*prepare->files));
	if (!prepare->files)
		return err_set(err, -ENOMEM, "prepare %zu files", dir_count);
	for (i = 0; !rc && i < dir_count; i++) {
		prepare->count++;
		rc = look_at_dir(dirs[i], size_bytes, replace,
				 &prepare->files[i], err);
		if (!rc)
			rc = check_once(prepare, dirs[i], err);
	}
	for (i = 0; !rc && i < dir_count; i++)
		if (!prepare->files[i].whole)
			rc = check_space(prepare, i, err);
	if (rc < 0)
		prepare_free(prepare);
	return rc;
}

void prepare_free(struct prepare *prepare)
{
	size_t i;

	for (i = 0; i < prepare->count; i++) {
		free(prepare->files[i].path);
		free(prepare->files[i].lies_on);
	}
	free(prepare->files);
	*prepare = (struct prepare){ 0 };
}
