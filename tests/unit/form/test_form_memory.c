/* Each allocation of a form fails in turn: a clean error and nothing leaked. */
#include "failing_memory.h"
#include "form/form.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static const char contract_text[] =
    "{\"id\": \"com.example.form.any\", \"name\": \"Any\", \"description\": \"Any.\", \"version\": \"1.0.0\", "
    "\"author\": \"a\", \"license\": \"MIT\", \"runtime\": {\"language\": \"sh\"}, \"permissions\": [], \"input\": "
    "{\"type\": \"object\", \"required\": [\"t\", \"l\"], \"properties\": {\"t\": {\"type\": \"string\", "
    "\"writeOnly\": true}, \"l\": {\"type\": \"array\", \"uniqueItems\": true, \"items\": {\"enum\": [1, 2, 3]}}, "
    "\"g\": {\"type\": \"integer\"}, \"b\": {\"oneOf\": [{\"title\": \"One\", \"type\": \"object\", \"required\": "
    "[\"x\"], \"properties\": {\"x\": {\"type\": \"integer\"}}}, {\"type\": \"string\"}]}, \"o\": {\"type\": "
    "\"object\", \"properties\": {\"p\": {\"type\": \"boolean\"}}}}}, \"output\": {\"type\": \"object\", "
    "\"required\": [\"success\", \"data\"], \"properties\": {\"success\": {\"type\": \"boolean\"}, \"data\": {}}}}";
static const char document_text[] = "{\"t\":\"secret\",\"l\":[1,3],\"g\":7,\"b\":{\"x\":5},\"o\":{\"p\":true}}";
static const char *const texts[] = {"secret", "1", "3", NULL, "One", "5", "y", "y"};

/* A whole form, from the first question to the verdict. */
static int fill_in(const struct writ_contract *contract, const struct writ_json *before, struct writ_buffer *out,
                   struct writ_error *error)
{
    struct writ_form *form = NULL;
    struct writ_arena arena;
    struct writ_schema_faults faults = {.count = 0};
    writ_arena_init(&arena, 1 << 20);
    int result = writ_form_new(contract, before, false, &form, error);
    for (size_t i = 0; result == 0 && i < WRIT_COUNT(texts); i++) {
        assert_non_null(writ_form_question(form));
        result = writ_form_answer(form, texts[i], texts[i] ? strlen(texts[i]) : 0, error);
    }
    if (result == 0) {
        assert_null(writ_form_question(form));
        result = writ_form_check(form, &arena, &faults, error);
        assert_int_equal(faults.count, 0);
    }
    if (result == 0)
        result = writ_form_print(form, WRIT_FORM_WHOLE, WRIT_JSON_COMPACT, out, error);
    writ_form_free(form);
    writ_arena_clear(&arena);
    return result;
}

static void each_allocation_of_a_form_may_fail(void **state)
{
    (void)state;
    struct writ_contract *contract;
    struct writ_contract_faults faults;
    struct writ_arena arena;
    struct writ_error error;
    const struct writ_json *before;
    writ_arena_init(&arena, 1 << 20);
    writ_contract_faults_init(&faults);
    assert_int_equal(
        writ_contract_parse(contract_text, strlen(contract_text), "skill.yaml", NULL, &contract, &faults, &error), 0);
    assert_int_equal(writ_json_parse(&arena, "{\"g\":7}", 7, &before, &error), 0);
    unsigned total = 0;
    for (unsigned nth = 0; nth <= total; nth++) {
        struct writ_buffer out;
        writ_buffer_init(&out, 1 << 20);
        memory_fail(nth, MEMORY_FAILS_ONCE);
        int result = fill_in(contract, before, &out, &error);
        memory_suffice();
        if (nth == 0) {
            total = memory_asked();
            assert_in_range(total, 50, 20000);
        }
        if (nth == 0 && result < 0)
            fail_msg("%s", error.message);
        if (result == 0)
            assert_string_equal(writ_buffer_text(&out), document_text);
        else if (result != WRIT_INTERNAL_MEMORY)
            fail_msg("allocation %u: %s", nth, error.message);
        else
            assert_true(nth > 0);
        writ_buffer_clear(&out);
    }
    writ_contract_faults_clear(&faults);
    writ_contract_free(contract);
    writ_arena_clear(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation_of_a_form_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
