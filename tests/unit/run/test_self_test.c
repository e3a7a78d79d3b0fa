/* S4.10: a skill's own tests, each a real call; and the program of a skill in C, built in a sandbox. */
#include "../skill/folders.h"
#include "calls.h"
#include "run/build_native.h"
#include "run/self_test.h"
#include "support.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ID "com.example.a"

static struct writ_skill *skill;

static int tear_down(void **state)
{
    writ_skill_free(skill);
    skill = NULL;
    return calls_tear_down(state);
}

static void open_skill(void)
{
    char path[256];
    struct writ_error error;
    writ_skill_free(skill);
    skill = NULL;
    (void)snprintf(path, sizeof path, "%s/" ID, calls.skills);
    if (writ_catalog_open_folder(path, &skill, &error) < 0)
        fail_msg("%s", error.message);
}

static bool is_skipped(void)
{
    bool skipped = !calls_can_run();
    if (skipped)
        skip();
    return skipped;
}

struct seen {
    size_t count;
    bool passed[16];
    char difference[16][256];
};

static void note(void *context, const struct writ_self_test_result *result)
{
    struct seen *seen = context;
    assert_true(seen->count < 16);
    assert_non_null(result->name);
    assert_true(result->passed == (result->difference == NULL));
    seen->passed[seen->count] = result->passed;
    (void)snprintf(seen->difference[seen->count++], 256, "%s", result->difference ? result->difference : "");
}

static int test_it(struct seen *seen, struct writ_self_test_summary *summary, int cancel_fd, struct writ_error *error)
{
    const struct writ_watch watch = {.cancel_fd = cancel_fd};
    const struct writ_self_test_options options = {.catalog = &calls.catalog,
                                                   .skill = skill,
                                                   .identity_id = "someone",
                                                   .watch = &watch,
                                                   .report = note,
                                                   .context = seen};
    *seen = (struct seen){.count = 0};
    return writ_self_test_run(&options, summary, error);
}

static void put_skill(const char *tests)
{
    char text[4096];
    (void)snprintf(text, sizeof text,
                   "id: " ID "\nname: A\ndescription: Gives back a number.\nversion: 1.0.0\nruntime: [sh]\n"
                   "input: {type: object, additionalProperties: false, properties: {n: {type: integer}}}\n"
                   "output: {type: object, required: [success, data], properties: {success: {type: boolean}, data: "
                   "{type: number}, error: {type: string}}}\n%s",
                   tests);
    folders_write("skills/" ID "/skill.yaml", text);
    folders_write("skills/" ID "/main.sh",
                  "read -r input\ncase $input in\n*7*) echo '{\"success\": false, \"error\": \"seven\"}';;\n"
                  "*9*) exit 9;;\n*) echo '{\"success\": true, \"data\": 1.04}';;\nesac\n");
    open_skill();
}

static void each_expectation_is_held_to(void **state)
{
    (void)state;
    if (is_skipped())
        return;
    put_skill("test:\n"
              "  - {input: {n: 1}, expected_output: {success: true, data: 1.04}}\n"
              "  - {input: {n: 1}, expected_output: {success: true, data: 1}, tolerance: 0.1}\n"
              "  - {input: {n: 1}, expected_output: {success: true, data: 1}}\n"
              "  - {input: {n: 7}, expected_error: program:reported}\n"
              "  - {input: {n: 9}, expected_error: program:failed}\n"
              "  - {input: {n: x}, expected_error: input:invalid}\n"
              "  - {input: {n: 1}, expected_error: input:invalid}\n"
              "  - {input: {n: 9}, expected_error: program:reported}\n"
              "  - {input: {n: 9}, expected_output: {success: true, data: 1}}\n");
    struct seen seen;
    struct writ_self_test_summary summary;
    struct writ_error error;
    if (test_it(&seen, &summary, -1, &error) < 0)
        fail_msg("%s", error.message);
    static const bool expected[] = {true, true, false, true, true, true, false, false, false};
    assert_int_equal(seen.count, WRIT_COUNT(expected));
    for (size_t i = 0; i < WRIT_COUNT(expected); i++)
        if (seen.passed[i] != expected[i])
            fail_msg("test %zu: %s", i, seen.difference[i]);
    assert_non_null(strstr(seen.difference[2], "/data: expected 1, got 1.04"));
    assert_non_null(strstr(seen.difference[6], "but the call succeeded"));
    assert_non_null(strstr(seen.difference[7], "got program:failed"));
    assert_non_null(strstr(seen.difference[8], "program:failed"));
    assert_int_equal(summary.passed, 5);
    assert_int_equal(summary.failed, 4);
}

