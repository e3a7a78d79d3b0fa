/* The chain, what tampering does to it, and who may write where (S4.6). */
#include "place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the chain ---- */

static void records_are_chained(void **state)
{
    struct place *place = *state;
    append_calls(place, 1, 3);
    assert_intact(place, 6, 0);
    assert_int_equal(count_records(place, 1), 6);
    assert_int_equal(count_records(place, 4), 3);
    assert_int_equal(verify(place, NULL).unfinished, 0);
    size_t length;
    char *text = place_read(place, "current.jsonl", &length);
    char prev[WRIT_DIGEST_TEXT_BYTES] = "sha256:0000000000000000000000000000000000000000000000000000000000000000";
    char *rest = text;
    for (unsigned sequence = 1; sequence <= 6; sequence++) {
        char head[64];
        char *line = strsep(&rest, "\n");
        (void)snprintf(head, sizeof head, "{\"v\":1,\"seq\":%u,\"time\":\"2", sequence);
        assert_memory_equal(line, head, strlen(head));
        assert_non_null(strstr(line, sequence % 2 ? "\"type\":\"begin\"" : "\"type\":\"end\""));
        /* `prev` is the SHA-256 of the line before. */
        assert_memory_equal(line + strlen(line) - 73, prev, 71);
        unsigned char digest[WRIT_DIGEST_BYTES];
        writ_digest_of(line, strlen(line), digest);
        writ_digest_print(digest, prev);
    }
    assert_string_equal(rest, "");
    assert_string_equal(verify(place, NULL).head, prev);
    assert_true(verify(place, prev).intact);
    free(text);
}

static void handles_continue_each_other(void **state)
{
    struct place *place = *state;
    struct writ_error error;
    struct writ_audit *first, *second;
    assert_int_equal(writ_audit_open(place->state, &first, &error), 0);
    assert_int_equal(writ_audit_open(place->state, &second, &error), 0);
    for (unsigned run = 0; run < 20; run++) {
        append(first, "begin", run, 5);
        append(second, "begin", 100 + run, 5);
        append(second, "end", 100 + run, 5);
        append(first, "end", run, 5);
    }
    writ_audit_close(first);
    writ_audit_close(second);
    assert_intact(place, 80, 0);
}

static void no_log_is_an_empty_log(void **state)
{
    struct place *place = *state;
    assert_intact(place, 0, 0);
    assert_int_equal(count_records(place, 1), 0);
    assert_int_equal(access(place->state, F_OK), -1); /* a reader makes nothing */
    assert_true(verify(place, verify(place, NULL).head).intact);
    char head[WRIT_DIGEST_TEXT_BYTES];
    unsigned char digest[WRIT_DIGEST_BYTES] = {1};
    writ_digest_print(digest, head);
    assert_broken(place, head, 1, "kept elsewhere");
    struct writ_error error;
    struct writ_audit *audit;
    assert_int_equal(writ_audit_open(place->state, &audit, &error), 0);
    writ_audit_close(audit);
    assert_intact(place, 0, 0);
}

/* S4.6: a begin without an end is seen, whatever stands between. */
static void unfinished_calls_are_counted(void **state)
{
    struct place *place = *state;
    struct writ_error error;
    struct writ_audit *audit;
    assert_int_equal(writ_audit_open(place->state, &audit, &error), 0);
    for (unsigned run = 0; run < 500; run++)
        append(audit, "begin", run, 0);
    for (unsigned run = 0; run < 500; run++)
        if (run % 7 != 3)
            append(audit, "end", run, 0);
    append(audit, "end", 12345, 0); /* belongs to nothing here */
    writ_audit_close(audit);
    assert_int_equal(verify(place, NULL).unfinished, 71);
}

static void records_have_a_longest(void **state)
{
    struct place *place = *state;
    struct writ_error error;
    struct writ_audit *audit;
    assert_int_equal(writ_audit_open(place->state, &audit, &error), 0);
    assert_int_equal(try_append(audit, "begin", 1, WRIT_AUDIT_RECORD_BYTES_MAX, &error), WRIT_INTERNAL_AUDIT);
    assert_non_null(strstr(error.message, "too long"));
    assert_int_equal(try_append(audit, "begin", 1, (size_t)300 << 10, &error), WRIT_INTERNAL_AUDIT);
    size_t longest = WRIT_AUDIT_RECORD_BYTES_MAX;
    while (try_append(audit, "begin", 1, longest, &error))
        longest--;
    assert_true(longest > WRIT_AUDIT_RECORD_BYTES_MAX - 300);
    append(audit, "end", 1, 0);
    writ_audit_close(audit);
    assert_intact(place, 2, 0);
    append_calls(place, 2, 1); /* a new handle finds the long record's end */
    assert_intact(place, 4, 0);
    struct stat status;
    assert_int_equal(stat(place_file(place, "current.jsonl"), &status), 0);
    assert_true(status.st_size > (off_t)WRIT_AUDIT_RECORD_BYTES_MAX);
}

