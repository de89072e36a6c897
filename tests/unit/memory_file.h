/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file that no test can leave behind: it lives in memory, by a path. */
#ifndef RAWREAD_TESTS_MEMORY_FILE_H
#define RAWREAD_TESTS_MEMORY_FILE_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct memory_file {
	int fd;
	char path[32];
};

static inline struct memory_file memory_file_of(const void *bytes, size_t size)
{
	struct memory_file file = { .fd = memfd_create("test", 0) };

	cr_assert_geq(file.fd, 0);
	cr_assert_eq(write(file.fd, bytes, size), (ssize_t)size);
	snprintf(file.path, sizeof(file.path), "/proc/self/fd/%d", file.fd);
	return file;
}

static inline struct memory_file memory_file(const char *text)
{
	return memory_file_of(text, strlen(text));
}

/* All that is in it now; the caller frees. */
static inline char *memory_file_text(const struct memory_file *file)
{
	struct stat st;
	char *text;

	cr_assert_eq(fstat(file->fd, &st), 0);
	text = calloc(1, (size_t)st.st_size + 1);
	cr_assert_eq(pread(file->fd, text, (size_t)st.st_size, 0), st.st_size);
	return text;
}

#endif
