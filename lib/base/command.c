// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/base/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/base/file.h"

struct take_state {
	int (*take)(int key, char *arg, void *input, struct err *err);
	void *input;
	struct err *err;
	int rc;
	bool help_asked;
};

static error_t take_key(int key, char *arg, struct argp_state *argp_state)
{
	struct take_state *state = argp_state->input;

	switch (key) {
	case 'h':
		state->help_asked = true;
		return ECANCELED; /* ends the parsing, and is no fault */
	case ARGP_KEY_INIT:
	case ARGP_KEY_FINI:
	case ARGP_KEY_SUCCESS:
	case ARGP_KEY_ERROR:
	case ARGP_KEY_NO_ARGS:
	case ARGP_KEY_END:
	case ARGP_KEY_ARGS:
		return ARGP_ERR_UNKNOWN;
	default:
		state->rc = state->take(key, arg, state->input, state->err);
		return -state->rc;
	}
}

/* argp gives its children no input unless it is told to. */
static error_t take_first(int key, char *arg, struct argp_state *argp_state)
{
	if (key != ARGP_KEY_INIT)
		return take_key(key, arg, argp_state);
	argp_state->child_inputs[0] = argp_state->input;
	argp_state->child_inputs[1] = argp_state->input;
	return 0;
}

static const struct argp_option help_option[] = {
	{ "help", 'h', NULL, 0, "Show this help", -1 },
	{ 0 },
};

/* The option of @options that @name (@length letters) means; @matches counts.
 */
static const struct argp_option *
option_find_long(const struct argp_option *options, const char *name,
		 size_t length, unsigned int *matches)
{
	const struct argp_option *found = NULL;

	for (; options && (options->name || options->key); options++) {
		if (!options->name || strncmp(options->name, name, length))
			continue;
		found = options;
		if (strlen(options->name) == length) {
			*matches = 1;
			return found;
		}
		++*matches;
	}
	return found;
}

static const struct argp_option *
option_find_short(const struct argp_option *options, int letter)
{
	for (; options && (options->name || options->key); options++)
		if (options->key == letter)
			return options;
	return NULL;
}

static int say_fault(const struct command *command, const char *word,
		     const char *fault, struct err *err)
{
	return err_say(err, -EINVAL, "%s: option '%s' %s; see 'rawread %s -h'",
		       command->name, word, fault, command->name);
}

static int say_long_fault(const struct command *command, const char *word,
			  struct err *err)
{
	const struct argp_option *option, *shared;
	unsigned int matches = 0;
	size_t length = strcspn(word + 2, "=");

	option = option_find_long(command->options, word + 2, length, &matches);
	shared = option_find_long(command->shared_options, word + 2, length,
				  &matches);
	if (!option)
		option = shared;
	if (!matches)
		return say_fault(command, word, "is not known", err);
	if (matches > 1)
		return say_fault(command, word, "may mean several", err);
	return say_fault(command, word,
			 option->arg ? "needs a value" : "takes no value", err);
}

/*
 * argp keeps to itself what getopt disliked, and would say it in two lines.
 * It tells where it stopped: the word at fault is the last one it took, or
 * the one it stands in when that is a cluster of letters.
 */
static int say_option_fault(const struct command *command, int argc,
			    char **argv, int next, struct err *err)
{
	const char *word = next < argc ? argv[next] : argv[argc - 1];
	const char *letter;

	if (next > 1 && argv[next - 1][0] == '-' && argv[next - 1][1])
		word = argv[next - 1];
	if (!strncmp(word, "--", 2))
		return say_long_fault(command, word, err);
	for (letter = word + 1; *letter; letter++) {
		const struct argp_option *option =
			option_find_short(command->options, *letter);
		char name[3] = { '-', *letter, '\0' };

		if (!option)
			option = option_find_short(command->shared_options,
						   *letter);
		if (!option)
			return say_fault(command, name, "is not known", err);
		if (option->arg)
			return say_fault(command, name, "needs a value", err);
	}
	return say_fault(command, word, "is not understood", err);
}

int command_parse(const struct command *command, int argc, char **argv,
		  int (*take)(int key, char *arg, void *input, struct err *err),
		  void *input, struct err *err)
{
	struct take_state state = { .take = take, .input = input, .err = err };
	const struct argp help = { .options = help_option, .parser = take_key };
	const struct argp shared = { .options = command->shared_options,
				     .parser = take_key };
	const struct argp_child children[] = { { .argp = &help },
					       { .argp = &shared },
					       { 0 } };
	const struct argp argp = { .options = command->options,
				   .parser = take_first,
				   .children = children };
	int next = argc;
	error_t failed;

	failed = argp_parse(&argp, argc, argv,
			    ARGP_NO_ERRS | ARGP_NO_EXIT | ARGP_NO_HELP, &next,
			    &state);
	if (state.help_asked) {
		command_help(command);
		return 1;
	}
	if (!failed || state.rc < 0)
		return state.rc;
	return say_option_fault(command, argc, argv, next, err);
}

void command_help(const struct command *command)
{
	const struct argp help = { .options = help_option };
	const struct argp shared = { .options = command->shared_options };
	const struct argp_child children[] = { { .argp = &help },
					       { .argp = &shared },
					       { 0 } };
	const struct argp argp = { .options = command->options,
				   .args_doc = command->args_doc,
				   .doc = command->summary,
				   .children = children };
	char *name = text_format("rawread %s", command->name);

	if (!name)
		return;
	argp_help(&argp, stdout,
		  ARGP_HELP_SHORT_USAGE | ARGP_HELP_PRE_DOC | ARGP_HELP_LONG,
		  name);
	free(name);
}

int command_close_stdout(struct err *err)
{
	int failed_before = ferror(stdout);

	if (fflush(stdout))
		return err_set(err, -errno, "write standard output");
	if (failed_before)
		return err_set(err, -EIO, "write standard output");
	return 0;
}
