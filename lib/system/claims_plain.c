// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/system/claims_plain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "lib/system/namespaces.h"

/* Whether a @line of mountinfo is of @dev, and its type is a plain one. */
static bool line_tells(const char *line, dev_t dev)
{
	static const char *const plain[] = { "tmpfs ", "ramfs ", "devtmpfs ",
					     "hugetlbfs ", "bcachefs " };
	unsigned int major_number, minor_number;
	const char *type = strstr(line, " - ");
	size_t i;

	if (!type ||
	    sscanf(line, "%*d %*d %u:%u", &major_number, &minor_number) != 2 ||
	    makedev(major_number, minor_number) != dev)
		return false;
	for (i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		if (!strncmp(type + 3, plain[i], strlen(plain[i])))
			return true;
	return false;
}

/* The number that is asked for. */
struct question {
	const char *root;
	dev_t dev;
};

static int namespace_tells(const char *pid, void *input)
{
	const struct question *question = input;
	char *text = namespace_mountinfo(question->root, pid);
	char *next = text, *line;
	bool tells = false;

	while (!tells && (line = strsep(&next, "\n")))
		tells = line_tells(line, question->dev);
	free(text);
	return tells;
}

bool claim_dev_is_plain(const char *root, dev_t dev)
{
	struct question question = { root, dev };

	return namespace_tells("self", &question) ||
	       namespaces_each_other(root, namespace_tells, &question);
}
