// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/system/claims_plain.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "lib/base/file.h"

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

static bool process_tells(const char *root, const char *pid, dev_t dev)
{
	char *path = text_format("/proc/%s/mountinfo", pid);
	char *text = NULL, *next, *line;
	bool tells = false;

	/* It has ended, or is another user's. */
	if (path && file_read_text(root, path, &text, NULL) < 0)
		text = NULL;
	next = text;
	while (!tells && (line = strsep(&next, "\n")))
		tells = line_tells(line, dev);
	free(text);
	free(path);
	return tells;
}

bool claim_dev_is_plain(const char *root, dev_t dev)
{
	char *path = text_format("%s/proc", root);
	DIR *proc = path ? opendir(path) : NULL;
	const struct dirent *entry;
	bool tells;

	free(path);
	tells = process_tells(root, "self", dev);
	while (!tells && proc && (entry = readdir(proc)))
		if (isdigit((unsigned char)entry->d_name[0]))
			tells = process_tells(root, entry->d_name, dev);
	if (proc)
		closedir(proc);
	return tells;
}
