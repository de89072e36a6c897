// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/help.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/command.h"
#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/base/spawn.h"

static const struct command *find(const struct command *const *commands,
				  const char *name)
{
	for (; *commands; commands++)
		if (!strcmp((*commands)->name, name))
			return *commands;
	return NULL;
}

static int finish(void)
{
	struct err err;

	if (!command_close_stdout(&err))
		return EXIT_GOOD;
	err_print(&err);
	return EXIT_TROUBLE;
}

static void print_usage(const struct command *const *commands)
{
	printf("Usage: rawread COMMAND [OPTION...] ...\n"
	       "  or:  rawread -f|-x [OPTION...]            the classic form\n"
	       "  or:  rawread [OPTION...] ./FILE|/DEV|/DIR...\n"
	       "\n"
	       "Commands:\n");
	for (; *commands; commands++)
		printf("  %-10s %s\n", (*commands)->name, (*commands)->summary);
	printf("  %-10s %s\n"
	       "\n"
	       "'rawread COMMAND -h' shows a command's options; those of the "
	       "classic form are\n"
	       "those of read. 'rawread --version' shows the version.\n",
	       "help", "Show the manual page of a command");
}

static void print_options(const struct argp_option *options)
{
	for (; options && (options->name || options->key); options++) {
		char letter[2] = "";

		/* Keys beyond the letters are those of long options. */
		if (options->key > ' ' && options->key < 127)
			letter[0] = (char)options->key;
		printf("%s\t%s\t%s\t%s\n", options->name ? options->name : "",
		       letter, options->arg ? options->arg : "",
		       options->doc ? options->doc : "");
	}
}

/* The folder that this program was started from; the caller frees it. */
static char *own_folder(void)
{
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
	char *slash;

	if (length < 0)
		return NULL;
	path[length] = '\0';
	slash = strrchr(path, '/');
	if (!slash)
		return NULL;
	*slash = '\0';
	return strdup(path);
}

/*
 * The page where a build or an installation has it, as it is or as packagers
 * compress it; the caller frees it.
 */
static char *find_page(const char *page, const char *section)
{
	static const char *const places[] = {
		"man",	       "../share/man/man1", "../share/man/man5",
		"../man/man1", "../man/man5",
	};
	char *folder = own_folder(), *path = NULL;
	size_t i;

	for (i = 0; folder && i < 2 * sizeof(places) / sizeof(places[0]); i++) {
		path = text_format("%s/%s/%s.%s%s", folder, places[i / 2], page,
				   section, i % 2 ? ".gz" : "");
		if (path && !access(path, R_OK))
			break;
		free(path);
		path = NULL;
	}
	free(folder);
	return path;
}

/* Whether man finds the page by itself. */
static bool is_installed(char *page, char *section)
{
	char shell[] = "sh", option[] = "-c";
	char script[] = "man -w \"$0\" \"$1\" >/dev/null 2>&1";
	char *const argv[] = { shell, option, script, section, page, NULL };
	struct spawn_end end;
	pid_t pid;

	return !spawn_start("/bin/sh", argv, NULL, 0, &pid, NULL) &&
	       !spawn_wait(pid, &end, NULL) && !end.exit_status;
}

/* Shows the page in place of this program; returns when it cannot. */
static void show_page(const char *topic)
{
	char section[] = "1", *page, *path = NULL;

	if (topic && !strcmp(topic, "record"))
		section[0] = '5';
	page = topic ? text_format("rawread-%s", topic) : strdup("rawread");
	if (page)
		path = find_page(page, section);
	if (path)
		execlp("man", "man", path, (char *)NULL);
	else if (page && is_installed(page, section))
		execlp("man", "man", section, page, (char *)NULL);
	free(path);
	free(page);
}

int help_print(const struct command *const *commands,
	       const struct command *classic)
{
	print_usage(commands);
	putchar('\n');
	command_help(classic);
	return finish();
}

int help_run(const struct command *const *commands, int argc, char **argv)
{
	const char *topic = argc > 1 ? argv[argc - 1] : NULL;
	const struct command *command = topic ? find(commands, topic) : NULL;
	bool wants_options = argc == 3 && !strcmp(argv[1], "--options");
	struct err err;

	if (argc == 2 && !strcmp(topic, "--commands")) {
		for (; *commands; commands++)
			printf("%s\t%s\n", (*commands)->name,
			       (*commands)->summary);
		return finish();
	}
	if (wants_options && command) {
		print_options(command->options);
		print_options(command->shared_options);
		return finish();
	}
	if (argc > 2 && !wants_options)
		err_say(&err, -EINVAL, "help: one command at a time");
	else if (topic && !command &&
		 (wants_options || strcmp(topic, "record")))
		err_say(&err, -EINVAL,
			"help: '%s' is not a command; 'rawread help' lists "
			"them",
			topic);
	else {
		show_page(topic);
		if (command)
			command_help(command);
		else if (!topic)
			print_usage(commands);
		else
			goto no_page;
		return finish();
	}
	err_print(&err);
	return EXIT_TROUBLE;
no_page:
	err_say(&err, -ENOENT,
		"help: the page rawread-record(5) is neither beside the program "
		"nor installed, or there is no man; see doc/rawread-record.5.scd");
	err_print(&err);
	return EXIT_TROUBLE;
}
