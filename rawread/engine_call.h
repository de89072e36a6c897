/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The system calls of the synchronous engines: the number of bytes, or
 * -errno.
 *
 * The call stands in place where we know how. A return that comes right after
 * the kernel's own is often predicted wrong, and libc's functions have one
 * (and a look at cancellation): 2 % of a read of 1 KiB from the page cache.
 * Sanitizers get libc's, which they check the buffer of, and so do other
 * machines.
 */
#ifndef RAWREAD_ENGINE_CALL_H
#define RAWREAD_ENGINE_CALL_H

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "rawread/sanitizer.h"

#if UNDER_ADDRESS_SANITIZER || UNDER_THREAD_SANITIZER
#define ENGINE_CALL_IN_PLACE 0
#elif defined(__LP64__) && defined(__x86_64__)
#define ENGINE_CALL_IN_PLACE 1
#else
#define ENGINE_CALL_IN_PLACE 0
#endif

#if ENGINE_CALL_IN_PLACE

static inline int64_t engine_call(long number, long first, const void *second,
				  unsigned long third, long fourth)
{
	register long r10 __asm__("r10") = fourth;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(first), "S"(second), "d"(third),
			   "r"(r10)
			 : "rcx", "r11", "memory");
	return result;
}

static inline int64_t engine_call6(long number, long first, const void *second,
				   unsigned long third, long fourth, long fifth,
				   long sixth)
{
	register long r10 __asm__("r10") = fourth;
	register long r8 __asm__("r8") = fifth;
	register long r9 __asm__("r9") = sixth;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(first), "S"(second), "d"(third),
			   "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

#endif

static inline int64_t engine_call_read(int fd, void *buffer,
				       uint64_t size_bytes)
{
#if ENGINE_CALL_IN_PLACE
	return engine_call(SYS_read, fd, buffer, size_bytes, 0);
#else
	ssize_t got = read(fd, buffer, size_bytes);

	return got < 0 ? -errno : got;
#endif
}

static inline int64_t engine_call_pread(int fd, void *buffer,
					uint64_t size_bytes,
					uint64_t offset_bytes)
{
#if ENGINE_CALL_IN_PLACE
	return engine_call(SYS_pread64, fd, buffer, size_bytes,
			   (long)offset_bytes);
#else
	ssize_t got = pread(fd, buffer, size_bytes, (off_t)offset_bytes);

	return got < 0 ? -errno : got;
#endif
}

static inline int64_t engine_call_readv(int fd, const struct iovec *iovecs,
					unsigned int count)
{
#if ENGINE_CALL_IN_PLACE
	return engine_call(SYS_readv, fd, iovecs, count, 0);
#else
	ssize_t got = readv(fd, iovecs, (int)count);

	return got < 0 ? -errno : got;
#endif
}

/* The kernel takes the offset in two halves, of which 64 bits fill the first.
 */
static inline int64_t engine_call_preadv2(int fd, const struct iovec *iovecs,
					  unsigned int count,
					  uint64_t offset_bytes, int flags)
{
#if ENGINE_CALL_IN_PLACE
	return engine_call6(SYS_preadv2, fd, iovecs, count, (long)offset_bytes,
			    0, flags);
#else
	ssize_t got =
		preadv2(fd, iovecs, (int)count, (off_t)offset_bytes, flags);

	return got < 0 ? -errno : got;
#endif
}

/* Moves *@offset_bytes on; NULL where it comes from a pipe. */
static inline int64_t engine_call_splice(int from_fd, off64_t *offset_bytes,
					 int to_fd, uint64_t size_bytes)
{
#if ENGINE_CALL_IN_PLACE
	return engine_call6(SYS_splice, from_fd, offset_bytes,
			    (unsigned long)to_fd, 0, (long)size_bytes, 0);
#else
	ssize_t gone =
		splice(from_fd, offset_bytes, to_fd, NULL, size_bytes, 0);

	return gone < 0 ? -errno : gone;
#endif
}

static inline int64_t engine_call_write(int fd, const void *buffer,
					uint64_t size_bytes)
{
#if ENGINE_CALL_IN_PLACE
	return engine_call(SYS_write, fd, buffer, size_bytes, 0);
#else
	ssize_t put = write(fd, buffer, size_bytes);

	return put < 0 ? -errno : put;
#endif
}

static inline int64_t engine_call_pwrite(int fd, const void *buffer,
					 uint64_t size_bytes,
					 uint64_t offset_bytes)
{
#if ENGINE_CALL_IN_PLACE
	return engine_call(SYS_pwrite64, fd, buffer, size_bytes,
			   (long)offset_bytes);
#else
	ssize_t put = pwrite(fd, buffer, size_bytes, (off_t)offset_bytes);

	return put < 0 ? -errno : put;
#endif
}

static inline int64_t engine_call_writev(int fd, const struct iovec *iovecs,
					 unsigned int count)
{
#if ENGINE_CALL_IN_PLACE
	return engine_call(SYS_writev, fd, iovecs, count, 0);
#else
	ssize_t put = writev(fd, iovecs, (int)count);

	return put < 0 ? -errno : put;
#endif
}

#endif
