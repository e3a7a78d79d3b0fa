/* What crashes, full disks and many writers at once leave behind (S4.6: nothing is lost, nothing half-written counts).
 */
#include "place.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- torn tails ---- */

/* The last record cut at each of its bytes: it counts as soon as its newline is there and not before; the next writer
 * marks what is left of it, and the chain is whole. */
static void a_tail_torn_at_any_byte_is_marked(void **state)
{
    struct place *place = *state;
    append_calls(place, 1, 2);
    size_t length;
    char *text = place_read(place, "current.jsonl", &length);
    size_t last = (size_t)((char *)memrchr(text, '\n', length - 1) + 1 - text);
    for (size_t cut = last; cut <= length; cut++) {
        bool is_torn = cut > last && cut < length;
        uint64_t whole = cut == length ? 4 : 3;
        place_write(place, "current.jsonl", text, cut);
        assert_intact(place, whole, is_torn);
        assert_int_equal(count_records(place, 1), whole);
        append_calls(place, 7, 1);
        assert_intact(place, whole + is_torn + 2, is_torn);
        assert_int_equal(count_records(place, 1), whole + is_torn + 2);
        size_t after_length;
        char *after = place_read(place, "current.jsonl", &after_length);
        assert_memory_equal(after, text, cut); /* nothing is overwritten */
        free(after);
    }
    free(text);
}

/* The same for the very first record, and for a writer that died while it was marking. */
static void marks_can_be_torn_too(void **state)
{
    struct place *place = *state;
    append_calls(place, 1, 1);
    size_t length, marked_length;
    char *text = place_read(place, "current.jsonl", &length);
    size_t first = (size_t)((char *)memchr(text, '\n', length) - text);
    place_write(place, "current.jsonl", text, first); /* all but the newline */
    append_calls(place, 2, 1);
    assert_intact(place, 3, 1);
    char *marked = place_read(place, "current.jsonl", &marked_length);
    for (size_t cut = first + 1; cut <= marked_length; cut++) {
        place_write(place, "current.jsonl", marked, cut);
        struct writ_audit_verdict before = verify(place, NULL);
        assert_true(before.intact);
        assert_int_equal(count_records(place, 1), before.records);
        append_calls(place, 3, 1);
        struct writ_audit_verdict after = verify(place, NULL);
        if (!after.intact)
            fail_msg("cut at %zu: %s", cut, after.reason);
        size_t after_length;
        char *after_text = place_read(place, "current.jsonl", &after_length);
        assert_memory_equal(after_text, marked, cut);
        free(after_text);
    }
    free(marked);
    free(text);
}

/* Blocks that never reached the disk read as zeros. */
static void a_tail_of_zeros_is_marked(void **state)
{
    struct place *place = *state;
    static const size_t sizes[] = {1, 4095, 4096, 70000, 131072, 400000};
    uint64_t records = 0;
    for (size_t i = 0; i < WRIT_COUNT(sizes); i++) {
        append_calls(place, (unsigned)i, 1);
        records += i > 0 ? 3 : 2;
        assert_intact(place, records, i);
        struct stat status;
        assert_int_equal(stat(place_file(place, "current.jsonl"), &status), 0);
        assert_int_equal(truncate(place_file(place, "current.jsonl"), status.st_size + (off_t)sizes[i]), 0);
        assert_intact(place, records, i + 1);
    }
}

static void marks_are_checked(void **state)
{
    struct place *place = *state;
    append_calls(place, 1, 1);
    size_t length;
    char *text = place_read(place, "current.jsonl", &length);
    place_write(place, "current.jsonl", text, length - 5);
    append_calls(place, 2, 1);
    free(text);
    text = place_read(place, "current.jsonl", &length);
    assert_intact(place, 4, 1);
    char *torn = strstr(text, " #torn\n");
    assert_non_null(torn);
    torn[-1] ^= 1; /* a torn byte changed: the mark knows */
    place_write(place, "current.jsonl", text, length);
    assert_broken(place, NULL, 2, "torn bytes");
    torn[-1] ^= 1;
    memmove(torn - 1, torn, strlen(torn) + 1); /* a torn byte removed */
    place_write(place, "current.jsonl", text, length - 1);
    assert_broken(place, NULL, 2, "torn bytes");
    free(text);
}

