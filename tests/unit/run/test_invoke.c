/* S4.3, S4.4, S4.5, S4.6: one call from its input to its two records, for every way in which it may end. */
#include "../skill/folders.h"
#include "calls.h"
#include "run/explain.h"
#include "support.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ID "com.example.a"
#define SUCCEEDS "echo '{\"success\": true, \"data\": {\"n\": 1}}'\n"

static void needs_sandbox(void)
{
    if (!calls_can_run())
        skip();
}

/* Both records are there and say what the outcome says. */
static void is_recorded(const struct writ_outcome *outcome)
{
    struct writ_arena arena;
    writ_arena_init(&arena, 1 << 20);
    struct calls_record record = calls_record_of(outcome->run_id, &arena);
    assert_int_equal(record.records, 2);
    assert_non_null(record.begin);
    assert_non_null(record.end);
    assert_true(writ_json_is_text(writ_json_get(record.end, "outcome"), writ_outcome_name(outcome->kind)));
    if (outcome->error.code == WRIT_OK)
        assert_null(writ_json_get(record.end, "class"));
    else
        assert_true(writ_json_is_text(writ_json_get(record.end, "class"), writ_code_class(outcome->error.code)));
    writ_arena_clear(&arena);
}

static void ends_as(const char *input, enum writ_code code, enum writ_outcome_kind kind)
{
    struct writ_outcome outcome;
    int result = calls_make(ID, input, &outcome);
    if (result != (int)code)
        print_message("got %s: %s\n", writ_code_class((enum writ_code)result), outcome.error.message);
    assert_int_equal(result, code);
    assert_int_equal(outcome.kind, kind);
    is_recorded(&outcome);
    writ_outcome_clear(&outcome);
}

static void a_call_that_succeeds(void **state)
{
    (void)state;
    needs_sandbox();
    calls_skill(ID, "", "", SUCCEEDS);
    struct writ_outcome outcome;
    assert_int_equal(calls_make(ID, "{}", &outcome), 0);
    assert_int_equal(outcome.kind, WRIT_OUTCOME_SUCCEEDED);
    int64_t n;
    assert_true(writ_json_int64(writ_json_get(writ_json_get(outcome.output, "data"), "n"), &n) && n == 1);
    assert_string_equal(outcome.skill_id, ID);
    assert_string_equal(outcome.skill_version, "1.2.3");
    is_recorded(&outcome);
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
    writ_buffer_init(&text, 1 << 20);
    writ_outcome_print(&text, &outcome, WRIT_JSON_COMPACT);
    char expected[512];
    (void)snprintf(expected, sizeof expected,
                   "{\"outcome\":\"succeeded\",\"output\":{\"success\":true,\"data\":{\"n\":1}},\"error\":null,"
                   "\"denials\":[],\"run\":{\"id\":\"%s\",\"skill\":\"" ID "\",\"version\":\"1.2.3\",\"duration_ms\":",
                   outcome.run_id);
    assert_memory_equal(writ_buffer_text(&text), expected, strlen(expected));
    writ_outcome_clear(&outcome);
}

static void what_a_program_may_do_wrong(void **state)
{
    (void)state;
    needs_sandbox();
    const struct {
        const char *script;
        enum writ_code code;
    } cases[] = {{"exit 3", WRIT_PROGRAM_FAILED},
                 {"kill -9 $$", WRIT_PROGRAM_CRASHED},
                 {"true", WRIT_OUTPUT_INVALID},
                 {"echo no json", WRIT_OUTPUT_INVALID},
                 {"echo '{}'", WRIT_OUTPUT_INVALID},
                 {"echo '{\"success\": true, \"data\": 1} {}'", WRIT_OUTPUT_INVALID},
                 {"echo '{\"success\": false, \"error\": \"no\"}'", WRIT_PROGRAM_REPORTED},
                 {"printf '{\"success\": true, \"data\": \"\\377\"}'", WRIT_OUTPUT_INVALID}};
    for (size_t i = 0; i < WRIT_COUNT(cases); i++) {
        calls_skill(ID, "", "", cases[i].script);
        ends_as("{}", cases[i].code, WRIT_OUTCOME_FAILED);
    }
}

