// SPDX-License-Identifier: GPL-2.0-or-later
/* Image files that are mounted without a block device. */
#include <ctype.h>
#include <dirent.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/system/claims.h"
#include "lib/system/claims_held.h"

#define CURE "unmount it"

/* As the kernel's fs/erofs/erofs_fs.h has it. */
#define EROFS_MAGIC    UINT32_C(0xe0f5e1e2)
#define EROFS_MAGIC_AT 1024

/* The file that may be mounted. */
struct image {
	const struct claim_object *object;
	const struct claim_loop *loop; /* that it lies below, or NULL */
	int fd;			       /* that it is open at, if that is NULL */
};

static int image_open(const char *root, const struct image *image)
{
	char *path;
	int fd;

	if (image->loop)
		return claim_loop_open_below(root, image->loop);
	/* Anew: it may be open by its name alone. */
	path = text_format("/proc/self/fd/%d", image->fd);
	fd = path ? open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
	free(path);
	return fd;
}

/* Also when that cannot be told. */
static bool may_be_erofs(const char *root, const struct image *image)
{
	int fd = image_open(root, image);
	uint32_t magic = 0;
	ssize_t got;

	if (fd < 0)
		return true;
	/* No more of it than that into the page cache. */
	posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
	got = pread(fd, &magic, sizeof(magic), EROFS_MAGIC_AT);
	close(fd);
	return got < 0 ||
	       (got == sizeof(magic) && le32toh(magic) == EROFS_MAGIC);
}

/* A mount that has no block device. */
struct image_mount {
	const char *root; /* that its source is seen from */
	const char *fs_type;
	const char *source;
	const char *where; /* for people */
};

/*
 * erofs says the path it was mounted with, which may be relative, or lead to
 * another file by now, be that an image too. So that proves nothing of any
 * other file; what is no such image was not mounted.
 */
static int look_at(const struct claim_tables *tables,
		   const struct image_mount *mount, const struct image *image,
		   struct claim *claim, struct err *err)
{
	struct claim_object source;

	if (claim_object_at(mount->root, mount->source, &source) &&
	    claim_object_may_be(&source, image->object)) {
		char *text = text_format("mounted %s", mount->where);

		return claim_object_same(&source, image->object)
			       ? claim_set(claim, text, CURE, err)
			       : claim_guess(claim, text, CURE, err);
	}
	if (claim->holder || strcmp(mount->fs_type, "erofs") != 0 ||
	    !may_be_erofs(tables->root, image))
		return 0;
	return claim_guess(claim,
			   text_format("perhaps the image that is mounted %s, "
				       "which is told as '%s'",
				       mount->where, mount->source),
			   CURE, err);
}

static int look_at_ours(const struct claim_tables *tables,
			const struct image *image, struct claim *claim,
			struct err *err)
{
	size_t i;
	int rc = 0;

	for (i = 0; !rc && !claim_is_certain(claim) && i < tables->mounts.count;
	     i++) {
		const struct mount_entry *mount = &tables->mounts.mounts[i];
		char *where;

		if (major(mount->dev))
			continue;
		where = text_format("on %s", mount->target);
		rc = where ? look_at(tables,
				     &(struct image_mount){
					     tables->root, mount->fs_type,
					     mount->source, where },
				     image, claim, err)
			   : err_set(err, -ENOMEM, "what is mounted");
		free(where);
	}
	return rc;
}

/* Blanks and backslashes are in octal in mountinfo. */
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

/* A @line of another namespace's mountinfo. */
static int look_at_line(const struct claim_tables *tables, const char *root,
			char *line, const char *where,
			const struct image *image, struct claim *claim,
			struct err *err)
{
	unsigned int major_number;
	char *type, *source;

	if (sscanf(line, "%*d %*d %u:", &major_number) != 1 || major_number)
		return 0;
	type = strstr(line, " - ");
	if (!type)
		return 0;
	type += 3;
	source = type;
	type = strsep(&source, " ");
	if (!source)
		return 0;
	source[strcspn(source, " ")] = '\0';
	octal_decode(source);
	return look_at(tables,
		       &(struct image_mount){ root, type, source, where },
		       image, claim, err);
}

static int look_into(const struct claim_tables *tables, const char *pid,
		     const struct image *image, struct claim *claim,
		     struct err *err)
{
	char *path = text_format("/proc/%s/mountinfo", pid);
	char *root = text_format("%s/proc/%s/root", tables->root, pid);
	char *where = text_format("in the namespace of pid %s", pid);
	char *text = NULL, *next, *line;
	int rc = 0;

	if (!path || !root || !where) {
		rc = err_set(err, -ENOMEM, "what is mounted");
		goto out;
	}
	/* It has ended, or is another user's. */
	if (file_read_text(tables->root, path, &text, NULL) < 0)
		goto out;
	next = text;
	while (!rc && !claim_is_certain(claim) && (line = strsep(&next, "\n")))
		rc = look_at_line(tables, root, line, where, image, claim, err);
out:
	free(text);
	free(where);
	free(root);
	free(path);
	return rc;
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

static int look_elsewhere(const struct claim_tables *tables,
			  const struct image *image, struct claim *claim,
			  struct err *err)
{
	char *path = text_format("%s/proc", tables->root);
	DIR *proc = path ? opendir(path) : NULL;
	struct seen seen = { 0 };
	struct dirent *entry;
	int rc = 0;

	free(path);
	is_new(tables->root, "self", &seen);
	while (!rc && !claim_is_certain(claim) && proc &&
	       (entry = readdir(proc)))
		if (isdigit((unsigned char)entry->d_name[0]) &&
		    is_new(tables->root, entry->d_name, &seen))
			rc = look_into(tables, entry->d_name, image, claim,
				       err);
	if (proc)
		closedir(proc);
	while (seen.count)
		free(seen.names[--seen.count]);
	free(seen.names);
	return rc;
}

int claim_by_image(const struct claim_tables *tables,
		   const struct claim_object *object,
		   const struct claim_loop *loop, int fd, struct claim *claim,
		   struct err *err)
{
	const struct image image = { object, loop, fd };
	int rc;

	if (object->is_device)
		return 0;
	rc = look_at_ours(tables, &image, claim, err);
	if (!rc && !claim_is_certain(claim))
		rc = look_elsewhere(tables, &image, claim, err);
	return rc;
}
