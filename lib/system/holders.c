// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/system/holders.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/system/mounts.h"

/* More than these are counted, not named: the sentence has to be read. */
#define NAMED_MAX 8

struct holders {
	const struct mount_entry *mount;
	bool mounted; /* now, in this namespace */
	FILE *out;
	unsigned int found;
	unsigned int unseen; /* processes that we may not look into */
	/* Mount namespaces that were looked at, our own first. */
	char **namespaces;
	size_t namespace_count;
};

/* Begins the next part of the sentence, unless there are enough. */
static bool part_begin(struct holders *holders)
{
	if (holders->found++ >= NAMED_MAX)
		return false;
	if (holders->found > 1)
		fputs("; ", holders->out);
	return true;
}

/*
 * A mount is busy with what is reached through it. When it has gone, all that
 * is on its file system keeps the superblock, by whatever mount.
 */
static bool is_on_mount(const struct holders *holders, int dir,
			const char *name)
{
	struct statx stx;

	/* No sync: a dead server must not hang us. */
	if (statx(dir, name, AT_STATX_DONT_SYNC, STATX_MNT_ID, &stx) < 0)
		return false;
	if (holders->mounted)
		return stx.stx_mask & STATX_MNT_ID &&
		       stx.stx_mnt_id == (uint64_t)holders->mount->id;
	return makedev(stx.stx_dev_major, stx.stx_dev_minor) ==
	       holders->mount->dev;
}

/* Entries of /proc/PID/@name that lead to the mount; -errno. */
static int count_links(const struct holders *holders, int process,
		       const char *name)
{
	int fd = openat(process, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	int count = 0;

	if (!dir) {
		count = -errno;
		if (fd >= 0)
			close(fd);
		return count;
	}
	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			count += is_on_mount(holders, fd, entry->d_name);
	closedir(dir);
	return count;
}

static void comm_read(const char *pid, char comm[static 64])
{
	char path[64], *text = NULL, *at;

	snprintf(path, sizeof(path), "/proc/%s/comm", pid);
	if (file_read_text("", path, &text, NULL) < 0)
		text = NULL;
	snprintf(comm, 64, "%s", text ? text : "?");
	for (at = comm; *at; at++)
		if (iscntrl((unsigned char)*at))
			*at = '?';
	free(text);
}

static void count_say(FILE *out, int count, const char *one, const char *many)
{
	if (count == 1)
		fprintf(out, ", %s", one);
	else if (count > 1)
		fprintf(out, ", %d %s", count, many);
}

static void look_at_files(struct holders *holders, int process, const char *pid)
{
	bool cwd = is_on_mount(holders, process, "cwd");
	bool root = is_on_mount(holders, process, "root");
	bool exe = is_on_mount(holders, process, "exe");
	int files = count_links(holders, process, "fd");
	int mapped = count_links(holders, process, "map_files");
	char comm[64];

	if (files == -EACCES || files == -EPERM)
		holders->unseen++;
	if (!cwd && !root && !exe && files <= 0 && mapped <= 0)
		return;
	if (!part_begin(holders))
		return;
	comm_read(pid, comm);
	fprintf(holders->out, "pid %s (%s)", pid, comm);
	count_say(holders->out, files, "1 file", "files");
	count_say(holders->out, mapped, "1 mapping", "mappings");
	count_say(holders->out, cwd, "its directory", "");
	count_say(holders->out, root, "its root", "");
	count_say(holders->out, exe, "its program", "");
}

/* True the first time that @name is given. */
static bool namespace_is_new(struct holders *holders, const char *name)
{
	char **grown, *copy;
	size_t i;

	for (i = 0; i < holders->namespace_count; i++)
		if (!strcmp(holders->namespaces[i], name))
			return false;
	grown = reallocarray(holders->namespaces, i + 1, sizeof(*grown));
	if (grown)
		holders->namespaces = grown;
	copy = grown ? strdup(name) : NULL;
	if (!copy)
		return false;
	holders->namespaces[holders->namespace_count++] = copy;
	return true;
}

/* Whether the mountinfo of @pid, in another namespace, has our device. */
static bool mountinfo_has(const char *pid, dev_t dev)
{
	char path[64], *text = NULL, *line, *next;
	unsigned int major_number, minor_number;
	bool has = false;

	snprintf(path, sizeof(path), "/proc/%s/mountinfo", pid);
	if (file_read_text("", path, &text, NULL) < 0)
		return false;
	next = text;
	while (!has && (line = strsep(&next, "\n")))
		has = sscanf(line, "%*d %*d %u:%u", &major_number,
			     &minor_number) == 2 &&
		      makedev(major_number, minor_number) == dev;
	free(text);
	return has;
}

static void look_at_namespace(struct holders *holders, int process,
			      const char *pid)
{
	char name[64], comm[64];
	ssize_t length;

	length = readlinkat(process, "ns/mnt", name, sizeof(name) - 1);
	if (length < 0)
		return;
	name[length] = '\0';
	if (!namespace_is_new(holders, name) ||
	    !mountinfo_has(pid, holders->mount->dev) || !part_begin(holders))
		return;
	comm_read(pid, comm);
	fprintf(holders->out, "mounted in the namespace of pid %s (%s)", pid,
		comm);
}

/* Calls @look with each process's folder of /proc. */
static void look_at_processes(struct holders *holders,
			      void (*look)(struct holders *holders, int process,
					   const char *pid))
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;

	while (proc && (entry = readdir(proc))) {
		int process;

		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		process = openat(dirfd(proc), entry->d_name,
				 O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (process < 0)
			continue; /* it has ended */
		look(holders, process, entry->d_name);
		close(process);
	}
	if (proc)
		closedir(proc);
}

/* Other mounts of this namespace: on top of ours, or of the same device. */
static void look_at_mounts(struct holders *holders, bool on_top)
{
	const struct mount_entry *mount = holders->mount;
	struct mount_list list;
	size_t i;

	if (mount_list_read("", &list, NULL) < 0)
		return;
	for (i = 0; i < list.count; i++) {
		const struct mount_entry *other = &list.mounts[i];

		if (on_top && other->parent_id == mount->id &&
		    part_begin(holders))
			fprintf(holders->out, "%s is mounted below it",
				other->target);
		if (!on_top && other->dev == mount->dev &&
		    other->id != mount->id && part_begin(holders))
			fprintf(holders->out, "also mounted at %s",
				other->target);
	}
	mount_list_free(&list);
}

static bool is_below(const struct holders *holders, const char *path)
{
	size_t length = strlen(holders->mount->target);

	return !strncmp(path, holders->mount->target, length) &&
	       path[length] == '/';
}

static void look_at_loops(struct holders *holders)
{
	DIR *dir = opendir("/sys/block");
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		char *path, *backing = NULL;

		if (strncmp(entry->d_name, "loop", 4))
			continue;
		path = text_format("/sys/block/%s/loop/backing_file",
				   entry->d_name);
		if (path && !file_read_text("", path, &backing, NULL) &&
		    is_below(holders, backing) && part_begin(holders))
			fprintf(holders->out, "%s (backing file %s)",
				entry->d_name, backing);
		free(backing);
		free(path);
	}
	if (dir)
		closedir(dir);
}