static void what_is_refused_is_recorded_too(void **state)
{
    (void)state;
    calls_skill(ID, "'filesystem:read:${{ .input.file }}'", "file: {type: string}, n: {type: integer}", SUCCEEDS);
    ends_as("{", WRIT_INPUT_INVALID, WRIT_OUTCOME_REFUSED);
    ends_as("{\"n\": \"x\"}", WRIT_INPUT_INVALID, WRIT_OUTCOME_REFUSED);
    ends_as("{\"file\": \"missing\"}", WRIT_FILESYSTEM_DENIED, WRIT_OUTCOME_REFUSED);
    ends_as("{\"file\": \"/etc/shadow\"}", WRIT_FILESYSTEM_DENIED, WRIT_OUTCOME_REFUSED);
    calls_skill(ID, "'network:https://example.com'", "", SUCCEEDS);
    ends_as("{}", WRIT_NETWORK_DENIED, WRIT_OUTCOME_REFUSED);
    calls_skill(ID, "'binary:run:no-such-program'", "", SUCCEEDS);
    ends_as("{}", WRIT_DEPENDENCY_MISSING, WRIT_OUTCOME_REFUSED);
    folders_write("skills/" ID "/skill.yaml", "id: " ID "\n");
    ends_as("{}", WRIT_CONTRACT_INVALID, WRIT_OUTCOME_REFUSED);
    folders_remove("skills/" ID);
    ends_as("{}", WRIT_SKILL_NOT_FOUND, WRIT_OUTCOME_REFUSED);
}

static void a_call_that_cannot_be_recorded_is_not_made(void **state)
{
    (void)state;
    calls_skill(ID, "", "", SUCCEEDS);
    folders_write("home/.local/state/writ/audit", "no folder");
    struct writ_outcome outcome;
    assert_int_equal(calls_make(ID, "{}", &outcome), WRIT_INTERNAL_AUDIT);
    assert_int_equal(outcome.kind, WRIT_OUTCOME_REFUSED);
    assert_null(outcome.output);
    writ_outcome_clear(&outcome);
}

/* The record holds what was denied and by its kind, and nothing of the input itself. */
static void a_denial_says_what_is_missing(void **state)
{
    (void)state;
    calls_skill(ID, "'filesystem:write:${{ .input.file }}'", "file: {type: string}", SUCCEEDS);
    struct writ_outcome outcome;
    (void)calls_make(ID, "{\"file\": \"no/such/folder\"}", &outcome);
    assert_string_equal(outcome.denial.kind, "filesystem:write");
    assert_string_equal(outcome.denial.what, "no/such/folder");
    assert_string_equal(outcome.denial.missing, "filesystem:write:${{ .input.file }}");
    writ_outcome_clear(&outcome);
    (void)calls_make(ID, "{\"file\": \"a\\u0000b\"}", &outcome);
    assert_string_equal(outcome.denial.kind, "filesystem:write");
    writ_outcome_clear(&outcome);
}

static void a_file_to_be_written_goes_again_when_nothing_came_of_it(void **state)
{
    (void)state;
    needs_sandbox();
    calls_skill(ID, "'filesystem:write:${{ .input.file }}'", "file: {type: string}", "exit 1\n");
    ends_as("{\"file\": \"out\"}", WRIT_PROGRAM_FAILED, WRIT_OUTCOME_FAILED);
    char path[256];
    (void)snprintf(path, sizeof path, "%s/out", calls.working);
    assert_int_equal(access(path, F_OK), -1);
    calls_skill(ID, "'filesystem:write:${{ .input.file }}'", "file: {type: string}",
                "read input; echo kept > " /* the path is the absolute one */
                "\"$(echo \"$input\" | sed 's/.*:\"\\(.*\\)\".*/\\1/')\"; exit 1\n");
    (void)access(path, F_OK);
}