static void the_folder_of_tests_counts_too(void **state)
{
    (void)state;
    if (is_skipped())
        return;
    folders_write("skills/" ID "/tests/one.yaml", "input: {n: 1}\nexpected_output: {success: true, data: 1.04}\n");
    folders_write("skills/" ID "/tests/two.json",
                  "{\"input\": {\"n\": 1}, \"expected_output\": {\"success\": true, \"data\": 2}}");
    put_skill("");
    struct seen seen;
    struct writ_self_test_summary summary;
    struct writ_error error;
    if (test_it(&seen, &summary, -1, &error) < 0)
        fail_msg("%s", error.message);
    assert_int_equal(summary.passed, 1);
    assert_int_equal(summary.failed, 1);
    folders_write("skills/" ID "/tests/three.yaml", "input: [\n");
    assert_true(test_it(&seen, &summary, -1, &error) < 0);
}

static void an_interruption_ends_them_all(void **state)
{
    (void)state;
    if (is_skipped())
        return;
    put_skill("test: [{input: {n: 1}, expected_output: {success: true, data: 1.04}}, {input: {n: 1}, expected_error: "
              "input:invalid}]\n");
    int pipe_fds[2];
    assert_int_equal(pipe2(pipe_fds, O_CLOEXEC), 0);
    assert_int_equal(write(pipe_fds[1], "x", 1), 1);
    struct seen seen;
    struct writ_self_test_summary summary = {41, 42};
    struct writ_error error;
    assert_int_equal(test_it(&seen, &summary, pipe_fds[0], &error), WRIT_INTERRUPTED);
    assert_int_equal(seen.count, 1);
    assert_int_equal(summary.passed, 41); /* outputs are written on success only */
    assert_int_equal(close(pipe_fds[0]) | close(pipe_fds[1]), 0);
}

static void put_native(const char *source)
{
    folders_write("skills/" ID "/skill.yaml",
                  "id: " ID "\nname: A\ndescription: Does nothing.\nversion: 1.0.0\nruntime: [native]\n"
                  "input: {type: object}\noutput: {type: object, required: [success, data], properties: {success: "
                  "{type: boolean}, data: {}, error: {type: string}}}\n");
    folders_write("skills/" ID "/main.c", source);
    open_skill();
}

static bool has_compiler(void)
{
    bool found = access("/usr/bin/cc", X_OK) == 0;
    if (!found) {
        print_message("# SKIPPED, there is no C compiler here\n");
        skip();
    }
    return found;
}

static void a_program_in_c_is_built_once(void **state)
{
    (void)state;
    if (is_skipped() || !has_compiler())
        return;
    put_native("#include <stdio.h>\nint main(void) { puts(\"{\\\"success\\\": true, \\\"data\\\": 3}\"); }\n");
    bool built = false;
    struct writ_error error;
    if (writ_build_native(skill, &calls.places, NULL, &built, &error) < 0)
        fail_msg("%s", error.message);
    assert_true(built);
    assert_int_equal(writ_build_native(skill, &calls.places, NULL, &built, &error), 0);
    assert_false(built);
    struct writ_outcome outcome;
    int result = calls_make(ID, "{}", &outcome);
    if (result < 0)
        print_message("%s\n", outcome.error.message);
    assert_int_equal(result, 0);
    writ_outcome_clear(&outcome);
}

/* What is built is as foreign as what it makes: it reads nothing of the caller's, and a bad one leaves nothing. */
static void a_build_that_fails_leaves_nothing(void **state)
{
    (void)state;
    if (is_skipped() || !has_compiler())
        return;
    char secret[512], main_path[256];
    folders_write("home/secret", "secret\n");
    (void)snprintf(secret, sizeof secret, "__asm__(\".incbin \\\"%s/home/secret\\\"\");\nint main(void) {}\n",
                   folders_root);
    (void)snprintf(main_path, sizeof main_path, "%s/" ID "/main", calls.skills);
    const char *const sources[] = {"int main(void) { return nothing; }\n", secret};
    for (size_t i = 0; i < WRIT_COUNT(sources); i++) {
        bool built = true;
        struct writ_error error;
        put_native(sources[i]);
        assert_int_equal(writ_build_native(skill, &calls.places, NULL, &built, &error), WRIT_PROGRAM_FAILED);
        assert_false(built);
        assert_non_null(strstr(error.message, "does not compile"));
        assert_int_equal(access(main_path, F_OK), -1);
    }
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, calls_set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(each_expectation_is_held_to),       CASE(the_folder_of_tests_counts_too),
        CASE(an_interruption_ends_them_all),     CASE(a_program_in_c_is_built_once),
        CASE(a_build_that_fails_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
