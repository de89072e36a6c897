/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What this machine and its kernel are called. Any thread. */
#ifndef RAWREAD_SYSTEM_MACHINE_H
#define RAWREAD_SYSTEM_MACHINE_H

#include <stdint.h>

struct err;

/* Strings are owned; NULL where they cannot be found out. */
struct machine {
	char *host;
	char *kernel_release; /* uname -r */
	char *kernel_version; /* uname -v */
	char *config_hash;    /* 16 hex digits over the kernel's config */
	char *boot_id;
	char *cpu_model;
	uint64_t memory_bytes;
};

/* Returns 0 or -ENOMEM. @root: see lib/base/file.h. */
int machine_read(const char *root, struct machine *machine, struct err *err);
void machine_free(struct machine *machine);

#endif
