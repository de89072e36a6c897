// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/targets.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/record/params.h"
#include "lib/system/mounts.h"

/*
 * Since Linux 6.1, and 6.15 for what reads alone need: headers of long-lived
 * distributions have neither the bits nor the members, whose places in the
 * kernel's struct are fixed.
 */
#ifndef STATX_DIOALIGN
#define STATX_DIOALIGN 0x2000U
#endif
#ifndef STATX_DIO_READ_ALIGN
#define STATX_DIO_READ_ALIGN 0x20000U
#endif
#define STATX_DIO_MEMORY_AT	 0x98
#define STATX_DIO_OFFSET_AT	 0x9c
#define STATX_DIO_READ_OFFSET_AT 0xb4

char *targets_disk_letters(unsigned int number)
{
	char letters[16];
	size_t at = sizeof(letters) - 1;

	/* Digits from 1 to 26, without a zero. */
	letters[at] = '\0';
	for (; number; number = (number - 1) / 26)
		letters[--at] = (char)('a' + (number - 1) % 26);
	return strdup(letters + at);
}

/* Puts @text wherever %d or %s, the @conversion, stands in @pattern. */
static char *fill_pattern(const char *pattern, char conversion,
			  const char *text)
{
	const char mark[] = { '%', conversion, '\0' };
	char *filled = NULL;
	const char *at;
	size_t size;
	FILE *out = open_memstream(&filled, &size);

	if (!out)
		return NULL;
	while ((at = strstr(pattern, mark))) {
		fprintf(out, "%.*s%s", (int)(at - pattern), pattern, text);
		pattern = at + 2;
	}
	fputs(pattern, out);
	if (fclose(out)) {
		free(filled);
		return NULL;
	}
	return filled;
}

static int path_by_number(const struct run_params *params, unsigned int index,
			  char **path, struct err *err)
{
	unsigned int number = params->first_device + index;
	char *text;

	*path = NULL;
	text = params->use_disks ? targets_disk_letters(number)
				 : text_format("%u", number);
	if (text)
		*path = params->use_disks
				? fill_pattern(DISK_PATTERN, 's', text)
				: fill_pattern(params->file_pattern, 'd', text);
	free(text);
	return *path ? 0 : err_set(err, -ENOMEM, "target %u", number);
}

/* A directory stands for its foo, and has to be what was mounted there. */
static int path_in_mount(const char *directory, char **path, struct err *err)
{
	struct mount_entry mount = { 0 };
	int rc = mount_find(directory, &mount, err);

	mount_free(&mount);
	if (rc == -ENOENT)
		return err_say(err, rc,
			       "%s is a directory and nothing is mounted on "
			       "it; mount its file system, or name a file",
			       directory);
	if (rc < 0)
		return rc;
	*path = text_format("%s/foo", directory);
	return *path ? 0 : err_set(err, -ENOMEM, "target %s", directory);
}

int targets_path_by_name(const char *name, char **path, struct err *err)
{
	struct stat st;

	*path = NULL;
	if (!stat(name, &st) && S_ISDIR(st.st_mode))
		return path_in_mount(name, path, err);
	*path = strdup(name);
	return *path ? 0 : err_set(err, -ENOMEM, "target %s", name);
}

/* As a mount's directory is when the mount is missing. */
static bool is_empty_dir(const char *path)
{
	const struct dirent *entry;
	DIR *dir = opendir(path);
	bool is_empty = dir;

	while (is_empty && (entry = readdir(dir)))
		is_empty = !strcmp(entry->d_name, ".") ||
			   !strcmp(entry->d_name, "..");
	if (dir)
		closedir(dir);
	return is_empty;
}

/* It may be the mount, or with a number the disk, that is missing. */
static int say_missing(const struct run_params *params, const char *path,
		       struct err *err)
{
	char *directory = NULL, *slash;
	struct mount_entry mount = { 0 };
	int rc = 0;

	if (params->use_disks)
		return err_say(err, -ENOENT,
			       "open %s: no such disk; -d and -m choose others",
			       path);
	directory = strdup(path);
	slash = directory ? strrchr(directory, '/') : NULL;
	if (slash && slash != directory) {
		*slash = '\0';
		if (params->use_files || is_empty_dir(directory))
			rc = mount_find(directory, &mount, NULL);
		mount_free(&mount);
	}
	if (rc == -ENOENT)
		err_say(err, -ENOENT,
			"open %s: No such file or directory, and nothing is "
			"mounted on %s; mount it, or make the file with "
			"'rawread prepare'",
			path, directory);
	else
		err_say(err, -ENOENT,
			"open %s: No such file or directory; 'rawread "
			"prepare' makes such files",
			path);
	free(directory);
	return -ENOENT;
}

static int file_size(int fd, const char *path, uint64_t *size_bytes,
		     struct target *target, struct err *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return err_set(err, -errno, "stat %s", path);
	target->dev = S_ISBLK(st.st_mode) ? st.st_rdev : st.st_dev;
	target->inode = S_ISBLK(st.st_mode) ? 0 : st.st_ino;
	if (S_ISBLK(st.st_mode)) {
		if (ioctl(fd, BLKGETSIZE64, size_bytes) < 0)
			return err_set(err, -errno, "size of %s", path);
		return 0;
	}
	if (!S_ISREG(st.st_mode))
		return err_say(err, -EINVAL,
			       "%s is neither a file nor a block device", path);
	*size_bytes = (uint64_t)st.st_size;
	return 0;
}

