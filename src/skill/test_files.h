/*
 * The files of a skill's tests/ folder (S4.10): NAME.yaml or NAME.json, each one test of the shape of an item of
 * `test:`.  Other files there are the author's own.
 */
#ifndef WRIT_SKILL_TEST_FILES_H
#define WRIT_SKILL_TEST_FILES_H

#include "skill/contract.h"

#define WRIT_TEST_FILES_MAX 1000
#define WRIT_TEST_FAULTS_MAX 200

/* What keeps a file from being a test. */
struct writ_test_file_fault {
    const char *path;
    enum writ_code code;
    uint32_t line, column; /* 0: none */
    const char *field;     /* "" when there is none */
    const char *message;
};
struct writ_test_files {
    struct writ_arena arena; /* owns all below */
    struct writ_contract_test *tests;
    struct writ_yaml *documents; /* that the tests are of; without spans, and for JSON without places (all 0) */
    const char **paths;          /* `tests/NAME.yaml` */
    size_t count;
    struct writ_test_file_fault *faults; /* of the files that are not among the tests */
    size_t fault_count;                  /* at most WRIT_TEST_FAULTS_MAX */
};

/* Reads them, sorted by name; a test without a name gets its file's.  No tests/ folder gives none.  Links are not
 * followed.  A file that is no test adds its faults.  Errors: INTERNAL_LIMIT, INTERNAL_IO, INTERNAL_MEMORY. */
int writ_test_files_read(int folder_fd, struct writ_test_files *ret_files, struct writ_error *error) WRIT_MUST_USE;
/* As above, and the first fault is an error: CONTRACT_INVALID with file, line and column, or as above. */
int writ_test_files_load(int folder_fd, struct writ_test_files *ret_files, struct writ_error *error) WRIT_MUST_USE;
void writ_test_files_clear(struct writ_test_files *files);

#endif
