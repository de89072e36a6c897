// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <libsmartcols.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/command.h"
#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/record/params.h"
#include "rawread/engine.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* What is read to see whether it works. */
#define TRY_BYTES 4096

/* Ways to use an engine that are there on one file and not on another. */
static const struct variant {
	const struct engine_ops *ops;
	unsigned int rwf; /* RWF_FLAG_*, or 0 */
	int open_flags;
	const char *summary;
} variants[] = {
	{ &engine_read, 0, O_DIRECT,
	  "past the page cache, if the file system means it: a run tells" },
	{ &engine_preadv2, RWF_FLAG_NOWAIT, 0,
	  "what is not in the page cache is asked for again without it" },
	{ &engine_preadv2, RWF_FLAG_HIPRI, 0,
	  "taken everywhere; polls where the device has queues for that" },
	{ &engine_preadv2, RWF_FLAG_DONTCACHE, 0,
	  "what it brings into the page cache does not stay there" },
	{ &engine_libaio, 0, O_DIRECT,
	  "past the page cache; without it, requests are done as they are "
	  "given" },
};

enum { COLUMN_ENGINE, COLUMN_READS, COLUMN_WRITES, COLUMN_WORKS, COLUMN_NOTE };

static const char *const columns[] = { "ENGINE", "READS", "WRITES", "WORKS",
				       "NOTE" };

/* One line of the table. */
struct answer {
	char *name; /* NULL: no memory */
	const char *works;
	char *note; /* as name */
};

static int wait_for(const struct engine_ops *ops, void *state)
{
	struct io_op *done;
	int rc;

	do
		rc = ops->reap(state, &done, 1, 1);
	while (!rc);
	return rc < 0 ? rc : 0;
}

/* The first block. Returns 0 or -errno, with the reason in @err. */
static int read_block(const struct engine_ops *ops, void *state,
		      const struct engine_file *file, struct err *err)
{
	struct io_op op = { .size_bytes = TRY_BYTES };
	int rc = ops->begin ? ops->begin(state, err) : 0;

	if (rc < 0)
		return rc;
	rc = ops->submit(state, &op);
	if (rc > 0)
		rc = wait_for(ops, state);
	if (!rc && op.result < 0)
		rc = (int)op.result;
	/* It would come, if one asked again. */
	if (!rc || rc == -EAGAIN)
		return 0;
	if (rc == -EINVAL && file->open_flags & O_DIRECT)
		return err_say(err, rc,
			       "direct I/O does not take a block of %d bytes "
			       "here",
			       TRY_BYTES);
	if (!ops->explain || !ops->explain(state, &op, rc, err))
		err_set(err, rc, "read %s", file->path);
	return rc;
}

/*
 * Really opens @path and reads. The advice keeps the kernel from reading more
 * than the block.
 */
static int try(const struct variant *way, const char *path, struct err *err)
{
	const struct engine_file file = { .path = path,
					  .open_flags = O_RDONLY |
							way->open_flags,
					  .advice = POSIX_FADV_RANDOM,
					  .memory_advice = MADV_RANDOM,
					  .range_bytes = TRY_BYTES };
	struct engine_job job = { .files = &file,
				  .file_count = 1,
				  .buffer = aligned_alloc(TRY_BYTES, TRY_BYTES),
				  .slot_bytes = TRY_BYTES,
				  .slots = 1,
				  .iovec_bytes = TRY_BYTES,
				  .iovecs = 1,
				  .rwf = way->rwf };
	void *state = NULL;
	int rc;

	if (!job.buffer)
		return err_set(err, -ENOMEM, "block of %d bytes", TRY_BYTES);
	/* File systems tell by it who may have direct I/O. */
	memset(job.buffer, 0, TRY_BYTES);
	rc = way->ops->open(&job, &state, err);
	if (rc == -EINVAL && way->open_flags & O_DIRECT)
		err_say(err, rc, "its file system refuses direct I/O");
	if (!rc)
		rc = read_block(way->ops, state, &file, err);
	way->ops->close(state);
	free(job.buffer);
	return rc;
}

/* @path may be NULL: what the machine itself can. */
static struct answer answer_of(const struct variant *way, const char *path)
{
	const struct engine_ops *ops = way->ops;
	bool is_variant = way->rwf || way->open_flags;
	char *flags = rwf_text(way->rwf);
	struct answer answer = { .works = "yes" };
	struct err err;
	int rc = ops->probe ? ops->probe(&err) : 0;

