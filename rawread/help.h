/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "rawread help", and what manual and completion are made from. */
#ifndef RAWREAD_HELP_H
#define RAWREAD_HELP_H

struct command;
struct err;

/*
 * "help", "help COMMAND", and, for the build, "help --commands" and "help
 * --options COMMAND". @commands ends in NULL. Returns the exit status.
 */
int help_run(const struct command *const *commands, int argc, char **argv);

/*
 * Usage, commands, and the options of @classic, the command that has those of
 * the classic form, to stdout. Returns the exit status.
 */
int help_print(const struct command *const *commands,
	       const struct command *classic);

#endif
