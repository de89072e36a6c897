// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/command.h"
#include "lib/base/err.h"
#include "lib/base/version.h"
#include "rawread/cmd_read.h"
#include "rawread/help.h"

static const struct command *const commands[] = {
	&command_read,	  &command_plan,   &command_engines,
	&command_prepare, &command_sweep,  &command_report,
	&command_diff,	  &command_import, NULL,
};

/* Words that will be commands. */
static const char *const later[] = {
	"restore", "summary", "plot", "export", "list",
};

static int refuse(const char *word)
{
	struct err err;
	size_t i;

	for (i = 0; i < sizeof(later) / sizeof(later[0]); i++)
		if (!strcmp(later[i], word))
			break;
	if (i < sizeof(later) / sizeof(later[0]))
		err_say(&err, -EINVAL, "%s is not in this version", word);
	else
		err_say(&err, -EINVAL,
			"'%s' is neither a command nor a path; 'rawread help' "
			"lists the commands, and a file here is ./%s",
			word, word);
	err_print(&err);
	return EXIT_TROUBLE;
}

static int print_version(void)
{
	struct err err;

	printf("rawread %s\n", RAWREAD_VERSION);
	if (!command_close_stdout(&err))
		return EXIT_GOOD;
	err_print(&err);
	return EXIT_TROUBLE;
}

int main(int argc, char **argv)
{
	size_t i;

	if (argc < 2) {
		fprintf(stderr, "rawread: no command and no target; see "
				"'rawread help'\n");
		return EXIT_TROUBLE;
	}
	if (!strcmp(argv[1], "--version"))
		return print_version();
	if (argc == 2 && (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help")))
		return help_print(commands, &command_read);
	/* A dash or a path where a command stands: the classic form, a read. */
	if (argv[1][0] == '-' || strchr(argv[1], '/'))
		return cmd_read(argc, argv, FORM_CLASSIC);
	if (!strcmp(argv[1], "help"))
		return help_run(commands, argc - 1, argv + 1);
	for (i = 0; commands[i]; i++)
		if (!strcmp(argv[1], commands[i]->name))
			return commands[i]->run(argc - 1, argv + 1);
	return refuse(argv[1]);
}