static void the_program_is_given_absolute_paths(void **state)
{
    (void)state;
    needs_sandbox();
    folders_write("work/sub/in.txt", "content\n");
    calls_skill(ID, "'filesystem:read:${{ .input.file }}'", "file: {type: string}",
                "read -r input\nprintf '{\"success\": true, \"data\": %s}' \"$input\"\n");
    struct writ_outcome outcome;
    char expected[256];
    assert_int_equal(calls_make(ID, "{\"file\": \"./sub/../sub/in.txt\"}", &outcome), 0);
    (void)snprintf(expected, sizeof expected, "%s/sub/in.txt", calls.working);
    assert_true(writ_json_is_text(writ_json_get(writ_json_get(outcome.output, "data"), "file"), expected));
    writ_outcome_clear(&outcome);
}

static void a_skill_never_writes_where_skills_are_kept(void **state)
{
    (void)state;
    calls_skill(ID, "'filesystem:write:${{ .input.file }}'", "file: {type: string}", SUCCEEDS);
    folders_make("home/.local/share/writ/skills");
    char input[512];
    const char *const places[] = {"skills",
                                  "skills/" ID,
                                  "skills/" ID "/main.sh",
                                  "skills/com.example.other",
                                  "home/.local/share/writ/skills",
                                  "home/.local/share/writ"};
    for (size_t i = 0; i < WRIT_COUNT(places); i++) {
        (void)snprintf(input, sizeof input, "{\"file\": \"%s/%s\"}", folders_root, places[i]);
        ends_as(input, WRIT_FILESYSTEM_DENIED, WRIT_OUTCOME_REFUSED);
    }
    /* The same by a source that is named with a detour, or that is reached through a link. */
    char detour[256];
    folders_link("way", "skills");
    const char *const sources[] = {"work/../skills", "way"};
    for (size_t i = 0; i < WRIT_COUNT(sources); i++) {
        (void)snprintf(detour, sizeof detour, "%s/%s", folders_root, sources[i]);
        calls.folders[0] = detour;
        (void)snprintf(input, sizeof input, "{\"file\": \"%s/skills/" ID "\"}", folders_root);
        ends_as(input, WRIT_FILESYSTEM_DENIED, WRIT_OUTCOME_REFUSED);
    }
}

static void a_source_may_be_named_with_a_detour(void **state)
{
    (void)state;
    needs_sandbox();
    calls_skill(ID, "", "", SUCCEEDS);
    folders_link("way", "skills");
    const char *const sources[] = {"../skills", "./../skills/", "../way", "../skills/../skills//."};
    for (size_t i = 0; i < WRIT_COUNT(sources); i++) {
        calls.folders[0] = sources[i];
        ends_as("{}", WRIT_OK, WRIT_OUTCOME_SUCCEEDED);
    }
}

/* S4.12: what is brought is held to trust as what is found. */
static void a_skill_that_is_brought_must_be_trusted_and_open(void **state)
{
    (void)state;
    calls_skill(ID, "", "", SUCCEEDS);
    char folder[256];
    struct writ_skill *skill = NULL;
    struct writ_error error;
    struct writ_outcome outcome;
    (void)snprintf(folder, sizeof folder, "%s/" ID, calls.skills);
    assert_int_equal(writ_catalog_open_folder(folder, &skill, &error), 0);
    struct writ_call call = calls.call;
    call.skill = skill;
    call.input = "{}";
    call.input_length = 2;
    skill->trusted = false;
    assert_int_equal(writ_invoke(&call, &outcome), WRIT_SKILL_UNTRUSTED);
    assert_int_equal(outcome.kind, WRIT_OUTCOME_REFUSED);
    is_recorded(&outcome);
    writ_outcome_clear(&outcome);
    writ_skill_free(skill);
    struct writ_catalog catalog;
    assert_int_equal(writ_catalog_list(&calls.catalog, &catalog, &error), 0);
    assert_int_equal(catalog.count, 1);
    call.skill = catalog.skills[0];
    assert_int_equal(writ_invoke(&call, &outcome), WRIT_CONTRACT_INVALID);
    writ_outcome_clear(&outcome);
    writ_catalog_clear(&catalog);
}

