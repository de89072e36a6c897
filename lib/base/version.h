/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RAWREAD_BASE_VERSION_H
#define RAWREAD_BASE_VERSION_H

/* In the classic output, in records, and in rawread --version. */
#define RAWREAD_VERSION "3.0.0"

#endif
