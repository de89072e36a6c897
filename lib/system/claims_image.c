// SPDX-License-Identifier: GPL-2.0-or-later
/* Image files that are mounted without a block device. */
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
#include "lib/system/claims_erofs.h"
#include "lib/system/claims_held.h"
#include "lib/system/namespaces.h"

#define CURE "unmount it"

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

/* A mount that has no block device. */
struct image_mount {
	const char *root; /* that its source and target are seen from */
	dev_t dev;
	const char *target;
	const char *fs_type;
	const char *source;
	const char *where; /* for people */
};

static bool may_be_erofs(const char *root, const struct image *image,
			 const struct image_mount *mount)
{
	char *target = text_format("%s%s", mount->root, mount->target);
	int fd = image_open(root, image);
	bool may_be = !target || claim_erofs_may_be(fd, target, mount->dev);

	if (fd >= 0)
		close(fd);
	free(target);
	return may_be;
}

/*
 * erofs says the path it was mounted with, which may be relative, or lead to
 * another file by now, be that an image too. So that proves nothing of any
 * other file; the images themselves do.
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
	    !may_be_erofs(tables->root, image, mount))
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
					     tables->root, mount->dev,
					     mount->target, mount->fs_type,
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
	unsigned int major_number, minor_number;
	char *type, *source, *target;
	int used = 0;

	if (sscanf(line, "%*d %*d %u:%u %*s %n", &major_number, &minor_number,
		   &used) != 2 ||
	    major_number || !used)
		return 0;
	target = line + used;
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
	target[strcspn(target, " ")] = '\0';
	octal_decode(target);
	return look_at(tables,
		       &(struct image_mount){ root, makedev(0, minor_number),
					      target, type, source, where },
		       image, claim, err);
}

static int look_into(const struct claim_tables *tables, const char *pid,
		     const struct image *image, struct claim *claim,
		     struct err *err)
{
	char *root = text_format("%s/proc/%s/root", tables->root, pid);
	char *where = text_format("in the namespace of pid %s", pid);
	char *text = NULL, *next, *line;
	int rc = 0;

	if (!root || !where) {
		rc = err_set(err, -ENOMEM, "what is mounted");
		goto out;
	}
	next = text = namespace_mountinfo(tables->root, pid);
	while (!rc && !claim_is_certain(claim) && (line = strsep(&next, "\n")))
		rc = look_at_line(tables, root, line, where, image, claim, err);
out:
	free(text);
	free(where);
	free(root);
	return rc;
}

/* What to look for, and what was found, in another namespace. */
struct elsewhere {
	const struct claim_tables *tables;
	const struct image *image;
	struct claim *claim;
	struct err *err;
};

/* 1: found for certain. */
static int visit(const char *pid, void *input)
{
	const struct elsewhere *elsewhere = input;
	int rc = look_into(elsewhere->tables, pid, elsewhere->image,
			   elsewhere->claim, elsewhere->err);

	return rc < 0 ? rc : claim_is_certain(elsewhere->claim);
}

int claim_by_image(const struct claim_tables *tables,
		   const struct claim_object *object,
		   const struct claim_loop *loop, int fd, struct claim *claim,
		   struct err *err)
{
	const struct image image = { object, loop, fd };
	struct elsewhere elsewhere = { tables, &image, claim, err };
	int rc;

	if (object->is_device)
		return 0;
	rc = look_at_ours(tables, &image, claim, err);
	if (!rc && !claim_is_certain(claim))
		rc = namespaces_each_other(tables->root, visit, &elsewhere);
	return rc < 0 ? rc : 0;
}