static void a_full_segment_is_closed(void **state)
{
    struct place *place = *state;
    struct writ_error error;
    struct writ_audit *audit, *other;
    assert_int_equal(writ_audit_open(place->state, &audit, &error), 0);
    assert_int_equal(writ_audit_open(place->state, &other, &error), 0);
    append(other, "begin", 9999, 0);
    /* 270 records of 64 KB pass two segments of 8 MiB. */
    for (unsigned run = 0; run < 270; run++)
        append(audit, "begin", run, 64000);
    append(other, "end", 9999, 0); /* its file has been closed twice under it */
    writ_audit_close(audit);
    writ_audit_close(other);
    struct stat status;
    assert_int_equal(stat(place_file(place, "00000001.jsonl"), &status), 0);
    assert_in_range(status.st_size, WRIT_AUDIT_SEGMENT_BYTES, WRIT_AUDIT_SEGMENT_BYTES + 65000);
    assert_int_equal(stat(place_file(place, "00000002.jsonl"), &status), 0);
    assert_int_equal(stat(place_file(place, "00000003.jsonl"), &status), -1);
    struct writ_audit_verdict verdict = verify(place, NULL);
    assert_int_equal(verdict.segments, 3);
    assert_int_equal(verdict.unfinished, 270);
    assert_intact(place, 272, 0);
    assert_int_equal(count_records(place, 1), 272);

    /* A crash after the closing rename: there is no current.jsonl, and whoever comes next makes it. */
    char to[PATH_MAX];
    (void)snprintf(to, sizeof to, "%s", place_file(place, "00000003.jsonl"));
    assert_int_equal(rename(place_file(place, "current.jsonl"), to), 0);
    assert_intact(place, 272, 0);
    append_calls(place, 5000, 1);
    assert_intact(place, 274, 0);
    assert_int_equal(verify(place, NULL).segments, 4);

    /* The newest closed segment with something behind its last record: named by a mark in the next one. */
    assert_int_equal(truncate(place_file(place, "current.jsonl"), 0), 0);
    size_t length;
    char *text = place_read(place, "00000003.jsonl", &length);
    place_write(place, "00000003.jsonl", text, length - 30);
    assert_intact(place, 271, 1);
    append_calls(place, 6000, 1);
    assert_intact(place, 274, 1); /* one record lost, a mark and two records more */
    free(text);

    assert_int_equal(unlink(place_file(place, "00000002.jsonl")), 0);
    assert_false(verify(place, NULL).intact);
    assert_non_null(strstr(verify(place, NULL).reason, "missing"));
    assert_int_equal(unlink(place_file(place, "00000001.jsonl")), 0);
    assert_non_null(strstr(verify(place, NULL).reason, "the log begins with record"));
}

/* ---- tampering ---- */

struct lines {
    char *text;
    char *at[16];
    size_t count, length;
};

static struct lines read_lines(const struct place *place)
{
    struct lines lines = {0};
    lines.text = place_read(place, "current.jsonl", &lines.length);
    for (char *next = lines.text; *next; next = strchr(next, '\n') + 1)
        lines.at[lines.count++] = next;
    lines.at[lines.count] = lines.text + lines.length;
    return lines;
}

/* Writes the file anew from the lines whose 0-based numbers are given, ended by -1. */
static void write_lines(const struct place *place, const struct lines *lines, const int *order)
{
    struct writ_buffer out;
    writ_buffer_init(&out, (size_t)1 << 20);
    for (; *order >= 0; order++)
        writ_buffer_append(&out, lines->at[*order], (size_t)(lines->at[*order + 1] - lines->at[*order]));
    place_write(place, "current.jsonl", writ_buffer_text(&out), out.length);
    writ_buffer_clear(&out);
}

