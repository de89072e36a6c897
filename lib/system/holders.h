/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who keeps a mount busy, or its superblock alive after it was unmounted.
 * What is not permitted to be seen is told as "unknown", never as nobody.
 */
#ifndef RAWREAD_SYSTEM_HOLDERS_H
#define RAWREAD_SYSTEM_HOLDERS_H

struct err;
struct mount_entry;

/*
 * A sentence's end such as "pid 812 (cat), 2 files; mounted in the namespace
 * of pid 99 (sleep); loop3 (backing file below it); swap file /m/s", of files,
 * cwd, root, exe and mappings of processes, other mount namespaces, other
 * mount points, loop devices and swap. The caller frees it; NULL without
 * memory; "nobody that can be seen" when none was found.
 */
char *holders_describe(const struct mount_entry *mount);

#endif