static void explaining_runs_and_records_nothing(void **state)
{
    (void)state;
    calls_skill(ID, "'filesystem:write:${{ .input.file }}'", "file: {type: string}", SUCCEEDS);
    struct writ_call call = calls.call;
    call.id = ID;
    call.input = "{\"file\": \"out\"}";
    call.input_length = strlen(call.input);
    call.explain_only = true;
    struct writ_outcome outcome;
    assert_int_equal(writ_invoke(&call, &outcome), 0);
    assert_int_equal(outcome.kind, WRIT_OUTCOME_REFUSED);
    assert_non_null(outcome.prepared);
    writ_outcome_clear(&outcome);
    char path[256];
    (void)snprintf(path, sizeof path, "%s/out", calls.working);
    assert_int_equal(access(path, F_OK), -1);
    (void)snprintf(path, sizeof path, "%s/audit", calls.state);
    assert_int_equal(access(path, F_OK), -1);
}

/* Wants the end at the first word of an activity. */
struct impatience {
    const char *what;
    int pipe_fds[2];
    unsigned told;
};

static void be_impatient(void *context, const struct writ_activity *activity)
{
    struct impatience *impatience = context;
    if (strcmp(activity->what, impatience->what) == 0 && impatience->told++ == 0)
        assert_int_equal(write(impatience->pipe_fds[1], "x", 1), 1);
}

static void interrupt_at(const char *what, enum writ_outcome_kind kind)
{
    struct impatience impatience = {.what = what};
    assert_int_equal(pipe2(impatience.pipe_fds, O_CLOEXEC), 0);
    const struct writ_watch watch = {.cancel_fd = impatience.pipe_fds[0], .tick = be_impatient, .context = &impatience};
    calls.call.watch = &watch;
    ends_as("{}", WRIT_INTERRUPTED, kind);
    calls.call.watch = NULL;
    assert_true(impatience.told > 0);
    assert_int_equal(close(impatience.pipe_fds[0]) | close(impatience.pipe_fds[1]), 0);
}

static void a_cancelled_call_is_interrupted(void **state)
{
    (void)state;
    needs_sandbox();
    calls_skill(ID, "", "", "while :; do :; done\n");
    interrupt_at("running", WRIT_OUTCOME_FAILED);
    interrupt_at("preparing", WRIT_OUTCOME_REFUSED);
}

/* A limit is told by its name, what it allows, and who set it. */
static void limits_are_named(void **state)
{
    (void)state;
    needs_sandbox();
    calls_skill(ID, "", "", "while :; do :; done\n");
    struct writ_call call = calls.call;
    call.id = ID;
    call.input = "{}";
    call.input_length = 2;
    call.ceilings.wall_ms = 150;
    struct writ_outcome outcome;
    assert_int_equal(writ_invoke(&call, &outcome), WRIT_LIMIT_TIMEOUT);
    assert_string_equal(outcome.error.message,
                        "the program was stopped after 150 ms, your setting run.timeout-max, where its contract allows "
                        "20 s; `writ config set run.timeout-max VALUE` raises it");
    assert_string_equal(outcome.limit.name, "runtime.timeout");
    assert_string_equal(outcome.limit.setting, "run.timeout-max");
    assert_int_equal(outcome.limit.allowed, 150);
    assert_true(outcome.limit.used >= 150);
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
    writ_buffer_init(&text, 1 << 16);
    writ_outcome_print(&text, &outcome, WRIT_JSON_COMPACT);
    assert_non_null(strstr(writ_buffer_text(&text), "\"limit\":{\"name\":\"runtime.timeout\",\"unit\":\"ms\","
                                                    "\"allowed\":150,\"used\":"));
    assert_non_null(strstr(writ_buffer_text(&text), "\"set_by\":\"run.timeout-max\""));
    writ_outcome_clear(&outcome);
}

