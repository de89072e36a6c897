/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether the targets of a run that writes may be written over: that was asked
 * for, and nothing in use is lost. Nothing is written here. Main thread.
 */
#ifndef RAWREAD_DESTROY_H
#define RAWREAD_DESTROY_H

struct err;
struct run_params;
struct targets;

/* Block devices, held with O_EXCL so that nobody mounts one meanwhile. */
struct destroy {
	int *fds;
	unsigned int count;
};

/*
 * The consent of the command line or else of RAWREAD_DESTROY_DATA in the
 * environment: NULL: none; "": what the rules allow; else one target's path.
 */
const char *destroy_consent(const struct run_params *params);

/*
 * Before the first thread of a run that writes. Of block devices, those may be
 * written that nothing holds; of files, those that "rawread prepare" marked,
 * or the one that consent names, unless the kernel uses it.
 *
 * Returns 0; -EINVAL without consent, with one of another target, or for a file
 * that is neither marked nor named; -EBUSY with who holds it; -errno of opening
 * it for writing. Free with destroy_release(), when the run is over.
 */
int destroy_claim(const struct run_params *params,
		  const struct targets *targets, struct destroy *destroy,
		  struct err *err);
void destroy_release(struct destroy *destroy);

/*
 * Whether destroy_claim() would say so now: for a plan. Nothing is opened for
 * writing, and nothing stays held.
 */
int destroy_check(const struct run_params *params,
		  const struct targets *targets, struct err *err);

#endif
