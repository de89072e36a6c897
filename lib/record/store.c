// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/record/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/clock.h"
#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/base/stop.h"
#include "lib/record/record.h"

#define DUMP_FLAGS (JSON_COMPACT | JSON_ENSURE_ASCII)
#define LOAD_FLAGS (JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL)

#define LOCK_PAUSE_NS (20 * NS_PER_MS)
/* Others hold it for one line: how often an end in order still asks for it. */
#define LOCK_LAST_TRIES 50

/* Asks again and again: a signal just before a flock() that waits would be
 * slept through.
 */
static int lock_patiently(int fd)
{
	const struct timespec pause = { .tv_nsec = LOCK_PAUSE_NS };
	unsigned int tries = 0;

	while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return -errno;
		if (stop_asked() && ++tries > LOCK_LAST_TRIES)
			return -EINTR;
		nanosleep(&pause, NULL);
	}
	return 0;
}

static int open_locked(const char *path, int flags, int *fd, struct err *err)
{
	int rc;

	*fd = open(path, flags | O_CLOEXEC, 0666);
	if (*fd < 0)
		return err_set(err, -errno, "open record file %s", path);
	rc = lock_patiently(*fd);
	if (rc < 0) {
		err_set(err, rc, "lock record file %s", path);
		close(*fd);
		*fd = -1;
	}
	return rc;
}

static int line_encode(const json_t *line, char **text, size_t *length,
		       struct err *err)
{
	char *json = json_dumps(line, DUMP_FLAGS);
	char *grown = NULL;

	*length = json ? strlen(json) : 0;
	if (json)
		grown = realloc(json, *length + 2);
	if (!grown) {
		free(json);
		return err_set(err, -ENOMEM, "encode a record line");
	}
	grown[(*length)++] = '\n';
	grown[*length] = '\0';
	*text = grown;
	return 0;
}

int store_write_fd(int fd, const json_t *line, struct err *err)
{
	char *text = NULL;
	size_t length;
	int rc;

	rc = line_encode(line, &text, &length, err);
	if (rc < 0)
		return rc;
	rc = fd_write_all(fd, text, length);
	if (rc < 0)
		err_set(err, rc, "write a record to fd %d", fd);
	free(text);
	return rc;
}

/* The schema of a line of a record file, whatever its type; -1: it is none. */
static json_int_t schema_of(const char *text, size_t length)
{
	json_t *json = json_loadb(text, length, LOAD_FLAGS, NULL);
	const json_t *schema = json_object_get(json, "schema");
	json_int_t number = json_is_integer(schema) ? json_integer_value(schema)
						    : -1;

	json_decref(json);
	return number;
}

static bool is_record(const char *text, size_t length)
{
	return schema_of(text, length) == RECORD_SCHEMA;
}

/* The first line decides whether the file is one of ours. */
static int check_first_line(FILE *in, const char *path, struct err *err)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t length = getline(&line, &room, in);
	bool torn_only = length > 0 && line[length - 1] != '\n' &&
			 line[0] == '{';
	json_int_t schema = length > 0 ? schema_of(line, (size_t)length) : -1;

	free(line);
	if (length <= 0 || schema == RECORD_SCHEMA || (torn_only && schema < 0))
		return 0;
	if (schema >= 0)
		return err_say(err, -EINVAL,
			       "%s has schema %lld, and this version writes "
			       "%d; name another file",
			       path, (long long)schema, RECORD_SCHEMA);
	return err_say(err, -EINVAL,
		       "%s exists and is not a record file; name another "
		       "file",
		       path);
}

/* Where the line begins that @size_bytes end; or -errno. */
static off_t last_line_begin(int fd, off_t size_bytes)
{
	off_t begin = size_bytes;
	char letter;

	for (; begin > 0; begin--) {
		ssize_t got = pread(fd, &letter, 1, begin - 1);

		if (got != 1)
			return got < 0 ? -errno : -EIO;
		if (letter == '\n')
			break;
	}
	return begin;
}

/* Whether nothing but the newline is missing; or -errno. */
static int is_whole(int fd, off_t begin, off_t size_bytes)
{
	size_t length = (size_t)(size_bytes - begin);
	char *line = malloc(length);
	int rc = -ENOMEM;

	if (line && pread(fd, line, length, begin) == (ssize_t)length)
		rc = is_record(line, length);
	else if (line)
		rc = errno ? -errno : -EIO;
	free(line);
	return rc;
}

/*
 * Ends the last line when a newline is all it lacks, else cuts it off: what a
 * writer that was killed left must not become the beginning of the next line.
 */
static int mend_last_line(int fd, off_t size_bytes, size_t *torn_bytes)
{
	off_t begin = last_line_begin(fd, size_bytes);
	int rc;

	if (begin < 0 || begin == size_bytes)
		return (int)(begin < 0 ? begin : 0);
	errno = 0;
	rc = is_whole(fd, begin, size_bytes);
	if (rc < 0)
		return rc;
	if (rc)
		return fd_write_all(fd, "\n", 1);
	*torn_bytes = (size_t)(size_bytes - begin);
	return ftruncate(fd, begin) < 0 ? -errno : 0;
}

