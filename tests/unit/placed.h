/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Machines that tests do not have, and where threads would go on them. One
 * machine a test.
 */
#ifndef RAWREAD_TESTS_UNIT_PLACED_H
#define RAWREAD_TESTS_UNIT_PLACED_H

#include <stddef.h>

#include "rawread/placement.h"
#include "rawread/topology.h"

/* Described by hwloc's synthetic text. */
struct topology *placed_on(const char *description);

/* Of tests/fixtures/topology. */
struct topology *placed_on_fixture(const char *name);

/* For the .fini of a suite. */
void placed_close(void);

/* For @threads threads on the machine; how is to be filled in. */
struct placement_request placed_request(unsigned int threads);

/* That they go to the CPUs @wanted, as "0,2,1". */
void placed_expect(const struct placement_request *request, const char *wanted);
/* The same for @how, on the machine of the test. */
void placed_expect_how(const char *how, unsigned int threads,
		       const char *wanted);

#endif
