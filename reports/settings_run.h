/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Settings that stand in run lines: rows of the table in settings.c. */
#ifndef RAWREAD_REPORTS_SETTINGS_RUN_H
#define RAWREAD_REPORTS_SETTINGS_RUN_H

struct campaign;
struct run_record;

/*
 * The caller frees @text, which stays NULL when the setting is not known, as
 * of imported figures. @campaign is NULL for a run that no sweep took in.
 * Each returns 0 or -ENOMEM.
 */
int run_threads_text(const struct run_record *run,
		     const struct campaign *campaign, char **text);
int run_target_count_text(const struct run_record *run,
			  const struct campaign *campaign, char **text);
int run_range_text(const struct run_record *run,
		   const struct campaign *campaign, char **text);
int run_file_size_text(const struct run_record *run,
		       const struct campaign *campaign, char **text);
int run_engine_text(const struct run_record *run,
		    const struct campaign *campaign, char **text);
int run_iovecs_text(const struct run_record *run,
		    const struct campaign *campaign, char **text);
int run_layout_text(const struct run_record *run,
		    const struct campaign *campaign, char **text);
int run_pin_text(const struct run_record *run, const struct campaign *campaign,
		 char **text);
int run_count_bytes_text(const struct run_record *run,
			 const struct campaign *campaign, char **text);
int run_fadvise_text(const struct run_record *run,
		     const struct campaign *campaign, char **text);
int run_read_ahead_text(const struct run_record *run,
			const struct campaign *campaign, char **text);
int run_paths_text(const struct run_record *run,
		   const struct campaign *campaign, char **text);
int run_flush_text(const struct run_record *run,
		   const struct campaign *campaign, char **text);
int run_cpus_text(const struct run_record *run, const struct campaign *campaign,
		  char **text);
int run_seed_text(const struct run_record *run, const struct campaign *campaign,
		  char **text);
int run_read_ahead_asked_text(const struct run_record *run,
			      const struct campaign *campaign, char **text);
int run_pattern_text(const struct run_record *run,
		     const struct campaign *campaign, char **text);
int run_rwf_text(const struct run_record *run, const struct campaign *campaign,
		 char **text);
int run_madvise_text(const struct run_record *run,
		     const struct campaign *campaign, char **text);
int run_warm_text(const struct run_record *run, const struct campaign *campaign,
		  char **text);
int run_siblings_text(const struct run_record *run,
		      const struct campaign *campaign, char **text);
int run_core_kinds_text(const struct run_record *run,
			const struct campaign *campaign, char **text);

#endif
