// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/system/namespaces.h"

#include <ctype.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/file.h"

char *namespace_mountinfo(const char *root, const char *pid)
{
	char *path = text_format("/proc/%s/mountinfo", pid), *text = NULL;

	if (path && file_read_text(root, path, &text, NULL) < 0)
		text = NULL;
	free(path);
	return text;
}

struct seen {
	char **names; /* of mount namespaces */
	size_t count;
};

/* Whether @pid is in a mount namespace that was not looked into. */
static bool is_new(const char *root, const char *pid, struct seen *seen)
{
	char *path = text_format("%s/proc/%s/ns/mnt", root, pid), **grown;
	char name[64];
	ssize_t length = path ? readlink(path, name, sizeof(name) - 1) : -1;
	size_t i;

	free(path);
	if (length < 0)
		return false;
	name[length] = '\0';
	for (i = 0; i < seen->count; i++)
		if (!strcmp(seen->names[i], name))
			return false;
	grown = reallocarray(seen->names, seen->count + 1, sizeof(*grown));
	if (!grown)
		return true;
	seen->names = grown;
	grown[seen->count] = strdup(name);
	if (grown[seen->count])
		seen->count++;
	return true;
}

int namespaces_each_other(const char *root,
			  int (*visit)(const char *pid, void *input),
			  void *input)
{
	char *path = text_format("%s/proc", root);
	DIR *proc = path ? opendir(path) : NULL;
	const struct dirent *entry;
	struct seen seen = { 0 };
	int rc = 0;

	free(path);
	is_new(root, "self", &seen);
	while (!rc && proc && (entry = readdir(proc)))
		if (isdigit((unsigned char)entry->d_name[0]) &&
		    is_new(root, entry->d_name, &seen))
			rc = visit(entry->d_name, input);
	if (proc)
		closedir(proc);
	while (seen.count)
		free(seen.names[--seen.count]);
	free(seen.names);
	return rc;
}