static uint32_t statx_u32(const struct statx *sx, size_t at)
{
	uint32_t number;

	memcpy(&number, (const char *)sx + at, sizeof(number));
	return number;
}

void targets_fill_direct(const struct statx *sx, struct plan_file *file)
{
	uint32_t read_bytes = 0;

	if (!(sx->stx_mask & STATX_DIOALIGN))
		return;
	file->direct_memory_bytes = statx_u32(sx, STATX_DIO_MEMORY_AT);
	file->direct_offset_bytes = statx_u32(sx, STATX_DIO_OFFSET_AT);
	/* Writes to shared extents of XFS need more than reads do. */
	if (sx->stx_mask & STATX_DIO_READ_ALIGN)
		read_bytes = statx_u32(sx, STATX_DIO_READ_OFFSET_AT);
	if (read_bytes)
		file->direct_offset_bytes = read_bytes;
}

/* What direct I/O needs here, if the kernel tells, and whether it opens. */
static int check_direct(const char *path, struct plan_file *file,
			struct err *err)
{
	struct statx sx = { 0 };
	int fd;

	fd = open(path, O_RDONLY | O_DIRECT | O_CLOEXEC);
	if (fd < 0 && errno == EINVAL)
		return err_say(err, -EOPNOTSUPP,
			       "n/a: %s: its file system refuses direct I/O",
			       path);
	if (fd < 0)
		return err_set(err, -errno, "open %s for direct I/O", path);
	if (!statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN | STATX_DIO_READ_ALIGN,
		   &sx))
		targets_fill_direct(&sx, file);
	close(fd);
	if (sx.stx_mask & STATX_DIOALIGN && !file->direct_offset_bytes)
		return err_say(err, -EOPNOTSUPP,
			       "n/a: %s: the kernel has no direct I/O for it",
			       path);
	return 0;
}

static int target_open(const struct run_params *params, struct target *target,
		       struct plan_file *file, struct err *err)
{
	/* What is asked of the page cache maps it, which is an access too. */
	int noatime = params->noatime ? O_NOATIME : 0, rc;

	/* A fifo would wait for its writer; files do not mind. */
	target->fd =
		open(target->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | noatime);
	if (target->fd < 0 && errno == ENOENT)
		return say_missing(params, target->path, err);
	if (target->fd < 0 && errno == EMFILE)
		return err_say(err, -EMFILE,
			       "open %s: all %ld descriptors of this process "
			       "are in use; raise 'ulimit -n' or name fewer "
			       "targets",
			       target->path, sysconf(_SC_OPEN_MAX));
	if (target->fd < 0 && errno == EPERM && noatime)
		return err_say(err, -EPERM,
			       "open %s: only its owner and root may read it "
			       "with --noatime; leave that out",
			       target->path);
	if (target->fd < 0)
		return err_set(err, -errno, "open %s", target->path);
	file->path = target->path;
	rc = file_size(target->fd, target->path, &file->size_bytes, target,
		       err);
	if (!rc && params->direct)
		rc = check_direct(target->path, file, err);
	return rc;
}

/* Twice the same file would be read from the page cache the second time. */
static int refuse_same(const struct targets *targets, unsigned int index,
		       struct err *err)
{
	const struct target *target = &targets->list[index];
	unsigned int i;

	for (i = 0; i < index; i++)
		if (targets->list[i].dev == target->dev &&
		    targets->list[i].inode == target->inode)
			return err_say(err, -EINVAL,
				       "%s and %s are the same; name it once, "
				       "and raise -p for more threads",
				       targets->list[i].path, target->path);
	return 0;
}

int targets_open(const struct run_params *params, struct targets *targets,
		 struct err *err)
{
	unsigned int i;
	int rc = 0;

	*targets = (struct targets){
		.list = calloc(params->modulo, sizeof(*targets->list)),
		.files = calloc(params->modulo, sizeof(*targets->files)),
	};
	if (!targets->list || !targets->files)
		rc = err_set(err, -ENOMEM, "%u targets", params->modulo);
	for (i = 0; !rc && i < params->modulo; i++) {
		struct target *target = &targets->list[i];

		targets->count++;
		target->fd = -1;
		rc = params->target_count
			     ? targets_path_by_name(params->targets[i],
						    &target->path, err)
			     : path_by_number(params, i, &target->path, err);
		if (!rc)
			rc = target_open(params, target, &targets->files[i],
					 err);
		if (!rc)
			rc = refuse_same(targets, i, err);
	}
	if (rc < 0)
		targets_close(targets);
	return rc;
}

void targets_close(struct targets *targets)
{
	unsigned int i;

	for (i = 0; targets->list && i < targets->count; i++) {
		if (targets->list[i].fd >= 0)
			close(targets->list[i].fd);
		free(targets->list[i].path);
	}
	free(targets->list);
	free(targets->files);
	*targets = (struct targets){ 0 };
}
