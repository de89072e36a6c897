// SPDX-License-Identifier: GPL-2.0-or-later
#include "sweep/own_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "sweep/sweep_targets.h"

/* As many as the kernel follows. */
#define LINKS_MAX 40

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Something of our own, @path (or @fd), that makes a target busy. */
struct own_file {
	const char *what;
	const char *path;
	int fd;
};

static int check_own_file(const struct own_file *own,
			  const struct sweep_targets *targets, struct err *err)
{
	struct mount_entry mount;
	size_t i;
	int fd = own->fd, rc;

	if (own->path)
		fd = open(own->path, O_PATH | O_CLOEXEC);
	if (fd < 0)
		return err_set(err, -errno, "open %s", own->path);
	/* A pipe or a terminal elsewhere is on no mount of ours. */
	rc = mount_of_fd(fd, &mount, NULL);
	if (own->path)
		close(fd);
	if (rc < 0)
		return 0;
	for (i = 0; !rc && i < targets->count; i++)
		if (targets->list[i].mount.id == mount.id)
			rc = err_say(err, -EBUSY,
				     "%s is on %s, which is to be unmounted; "
				     "put it elsewhere, or use --flush fadvise",
				     own->what, mount.target);
	mount_free(&mount);
	return rc;
}

static char *directory_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return strdup(".");
	return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

/* Where the symlink @path leads; NULL when it is none, or without memory. */
static char *follow_link(const char *path)
{
	char *text = NULL, *dir = NULL, *to = NULL;
	ssize_t length;
	struct stat st;

	if (lstat(path, &st) < 0 || !S_ISLNK(st.st_mode))
		return NULL;
	text = calloc(1, (size_t)st.st_size + 1);
	if (!text)
		return NULL;
	length = readlink(path, text, (size_t)st.st_size);
	if (length > 0)
		dir = text[0] == '/' ? strdup("") : directory_of(path);
	if (dir)
		to = text_format("%s%s%s", dir, *dir ? "/" : "", text);
	free(dir);
	free(text);
	return to;
}

/*
 * The record file may have to be made yet: then its directory counts, and
 * that is where symlinks lead.
 */
static char *existing_path(const char *path)
{
	char *at = strdup(path), *next;
	unsigned int links = 0;

	while (at && access(at, F_OK) < 0 && links++ < LINKS_MAX &&
	       (next = follow_link(at))) {
		free(at);
		at = next;
	}
	if (!at || !access(at, F_OK))
		return at;
	next = directory_of(at);
	free(at);
	return next;
}

int own_files_check(const struct sweep_targets *targets,
		    const char *record_path, struct err *err)
{
	char *record = existing_path(record_path);
	const struct own_file files[] = {
		{ "the working directory", ".", -1 },
		{ "the record file", record, -1 },
		{ "rawread itself", "/proc/self/exe", -1 },
		{ "standard input", NULL, STDIN_FILENO },
		{ "standard output", NULL, STDOUT_FILENO },
		{ "standard error", NULL, STDERR_FILENO },
	};
	size_t i;
	int rc = 0;

	if (!record)
		return err_set(err, -ENOMEM, "record file %s", record_path);
	for (i = 0; !rc && i < COUNT(files); i++)
		rc = check_own_file(&files[i], targets, err);
	free(record);
	return rc;
}
