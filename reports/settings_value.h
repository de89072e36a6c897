/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the text of a setting is made of one value or several. Any thread. */
#ifndef RAWREAD_REPORTS_SETTINGS_VALUE_H
#define RAWREAD_REPORTS_SETTINGS_VALUE_H

#include <stdbool.h>
#include <stdint.h>

struct run_record;
struct texts;

/* 0, or -ENOMEM when the text could not be made. */
int setting_done(char *const *text);

/* Whether @run tells what was asked for, which imported figures do not. */
bool setting_is_known(const struct run_record *run);

/* One value; NULL, or a number below 0, is not known. 0 or -ENOMEM. */
int setting_copy(const char *from, char **text);
int setting_copy_number(int64_t number, char **text);
int setting_yes_or_no(bool is, char **text);

/* Of several targets each value once. Takes over @value, which may be NULL
 * for want of memory. 0 or -ENOMEM.
 */
int setting_add(struct texts *parts, char *value);

/* The same; a number below 0 is not known. */
int setting_add_number(struct texts *parts, int64_t number);

/* Makes @text of @parts, unless @rc says that they failed, and frees them. */
int setting_join(struct texts *parts, int rc, char **text);

#endif
