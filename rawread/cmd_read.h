/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RAWREAD_CMD_READ_H
#define RAWREAD_CMD_READ_H

#include "lib/record/params.h"

/*
 * "rawread read …", or the classic form, which has the same options and other
 * defaults. Returns the exit status.
 */
int cmd_read(int argc, char **argv, enum params_form form);

#endif
