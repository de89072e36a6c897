/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What may be the label of a campaign. Pure, any thread. */
#ifndef RAWREAD_RECORD_LABEL_H
#define RAWREAD_RECORD_LABEL_H

struct err;

/*
 * A label stands in tables and, as FILE:LABEL, on command lines. Returns 0, or
 * -EINVAL with what is wrong with --label @label.
 */
int label_check(const char *label, struct err *err);

#endif
