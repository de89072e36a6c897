/* SPDX-License-Identifier: GPL-2.0-or-later */
/* FILE[:LABEL], as commands take it: which label's series is meant. */
#ifndef RAWREAD_REPORTS_SELECT_H
#define RAWREAD_REPORTS_SELECT_H

struct err;
struct series;

/*
 * Reads the series that @word names. A file may have ":" in its name: the
 * longest part before one that is a file is the file. "FILE:" means the runs
 * that no sweep took in, and so have no label. FILE "-" is standard input.
 *
 * Returns 0; -EINVAL when the file has several labels and none is named (they
 * are), or not the one named, or is broken (file and line are told); -ENODATA
 * when the label has no runs; -errno. Free with series_free().
 */
int select_series(const char *word, struct series *series, struct err *err);

#endif
