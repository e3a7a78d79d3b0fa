/*
 * S4.1: tests/golden/contract/CASE/skill.yaml is read, and all that is wrong with it must be what expected.txt says, to
 * the letter; `ok` when nothing is.  The folder of the cases is the only argument.  With WRIT_GOLDEN_UPDATE set the
 * expectations are written anew, for a person to look at.
 */
#include "base/descriptor.h"
#include "base/file.h"
#include "skill/contract.h"
#include "support.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#define CASES_MIN 40

static const char *cases_folder;

static void print_faults(struct writ_buffer *out, const struct writ_contract_faults *faults)
{
    for (size_t i = 0; i < faults->count; i++)
        writ_buffer_printf(out, "skill.yaml:%u:%u: %s%s%s\n", faults->items[i].line, faults->items[i].column,
                           faults->items[i].field, faults->items[i].field[0] ? ": " : "", faults->items[i].message);
    if (faults->truncated)
        writ_buffer_append_text(out, "and more\n");
}

static void judge(const struct writ_buffer *text, struct writ_buffer *out)
{
    struct writ_contract *contract = NULL;
    struct writ_contract_faults faults;
    struct writ_error error = {0};
    writ_contract_faults_init(&faults);
    int result =
        writ_contract_parse(writ_buffer_text(text), text->length, "skill.yaml", NULL, &contract, &faults, &error);
    if (result == 0) {
        assert_int_equal(faults.count, 0);
        assert_non_null(contract);
        writ_buffer_append_text(out, "ok\n");
    } else {
        assert_int_equal(result, WRIT_CONTRACT_INVALID);
        assert_null(contract);
        assert_true(faults.count > 0);
        /* The error speaks of the first fault, at its place. */
        assert_int_equal(error.line, faults.items[0].line);
        assert_int_equal(error.column, faults.items[0].column);
        assert_string_equal(error.subject, "skill.yaml");
        print_faults(out, &faults);
    }
    writ_contract_free(contract);
    writ_contract_faults_clear(&faults);
}

static bool run_case(int folder_fd, const char *name, bool update)
{
    struct writ_error error;
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text, expected, actual;
    writ_buffer_init(&text, 4 << 20);
    writ_buffer_init(&expected, 1 << 20);
    writ_buffer_init(&actual, 1 << 20);
    WRIT_CLEANUP(writ_descriptor_close) int fd = openat(folder_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(fd >= 0);
    if (writ_file_read(fd, "skill.yaml", true, &text, &error) != 0)
        fail_msg("%s: %s", name, error.message);
    judge(&text, &actual);
    assert_false(actual.failed);
    if (update)
        assert_int_equal(writ_file_write_atomic(fd, "expected.txt", 0644, actual.data, actual.length, &error), 0);
    if (writ_file_read(fd, "expected.txt", true, &expected, &error) != 0)
        fail_msg("%s: %s", name, error.message);
    if (strcmp(writ_buffer_text(&expected), writ_buffer_text(&actual)) == 0)
        return true;
    print_error("%s: expected\n%sbut got\n%s", name, writ_buffer_text(&expected), writ_buffer_text(&actual));
    return false;
}

static void every_case_says_what_it_must(void **state)
{
    (void)state;
    bool update = getenv("WRIT_GOLDEN_UPDATE") != NULL;
    DIR *folder = opendir(cases_folder);
    assert_non_null(folder);
    size_t count = 0, failed = 0;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        count++;
        failed += !run_case(dirfd(folder), entry->d_name, update);
    }
    (void)closedir(folder);
    print_message("%zu contracts\n", count);
    assert_true(count >= CASES_MIN);
    assert_int_equal(failed, 0);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        (void)fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    cases_folder = argv[1];
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_case_says_what_it_must)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
