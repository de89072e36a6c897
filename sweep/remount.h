/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The flush that empties a file system's cache for sure: all targets are
 * unmounted, and mounted again as they were. Whatever comes in between, a
 * signal, a busy mount, a mount that fails: what was taken away is brought
 * back before the function returns. Main thread.
 */
#ifndef RAWREAD_SWEEP_REMOUNT_H
#define RAWREAD_SWEEP_REMOUNT_H

#include <stddef.h>
#include <stdint.h>

struct err;
struct sweep_targets;

struct remount {
	struct sweep_targets *targets; /* the caller's, outlives this */
	size_t *order; /* in which to mount; unmounted backwards */
	char **uuids;  /* of each target's file system; NULL: has none */
	int *devices;  /* held open, so that an autoclear loop stays */
	size_t device_count;
	uint64_t patience_ns; /* how long a busy mount is waited for */
};

/*
 * Of targets that remount_check() let pass. Holds their devices open and
 * locked until remount_close(). Returns 0; -EBUSY when another sweep has one
 * locked; -errno.
 */
int remount_open(struct sweep_targets *targets, struct remount *remount,
		 struct err *err);
void remount_close(struct remount *remount);

/*
 * One cycle. @alive becomes a sentence that names a superblock that outlived
 * its unmounting, and who keeps it, or NULL; the caller frees it.
 *
 * Returns 0; -EBUSY when a mount stayed busy, its users named; -EINTR when a
 * signal came while one was waited for; -ESTALE or -EIO when something came
 * back different or not at all. After -EBUSY and -EINTR all is mounted as
 * before.
 */
int remount_cycle(struct remount *remount, char **alive, struct err *err);

/*
 * Fills @order (room for @count) with the places of mounts in the order to
 * mount them: as @ranks has it, their places in mountinfo, but each after the
 * one it lies on. @parents[i] is the id of what @ids[i] lies on. Pure.
 */
void remount_order(const int *ids, const int *parents, const size_t *ranks,
		   size_t count, size_t *order);

#endif
