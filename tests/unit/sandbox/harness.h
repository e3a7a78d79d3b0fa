/* A sandbox for tests: a folder on disk, the probe program in it, and a plan around both. */
#ifndef WRIT_TESTS_SANDBOX_HARNESS_H
#define WRIT_TESTS_SANDBOX_HARNESS_H

#include "sandbox/sandbox.h"
#include "support.h"

struct harness {
    char folder[64]; /* on the host: writable, holds the probe and what tests put there */
    char name[16];   /* of the probe's process: this test's alone */
    char probe[96];  /* path of the probe program, inside and outside */
    struct writ_plan plan;
    int fds[WRIT_PLAN_MOUNTS_MAX];
    size_t fd_count;
    struct writ_run_result result;
    struct writ_error error;
    int answer;
    int cancel_fd;
    struct writ_sandbox_spare *spare;
};

int harness_set_up(void **state);    /* cmocka: *state is a harness with the smallest plan that runs the probe */
int harness_tear_down(void **state); /* fails when the folder cannot be removed */

/* Grants. */
struct writ_mount *harness_bind(struct harness *harness, const char *path, bool writable);
void harness_add_programs(struct harness *harness); /* what a dynamically linked program needs */
void harness_add_tmp(struct harness *harness);

/* Skips the test, loudly, where what it needs is not there: identity-mapped mounts of the place where tests have their
 * files (root only); Landlock. */
void harness_need_private_grants(struct harness *harness);
void harness_need_landlock(void);

/* A file or folder below the harness's folder; returns its path (in a static ring of buffers). */
const char *harness_path(const struct harness *harness, const char *name);
const char *harness_file(const struct harness *harness, const char *name, const char *text, unsigned mode);
const char *harness_folder(const struct harness *harness, const char *name, unsigned mode);

/* Runs the probe with words up to NULL; the result is in the harness. */
void harness_run(struct harness *harness, ...) __attribute__((sentinel));
/* Runs another program of this machine, by its real path; args[0] is the path. */
void harness_run_program(struct harness *harness, const char *path, ...) __attribute__((sentinel));

/* Runs the probe and expects that it ended by itself with status 0 and printed exactly `output`. */
#define harness_expect(harness, output, ...)                                                                           \
    do {                                                                                                               \
        harness_run(harness, __VA_ARGS__, NULL);                                                                       \
        harness_check(harness, output, __FILE__, __LINE__);                                                            \
    } while (0)
void harness_check(const struct harness *harness, const char *output, const char *file, int line);

#endif
