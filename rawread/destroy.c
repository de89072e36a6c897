// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/destroy.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/record/params.h"
#include "lib/record/tests.h"
#include "lib/system/claims.h"
#include "lib/system/prepared.h"
#include "lib/system/storage.h"
#include "rawread/targets.h"

#define VARIABLE "RAWREAD_DESTROY_DATA"

const char *destroy_consent(const struct run_params *params)
{
	const char *text = getenv(VARIABLE);

	if (params->destroy_data)
		return params->destroy_data;
	/* Consent to whatever is given later stands on no command line. */
	return text && *text ? text : NULL;
}

/* Parameters may hold by now what the environment said. */
static const char *source_of(const char *consent)
{
	const char *text = getenv(VARIABLE);

	return text && !strcmp(text, consent) ? VARIABLE : "--destroy-data";
}

static int refuse_silence(const struct run_params *params,
			  const struct targets *targets, struct err *err)
{
	bool are_many = targets->count > 1;
	char *what = params->test->is_write
			     ? text_format("test %u, %s,", params->test->id,
					   params->test->title)
			     : strdup("--warm fill=write");

	err_say(err, -EINVAL,
		"%s writes over %s%s; give --destroy-data if what is in %s "
		"may be lost",
		what ? what : "the run", targets->list[0].path,
		are_many ? " and others" : "", are_many ? "them" : "it");
	free(what);
	return -EINVAL;
}

static int check_named(const struct targets *targets, const char *named,
		       struct err *err)
{
	const struct target *target = &targets->list[0];
	const char *source = source_of(named);
	struct stat st, target_st;

	if (targets->count != 1)
		return err_say(
			err, -EINVAL,
			"%s=%s names one target, and there are %u; test "
			"it alone, or give --destroy-data without a name",
			source, named, targets->count);
	if (stat(named, &st) < 0)
		return err_set(err, -errno, "%s=%s", source, named);
	if (fstat(target->fd, &target_st) < 0)
		return err_set(err, -errno, "stat %s", target->path);
	if (S_ISBLK(target_st.st_mode)
		    ? S_ISBLK(st.st_mode) && st.st_rdev == target_st.st_rdev
		    : st.st_dev == target_st.st_dev &&
			      st.st_ino == target_st.st_ino)
		return 0;
	return err_say(err, -EINVAL,
		       "%s=%s is another file than the target %s; name the one "
		       "that may be written over",
		       source, named, target->path);
}

static int refuse_claimed(const char *path, const struct claim *claim,
			  struct err *err)
{
	return err_say(err, -EBUSY, "%s is %s; %s first", path, claim->holder,
		       claim->cure);
}

/* It is @target still, and can be written. */
static int check_writable(int fd, const struct target *target, struct err *err)
{
	const struct file_id id = target_id(target);
	int read_only = 0;
	int rc = file_id_check(fd, target->path, &id, err);

	if (rc < 0)
		return rc;
	if (!target->inode && !ioctl(fd, BLKROGET, &read_only) && read_only)
		return err_set(err, -EROFS, "write to %s", target->path);
	return 0;
}

/* Leave was given by the file itself, or by its name. */
static int check_marked(const struct targets *targets,
			const struct target *target, struct err *err)
{
	struct prepared mark;
	struct err why;
	int rc = prepared_read(target->fd, &mark, &why);

	if (!rc)
		return 0;
	if (rc != -ENODATA && rc != -EOPNOTSUPP)
		return err_say(err, rc, "%s", why.text);
	return err_say(err, -EINVAL,
		       "%s; have it made by 'rawread prepare', or %s"
		       "--destroy-data=%s if what is in it may be lost",
		       why.text,
		       targets->count > 1 ? "test it alone with " : "give ",
		       target->path);
}

static int claim_file(const struct targets *targets,
		      const struct target *target, const char *consent,
		      struct err *err)
{
	struct claim claim;
	int fd, rc;

