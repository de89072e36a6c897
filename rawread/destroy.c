// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/destroy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/record/params.h"
#include "lib/record/tests.h"
#include "lib/system/claims.h"
#include "lib/system/prepared.h"
#include "rawread/destroy_device.h"
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
	struct err why;
	char *path;
	int rc;

	if (targets->count != 1)
		return err_say(
			err, -EINVAL,
			"%s=%s names one target, and there are %u; test "
			"it alone, or give --destroy-data without a name",
			source, named, targets->count);
	rc = targets_path_by_name(named, &path, &why);
	if (rc < 0)
		return err_say(err, rc, "%s=%s: %s", source, named, why.text);
	rc = stat(path, &st) < 0 ? err_set(err, -errno, "%s=%s", source, named)
				 : 0;
	free(path);
	if (rc < 0)
		return rc;
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

/* Leave was given by the file itself, or by its name. */
static int check_marked(const struct targets *targets,
			const struct target *target, struct err *err)
{
	struct prepared mark;
	struct err why;
	int rc = prepared_read(target->fd, &mark, &why);

	if (!rc && !mark.is_weak)
		return 0;
	if (!rc)
		return err_say(err, -EINVAL,
			       "%s may be a copy of a file that 'rawread "
			       "prepare' made: its file system does not say "
			       "when it was born; %s--destroy-data=%s if what "
			       "is in it may be lost",
			       target->path,
			       targets->count > 1 ? "test it alone with "
						  : "give ",
			       target->path);
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
		      bool looks_only, struct err *err)
{
	struct claim claim;
	int fd, rc;

	rc = claim_of_file("", target->fd, &claim, err);
	if (!rc && claim.holder)
		rc = destroy_refuse_claimed(target->path, &claim, err);
	claim_free(&claim);
	if (!rc && !*consent)
		rc = check_marked(targets, target, err);
	if (rc < 0)
		return rc;
	if (looks_only)
		return destroy_look_writable(target, err);
	fd = open(target->path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return err_set(err, -errno, "open %s for writing",
			       target->path);
	rc = destroy_check_writable(fd, target, err);
	close(fd);
	return rc;
}

static int claim_all(const struct run_params *params,
		     const struct targets *targets, bool looks_only,
		     struct destroy *destroy, struct err *err)
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
		rc = target->inode ? claim_file(targets, target, consent,
						looks_only, err)
				   : destroy_claim_device(target, looks_only,
							  destroy, err);
	}
	if (rc < 0)
		destroy_release(destroy);
	return rc;
}

int destroy_claim(const struct run_params *params,
		  const struct targets *targets, struct destroy *destroy,
		  struct err *err)
{
	return claim_all(params, targets, false, destroy, err);
}

int destroy_check(const struct run_params *params,
		  const struct targets *targets, struct err *err)
{
	struct destroy destroy;
	int rc = claim_all(params, targets, true, &destroy, err);

	destroy_release(&destroy);
	return rc;
}

void destroy_release(struct destroy *destroy)
{
	while (destroy->count)
		close(destroy->fds[--destroy->count]);
	free(destroy->fds);
	*destroy = (struct destroy){ 0 };
}