static void every_changed_byte_is_found(void **state)
{
    struct place *place = *state;
    append_calls(place, 1, 2);
    struct lines lines = read_lines(place);
    char head[WRIT_DIGEST_TEXT_BYTES];
    memcpy(head, verify(place, NULL).head, sizeof head);
    /* Without a head kept elsewhere all but the last record, with it all of them. */
    for (size_t i = 0; i < lines.length; i++) {
        char kept = lines.text[i];
        lines.text[i] = kept == '1' ? '2' : '1';
        place_write(place, "current.jsonl", lines.text, lines.length);
        struct writ_audit_verdict verdict;
        struct writ_error error;
        bool is_newer = writ_audit_verify(place->state, head, NULL, &verdict, &error) != 0;
        if (is_newer) /* the digit of the format */
            assert_non_null(strstr(error.message, "newer writ"));
        else if (verdict.intact)
            fail_msg("byte %zu changed and not found", i);
        if (!is_newer && lines.text + i < lines.at[3]) {
            assert_int_equal(writ_audit_verify(place->state, NULL, NULL, &verdict, &error), 0);
            assert_false(verdict.intact);
        }
        lines.text[i] = kept;
    }
    free(lines.text);
}

static void lines_taken_put_in_or_moved_are_found(void **state)
{
    struct place *place = *state;
    append_calls(place, 1, 3);
    struct lines lines = read_lines(place);
    char head[WRIT_DIGEST_TEXT_BYTES];
    memcpy(head, verify(place, NULL).head, sizeof head);
    write_lines(place, &lines, (int[]){0, 1, 3, 4, 5, -1});
    assert_broken(place, NULL, 4, "record 4 follows record 2");
    write_lines(place, &lines, (int[]){1, 2, 3, 4, 5, -1});
    assert_broken(place, NULL, 2, "begins with record 2");
    write_lines(place, &lines, (int[]){0, 1, 2, 2, 3, 4, 5, -1});
    assert_broken(place, NULL, 3, "twice");
    write_lines(place, &lines, (int[]){0, 2, 1, 3, 4, 5, -1});
    assert_broken(place, NULL, 3, "record 3 follows record 1");
    write_lines(place, &lines, (int[]){0, 1, 2, 3, 4, -1});
    assert_true(verify(place, NULL).intact); /* the owner's power, told in the manual */
    assert_broken(place, head, 6, "kept elsewhere");
    write_lines(place, &lines, (int[]){-1});
    assert_broken(place, head, 1, "kept elsewhere");
    write_lines(place, &lines, (int[]){0, 1, 2, 3, 4, 5, -1});
    assert_true(verify(place, head).intact);
    /* A head from the middle is a head, too: the log has grown since. */
    append_calls(place, 50, 1);
    assert_true(verify(place, head).intact);
    free(lines.text);
}

/* Puts `text` as a line of its own behind record 3 and wants it found. */
static void assert_line_is_found(const struct place *place, const struct lines *lines, const char *text, size_t length,
                                 const char *words)
{
    struct writ_buffer out;
    writ_buffer_init(&out, (size_t)1 << 20);
    writ_buffer_append(&out, lines->text, (size_t)(lines->at[3] - lines->text));
    writ_buffer_append(&out, text, length);
    writ_buffer_append_byte(&out, '\n');
    writ_buffer_append_text(&out, lines->at[3]);
    place_write(place, "current.jsonl", writ_buffer_text(&out), out.length);
    assert_broken(place, NULL, 4, words);
    assert_int_equal(count_records(place, 1), 6); /* a reader passes it over */
    writ_buffer_clear(&out);
}

static void foreign_lines_are_found(void **state)
{
    struct place *place = *state;
    append_calls(place, 1, 3);
    struct lines lines = read_lines(place);
    static const char *const foreign[] = {
        "", "{}", "hello", "{\"v\":1,\"seq\":4}", "{\"v\":0}", "{\"v\":01,\"seq\":4}", "null"};
    for (size_t i = 0; i < WRIT_COUNT(foreign); i++)
        assert_line_is_found(place, &lines, foreign[i], strlen(foreign[i]), "no record");
    assert_line_is_found(place, &lines, "x #torn", 7, "torn bytes without their mark");
    /* Longer than any record, and than the walk's buffer. */
    size_t long_length = (size_t)300 << 10;
    char *long_line = calloc(1, long_length);
    assert_non_null(long_line);
    assert_line_is_found(place, &lines, long_line, long_length, "no record");
    memset(long_line, 'x', long_length);
    assert_line_is_found(place, &lines, long_line, long_length, "no record");
    free(long_line);
    free(lines.text);
}