int store_prepare(const char *path, size_t *torn_bytes, struct err *err)
{
	struct stat st;
	FILE *in = NULL;
	int fd = -1, rc;

	*torn_bytes = 0;
	rc = open_locked(path, O_RDWR | O_CREAT | O_APPEND, &fd, err);
	if (rc < 0)
		return rc;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		return err_say(err, -EINVAL,
			       "record file %s is not a regular file", path);
	}
	in = fdopen(fd, "r+e");
	if (!in) {
		rc = err_set(err, -errno, "read record file %s", path);
		close(fd);
		return rc;
	}
	rc = check_first_line(in, path, err);
	if (rc < 0)
		goto out;
	rc = mend_last_line(fd, st.st_size, torn_bytes);
	if (rc < 0)
		err_set(err, rc, "mend record file %s", path);
out:
	fclose(in);
	return rc;
}

/* What another writer left is mended; @before is the file after that. */
static int mend_and_stat(int fd, struct stat *before)
{
	size_t torn_bytes;
	int rc;

	if (fstat(fd, before) < 0)
		return -errno;
	if (!S_ISREG(before->st_mode))
		return 0;
	rc = mend_last_line(fd, before->st_size, &torn_bytes);
	if (!rc && fstat(fd, before) < 0)
		rc = -errno;
	return rc;
}

/* Where it is room that lacks, what to do about it is told too. */
static int append_failed(int rc, const char *path, bool is_torn,
			 struct err *err)
{
	struct err cause;

	err_set(&cause, rc, "append to record file %s%s", path,
		is_torn ? ", whose last line is now torn" : "");
	if (rc != -ENOSPC && rc != -EDQUOT)
		return err_say(err, rc, "%s", cause.text);
	return err_say(err, rc, "%s; free space there and start again%s",
		       cause.text,
		       is_torn ? "" : ", the lines so far are whole");
}

int store_append(const char *path, const json_t *line, struct err *err)
{
	char *text = NULL;
	size_t length;
	struct stat before;
	int fd = -1, rc;

	rc = line_encode(line, &text, &length, err);
	if (rc < 0)
		return rc;
	rc = open_locked(path, O_RDWR | O_APPEND, &fd, err);
	if (rc < 0)
		goto out;
	rc = mend_and_stat(fd, &before);
	if (rc < 0) {
		err_set(err, rc, "mend record file %s", path);
		goto out;
	}
	rc = fd_write_all(fd, text, length);
	if (!rc && fsync(fd) < 0 && errno != EINVAL) /* EINVAL: a pipe */
		rc = -errno;
	if (rc < 0)
		append_failed(rc, path,
			      S_ISREG(before.st_mode) &&
				      ftruncate(fd, before.st_size) < 0,
			      err);
out:
	if (fd >= 0)
		close(fd);
	free(text);
	return rc;
}

int store_append_new(const char *path, json_t *line, struct err *err)
{
	int rc = line ? store_append(path, line, err)
		      : err_set(err, -ENOMEM, "encode a line for %s", path);

	json_decref(line);
	return rc;
}

static bool is_known_type(const char *type)
{
	return !strcmp(type, "campaign") || !strcmp(type, "run") ||
	       !strcmp(type, "end");
}

static int visit_json(const char *path, unsigned long number,
		      const json_t *json, struct store_visit *visit,
		      struct err *err)
{
	const char *type = json_string_value(json_object_get(json, "type"));
	const json_t *schema = json_object_get(json, "schema");
	struct err inner;
	int rc;

	if (!type || !json_is_integer(schema))
		return err_say(err, -EINVAL,
			       "%s:%lu: not a line of a record file (no type "
			       "or schema)",
			       path, number);
	if (json_integer_value(schema) != RECORD_SCHEMA)
		return err_say(err, -EINVAL,
			       "%s:%lu: schema %lld is not known to this "
			       "version, which reads %d",
			       path, number,
			       (long long)json_integer_value(schema),
			       RECORD_SCHEMA);
	if (!is_known_type(type))
		return 0;
	rc = visit->line(type, json, visit->input, &inner);
	if (rc < 0)
		err_say(err, rc, "%s:%lu: %s", path, number, inner.text);
	return rc;
}

static bool is_blank(const char *line)
{
	return !line[strspn(line, " \t\r\n")];
}

static int visit_lines(FILE *in, const char *path, struct store_visit *visit,
		       struct err *err)
{
	unsigned long number = 0;
	char *line = NULL;
	size_t room = 0;
	ssize_t length;
	int rc = 0;

	while (!rc && (length = getline(&line, &room, in)) > 0) {
		json_error_t fault;
		json_t *json;

		number++;
		if (is_blank(line))
			continue;
		json = json_loadb(line, (size_t)length, LOAD_FLAGS, &fault);
		if (json)
			rc = visit_json(path, number, json, visit, err);
		else if (line[length - 1] != '\n') {
			visit->torn = true;
			visit->torn_line = number;
		} else
			rc = err_say(err, -EINVAL, "%s:%lu: not JSON: %s", path,
				     number, fault.text);
		json_decref(json);
	}
	if (!rc && ferror(in))
		rc = err_set(err, errno ? -errno : -EIO, "read %s", path);
	free(line);
	return rc;
}

int store_read(const char *path, struct store_visit *visit, struct err *err)
{
	FILE *in = strcmp(path, "-") ? fopen(path, "re") : stdin;
	int rc;

	visit->torn = false;
	visit->torn_line = 0;
	if (!in)
		return err_set(err, -errno, "open record file %s", path);
	rc = visit_lines(in, path, visit, err);
	if (in != stdin)
		fclose(in);
	return rc;
}
