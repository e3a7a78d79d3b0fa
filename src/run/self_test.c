#include "run/self_test.h"

#include "base/text.h"
#include "run/compare.h"
#include "run/test_folder.h"
#include "skill/test_files.h"

#include <string.h>

#define INPUT_BYTES_MAX ((size_t)32 << 20)
#define NAMES_MAX 2000 /* that a misspelt one is compared with */

static void add_advice(const struct writ_outcome *outcome, struct writ_buffer *difference)
{
    if (outcome->advice)
        writ_buffer_printf(difference, "; %s", outcome->advice);
}

/* Compares what happened with what the test expects.  True when the test passed; else `difference` says why. */
static bool judge(const struct writ_contract_test *test, const struct writ_outcome *outcome,
                  struct writ_buffer *difference)
{
    const char *class_name = writ_code_class(outcome->error.code);
    if (test->expected_class) {
        if (outcome->error.code != WRIT_OK && strcmp(class_name, test->expected_class) == 0)
            return true;
        if (outcome->error.code == WRIT_OK)
            writ_buffer_printf(difference, "expected the error %s, but the call succeeded", test->expected_class);
        else
            writ_buffer_printf(difference, "expected the error %s, got %s: %s", test->expected_class, class_name,
                               outcome->error.message);
        add_advice(outcome, difference);
        return false;
    }
    /* An expected output with success: false is what a failure reported by the program looks like. */
    bool reported = outcome->error.code == WRIT_PROGRAM_REPORTED && test->expected_output;
    if (outcome->error.code != WRIT_OK && !reported) {
        writ_buffer_printf(difference, "%s: %s", class_name, outcome->error.message);
        for (size_t i = 0; i < outcome->faults.count && i < 5; i++)
            writ_buffer_printf(difference, "; %s%s%s", outcome->faults.items[i].instance_pointer,
                               outcome->faults.items[i].instance_pointer[0] ? " " : "",
                               outcome->faults.items[i].message);
        add_advice(outcome, difference);
        return false;
    }
    if (!test->expected_output)
        return true;
    const struct writ_compare_options options = {.tolerance = test->tolerance, .ignore = test->ignore};
    return writ_compare_outputs(test->expected_output, outcome->output, &options, difference);
}

static int run_one(const struct writ_self_test_options *options, const struct writ_contract_test *test,
                   struct writ_sandbox_spare *spare, struct writ_self_test_summary *summary, struct writ_error *error)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer input;
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer difference;
    writ_buffer_init(&input, INPUT_BYTES_MAX);
    writ_buffer_init(&difference, 1 << 16);
    writ_json_print(&input, test->input, WRIT_JSON_COMPACT);
    if (input.failed)
        return writ_error_memory(error);
    WRIT_CLEANUP(writ_test_folder_remove) struct writ_test_folder folder = {.root = ""};
    int made = writ_test_folder_make(options->skill, options->catalog->places, &folder, error);
    if (made < 0)
        return made;
    const struct writ_call call = {.catalog = options->catalog,
                                   .id = options->skill->id,
                                   .skill = options->skill,
                                   .input = writ_buffer_text(&input),
                                   .input_length = input.length,
                                   .caller = "test",
                                   .identity_id = options->identity_id,
                                   .working_folder = folder.working[0] ? folder.working : options->skill->folder,
                                   .state_folder = folder.state[0] ? folder.state : NULL,
                                   .ceilings = options->ceilings,
                                   .spare = spare,
                                   .watch = options->watch};
    struct writ_outcome outcome;
    (void)writ_invoke(&call, &outcome);
    bool passed = judge(test, &outcome, &difference);
    const struct writ_self_test_result result = {.name = test->name,
                                                 .passed = passed,
                                                 .duration_us = outcome.duration_us,
                                                 .difference = passed ? NULL : writ_buffer_text(&difference)};
    *(passed ? &summary->passed : &summary->failed) += 1;
    options->report(options->context, &result);
    int code = outcome.error.code;
    struct writ_error reason = outcome.error;
    writ_outcome_clear(&outcome);
    /* A test cannot be told from the next one when the caller wants to stop or nothing can be recorded. */
    if (code == WRIT_INTERRUPTED || code == WRIT_INTERNAL_AUDIT) {
        *error = reason;
        return code;
    }
    return 0;
}

static bool is_wanted(const struct writ_self_test_options *options, const struct writ_contract_test *test)
{
    return !options->only || strcmp(options->only, test->name) == 0;
}

static int run_list(const struct writ_self_test_options *options, const struct writ_contract_test *tests, size_t count,
                    struct writ_sandbox_spare *spare, struct writ_self_test_summary *summary, struct writ_error *error)
{
    int result = 0;
    for (size_t i = 0; result == 0 && i < count; i++)
        if (is_wanted(options, &tests[i]))
            result = run_one(options, &tests[i], spare, summary, error);
    return result;
}

/* No test has the name that was asked for. */
static int fail_on_name(const struct writ_self_test_options *options, const struct writ_test_files *files,
                        struct writ_error *error)
{
    const struct writ_contract *contract = options->skill->contract;
    const char *names[NAMES_MAX];
    size_t count = 0;
    for (size_t i = 0; i < contract->test_count && count < NAMES_MAX; i++)
        names[count++] = contract->tests[i].name;
    for (size_t i = 0; i < files->count && count < NAMES_MAX; i++)
        names[count++] = files->tests[i].name;
    const char *nearest = writ_nearest_name(options->only, names, count);
    return writ_error_set(error, WRIT_USAGE, "%s has no test `%.200s`%s%.200s%s", options->skill->id, options->only,
                          nearest ? "; did you mean `" : "; `writ test` without --only names them",
                          nearest ? nearest : "", nearest ? "`?" : "");
}

int writ_self_test_run(const struct writ_self_test_options *options, struct writ_self_test_summary *ret_summary,
                       struct writ_error *error)
{
    struct writ_self_test_summary summary = {0, 0};
    struct writ_test_files files;
    const struct writ_contract *contract = options->skill->contract;
    int result = writ_test_files_load(options->skill->folder_fd, &files, error);
    if (result < 0)
        return result;
    struct writ_sandbox_spare spare = {.refill = true};
    result = run_list(options, contract->tests, contract->test_count, &spare, &summary, error);
    if (result == 0)
        result = run_list(options, files.tests, files.count, &spare, &summary, error);
    writ_sandbox_spare_clear(&spare);
    if (result == 0 && options->only && summary.passed + summary.failed == 0)
        result = fail_on_name(options, &files, error);
    writ_test_files_clear(&files);
    if (result == 0)
        *ret_summary = summary;
    return result;
}
