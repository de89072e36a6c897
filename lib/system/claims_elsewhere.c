// SPDX-License-Identifier: GPL-2.0-or-later
/* Who holds a block device, out of sight of our mount namespace. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/system/claims.h"
#include "lib/system/namespaces.h"

struct search {
	const char *root;
	const struct claim_ways *ways;
	char own[64]; /* our mount namespace, as its link says it */
};

static ssize_t namespace_of(const char *root, const char *pid, char name[64])
{
	char *path = text_format("%s/proc/%s/ns/mnt", root, pid);
	ssize_t length = path ? readlink(path, name, 63) : -1;

	free(path);
	name[length < 0 ? 0 : length] = '\0';
	return length;
}

/* Whether the mount namespace of process @pid has one of our devices. */
static bool has_mounted(const struct search *search, const char *pid)
{
	char name[64], *text, *line, *next;
	unsigned int major_number, minor_number;
	bool has = false;

	if (namespace_of(search->root, pid, name) > 0 &&
	    !strcmp(name, search->own))
		return false;
	next = text = namespace_mountinfo(search->root, pid);
	while (!has && (line = strsep(&next, "\n")))
		/* Numbers with a major of 0 are of no block device. */
		has = sscanf(line, "%*d %*d %u:%u", &major_number,
			     &minor_number) == 2 &&
		      major_number &&
		      claim_ways_overlap(search->root, search->ways,
					 makedev(major_number, minor_number));
	free(text);
	return has;
}

/* Whether the process @pid has one of our devices open. */
static bool has_open(const struct search *search, const char *pid)
{
	char *path = text_format("%s/proc/%s/fd", search->root, pid);
	DIR *dir = path ? opendir(path) : NULL;
	struct dirent *entry;
	bool has = false;
	struct stat st;

	free(path);
	while (!has && dir && (entry = readdir(dir)))
		has = entry->d_name[0] != '.' &&
		      !fstatat(dirfd(dir), entry->d_name, &st, 0) &&
		      S_ISBLK(st.st_mode) &&
		      claim_ways_overlap(search->root, search->ways,
					 st.st_rdev);
	if (dir)
		closedir(dir);
	return has;
}

/* "812 (cat)" of the first process but us that @has it; NULL: none. */
static char *find_process(const struct search *search,
			  bool (*has)(const struct search *search,
				      const char *pid))
{
	char *path = text_format("%s/proc", search->root), *comm = NULL;
	DIR *proc = path ? opendir(path) : NULL;
	struct dirent *entry;
	char *found = NULL;

	free(path);
	while (!found && proc && (entry = readdir(proc))) {
		if (!isdigit((unsigned char)entry->d_name[0]) ||
		    (!*search->root && atoi(entry->d_name) == getpid()) ||
		    !has(search, entry->d_name))
			continue;
		path = text_format("/proc/%s/comm", entry->d_name);
		if (path && file_read_text(search->root, path, &comm, NULL) < 0)
			comm = NULL;
		found = text_format("%s (%s)", entry->d_name,
				    comm ? comm : "?");
		free(comm);
		free(path);
	}
	if (proc)
		closedir(proc);
	return found;
}

#define HELD                                                                   \
	"held by a mount that cannot be seen from here, or by a program that " \
	"wants it for itself"

int claim_elsewhere(const char *root, const struct claim_ways *ways,
		    struct claim *claim, struct err *err)
{
	struct search search = { .root = root, .ways = ways };
	char *process;

	*claim = (struct claim){ 0 };
	namespace_of(root, "self", search.own);
	process = find_process(&search, has_mounted);
	if (process) {
		claim->holder = text_format("mounted in the namespace of pid "
					    "%s",
					    process);
		claim->cure = "unmount it there";
	} else {
		/* Whether it was opened for that alone is told nowhere. */
		process = find_process(&search, has_open);
		claim->holder = process ? text_format(HELD ": pid %s has it "
							   "open",
						      process)
					: strdup(HELD);
		claim->cure = "end that";
	}
	free(process);
	return claim->holder ? 0 : err_set(err, -ENOMEM, "what holds a target");
}
