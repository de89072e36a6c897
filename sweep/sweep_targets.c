// SPDX-License-Identifier: GPL-2.0-or-later
#include "sweep/sweep_targets.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/system/readahead.h"
#include "sweep/prepare.h"

void sweep_targets_free(struct sweep_targets *targets)
{
	size_t i;

	for (i = 0; i < targets->count; i++) {
		struct sweep_target *target = &targets->list[i];

		free(target->dir);
		free(target->real_dir);
		free(target->path);
		free(target->read_ahead_path);
		mount_free(&target->mount);
	}
	free(targets->list);
	*targets = (struct sweep_targets){ 0 };
}

/*
 * In a chroot the mount may lie outside of what mountinfo shows, and kernels
 * before 5.8 do not tell which it is: its entry stays empty, and only flushing
 * by remount needs it.
 */
static int find_mount(int fd, struct sweep_target *target, struct err *err)
{
	int rc = mount_of_fd(fd, &target->mount, err);

	if (rc == -ENOENT || rc == -EOPNOTSUPP)
		return 0;
	if (!rc)
		target->is_mounted =
			!strcmp(target->real_dir, target->mount.target);
	return rc;
}

static int find_dir(const char *dir, struct sweep_target *target,
		    struct err *err)
{
	int fd, rc;

	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 && errno == ENOTDIR)
		return err_say(err, -ENOTDIR,
			       "%s is not a directory; name the one that holds "
			       "%s",
			       dir, PREPARE_NAME);
	if (fd < 0)
		return err_say(err, -errno,
			       "open %s: %s; name the directory that holds %s",
			       dir, strerror(errno), PREPARE_NAME);
	target->dir = strdup(dir);
	target->real_dir = realpath(dir, NULL);
	if (!target->dir || !target->real_dir)
		rc = err_set(err, -errno, "open %s", dir);
	else
		rc = find_mount(fd, target, err);
	close(fd);
	if (rc < 0)
		return rc;
	target->path = text_format(
		"%s/" PREPARE_NAME,
		strcmp(target->real_dir, "/") ? target->real_dir : "");
	return target->path ? 0 : err_set(err, -ENOMEM, "target %s", dir);
}

static int check_once(const struct sweep_targets *targets, struct err *err)
{
	const struct sweep_target *last = &targets->list[targets->count - 1];
	size_t i;

	for (i = 0; i + 1 < targets->count; i++)
		if (!strcmp(targets->list[i].real_dir, last->real_dir))
			return err_say(err, -EINVAL,
				       "%s and %s are the same directory; name "
				       "it once",
				       targets->list[i].dir, last->dir);
	return 0;
}

int sweep_targets_find(char *const *dirs, size_t count,
		       struct sweep_targets *targets, struct err *err)
{
	size_t i;
	int rc = 0;

	*targets = (struct sweep_targets){ 0 };
	targets->list = calloc(count, sizeof(*targets->list));
	if (!targets->list)
		return err_set(err, -ENOMEM, "%zu targets", count);
	for (i = 0; !rc && i < count; i++) {
		targets->count++;
		rc = find_dir(dirs[i], &targets->list[i], err);
		if (!rc)
			rc = check_once(targets, err);
	}
	if (rc < 0)
		sweep_targets_free(targets);
	return rc;
}

static int open_file(const struct sweep_target *target, int *fd,
		     struct stat *st, struct err *err)
{
	int rc = 0;

