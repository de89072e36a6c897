/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What holds one file or block device, by each of the kernel's tables: private
 * to lib/system. Main thread only.
 */
#ifndef RAWREAD_SYSTEM_CLAIMS_HELD_H
#define RAWREAD_SYSTEM_CLAIMS_HELD_H

#include "lib/system/claims_loop.h"
#include "lib/system/mounts.h"

struct claim;
struct claim_ways;
struct err;
struct libmnt_table;

/* The tables of the machine, read once. */
struct claim_tables {
	const char *root;
	struct mount_list mounts;
	struct libmnt_table *swaps;
	struct claim_loops loops;
};

/* Returns 0 or -errno; claim_tables_free() in any case. */
int claim_tables_read(const char *root, struct claim_tables *tables,
		      struct err *err);
void claim_tables_free(struct claim_tables *tables);

/* In the place of a guess. Takes over @holder; NULL is -ENOMEM. */
int claim_set(struct claim *claim, char *holder, const char *cure,
	      struct err *err);
/* The same for a guess: the first one is kept, until something is certain. */
int claim_guess(struct claim *claim, char *holder, const char *cure,
		struct err *err);

/*
 * Each fills @claim when it finds a holder; a guess that it has by then stays
 * unless one is found that is certain. Returns 0, or -errno.
 */
int claim_by_mount(const struct claim_tables *tables,
		   const struct claim_object *object, struct claim *claim,
		   struct err *err);
int claim_by_swap(const struct claim_tables *tables,
		  const struct claim_object *object, struct claim *claim,
		  struct err *err);
/* Loop devices that are among @ways (NULL: none) do not count. */
int claim_by_loop(const struct claim_tables *tables,
		  const struct claim_object *object,
		  const struct claim_ways *ways, struct claim *claim,
		  struct err *err);
/*
 * The same for those that may be over @object, where that cannot be told: a
 * guess, for when nothing else holds it.
 */
int claim_by_any_loop(const struct claim_tables *tables,
		      const struct claim_object *object,
		      const struct claim_ways *ways, struct claim *claim,
		      struct err *err);
/*
 * Images that are mounted without a loop device, here or in another mount
 * namespace; a guess where a mount does not tell of which file it is. The file
 * @object lies below @loop, or that is NULL and it is open at @fd, perhaps by
 * O_PATH.
 */
int claim_by_image(const struct claim_tables *tables,
		   const struct claim_object *object,
		   const struct claim_loop *loop, int fd, struct claim *claim,
		   struct err *err);
/* @name is of a block device. */
int claim_by_holders(const char *root, const char *name, struct claim *claim,
		     struct err *err);
int claim_by_btrfs(const char *root, const char *name, struct claim *claim,
		   struct err *err);

#endif
