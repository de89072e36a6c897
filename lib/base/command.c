// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/base/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/base/file.h"

struct take_state {
	const struct command *command;
	int (*take)(int key, char *arg, void *input, struct err *err);
	void *input;
	struct err *err;
	int rc;
	bool help_asked;
};

static const struct argp_option *
option_find_short(const struct argp_option *options, int letter)
{
	for (; options && (options->name || options->key); options++)
		if (options->key == letter)
			return options;
	return NULL;
}

/*
 * An option whose value may be left out is consent to something: that is not
 * given by a few of its letters, as getopt would have it.
 */
static int check_whole(const struct command *command, int key, const char *word,
		       struct err *err)
{
	const struct argp_option *option =
		option_find_short(command->options, key);
	size_t length;

	if (!option)
		option = option_find_short(command->shared_options, key);
	if (key == ARGP_KEY_ARG || !option ||
	    !(option->flags & OPTION_ARG_OPTIONAL))
		return 0;
	length = strlen(option->name);
	if (!strncmp(word, "--", 2) &&
	    !strncmp(word + 2, option->name, length) &&
	    (!word[2 + length] || word[2 + length] == '='))
		return 0;
	return err_say(err, -EINVAL,
		       "%s: option '%s' has to be written out, as --%s",
		       command->name, word, option->name);
}

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
		state->rc = check_whole(state->command, key,
					argp_state->argv[argp_state->next - 1],
					state->err);
		if (!state->rc)
			state->rc =
				state->take(key, arg, state->input, state->err);
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

static int say_fault(const struct command *command, const char *word,
		     const char *fault, struct err *err)
{
	return err_say(err, -EINVAL, "%s: option '%s' %s; see 'rawread %s -h'",
		       command->name, word, fault, command->name);
}

static const struct argp_option *find_letter(const struct command *command,
					     int letter)
{
	const struct argp_option *option =
		option_find_short(command->options, letter);

	if (!option)
		option = option_find_short(command->shared_options, letter);
	return option ? option : option_find_short(help_option, letter);
}

/* Returns 0 with @takes_next when @word is right and its value follows. */
static int check_long(const struct command *command, const char *word,
		      bool is_last, bool *takes_next, struct err *err)
{
	const struct argp_option *const tables[] = { command->options,
						     command->shared_options,
						     help_option };
	size_t length = strcspn(word + 2, "="), i;
	const struct argp_option *option = NULL;
	bool has_value = word[2 + length], is_exact = false;
	unsigned int matches = 0;

	for (i = 0; i < 3 && !is_exact; i++) {
		const struct argp_option *found =
			option_find_long(tables[i], word + 2, length, &matches);

		option = found ? found : option;
		is_exact = found && strlen(found->name) == length;
	}
	if (!matches)
		return say_fault(command, word, "is not known", err);
	if (matches > 1)
		return say_fault(command, word, "may mean several", err);
	*takes_next = option->arg && !has_value;
	if (*takes_next && is_last)
		return say_fault(command, word, "needs a value", err);
	if (!option->arg && has_value)
		return say_fault(command, word, "takes no value", err);
	return 0;
}

/* The same of a cluster of letters, the last of which may have a value. */
static int check_letters(const struct command *command, const char *word,
			 bool is_last, bool *takes_next, struct err *err)
{
	const char *letter;

	*takes_next = false;
	for (letter = word + 1; *letter; letter++) {
		const struct argp_option *option =
			find_letter(command, *letter);
		const char name[] = { '-', *letter, '\0' };

		if (!option)
			return say_fault(command, name, "is not known", err);
		if (!option->arg)
			continue;
		*takes_next = !letter[1];
		if (*takes_next && is_last)
			return say_fault(command, name, "needs a value", err);
		return 0;
	}
	return 0;
}

/*
 * argp keeps to itself what getopt disliked, and would say it in two lines;
 * nor does it tell which word it was. So they are gone through again.
 */
static int say_option_fault(const struct command *command, int argc,
			    char **argv, struct err *err)
{
	bool takes_next = false;
	int i, rc = 0;

	for (i = 1; i < argc && !rc; i++) {
		bool is_last = i == argc - 1;

		if (argv[i][0] != '-' || !argv[i][1])
			continue;
		if (!strcmp(argv[i], "--"))
			break;
		if (argv[i][1] == '-')
			rc = check_long(command, argv[i], is_last, &takes_next,
					err);
		else
			rc = check_letters(command, argv[i], is_last,
					   &takes_next, err);
		i += takes_next;
	}
	return rc ? rc
		  : err_say(err, -EINVAL,
			    "%s: the options are not understood; see 'rawread "
			    "%s -h'",
			    command->name, command->name);
}

int command_parse(const struct command *command, int argc, char **argv,
		  int (*take)(int key, char *arg, void *input, struct err *err),
		  void *input, struct err *err)
{
	struct take_state state = {
		.command = command, .take = take, .input = input, .err = err
	};
	const struct argp help = { .options = help_option, .parser = take_key };
	const struct argp shared = { .options = command->shared_options,
				     .parser = take_key };
	const struct argp_child children[] = { { .argp = &help },
					       { .argp = &shared },
					       { 0 } };
	const struct argp argp = { .options = command->options,
				   .parser = take_first,
				   .children = children };
	error_t failed;

	failed = argp_parse(&argp, argc, argv,
			    ARGP_NO_ERRS | ARGP_NO_EXIT | ARGP_NO_HELP, NULL,
			    &state);
	if (state.help_asked) {
		command_help(command);
		return 1;
	}
	if (!failed || state.rc < 0)
		return state.rc;
	return say_option_fault(command, argc, argv, err);
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