	/* Not to wait for a writer, should it be a pipe. */
	*fd = open(target->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (*fd < 0 && errno == ENOENT)
		return err_say(err, -ENOENT,
			       "%s is not there; 'rawread prepare --size 1G "
			       "%s' makes it",
			       target->path, target->dir);
	if (*fd < 0)
		return err_set(err, -errno, "open %s", target->path);
	if (fstat(*fd, st) < 0)
		rc = err_set(err, -errno, "stat %s", target->path);
	else if (!S_ISREG(st->st_mode))
		rc = err_say(err, -EINVAL, "%s is not a regular file",
			     target->path);
	else if (!st->st_size)
		rc = err_say(err, -EINVAL,
			     "%s is empty; 'rawread prepare --force --size 1G "
			     "%s' makes one to read",
			     target->path, target->dir);
	if (rc < 0) {
		close(*fd);
		*fd = -1;
	}
	return rc;
}

static int check_same_mount(const struct sweep_target *target, int fd,
			    struct err *err)
{
	struct mount_entry mount;
	int rc;

	if (!target->mount.target)
		return 0;
	rc = mount_of_fd(fd, &mount, err);
	if (rc < 0)
		return rc;
	if (mount.id != target->mount.id)
		rc = err_say(err, -EINVAL,
			     "%s leads to a file on %s; name the directory "
			     "that holds it",
			     target->path, mount.target);
	mount_free(&mount);
	return rc;
}

/* What cannot be read (memory, a container's /sys) is not put back either. */
static void find_read_ahead(struct sweep_target *target, int fd)
{
	if (readahead_path(fd, &target->read_ahead_path, NULL) < 0) {
		target->read_ahead_path = NULL;
		return;
	}
	if (!readahead_read(target->read_ahead_path, &target->read_ahead_kib,
			    NULL))
		return;
	free(target->read_ahead_path);
	target->read_ahead_path = NULL;
}

/* By two mounts or a link: each block would be read twice. */
static int check_other_file(const struct sweep_targets *targets,
			    const struct sweep_target *target, struct err *err)
{
	const struct sweep_target *other;

	for (other = targets->list; other != target; other++)
		if (other->dev == target->dev && other->inode == target->inode)
			return err_say(err, -EINVAL,
				       "%s and %s are the same file; name one "
				       "of them",
				       other->path, target->path);
	return 0;
}

int sweep_targets_find_files(struct sweep_targets *targets, struct err *err)
{
	size_t i;
	int rc = 0;

	for (i = 0; !rc && i < targets->count; i++) {
		struct sweep_target *target = &targets->list[i];
		struct stat st;
		int fd;

		rc = open_file(target, &fd, &st, err);
		if (rc < 0)
			break;
		target->dev = st.st_dev;
		target->inode = st.st_ino;
		target->size_bytes = (uint64_t)st.st_size;
		rc = check_same_mount(target, fd, err);
		if (!rc)
			rc = check_other_file(targets, target, err);
		if (!rc)
			find_read_ahead(target, fd);
		close(fd);
	}
	return rc;
}

int sweep_targets_check_files(const struct sweep_targets *targets,
			      struct err *err)
{
	size_t i;

	for (i = 0; i < targets->count; i++) {
		const struct sweep_target *target = &targets->list[i];
		struct stat st;

		if (stat(target->path, &st) < 0)
			return err_set(err, -errno, "stat %s", target->path);
		if (st.st_ino == target->inode &&
		    (uint64_t)st.st_size == target->size_bytes)
			continue;
		return err_say(err, -ESTALE,
			       "%s is not the file it was: inode %llu with "
			       "%llu bytes, and now inode %llu with %llu",
			       target->path, (unsigned long long)target->inode,
			       (unsigned long long)target->size_bytes,
			       (unsigned long long)st.st_ino,
			       (unsigned long long)st.st_size);
	}
	return 0;
}

int sweep_targets_mend(const struct sweep_targets *targets, struct err *err)
{
	size_t i;
	int rc = 0;

	for (i = 0; !rc && i < targets->count; i++) {
		const struct sweep_target *target = &targets->list[i];
		uint64_t kib;

		if (!target->read_ahead_path)
			continue;
		rc = readahead_read(target->read_ahead_path, &kib, err);
		if (!rc && kib != target->read_ahead_kib)
			rc = readahead_write(target->read_ahead_path,
					     target->read_ahead_kib, err);
	}
	return rc;
}
