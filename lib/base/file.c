// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/err.h"

char *text_format(const char *format, ...)
{
	char *text = NULL;
	va_list ap;
	int length;

	va_start(ap, format);
	length = vasprintf(&text, format, ap);
	va_end(ap);
	return length < 0 ? NULL : text;
}

int text_set(char **member, const char *text, struct err *err)
{
	char *copy = strdup(text);

	if (!copy)
		return err_set(err, -ENOMEM, "keep '%s'", text);
	free(*member);
	*member = copy;
	return 0;
}

static int open_below(const char *root, const char *path, int flags, int *fd,
		      struct err *err)
{
	char *full = text_format("%s%s", root, path);
	int rc = 0;

	*fd = -1;
	if (!full)
		return err_set(err, -ENOMEM, "open %s", path);
	*fd = open(full, flags | O_CLOEXEC);
	if (*fd < 0)
		rc = err_set(err, -errno, "open %s", full);
	free(full);
	return rc;
}

/* Sizes of /proc files are not known before they are read. */
static int fd_read_all(int fd, char **text)
{
	size_t used = 0, room = 0;
	ssize_t got;

	*text = NULL;
	do {
		if (room - used < 2) {
			char *grown = realloc(*text, room * 2 + 1024);

			if (!grown)
				goto failed;
			*text = grown;
			room = room * 2 + 1024;
		}
		got = read(fd, *text + used, room - used - 1);
		if (got < 0 && errno != EINTR)
			goto failed;
		if (got > 0)
			used += (size_t)got;
	} while (got);
	while (used && (*text)[used - 1] == '\n')
		used--;
	(*text)[used] = '\0';
	return 0;
failed:
	got = -errno;
	free(*text);
	*text = NULL;
	return (int)got;
}

int file_read_text(const char *root, const char *path, char **text,
		   struct err *err)
{
	int fd, rc;

	*text = NULL;
	rc = open_below(root, path, O_RDONLY, &fd, err);
	if (rc < 0)
		return rc;
	rc = fd_read_all(fd, text);
	if (rc < 0)
		err_set(err, rc, "read %s%s", root, path);
	close(fd);
	return rc;
}

int file_read_u64(const char *root, const char *path, uint64_t *number,
		  struct err *err)
{
	char *text = NULL, *end = NULL;
	int rc;

	*number = 0;
	rc = file_read_text(root, path, &text, err);
	if (rc < 0)
		return rc;
	*number = strtoull(text, &end, 10);
	if (end == text || *end)
		rc = err_say(err, -EINVAL, "%s%s: '%s' is not a whole number",
			     root, path, text);
	free(text);
	return rc;
}

int fd_write_all(int fd, const void *bytes, size_t size_bytes)
{
	const char *next = bytes;

	while (size_bytes) {
		ssize_t put = write(fd, next, size_bytes);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return -errno;
		next += put;
		size_bytes -= (size_t)put;
	}
	return 0;
}

int fd_err(struct err *err, int code, int fd, const char *what)
{
	char *link = text_format("/proc/self/fd/%d", fd);
	char *path = link ? realpath(link, NULL) : NULL;

	if (path)
		err_set(err, code, "%s %s", what, path);
	else
		err_set(err, code, "%s descriptor %d", what, fd);
	free(path);
	free(link);
	return code;
}

int file_write_text(const char *root, const char *path, const char *text,
		    struct err *err)
{
	int fd, rc;

	rc = open_below(root, path, O_WRONLY, &fd, err);
	if (rc < 0)
		return rc;
	rc = fd_write_all(fd, text, strlen(text));
	if (rc < 0)
		err_set(err, rc, "write '%s' to %s%s", text, root, path);
	close(fd);
	return rc;
}