/* Blanks and backslashes are in octal in /proc/swaps. */
static void octal_decode(char *text)
{
	char *to = text;

	for (; *text; text++) {
		if (*text == '\\' && strspn(text + 1, "01234567") >= 3) {
			*to++ = (char)((text[1] - '0') * 64 +
				       (text[2] - '0') * 8 + text[3] - '0');
			text += 3;
		} else {
			*to++ = *text;
		}
	}
	*to = '\0';
}

static void look_at_swaps(struct holders *holders)
{
	char *text = NULL, *line, *next;

	if (file_read_text("", "/proc/swaps", &text, NULL) < 0)
		return;
	next = text;
	while ((line = strsep(&next, "\n"))) {
		char *name = strsep(&line, " \t");

		octal_decode(name);
		if (is_below(holders, name) && part_begin(holders))
			fprintf(holders->out, "swap file %s", name);
	}
	free(text);
}

static bool is_mounted(const struct mount_entry *mount)
{
	struct mount_entry now;
	bool is = !mount_find(mount->target, &now, NULL) &&
		  now.id == mount->id && now.dev == mount->dev;

	mount_free(&now);
	return is;
}

static void look_everywhere(struct holders *holders)
{
	char own[64];
	ssize_t length = readlink("/proc/self/ns/mnt", own, sizeof(own) - 1);

	look_at_processes(holders, look_at_files);
	if (holders->mounted)
		look_at_mounts(holders, true);
	look_at_loops(holders);
	look_at_swaps(holders);
	/* Other mounts keep the superblock, and do not make this one busy. */
	if (holders->mounted && holders->found)
		return;
	look_at_mounts(holders, false);
	if (length < 0)
		return;
	own[length] = '\0';
	namespace_is_new(holders, own);
	look_at_processes(holders, look_at_namespace);
}

char *holders_describe(const struct mount_entry *mount)
{
	struct holders holders = { .mount = mount,
				   .mounted = is_mounted(mount) };
	char *text = NULL;
	size_t length;

	holders.out = open_memstream(&text, &length);
	if (!holders.out)
		return NULL;
	look_everywhere(&holders);
	if (!holders.found)
		fputs("nobody that can be seen", holders.out);
	if (!holders.found && holders.unseen)
		fprintf(holders.out, " (%u processes may not be looked into)",
			holders.unseen);
	if (holders.found > NAMED_MAX)
		fprintf(holders.out, "; and %u more",
			holders.found - NAMED_MAX);
	while (holders.namespace_count)
		free(holders.namespaces[--holders.namespace_count]);
	free(holders.namespaces);
	if (fclose(holders.out)) {
		free(text);
		return NULL;
	}
	return text;
}
