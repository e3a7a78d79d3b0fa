#include "run/program_version.h"

#include "base/descriptor.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/text.h"
#include "run/fixed_places.h"
#include "run/loader.h"
#include "sandbox/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ANSWER_BYTES_MAX 4096
#define ASK_MS 20000
#define SHOWN_BYTES_MAX 80
#define TMP_BYTES ((uint64_t)1 << 20)
#define CACHE_FORMAT 1 /* what the program answered, byte for byte */

/* Opens the folder of the cache; -1 when there is none, or when others could have written what is in it. */
static int open_cache(const char *folder)
{
    struct stat status;
    WRIT_CLEANUP(writ_descriptor_close) int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) < 0 || status.st_uid != geteuid() || (status.st_mode & (S_IWGRP | S_IWOTH)))
        return -1;
    return writ_descriptor_take(&fd);
}

/* The first line of an answer, as far as it is fit to be shown. */
static void first_line(const struct writ_buffer *answer, char ret_line[SHOWN_BYTES_MAX + 1])
{
    const char *text = writ_buffer_text(answer);
    size_t length = strcspn(text, "\r\n");
    if (length > SHOWN_BYTES_MAX)
        length = SHOWN_BYTES_MAX;
    length = writ_utf8_valid_length(text, length);
    memcpy(ret_line, text, length);
    ret_line[length] = '\0';
}

/* The cache's file name: a digest of what identifies the file's present content, and the format of what is kept. */
static int cache_path(const struct writ_places *places, const struct writ_program *program, char *path, size_t bytes,
                      char folder[PATH_MAX], struct writ_error *error)
{
    struct stat status;
    if (fstat(program->fd, &status) < 0)
        return writ_error_io(error, errno, program->real);
    char identity[PATH_MAX + 256];
    int length = snprintf(identity, sizeof identity, "%s\n%llu %llu %lld %lld.%09ld %lld.%09ld", program->real,
                          (unsigned long long)status.st_dev, (unsigned long long)status.st_ino,
                          (long long)status.st_size, (long long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
                          (long long)status.st_ctim.tv_sec, status.st_ctim.tv_nsec);
    unsigned char digest[WRIT_DIGEST_BYTES];
    char text[WRIT_DIGEST_TEXT_BYTES];
    writ_digest_of(identity, (size_t)length, digest);
    writ_digest_print(digest, text);
    (void)snprintf(folder, PATH_MAX, "%s/versions", places->cache);
    int written = snprintf(path, bytes, "%s/versions/%s.%d", places->cache, text + 7, CACHE_FORMAT);
    return written > 0 && (size_t)written < bytes ? 0 : writ_error_io(error, ENAMETOOLONG, places->cache);
}

/* An answer that was cut off is none. */
static int judge(const struct writ_run_result *run, struct writ_error *error)
{
    if (run->ending == WRIT_ENDED_INTERRUPTED)
        return writ_error_set(error, WRIT_INTERRUPTED, "interrupted");
    if (run->ending == WRIT_ENDED_TIMEOUT)
        return writ_error_set(error, WRIT_DEPENDENCY_VERSION, "it did not answer within %d s; run it with --version",
                              ASK_MS / 1000);
    if (run->ending != WRIT_ENDED_EXIT)
        return writ_error_set(error, WRIT_DEPENDENCY_VERSION, "it was ended while it answered; run it with --version");
    return 0;
}

static int ask(const struct writ_program *program, const struct writ_watch *watch, struct writ_buffer *answer,
               struct writ_error *error)
{
    struct writ_prepared *prepared = writ_prepared_new();
    if (!prepared)
        return writ_error_memory(error);
    struct writ_program copy = *program;
    copy.fd = fcntl(program->fd, F_DUPFD_CLOEXEC, 3);
    int result = copy.fd < 0 ? writ_error_io(error, errno, program->real)
                             : writ_loader_add_program(prepared, &copy, "asked for its version", error);
    if (result == 0)
        result = writ_fixed_places_add(prepared, TMP_BYTES, error);
    if (result == 0) {
        struct writ_plan *plan = &prepared->plan;
        plan->program = program->real;
        plan->args[0] = program->real;
        plan->args[1] = "--version";
        plan->env[0] = "PATH=/usr/bin:/bin";
        plan->env[1] = "LANG=C.UTF-8";
        plan->working_folder = "/";
        plan->limits = (struct writ_limits){.wall_ms = ASK_MS,
                                            .memory_bytes = (uint64_t)1 << 30,
                                            .processes = 32,
                                            .output_bytes = ANSWER_BYTES_MAX,
                                            .stderr_bytes = ANSWER_BYTES_MAX,
                                            .file_bytes = 1 << 20,
                                            .open_files = 256};
        struct writ_run_result run;
        const char *about = writ_arena_printf(&prepared->arena, "%s for its version", program->name);
        const struct writ_sandbox_options options = {.watch = watch, .what = "asking", .about = about};
        result = writ_sandbox_run(plan, &options, &run, error);
        if (result == 0)
            result = judge(&run, error);
        /* Old interpreters answer on stderr. */
        if (result == 0) {
            writ_buffer_append(answer, writ_buffer_text(&run.output), run.output.length);
            writ_buffer_append(answer, writ_buffer_text(&run.errors), run.errors.length);
        }
        writ_run_result_clear(&run);
    }
    writ_prepared_free(prepared, false);
    return result;
}

int writ_program_version(const struct writ_places *places, const struct writ_program *program,
                         const struct writ_watch *watch, struct writ_semver *ret_version, struct writ_error *error)
{
    char path[PATH_MAX], folder[PATH_MAX];
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer answer;
    writ_buffer_init(&answer, 2 * ANSWER_BYTES_MAX);
    int result = cache_path(places, program, path, sizeof path, folder, error);
    if (result < 0)
        return result;
    struct writ_error ignored;
    WRIT_CLEANUP(writ_descriptor_close) int folder_fd = open_cache(folder);
    const char *name = strrchr(path, '/') + 1;
    bool cached = folder_fd >= 0 && writ_file_read(folder_fd, name, true, &answer, &ignored) == 0 &&
                  writ_semver_scan(writ_buffer_text(&answer), ret_version); /* what is damaged is asked anew */
    if (!cached) {
        writ_buffer_clear(&answer);
        result = ask(program, watch, &answer, error);
        if (result < 0)
            return writ_error_wrap(error, "asking %s for its version", program->real);
    }
    if (!writ_semver_scan(writ_buffer_text(&answer), ret_version)) {
        char said[SHOWN_BYTES_MAX + 1];
        first_line(&answer, said);
        (void)writ_error_set(error, WRIT_DEPENDENCY_VERSION,
                             "%s: does not tell its version with --version (it said `%s`), so that what the skill "
                             "needs cannot be checked",
                             program->real, said);
        return writ_error_at(error, program->name, 0, 0);
    }
    /* The cache only saves time: that it cannot be written is no reason to fail. */
    if (cached)
        return 0;
    if (folder_fd < 0 && writ_folder_make(folder, 0700, &folder_fd, &ignored) < 0)
        return 0;
    writ_file_sweep(folder_fd, name);
    (void)!writ_file_write_atomic(folder_fd, name, 0600, writ_buffer_text(&answer), answer.length, &ignored);
    return 0;
}
