/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decimal numbers as tables and options have them. Pure, any thread. */
#ifndef RAWREAD_REPORTS_NUMBER_H
#define RAWREAD_REPORTS_NUMBER_H

#include <stddef.h>

/*
 * The first @length letters of @text as a finite decimal number of 0 or more:
 * "44083", "27.87", ".5", "1e3". No sign, blank, "nan", "inf" or hexadecimal.
 * What follows them is no digit, point or exponent. Returns 0; -EINVAL when it
 * is none; -ERANGE when it is too large, or too small to be told from 0.
 */
int number_parse(const char *text, size_t length, double *number);

/*
 * A figure as it was published: a number, with a "%" behind it or not.
 * Returns as number_parse() does.
 */
int figure_parse(const char *text, double *number);

#endif