	rc = claim_of_file("", target->dev, target->inode, &claim, err);
	if (!rc && claim.holder)
		rc = refuse_claimed(target->path, &claim, err);
	claim_free(&claim);
	if (!rc && !*consent)
		rc = check_marked(targets, target, err);
	if (rc < 0)
		return rc;
	fd = open(target->path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return err_set(err, -errno, "open %s for writing",
			       target->path);
	rc = check_writable(fd, target, err);
	close(fd);
	return rc;
}

static int keep(struct destroy *destroy, int fd, struct err *err)
{
	int *grown =
		reallocarray(destroy->fds, destroy->count + 1, sizeof(*grown));

	if (!grown) {
		close(fd);
		return err_set(err, -ENOMEM, "hold the targets");
	}
	destroy->fds = grown;
	grown[destroy->count++] = fd;
	return 0;
}

/* Whether it is ourselves who hold a device that @ways leads to. */
static bool is_held_by_us(const struct destroy *destroy,
			  const struct claim_ways *ways)
{
	struct stat st;
	unsigned int i;

	for (i = 0; i < destroy->count; i++)
		if (!fstat(destroy->fds[i], &st) &&
		    claim_ways_overlap("", ways, st.st_rdev))
			return true;
	return false;
}

/* O_EXCL says busy: by whom is for people. */
static int refuse_busy(const char *path, const struct claim_ways *ways,
		       const struct destroy *destroy, struct err *err)
{
	struct claim claim;
	int rc;

	if (is_held_by_us(destroy, ways))
		return err_say(err, -EBUSY,
			       "%s has bytes in common with another target; "
			       "test them one after the other",
			       path);
	rc = claim_elsewhere("", ways, &claim, err);
	if (!rc)
		rc = refuse_claimed(path, &claim, err);
	claim_free(&claim);
	return rc;
}

/* The node of a device that is not the target itself. */
static char *node_of(const char *name)
{
	char *path = text_format("/dev/%s", name), *at = path;

	/* As the kernel writes a slash in /sys. */
	while (at && (at = strchr(at, '!')))
		*at = '/';
	return path;
}

/*
 * Holds all that leads to the bytes of @target; the kernel refuses when one of
 * them, its disk or a partition of it is mounted, wherever that is.
 */
static int hold_ways(const struct target *target, const struct claim_ways *ways,
		     struct destroy *destroy, struct err *err)
{
	/* Of before: what is held for this target is no other one's. */
	const struct destroy others = *destroy;
	size_t i;
	int rc = 0;

	for (i = 0; !rc && i < ways->count; i++) {
		char *path = i ? node_of(ways->list[i].name) : NULL;
		int fd = -1, flags = i ? O_RDONLY : O_RDWR;

		if (i && !path)
			return err_set(err, -ENOMEM, "hold %s", target->path);
		fd = open(i ? path : target->path,
			  flags | O_EXCL | O_NONBLOCK | O_CLOEXEC);
		if (fd < 0 && errno == EBUSY)
			rc = refuse_busy(target->path, ways, &others, err);
		else if (fd < 0 && i)
			rc = err_say(err, -errno,
				     "whether %s, which has the same bytes as "
				     "%s, is in use cannot be told: %s",
				     path, target->path, strerror(errno));
		else if (fd < 0)
			rc = err_set(err, -errno, "open %s for writing",
				     target->path);
		else
			rc = keep(destroy, fd, err);
		if (!rc && !i)
			rc = check_writable(fd, target, err);
		free(path);
	}
	return rc;
}

static int claim_device(const struct target *target, struct destroy *destroy,
			struct err *err)
{
	struct claim claim = { 0 };
	struct claim_ways ways;
	int rc;

	rc = claim_ways_find("", target->dev, &ways, err);
	if (!rc)
		rc = claim_of_ways("", &ways, &claim, err);
	if (!rc && claim.holder)
		rc = refuse_claimed(target->path, &claim, err);
	if (!rc)
		rc = hold_ways(target, &ways, destroy, err);
	claim_free(&claim);
	claim_ways_free(&ways);
	return rc;
}

int destroy_claim(const struct run_params *params,
		  const struct targets *targets, struct destroy *destroy,
		  struct err *err)
{
	const char *consent = destroy_consent(params);
	unsigned int i;
	int rc = 0;

	*destroy = (struct destroy){ 0 };
	if (!consent)
		return refuse_silence(params, targets, err);
	if (*consent)
		rc = check_named(targets, consent, err);
	for (i = 0; !rc && i < targets->count; i++) {
		const struct target *target = &targets->list[i];

		/* As targets_open() tells devices and files apart. */
		rc = target->inode ? claim_file(targets, target, consent, err)
				   : claim_device(target, destroy, err);
	}
	if (rc < 0)
		destroy_release(destroy);
	return rc;
}

void destroy_release(struct destroy *destroy)
{
	while (destroy->count)
		close(destroy->fds[--destroy->count]);
	free(destroy->fds);
	*destroy = (struct destroy){ 0 };
}
