/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mount namespaces beside ours, as /proc shows them. Main thread. */
#ifndef RAWREAD_SYSTEM_NAMESPACES_H
#define RAWREAD_SYSTEM_NAMESPACES_H

/*
 * The mountinfo of process @pid, or of "self", which the caller frees; NULL
 * when it has ended, is another user's, or without memory.
 */
char *namespace_mountinfo(const char *root, const char *pid);

/*
 * Calls @visit for each mount namespace but ours that can be told from others,
 * with a process of it, until it returns other than 0. Returns what it did
 * last, or 0.
 */
int namespaces_each_other(const char *root,
			  int (*visit)(const char *pid, void *input),
			  void *input);

#endif
