/* What the ending of a program means, and whom the sentence sends where: the contract's limit, or the person's own. */
#include "run/ending.h"

#include "support.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

static int judge(const struct writ_run_result *run, const struct writ_ceilings *asked, struct writ_limit_hit *ret_limit,
                 struct writ_error *error)
{
    struct writ_prepared *prepared = calloc(1, sizeof *prepared);
    assert_non_null(prepared);
    prepared->plan.limits = (struct writ_limits){
        .wall_ms = 2000, .memory_bytes = (uint64_t)64 << 20, .output_bytes = 1 << 20, .file_bytes = 1 << 30};
    prepared->lowered_from = *asked;
    *ret_limit = (struct writ_limit_hit){.name = NULL};
    int result = writ_ending_judge(run, prepared, ret_limit, error);
    free(prepared);
    return result;
}

static void a_limit_is_told_with_who_set_it(void **state)
{
    (void)state;
    static const struct {
        enum writ_ending ending;
        int code;
        const char *name, *setting, *says;
    } rows[] = {
        {WRIT_ENDED_TIMEOUT, WRIT_LIMIT_TIMEOUT, "runtime.timeout", "run.timeout-max", "after 2 s"},
        {WRIT_ENDED_CPU, WRIT_LIMIT_TIMEOUT, "runtime.timeout", "run.timeout-max", "more processor time than 2 s"},
        {WRIT_ENDED_MEMORY, WRIT_LIMIT_MEMORY, "runtime.memory", "run.memory-max", "at 64 MiB of memory"},
    };
    for (size_t i = 0; i < WRIT_COUNT(rows); i++) {
        const struct writ_run_result run = {.ending = rows[i].ending, .cpu_us = 3000000, .duration_us = 2000000};
        struct writ_limit_hit limit;
        struct writ_error error;
        assert_int_equal(judge(&run, &(struct writ_ceilings){.wall_ms = 0}, &limit, &error), rows[i].code);
        assert_string_equal(limit.name, rows[i].name);
        assert_null(limit.setting);
        assert_non_null(strstr(error.message, rows[i].says));
        assert_non_null(strstr(error.message, "in skill.yaml"));
        assert_null(strstr(error.message, "writ config set"));
        const struct writ_ceilings asked = {.wall_ms = 60000, .memory_bytes = (uint64_t)1 << 30};
        assert_int_equal(judge(&run, &asked, &limit, &error), rows[i].code);
        assert_non_null(limit.setting);
        assert_string_equal(limit.setting, rows[i].setting);
        assert_non_null(strstr(error.message, "writ config set"));
        assert_null(strstr(error.message, "in skill.yaml"));
    }
}

static void how_it_ended_is_told_with_its_last_words(void **state)
{
    (void)state;
    struct writ_run_result run = {.ending = WRIT_ENDED_EXIT};
    struct writ_limit_hit limit;
    struct writ_error error;
    const struct writ_ceilings none = {.wall_ms = 0};
    assert_int_equal(judge(&run, &none, &limit, &error), 0);
    writ_buffer_init(&run.errors, 1000);
    writ_buffer_append_text(&run.errors, "first\nlast \x1b[31mwords\n\n");
    run.exit_status = 3;
    assert_int_equal(judge(&run, &none, &limit, &error), WRIT_PROGRAM_FAILED);
    assert_string_equal(error.message, "the program ended with exit status 3; it said: last ?[31mwords");
    run.ending = WRIT_ENDED_SIGNAL;
    run.signal_number = SIGSEGV;
    assert_int_equal(judge(&run, &none, &limit, &error), WRIT_PROGRAM_CRASHED);
    assert_null(limit.name);
    run.signal_number = SIGXFSZ;
    assert_int_equal(judge(&run, &none, &limit, &error), WRIT_LIMIT_DISK);
    assert_string_equal(limit.name, "file size");
    run.ending = WRIT_ENDED_UNKNOWN;
    assert_int_equal(judge(&run, &none, &limit, &error), WRIT_ENDING_UNKNOWN);
    writ_buffer_clear(&run.errors);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_limit_is_told_with_who_set_it),
        cmocka_unit_test(how_it_ended_is_told_with_its_last_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