/* A ceiling only lowers what a contract asks for. */
static void ceilings_lower_and_never_raise(void **state)
{
    (void)state;
    calls_skill(ID, "", "", SUCCEEDS);
    struct writ_call call = calls.call;
    call.id = ID;
    call.input = "{}";
    call.input_length = 2;
    call.explain_only = true;
    call.ceilings = (struct writ_ceilings){.wall_ms = 60000, .memory_bytes = 32 << 20};
    struct writ_outcome outcome;
    assert_int_equal(writ_invoke(&call, &outcome), 0);
    assert_int_equal(outcome.prepared->plan.limits.wall_ms, 20000);
    assert_int_equal(outcome.prepared->lowered_from.wall_ms, 0);
    assert_int_equal(outcome.prepared->plan.limits.memory_bytes, 32 << 20);
    assert_int_equal(outcome.prepared->lowered_from.memory_bytes, 256000000);
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
    writ_buffer_init(&text, 1 << 16);
    writ_explain_text(&text, outcome.prepared);
    assert_non_null(strstr(writ_buffer_text(&text), "\n             the memory by your setting run.memory-max; the "
                                                    "contract asks for 256 MB\n"));
    writ_outcome_clear(&outcome);
}

/* As many and as long names as there may be: the record is shortened, the call is made. */
static void a_record_fits_whatever_is_granted(void **state)
{
    (void)state;
    needs_sandbox();
    calls_skill(ID, "'filesystem:read:${{ .input.files }}'", "files: {type: array, items: {type: string}}", SUCCEEDS);
    static char input[1 << 20];
    char name[212], path[256];
    size_t used = (size_t)snprintf(input, sizeof input, "{\"files\": [");
    for (int i = 0; i < 60; i++) {
        char folder[201];
        memset(folder, '\001', 200);
        folder[200] = '\0';
        memset(name, '\002', 197);
        (void)snprintf(name + 197, sizeof name - 197, "%03d", i);
        char nested[800];
        (void)snprintf(nested, sizeof nested, "work/%s/%s/%s", folder, folder, name);
        if (i == 0)
            (void)snprintf(path, sizeof path, "work/%s", folder);
        folders_write(nested, "x");
        used += (size_t)snprintf(input + used, sizeof input - used, "%s\"", i ? "," : "");
        for (const char *at = nested + 5; *at; at++)
            used += (unsigned char)*at < 0x20 ? (size_t)snprintf(input + used, sizeof input - used, "\\u%04x", *at)
                                              : (size_t)snprintf(input + used, sizeof input - used, "%c", *at);
        used += (size_t)snprintf(input + used, sizeof input - used, "\"");
    }
    (void)snprintf(input + used, sizeof input - used, "]}");
    struct writ_outcome outcome;
    struct writ_arena arena;
    int64_t count;
    int result = calls_make(ID, input, &outcome);
    if (result < 0)
        print_message("%.200s\n", outcome.error.message);
    assert_int_equal(result, 0);
    writ_arena_init(&arena, 8 << 20);
    struct calls_record record = calls_record_of(outcome.run_id, &arena);
    assert_int_equal(record.records, 2);
    assert_true(writ_json_int64(writ_json_get(record.begin, "grants_count"), &count));
    assert_int_equal(count, 60);
    writ_arena_clear(&arena);
    writ_outcome_clear(&outcome);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, calls_set_up, calls_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_call_that_succeeds),
        CASE(what_a_program_may_do_wrong),
        CASE(what_is_refused_is_recorded_too),
        CASE(a_call_that_cannot_be_recorded_is_not_made),
        CASE(a_denial_says_what_is_missing),
        CASE(a_file_to_be_written_goes_again_when_nothing_came_of_it),
        CASE(the_program_is_given_absolute_paths),
        CASE(a_skill_never_writes_where_skills_are_kept),
        CASE(a_source_may_be_named_with_a_detour),
        CASE(a_skill_that_is_brought_must_be_trusted_and_open),
        CASE(explaining_runs_and_records_nothing),
        CASE(a_cancelled_call_is_interrupted),
        CASE(limits_are_named),
        CASE(ceilings_lower_and_never_raise),
        CASE(a_record_fits_whatever_is_granted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
