// SPDX-License-Identifier: GPL-2.0-or-later
#include "sweep/driver.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/base/stop.h"
#include "lib/record/params.h"
#include "sweep/intake.h"

#define SELF "/proc/self/exe"

/* Where the child's record goes, and the option that says so. */
#define RECORD_FD     3
#define RECORD_OPTION "fd:3"

/* params_argv() and where the record is to go, before the first target. */
static int argv_make(const struct run_params *params, char ***argv,
		     struct err *err)
{
	char **words, **grown;
	size_t count = 0;
	int rc;

	rc = params_argv(params, &words, err);
	if (rc < 0)
		return rc;
	while (words[count])
		count++;
	grown = reallocarray(words, count + 3, sizeof(*words));
	if (!grown)
		goto no_memory;
	words = grown;
	/* Behind "rawread read". */
	memmove(&words[4], &words[2], (count - 1) * sizeof(*words));
	words[2] = strdup("--json");
	words[3] = strdup(RECORD_OPTION);
	if (!words[2] || !words[3]) {
		free(words[2]);
		free(words[3]);
		memmove(&words[2], &words[4], (count - 1) * sizeof(*words));
		goto no_memory;
	}
	*argv = words;
	return 0;
no_memory:
	argv_free(words);
	return err_set(err, -ENOMEM, "command line");
}

/*
 * Takes in what the child says until it has ended. The signals of stop.h are
 * blocked but for the wait itself, so that none comes unseen before it.
 */
static void follow(pid_t pid, struct intake *record, struct intake *complaint,
		   const sigset_t *unblocked)
{
	/* Without it (before Linux 5.3) the closed pipes tell of the end. */
	int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	bool told = false, ended = false;

	while (!ended &&
	       (pidfd >= 0 || record->fd >= 0 || complaint->fd >= 0)) {
		struct pollfd fds[] = { { .fd = record->fd, .events = POLLIN },
					{ .fd = complaint->fd,
					  .events = POLLIN },
					{ .fd = pidfd, .events = POLLIN } };

		if (stop_asked() && !told) {
			kill(pid, stop_signal());
			told = true;
		}
		if (ppoll(fds, 3, NULL, unblocked) < 0)
			continue;
		ended = fds[2].revents;
		if (fds[0].revents || (ended && record->fd >= 0))
			intake_read(record);
		if (fds[1].revents || (ended && complaint->fd >= 0))
			intake_read(complaint);
	}
	if (pidfd >= 0)
		close(pidfd);
}

/* The last line without our own name before it; NULL when there is none. */
static char *last_line(char *text)
{
	static const char name[] = "rawread: ";
	size_t length = text ? strlen(text) : 0;
	char *line;

	while (length && text[length - 1] == '\n')
		text[--length] = '\0';
	if (!length)
		return NULL;
	line = strrchr(text, '\n');
	line = line ? line + 1 : text;
	if (!strncmp(line, name, sizeof(name) - 1))
		line += sizeof(name) - 1;
	return strdup(line);
}

/* A line that is no record is as good as none, and says why. */
static void result_fill(struct driver_result *result, struct intake *record,
			struct intake *complaint)
{
	json_t *json = NULL;
	struct err err;

	result->complaint = last_line(complaint->text);
	if (!record->used_bytes)
		return;
	json = json_loads(record->text, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL,
			  NULL);
	if (!json)
		err_say(&err, -EINVAL, "its record is torn");
	else if (!run_record_decode(json, &result->record, &err))
		result->has_record = true;
	json_decref(json);
	if (result->has_record || result->complaint)
		return;
	result->complaint = strdup(err.text);
}

static int null_open(int *fd)
{
	int low = open("/dev/null", O_RDWR | O_CLOEXEC), rc = 0;

	if (low < 0)
		return -errno;
	*fd = fcntl(low, F_DUPFD_CLOEXEC, INTAKE_FD_LOWEST);
	if (*fd < 0)
		rc = -errno;
	close(low);
	return rc;
}

static void signals_block(sigset_t *before)
{
	sigset_t ends;

	stop_signals(&ends);
	pthread_sigmask(SIG_BLOCK, &ends, before);
}

static void fd_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/*
 * The child has no terminal to read from, and its own report is not ours; it
 * has the writing ends of both pipes, and we have not.
 */
static int start(char *const argv[], struct intake *record,
		 struct intake *complaint, pid_t *pid, struct err *err)
{
	int record_fd = -1, complaint_fd = -1, null_fd = -1, rc;

	rc = intake_open(record, &record_fd);
	if (!rc)
		rc = intake_open(complaint, &complaint_fd);
	if (!rc)
		rc = null_open(&null_fd);
	if (rc < 0) {
		err_set(err, rc, "open pipes for a run");
	} else {
		const struct spawn_fd fds[] = { { null_fd, STDIN_FILENO },
						{ null_fd, STDOUT_FILENO },
						{ complaint_fd, STDERR_FILENO },
						{ record_fd, RECORD_FD } };

		rc = spawn_start(SELF, argv, fds, 4, pid, err);
	}
	fd_close(&record_fd);
	fd_close(&complaint_fd);
	fd_close(&null_fd);
	return rc;
}

int driver_run(const struct run_params *params, struct driver_result *result,
	       struct err *err)
{
	struct intake record = { .fd = -1 }, complaint = { .fd = -1 };
	char **argv = NULL;
	sigset_t before;
	pid_t pid;
	int rc;

	*result = (struct driver_result){ 0 };
	signals_block(&before);
	rc = argv_make(params, &argv, err);
	if (!rc)
		rc = start(argv, &record, &complaint, &pid, err);
	if (rc < 0)
		goto out;
	follow(pid, &record, &complaint, &before);
	rc = spawn_wait(pid, &result->end, err);
	if (!rc)
		result_fill(result, &record, &complaint);
out:
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	intake_close(&record);
	intake_close(&complaint);
	free(record.text);
	free(complaint.text);
	argv_free(argv);
	return rc;
}

void driver_result_free(struct driver_result *result)
{
	if (result->has_record)
		run_record_free(&result->record);
	free(result->complaint);
	*result = (struct driver_result){ 0 };
}

char *driver_explain(const struct driver_result *result)
{
	const char *complaint = result->complaint;
	int number = result->end.signal;

	if (!number && complaint)
		return strdup(complaint);
	if (!number)
		return text_format("the run ended with status %d and left no "
				   "record",
				   result->end.exit_status);
	return text_format(
		"the run was ended by signal %d (%s)%s%s%s", number,
		strsignal(number),
		number == SIGKILL ? ", perhaps for want of memory: see dmesg"
				  : "",
		complaint ? "; it said: " : "", complaint ? complaint : "");
}
