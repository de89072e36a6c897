/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A command: one function, one line in the table of rawread/main.c, one table
 * of options that parser, help, manual and completion are made from.
 */
#ifndef RAWREAD_BASE_COMMAND_H
#define RAWREAD_BASE_COMMAND_H

#include <argp.h>
#include <stdbool.h>

struct err;

/* Exit statuses, see rawread(1). */
enum exit_status {
	EXIT_GOOD = 0,
	EXIT_WORSE = 1,	  /* a run failed, not cold, or (diff) worse */
	EXIT_TROUBLE = 2, /* usage, or something in the way */
	EXIT_SIGNAL = 128 /* + the signal that asked for the end */
};

struct command {
	const char *name;
	const char *summary;  /* one line */
	const char *args_doc; /* "FILE[:LABEL]", as usage shows it */
	/* Ends in { 0 }; NULL: none. Of an empty table argp's help leaks. */
	const struct argp_option *options;
	/* A table shared with other commands, or NULL. */
	const struct argp_option *shared_options;
	int (*run)(int argc, char **argv);
};

/* What main.c lists. Each is defined at the end of its cmd_*.c. */
extern const struct command command_read;
extern const struct command command_plan;
extern const struct command command_engines;
extern const struct command command_prepare;
extern const struct command command_sweep;
extern const struct command command_report;
extern const struct command command_diff;
extern const struct command command_import;

/*
 * Parses argv[1…] of @command by its table with argp. @take is called as an
 * argp parser for each option (key) and for each plain word (ARGP_KEY_ARG);
 * it fills @err itself and returns 0 or a negative errno.
 *
 * Returns 0; -EINVAL with one line in @err, the option at fault named; 1 when
 * --help was asked for and has been printed, with nothing more to do.
 */
int command_parse(const struct command *command, int argc, char **argv,
		  int (*take)(int key, char *arg, void *input, struct err *err),
		  void *input, struct err *err);

/* Prints usage, summary and options of @command to stdout. */
void command_help(const struct command *command);

/*
 * Flushes stdout and tells whether all that was printed arrived: a full disk
 * or a closed pipe behind stdout is trouble, not success. Returns 0 or -errno.
 */
int command_close_stdout(struct err *err);

#endif
