// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/command.h"
#include "lib/base/err.h"
#include "lib/base/stop.h"
#include "lib/base/units.h"
#include "sweep/prepare.h"
#include "sweep/progress.h"

enum { KEY_FORCE = 0x200 };

static const struct argp_option options[] = {
	{ "size", 's', "SIZE", 0, "Bytes of each file, as 1G (required)", 0 },
	{ "force", KEY_FORCE, NULL, 0,
	  "Replace a foo that has another size, or holes", 0 },
	{ 0 },
};

struct prepare_input {
	uint64_t size_bytes;
	bool force;
	char **dirs; /* words of argv */
	size_t dir_count;
};

static int take(int key, char *arg, void *input, struct err *err)
{
	struct prepare_input *prepare = input;
	char **grown;

	switch (key) {
	case 's':
		return size_parse("size", arg, 1, &prepare->size_bytes, err);
	case KEY_FORCE:
		prepare->force = true;
		return 0;
	case ARGP_KEY_ARG:
		grown = reallocarray(prepare->dirs, prepare->dir_count + 1,
				     sizeof(*grown));
		if (!grown)
			return err_set(err, -ENOMEM, "directory %s", arg);
		prepare->dirs = grown;
		prepare->dirs[prepare->dir_count++] = arg;
		return 0;
	}
	return -EINVAL;
}

static int check_input(const struct prepare_input *input, struct err *err)
{
	if (!input->size_bytes)
		return err_say(err, -EINVAL,
			       "prepare: --size is required and more than 0, "
			       "as in --size 1G");
	if (!input->dir_count)
		return err_say(err, -EINVAL,
			       "prepare: no directory; name those that are to "
			       "hold foo");
	return 0;
}

/* The line of a file that is there. */
static void tell(const struct prepare_file *file, uint64_t size_bytes)
{
	int dir_length = (int)(strrchr(file->path, '/') - file->path);

	printf("%s: %llu bytes, %s", file->path, (unsigned long long)size_bytes,
	       file->whole ? "kept as it is" : "written");
	if (file->lies_on)
		printf("; nothing is mounted on %.*s, it lies on %s",
		       dir_length, file->path, file->lies_on);
	putchar('\n');
}

static void tell_unmarked(const struct prepare_file *file)
{
	struct err err;

	err_say(&err, -EOPNOTSUPP,
		"%s: its file system keeps no mark of prepare (a user "
		"attribute); a write test needs --destroy-data=PATH with its "
		"path, and --verify cannot be used",
		file->path);
	err_print(&err);
}

static int write_all(struct prepare *prepare, struct err *err)
{
	struct progress progress;
	size_t i;
	int rc = 0;

	progress_begin(&progress);
	for (i = 0; !rc && i < prepare->count; i++) {
		const struct prepare_file *file = &prepare->files[i];

		if (!file->whole)
			rc = prepare_write(prepare, i, &progress, err);
		progress_end(&progress);
		if (rc < 0)
			break;
		tell(file, prepare->size_bytes);
		if (file->unmarked)
			tell_unmarked(file);
	}
	return rc;
}

static int cmd_prepare(int argc, char **argv)
{
	struct prepare_input input = { 0 };
	struct prepare prepare = { 0 };
	struct err err;
	int rc;

	/* A limit on file sizes is an error of write(2), not our death. */
	signal(SIGXFSZ, SIG_IGN);
	stop_install();
	rc = command_parse(&command_prepare, argc, argv, take, &input, &err);
	if (!rc)
		rc = check_input(&input, &err);
	if (!rc)
		rc = prepare_open(input.dirs, input.dir_count, input.size_bytes,
				  input.force, &prepare, &err);
	if (!rc)
		rc = write_all(&prepare, &err);
	if (rc >= 0)
		rc = command_close_stdout(&err);
	if (rc < 0)
		err_print(&err);
	prepare_free(&prepare);
	free(input.dirs);
	if (stop_asked())
		return EXIT_SIGNAL + stop_signal();
	return rc < 0 ? EXIT_TROUBLE : EXIT_GOOD;
}

const struct command command_prepare = {
	.name = "prepare",
	.summary = "Make the files to be read: DIR/foo, really written",
	.args_doc = "DIR...",
	.options = options,
	.run = cmd_prepare,
};
