/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The series of a label: its campaigns, and its runs gathered into rows. Fed
 * run by run, so that a long record file need not fit into memory. Owns all
 * it points to; main thread.
 */
#ifndef RAWREAD_REPORTS_SERIES_H
#define RAWREAD_REPORTS_SERIES_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/record/campaign.h"
#include "reports/row.h"
#include "reports/settings.h"
#include "reports/texts.h"

struct err;
struct run_record;

struct series_campaign {
	struct campaign campaign;
	size_t runs; /* seen */
	bool ended;  /* has an end line: */
	struct campaign_end end;
};

struct series {
	char *path;
	char *label; /* "": runs that no sweep took in */
	char *shown; /* the label as tables show it */
	bool torn;   /* the last line of the file was */

	struct series_campaign *campaigns;
	size_t campaign_count;
	struct row *rows;
	size_t row_count;
	size_t run_count;
	size_t imported_runs;
	/* All values of each setting, of all kinds. */
	struct texts values[SETTING_COUNT];
};

#define SERIES_NO_CAMPAIGN ((size_t)-1)

void series_free(struct series *series);

/* Takes over what @campaign owns, also after a failure. 0 or -ENOMEM. */
int series_add_campaign(struct series *series, struct campaign *campaign,
			struct err *err);

/*
 * A run of the campaign with that index (SERIES_NO_CAMPAIGN: of none).
 * Returns 0, -EINVAL when the run has no meaning here, or -ENOMEM.
 */
int series_add_run(struct series *series, size_t campaign,
		   const struct run_record *run, struct err *err);

/* Takes over what @end owns. */
void series_add_end(struct series *series, size_t campaign,
		    struct campaign_end *end);

#endif