/* A last line that was spoilt by hand does not become whole because a writer goes on behind it. */
static void a_spoilt_end_stays_found(void **state)
{
    struct place *place = *state;
    append_calls(place, 1, 2);
    struct lines lines = read_lines(place);
    lines.at[3][5] = 'x';
    place_write(place, "current.jsonl", lines.text, lines.length);
    assert_broken(place, NULL, 4, "no record");
    append_calls(place, 9, 1);
    assert_broken(place, NULL, 4, "no record");
    assert_int_equal(count_records(place, 1), 6); /* 3 whole, the mark, 2 new */
    free(lines.text);
}

/* ---- versions ---- */

static void a_newer_format_is_refused(void **state)
{
    struct place *place = *state;
    struct writ_error error;
    append_calls(place, 1, 1);
    struct lines lines = read_lines(place);
    struct writ_buffer out;
    writ_buffer_init(&out, (size_t)1 << 20);
    writ_buffer_printf(&out, "%s{\"v\":2,\"something\":\"else\"}\n", lines.text);
    place_write(place, "current.jsonl", out.data, out.length);
    struct writ_audit *audit;
    assert_int_equal(writ_audit_open(place->state, &audit, &error), 0);
    assert_int_equal(try_append(audit, "begin", 2, 0, &error), WRIT_INTERNAL_AUDIT);
    assert_non_null(strstr(error.message, "newer writ (format 2"));
    writ_audit_close(audit);
    size_t length;
    char *text = place_read(place, "current.jsonl", &length);
    assert_int_equal(length, out.length); /* untouched */
    assert_memory_equal(text, out.data, length);
    struct writ_audit_verdict verdict;
    assert_int_equal(writ_audit_verify(place->state, NULL, NULL, &verdict, &error), WRIT_INTERNAL_IO);
    assert_non_null(strstr(error.message, "newer writ (format 2"));
    free(text);
    free(lines.text);
    writ_buffer_clear(&out);
}

/* ---- rights ---- */

static void assert_append_refused(const struct place *place, const char *words)
{
    struct writ_error error;
    struct writ_audit *audit = NULL;
    int result = writ_audit_open(place->state, &audit, &error);
    if (result == 0)
        result = try_append(audit, "begin", 1, 0, &error);
    writ_audit_close(audit);
    assert_int_equal(result, WRIT_INTERNAL_AUDIT);
    if (!strstr(error.message, words) || !strstr(error.message, place->state))
        fail_msg("wanted \"%s\" and the place, but got: %s", words, error.message);
}