/* ---- a full disk ---- */

/* RLIMIT_FSIZE stands in for a full disk where no file system can be made: the write is refused, the signal that would
 * end the process never comes, and a begin that could not be recorded leaves the log as it was. */
static void a_file_limit_is_an_error_and_no_end(void **state)
{
    struct place *place = *state;
    append_calls(place, 1, 2);
    size_t length, after_length;
    char *text = place_read(place, "current.jsonl", &length);
    struct writ_error error;
    struct writ_audit *audit;
    struct rlimit old, low;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(writ_audit_open(place->state, &audit, &error), 0);
    low = (struct rlimit){.rlim_cur = length + 100, .rlim_max = old.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
    int result = try_append(audit, "begin", 7, 50, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(result, WRIT_INTERNAL_AUDIT);
    assert_non_null(strstr(error.message, "ulimit -f"));
    char *after = place_read(place, "current.jsonl", &after_length);
    assert_int_equal(after_length, length);
    append(audit, "begin", 8, 50); /* the handle is still good */
    writ_audit_close(audit);
    assert_intact(place, 5, 0);
    free(after);
    free(text);
}

/* Fills a tiny file system with records until it is full.  Runs in a child with a mount namespace of its own; returns
 * its verdict as an exit status. */
static int fill_tiny_disk(const struct place *place)
{
    struct writ_error error;
    struct writ_audit *audit;
    if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
        mount("tiny", place->root, "tmpfs", 0, "size=256k,mode=0700") < 0)
        return 77;
    if (writ_audit_open(place->state, &audit, &error))
        return 10;
    unsigned written = 0;
    while (written < 100 && try_append(audit, "begin", written, 7000, &error) == 0)
        written++;
    if (written < 20 || written >= 100 || error.code != WRIT_INTERNAL_AUDIT || error.sys_errno != ENOSPC ||
        !strstr(error.message, "make room"))
        return 11;
    /* Whatever the kernel took of the last one is not there, in this handle's eyes and a new one's. */
    struct writ_audit_verdict verdict;
    if (writ_audit_verify(place->state, NULL, NULL, &verdict, &error) || !verdict.intact ||
        verdict.records != written || verdict.torn_tails != 0)
        return 12;
    if (try_append(audit, "begin", 100, 7000, &error) != WRIT_INTERNAL_AUDIT)
        return 13;
    writ_audit_close(audit);
    if (writ_audit_open(place->state, &audit, &error) || try_append(audit, "end", 1, 0, &error))
        return 14; /* a small record still fits: the end of a call that began */
    writ_audit_close(audit);
    if (writ_audit_verify(place->state, NULL, NULL, &verdict, &error) || !verdict.intact ||
        verdict.records != written + 1)
        return 15;
    return 0;
}

static void a_full_disk_is_an_error_and_no_loss(void **state)
{
    struct place *place = *state;
    if (geteuid() != 0) {
        print_message("skipped: only root can make a tiny file system\n");
        skip();
    }
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(fill_tiny_disk(place));
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77) {
        print_message("skipped: this kernel lets nobody mount here\n");
        skip();
    }
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* ---- many at once ---- */

#define WRITERS 16
#define APPENDS 200

/* Fork, append, exit 0; nothing of cmocka may run in the child. */
static pid_t start_writer(const struct place *place, unsigned first, unsigned count, size_t padding, int started_fd)
{
    pid_t child = fork();
    if (child != 0)
        return child;
    struct writ_error error;
    struct writ_audit *audit;
    if (writ_audit_open(place->state, &audit, &error))
        _exit(1);
    for (unsigned i = 0; i < count; i++) {
        if (try_append(audit, i % 2 ? "end" : "begin", first + i / 2, padding, &error))
            _exit(2);
        if (i == 1 && started_fd >= 0 && write(started_fd, "", 1) != 1)
            _exit(3);
    }
    writ_audit_close(audit);
    _exit(0);
}

static void wait_for(pid_t child)
{
    int status;
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void many_writers_lose_nothing(void **state)
{
    struct place *place = *state;
    pid_t children[WRITERS];
    for (unsigned i = 0; i < WRITERS; i++)
        children[i] = start_writer(place, i * APPENDS, APPENDS, 100 + i, -1);
    for (unsigned i = 0; i < WRITERS; i++) {
        /* A reader beside them never sees a broken chain. */
        assert_true(verify(place, NULL).intact);
        wait_for(children[i]);
    }
    assert_intact(place, (uint64_t)WRITERS * APPENDS, 0);
    assert_int_equal(count_records(place, 1), WRITERS * APPENDS);
    assert_int_equal(verify(place, NULL).unfinished, 0);
}

/* Closing a segment while others wait for its lock. */
static void many_writers_close_segments(void **state)
{
    struct place *place = *state;
    pid_t children[8];
    for (unsigned i = 0; i < WRIT_COUNT(children); i++)
        children[i] = start_writer(place, i * 50, 50, 60000, -1);
    for (unsigned i = 0; i < WRIT_COUNT(children); i++) {
        assert_true(verify(place, NULL).intact);
        wait_for(children[i]);
    }
    assert_intact(place, 8 * 50, 0);
    assert_int_equal(verify(place, NULL).segments, 3);
    assert_int_equal(verify(place, NULL).unfinished, 0);
}

/* Ended by SIGKILL wherever it stands, again and again: what was reported as recorded is there. */
static void killed_writers_lose_nothing(void **state)
{
    struct place *place = *state;
    uint64_t before = 0;
    for (unsigned round = 0; round < 40; round++) {
        int started[2];
        assert_int_equal(pipe(started), 0);
        pid_t child = start_writer(place, round * 100000, 100000, round % 2 ? 60000 : 0, started[1]);
        assert_true(child > 0);
        char byte;
        assert_int_equal(read(started[0], &byte, 1), 1);
        struct timespec pause = {.tv_nsec = (long)(round * 37 % 40) * 50000};
        (void)ppoll(NULL, 0, &pause, NULL);
        assert_int_equal(kill(child, SIGKILL), 0);
        assert_int_equal(waitpid(child, NULL, 0), child);
        (void)close(started[0]);
        (void)close(started[1]);
        struct writ_audit_verdict verdict = verify(place, NULL);
        if (!verdict.intact)
            fail_msg("round %u: %s", round, verdict.reason);
        assert_true(verdict.records >= before + 2);
        before = verdict.records;
    }
    append_calls(place, 1, 1);
    assert_true(verify(place, NULL).intact);
}

/* A tail that is being written is no torn one: the verifier waits for the lock. */
static void a_write_under_way_is_not_torn(void **state)
{
    struct place *place = *state;
    append_calls(place, 1, 1);
    size_t length;
    char *text = place_read(place, "current.jsonl", &length);
    place_write(place, "current.jsonl", text, length - 20);
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        /* Plays a writer in the middle of its line. */
        int fd = open(place_file(place, "current.jsonl"), O_WRONLY | O_APPEND | O_CLOEXEC);
        if (fd < 0 || flock(fd, LOCK_EX) < 0 || write(ready[1], "", 1) != 1)
            _exit(1);
        (void)poll(NULL, 0, 100);
        _exit(write(fd, text + length - 20, 20) == 20 ? 0 : 2);
    }
    char byte;
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_intact(place, 2, 0);
    wait_for(child);
    (void)close(ready[0]);
    (void)close(ready[1]);
    free(text);
}

#define PLACED(test) cmocka_unit_test_setup_teardown(test, place_make, place_remove)

int main(void)
{
    const struct CMUnitTest tests[] = {
        PLACED(a_tail_torn_at_any_byte_is_marked),   PLACED(marks_can_be_torn_too),
        PLACED(a_tail_of_zeros_is_marked),           PLACED(marks_are_checked),
        PLACED(a_file_limit_is_an_error_and_no_end), PLACED(a_full_disk_is_an_error_and_no_loss),
        PLACED(many_writers_lose_nothing),           PLACED(many_writers_close_segments),
        PLACED(killed_writers_lose_nothing),         PLACED(a_write_under_way_is_not_torn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
