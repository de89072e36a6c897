/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What this process itself has on the mounts to be flushed. Main thread. */
#ifndef RAWREAD_SWEEP_OWN_FILES_H
#define RAWREAD_SWEEP_OWN_FILES_H

struct err;
struct sweep_targets;

/*
 * That working directory, program, standard streams and the file @record_path,
 * be it yet to be made, are on none of @targets. Returns 0; -EBUSY with what
 * is there; -errno.
 */
int own_files_check(const struct sweep_targets *targets,
		    const char *record_path, struct err *err);

#endif
