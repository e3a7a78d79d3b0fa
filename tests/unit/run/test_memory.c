/* Every allocation of a whole call fails in its turn: an error and nothing lost, never a crash, a half-made answer or a
 * call that succeeded unrecorded. */
#include "../skill/folders.h"
#include "audit/audit.h"
#include "calls.h"
#include "failing_memory.h"
#include "support.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#define ID "com.example.a"

static enum memory_failure failure;

static size_t open_descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    size_t count = 0;
    assert_non_null(folder);
    while (readdir(folder))
        count++;
    assert_int_equal(closedir(folder), 0);
    return count;
}

/* Returns true once the call went as with memory enough. */
static bool call_once(long n, const char *input, enum writ_code with_memory)
{
    struct writ_outcome outcome;
    size_t before = open_descriptors();
    memory_fail((unsigned)n + 1, failure);
    int code = calls_make(ID, input, &outcome);
    bool reached = memory_failed();
    memory_suffice();
    bool expected = code == (int)with_memory || code == WRIT_INTERNAL_MEMORY || code == WRIT_INTERNAL_AUDIT;
    if (!expected)
        fail_msg("allocation %ld: %s: %s", n, writ_code_class((enum writ_code)code), outcome.error.message);
    if (code == 0) {
        /* What succeeded is whole, and recorded. */
        struct writ_arena arena;
        writ_arena_init(&arena, 1 << 20);
        assert_int_equal(outcome.kind, WRIT_OUTCOME_SUCCEEDED);
        assert_non_null(writ_json_get(writ_json_get(outcome.output, "data"), "file"));
        struct calls_record record = calls_record_of(outcome.run_id, &arena);
        assert_non_null(record.begin);
        assert_non_null(record.end);
        writ_arena_clear(&arena);
    } else {
        assert_int_not_equal(outcome.kind, WRIT_OUTCOME_SUCCEEDED);
        if (code == WRIT_INTERNAL_AUDIT)
            assert_null(outcome.output);
    }
    writ_outcome_clear(&outcome);
    assert_int_equal(open_descriptors(), before);
    return !reached;
}

static void in_turn(const char *input, enum writ_code with_memory)
{
    (void)call_once(-1, input, with_memory);
    long n = 0;
    while (!call_once(n, input, with_memory)) {
        n++;
        assert_true(n < 100000);
    }
    print_message("# %ld allocations\n", n);
    struct writ_audit_verdict verdict;
    struct writ_error error;
    assert_int_equal(writ_audit_verify(calls.state, NULL, NULL, &verdict, &error), 0);
    assert_true(verdict.intact);
}

static void a_call_that_would_succeed(void **state)
{
    (void)state;
    if (!calls_can_run()) {
        skip();
        return;
    }
    folders_write("work/in.txt", "content\n");
    calls_skill(ID, "'filesystem:read:${{ .input.file }}', 'filesystem:write:${{ .state }}', 'binary:run:cat'",
                "file: {type: string}", "read -r input\nprintf '{\"success\": true, \"data\": %s}' \"$input\"\n");
    for (int one = 0; one < 2; one++) {
        failure = one ? MEMORY_FAILS_ONCE : MEMORY_FAILS_FROM_THERE;
        in_turn("{\"file\": \"in.txt\"}", WRIT_OK);
    }
}

static void a_call_that_would_be_refused(void **state)
{
    (void)state;
    calls_skill(ID, "'filesystem:write:${{ .input.file }}'", "file: {type: string}", "exit 1\n");
    for (int one = 0; one < 2; one++) {
        failure = one ? MEMORY_FAILS_ONCE : MEMORY_FAILS_FROM_THERE;
        in_turn("{\"file\": \"no/such/folder\"}", WRIT_FILESYSTEM_DENIED);
        in_turn("{\"file\": 5, \"fiel\": 6}", WRIT_INPUT_INVALID);
        in_turn("{", WRIT_INPUT_INVALID);
    }
}

/* The envelope of a call is whole or says that it is not. */
static void an_envelope_is_whole_or_failed(void **state)
{
    (void)state;
    calls_skill(ID, "", "n: {type: integer}", "exit 1\n");
    struct writ_outcome outcome;
    assert_int_equal(calls_make(ID, "{\"n\": \"x\", \"m\": 1}", &outcome), WRIT_INPUT_INVALID);
    failure = MEMORY_FAILS_ONCE;
    for (int style = 0; style < 2; style++)
        for (long n = 0;; n++) {
            assert_true(n < 1000);
            WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
            writ_buffer_init(&text, 1 << 20);
            memory_fail((unsigned)n + 1, failure);
            writ_outcome_print(&text, &outcome, style ? WRIT_JSON_INDENTED : WRIT_JSON_COMPACT);
            bool reached = memory_failed();
            memory_suffice();
            assert_true(text.failed == reached);
            if (!reached)
                break;
        }
    writ_outcome_clear(&outcome);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, calls_set_up, calls_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_call_that_would_succeed),
        CASE(a_call_that_would_be_refused),
        CASE(an_envelope_is_whole_or_failed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