static void modes_are_narrow_and_checked(void **state)
{
    struct place *place = *state;
    mode_t old = umask(0);
    append_calls(place, 1, 1);
    (void)umask(old);
    struct stat status;
    assert_int_equal(stat(place->state, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0700);
    assert_int_equal(stat(place_file(place, ""), &status), 0);
    assert_int_equal(status.st_mode & 07777, 0700);
    assert_int_equal(stat(place_file(place, "current.jsonl"), &status), 0);
    assert_int_equal(status.st_mode & 07777, 0600);
    static const mode_t wide[] = {0620, 0602, 0666};
    for (size_t i = 0; i < WRIT_COUNT(wide); i++) {
        assert_int_equal(chmod(place_file(place, "current.jsonl"), wide[i]), 0);
        assert_append_refused(place, "written by others");
    }
    assert_int_equal(chmod(place_file(place, "current.jsonl"), 0600), 0);
    assert_int_equal(chmod(place_file(place, ""), 0770), 0);
    assert_append_refused(place, "written by others");
    assert_int_equal(chmod(place_file(place, ""), 0700), 0);
    assert_int_equal(chmod(place->state, 0777), 0);
    assert_append_refused(place, "written by others");
    assert_int_equal(chmod(place->state, 0755), 0);
    append_calls(place, 2, 1);
    assert_intact(place, 4, 0);
}

static void links_and_odd_files_are_refused(void **state)
{
    struct place *place = *state;
    append_calls(place, 1, 1);
    char elsewhere[PATH_MAX];
    (void)snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere", place->root);
    assert_int_equal(rename(place_file(place, "current.jsonl"), elsewhere), 0);
    assert_int_equal(symlink(elsewhere, place_file(place, "current.jsonl")), 0);
    assert_append_refused(place, "symbolic link");
    assert_int_equal(unlink(place_file(place, "current.jsonl")), 0);
    assert_int_equal(mkfifo(place_file(place, "current.jsonl"), 0600), 0);
    assert_append_refused(place, "not a regular file");
    assert_int_equal(unlink(place_file(place, "current.jsonl")), 0);
    assert_int_equal(mkdir(place_file(place, "current.jsonl"), 0700), 0);
    assert_append_refused(place, "irectory");
    assert_int_equal(rmdir(place_file(place, "current.jsonl")), 0);

    /* The folder itself as a link. */
    char folder[PATH_MAX], moved[PATH_MAX];
    (void)snprintf(folder, sizeof folder, "%s/audit", place->state);
    (void)snprintf(moved, sizeof moved, "%s/moved", place->root);
    assert_int_equal(rename(folder, moved), 0);
    assert_int_equal(symlink(moved, folder), 0);
    assert_append_refused(place, "audit");
    assert_int_equal(access(place_file(place, "current.jsonl"), F_OK), -1);
}

static void relative_state_is_refused(void **state)
{
    (void)state;
    struct writ_error error;
    struct writ_audit *audit;
    assert_int_equal(writ_audit_open("state/writ", &audit, &error), WRIT_INTERNAL_AUDIT);
    assert_non_null(strstr(error.message, "absolute"));
    assert_int_equal(writ_audit_open("", &audit, &error), WRIT_INTERNAL_AUDIT);
}

static void a_foreign_log_is_refused(void **state)
{
    struct place *place = *state;
    if (geteuid() != 0) {
        print_message("skipped: only root can give a file to somebody else\n");
        skip();
    }
    append_calls(place, 1, 1);
    assert_int_equal(chown(place_file(place, "current.jsonl"), 12345, (gid_t)-1), 0);
    assert_append_refused(place, "belongs to user 12345");
    assert_int_equal(chown(place_file(place, "current.jsonl"), 0, (gid_t)-1), 0);
    assert_int_equal(chown(place_file(place, ""), 12345, (gid_t)-1), 0);
    assert_append_refused(place, "belongs to user 12345");
    assert_int_equal(count_records(place, 1), 2); /* reading is another matter */
}

/* A reader without the right to write reads, verifies, and leaves no trace. */
static void a_reader_needs_no_right_to_write(void **state)
{
    struct place *place = *state;
    append_calls(place, 1, 3);
    assert_int_equal(chmod(place_file(place, "current.jsonl"), 0400), 0);
    assert_int_equal(chmod(place_file(place, ""), 0500), 0);
    assert_intact(place, 6, 0);
    assert_int_equal(count_records(place, 1), 6);
    assert_int_equal(chmod(place_file(place, ""), 0700), 0);
}

static int stop_at_three(void *context, const struct writ_audit_record *record, struct writ_error *error)
{
    (void)error;
    ++*(unsigned *)context;
    return record->sequence == 3 ? 42 : 0;
}

static void a_visit_can_stop_the_walk(void **state)
{
    struct place *place = *state;
    struct writ_error error;
    unsigned seen = 0;
    append_calls(place, 1, 3);
    assert_int_equal(writ_audit_read(place->state, 0, stop_at_three, &seen, &error), 42);
    assert_int_equal(seen, 3);
}

#define PLACED(test) cmocka_unit_test_setup_teardown(test, place_make, place_remove)

int main(void)
{
    const struct CMUnitTest tests[] = {
        PLACED(records_are_chained),
        PLACED(handles_continue_each_other),
        PLACED(no_log_is_an_empty_log),
        PLACED(unfinished_calls_are_counted),
        PLACED(records_have_a_longest),
        PLACED(a_full_segment_is_closed),
        PLACED(every_changed_byte_is_found),
        PLACED(lines_taken_put_in_or_moved_are_found),
        PLACED(foreign_lines_are_found),
        PLACED(a_spoilt_end_stays_found),
        PLACED(a_newer_format_is_refused),
        PLACED(modes_are_narrow_and_checked),
        PLACED(links_and_odd_files_are_refused),
        PLACED(relative_state_is_refused),
        PLACED(a_foreign_log_is_refused),
        PLACED(a_reader_needs_no_right_to_write),
        PLACED(a_visit_can_stop_the_walk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
