/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file whose every byte tells where it is, an engine that was opened on it,
 * and operations that are done whether submit() finishes them or reap() does.
 */
#ifndef RAWREAD_TESTS_UNIT_ENGINE_RIG_H
#define RAWREAD_TESTS_UNIT_ENGINE_RIG_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "rawread/engine.h"

/* No multiple of anything. */
#define RIG_FILE_BYTES 100001

/* What is 0 gets the value in brackets. */
struct rig_want {
	const char *path;     /* that is there already [a new file] */
	uint64_t file_bytes;  /* of a new file [RIG_FILE_BYTES] */
	bool is_empty;	      /* 0 is meant */
	uint64_t block_bytes; /* of one iovec, or of a slot [4096] */
	unsigned int iovecs;  /* [1] */
	unsigned int slots;   /* [1] */
	int open_flags;	      /* [O_RDONLY] */
	unsigned int rwf;
	bool is_write;
	uint64_t roll_mask;
	uint64_t offset_bytes;
	uint64_t range_bytes; /* [up to the end] */
	bool readahead;
};

struct engine_rig {
	const struct engine_ops *ops;
	void *state;
	struct engine_file file;
	struct engine_job job;
	char *path;
	bool is_own; /* the file goes with the rig */
	struct err err;
};

char rig_byte(uint64_t offset_bytes);

/* At @path, which must not be there. */
void rig_make_file(const char *path, uint64_t size_bytes);

/* In TMPDIR, one name a process; the caller frees it. */
char *rig_path(const char *name);

/* open() and begin() have to succeed. */
void rig_begin(struct engine_rig *rig, const struct engine_ops *ops,
	       const struct rig_want *want);

/* The same with what open() returned, and without begin(). */
int rig_open(struct engine_rig *rig, const struct engine_ops *ops,
	     const struct rig_want *want);
void rig_end(struct engine_rig *rig);

/* Bytes or -errno, whichever way it came. */
int64_t rig_do(struct engine_rig *rig, struct io_op *op);
int64_t rig_io(struct engine_rig *rig, uint64_t offset_bytes,
	       uint64_t size_bytes, uint64_t skip_bytes);

/* Until @count operations are done; signals may come. */
void rig_reap_all(struct engine_rig *rig, unsigned int count);

/* What stands @skip_bytes into the buffer is the file's from @offset_bytes. */
void rig_expect(const struct engine_rig *rig, uint64_t offset_bytes,
		uint64_t size_bytes, uint64_t skip_bytes);

/* Those of the table that read, or that write; not the one that does nothing.
 */
void rig_each_reader(void (*test)(const struct engine_ops *ops));
void rig_each_writer(void (*test)(const struct engine_ops *ops));

#endif
