/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What went wrong, told by the place that knows the object at fault.
 *
 * A function that can fail returns 0 or a negative errno and fills a struct
 * err; whoever is above adds nothing and prints nothing. A command prints it
 * once. Each thread uses a struct err of its own.
 */
#ifndef RAWREAD_BASE_ERR_H
#define RAWREAD_BASE_ERR_H

/* Room for two paths of the longest kind and a sentence. */
#define ERR_TEXT_BYTES 9216

struct err {
	char text[ERR_TEXT_BYTES];
};

/*
 * Says "FORMAT: strerror(-code)", and the cure of -EMFILE, which may befall
 * whatever opens something. Returns @code, which is a negative errno.
 * @err may be NULL when nobody wants the text.
 */
int err_set(struct err *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The same without the errno's own words, for faults the kernel did not see. */
int err_say(struct err *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Prints "rawread: TEXT" and a newline to stderr, control characters in it as
 * "\xNN". Commands only.
 */
void err_print(const struct err *err);

#endif
