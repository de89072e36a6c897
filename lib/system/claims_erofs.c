// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/system/claims_erofs.h"

#include <endian.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

/* As the kernel's fs/erofs/erofs_fs.h has it. */
#define EROFS_MAGIC    UINT32_C(0xe0f5e1e2)
#define EROFS_MAGIC_AT 1024

struct super {
	uint32_t magic;
	uint8_t others[32];
	uint32_t blocks;
	uint8_t addresses[8];
	uint64_t uuid[2];
};

/* As statfs(2) has them of a mount. */
struct identity {
	uint64_t fs_id;
	uint32_t blocks;
};

static bool identity_of_mount(const char *target, dev_t dev,
			      struct identity *identity)
{
	int fd = open(target, O_PATH | O_CLOEXEC);
	struct statfs fs;
	struct stat st;
	uint32_t id[2];
	bool is;

	if (fd < 0)
		return false;
	/* Another may be mounted over it. */
	is = !fstat(fd, &st) && st.st_dev == dev && !fstatfs(fd, &fs) &&
	     (uint32_t)fs.f_type == EROFS_MAGIC;
	close(fd);
	if (!is)
		return false;
	memcpy(id, &fs.f_fsid, sizeof(id));
	identity->fs_id = (uint64_t)id[1] << 32 | id[0];
	identity->blocks = (uint32_t)fs.f_blocks;
	/* Nothing: of an image without UUID. */
	return identity->fs_id;
}

bool claim_erofs_may_be(int fd, const char *target, dev_t dev)
{
	struct identity mounted;
	struct super super;
	ssize_t got;

	if (fd < 0)
		return true;
	/* No more of it than that into the page cache. */
	posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
	got = pread(fd, &super, sizeof(super), EROFS_MAGIC_AT);
	if (got < 0)
		return true;
	if (got < (ssize_t)sizeof(super) || le32toh(super.magic) != EROFS_MAGIC)
		return false;
	/* One alone may be by chance, or another kernel's way of telling. */
	return !identity_of_mount(target, dev, &mounted) ||
	       mounted.blocks == le32toh(super.blocks) ||
	       mounted.fs_id ==
		       (le64toh(super.uuid[0]) ^ le64toh(super.uuid[1]));
}