	answer.name = flags ? text_format("%s%s%s%s", ops->name,
					  way->rwf ? " --rwf " : "", flags,
					  way->open_flags ? " --direct" : "")
			    : NULL;
	free(flags);
	if (!rc && path && ops->reads)
		rc = try(way, path, &err);
	if (rc < 0) {
		answer.works = "no";
		answer.note = strdup(err.text);
	} else if (path && !ops->reads) {
		answer.works = "-";
		answer.note = strdup("not tried: it would write");
	} else if (!path && is_variant) {
		answer.works = "-";
		answer.note = strdup("depends on the file; name one");
	} else {
		answer.note = strdup(way->summary);
	}
	return answer;
}

static int add_line(struct libscols_table *table, const struct variant *way,
		    const char *path)
{
	struct answer answer = answer_of(way, path);
	struct libscols_line *line = scols_table_new_line(table, NULL);
	int rc = line && answer.name && answer.note ? 0 : -ENOMEM;

	if (!rc)
		rc = scols_line_set_data(line, COLUMN_ENGINE, answer.name);
	if (!rc)
		rc = scols_line_set_data(line, COLUMN_READS,
					 way->ops->reads ? "yes" : "-");
	if (!rc)
		rc = scols_line_set_data(line, COLUMN_WRITES,
					 way->ops->writes ? "yes" : "-");
	if (!rc)
		rc = scols_line_set_data(line, COLUMN_WORKS, answer.works);
	if (!rc)
		rc = scols_line_set_data(line, COLUMN_NOTE, answer.note);
	free(answer.name);
	free(answer.note);
	return rc;
}

static int print_table(const char *path)
{
	struct libscols_table *table = scols_new_table();
	size_t i, j;
	int rc = table ? 0 : -ENOMEM;

	for (i = 0; !rc && i < COUNT(columns); i++)
		if (!scols_table_new_column(table, columns[i], 0,
					    i == COLUMN_NOTE ? SCOLS_FL_WRAP
							     : 0))
			rc = -ENOMEM;
	for (i = 0; !rc && engines[i]; i++) {
		const struct variant plain = { .ops = engines[i],
					       .summary = engines[i]->summary };

		rc = add_line(table, &plain, path);
		for (j = 0; !rc && j < COUNT(variants); j++)
			if (variants[j].ops == engines[i])
				rc = add_line(table, &variants[j], path);
	}
	if (!rc)
		rc = scols_print_table(table);
	scols_unref_table(table);
	return rc;
}

/* Whether there is something to read: with other faults no row would work. */
static int check_path(const char *path, struct err *err)
{
	struct stat st = { 0 };
	/* A fifo would wait for its writer; files do not mind. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return err_set(err, -errno, "open %s", path);
	fstat(fd, &st);
	close(fd);
	if (S_ISDIR(st.st_mode))
		return err_say(err, -EISDIR,
			       "%s is a directory; name a file in it, or a "
			       "block device",
			       path);
	if (!S_ISREG(st.st_mode) && !S_ISBLK(st.st_mode))
		return err_say(err, -EINVAL,
			       "%s is neither a file nor a block device", path);
	return 0;
}

static int take(int key, char *arg, void *input, struct err *err)
{
	const char **path = input;

	if (key != ARGP_KEY_ARG)
		return 0;
	if (*path)
		return err_say(err, -EINVAL,
			       "engines: %s and %s: one path at a time", *path,
			       arg);
	*path = arg;
	return 0;
}

static int run_engines(int argc, char **argv)
{
	const char *path = NULL;
	struct err err;
	int rc;

	rc = command_parse(&command_engines, argc, argv, take, &path, &err);
	if (!rc && path)
		rc = check_path(path, &err);
	if (!rc) {
		rc = print_table(path);
		if (rc < 0)
			err_set(&err, rc, "print the engines");
	}
	if (rc >= 0)
		rc = command_close_stdout(&err);
	if (!rc)
		return EXIT_GOOD;
	err_print(&err);
	return EXIT_TROUBLE;
}

const struct command command_engines = {
	.name = "engines",
	.summary = "Show the ways to read and write, and which of them work "
		   "on a file",
	.args_doc = "[FILE|DEVICE]",
	.run = run_engines,
};
