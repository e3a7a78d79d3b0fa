/* One compiled schema is checked and explained by several threads at once, while others compile with the meta-schema:
 * what a sanitizer for threads would object to is looked for here. */
#include "schema_case.h"

#include <pthread.h>

#define THREADS 4
#define ROUNDS 300

static const char schema_text[] = "{\"$ref\":\"https://json-schema.org/draft/2020-12/"
                                  "schema\",\"properties\":{\"title\":{\"pattern\":\"^\\\\p{L}+$\"}},"
                                  "\"anyOf\":[{\"properties\":{\"a\":true}}],\"unevaluatedProperties\":false}";

struct shared {
    const struct writ_schema *schema;
    const struct writ_json *good, *bad;
};

/* The number of rounds that went as they must: assertions belong to the main thread. */
static void *work(void *data)
{
    const struct shared *shared = data;
    uintptr_t right = 0;
    for (int i = 0; i < ROUNDS; i++) {
        struct writ_arena arena;
        struct writ_error error;
        struct writ_schema_faults faults;
        struct writ_schema *own = NULL;
        const struct writ_json *document;
        writ_arena_init(&arena, (size_t)1 << 24);
        bool compiled = writ_json_parse(&arena, schema_text, sizeof(schema_text) - 1, &document, &error) == 0 &&
                        writ_schema_compile(document, NULL, &own, &error) == 0;
        right += compiled && writ_schema_check(own, shared->good) && writ_schema_check(shared->schema, shared->good) &&
                 !writ_schema_check(shared->schema, shared->bad) &&
                 writ_schema_explain(shared->schema, shared->bad, 0, &arena, &faults, &error) == 0 && faults.count == 2;
        writ_schema_free(own);
        writ_arena_clear(&arena);
    }
    return (void *)right;
}

static void threads_share_a_schema(void **state)
{
    (void)state;
    struct writ_arena arena;
    struct writ_error error;
    struct writ_schema *schema;
    writ_arena_init(&arena, (size_t)1 << 24);
    assert_int_equal(writ_schema_compile(case_parse(&arena, schema_text), NULL, &schema, &error), 0);
    struct shared shared = {schema, case_parse(&arena, "{\"title\":\"abc\",\"items\":{\"type\":\"string\"}}"),
                            case_parse(&arena, "{\"title\":\"a1\",\"items\":{\"type\":\"strin\"}}")};
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, &shared), 0);
    for (int i = 0; i < THREADS; i++) {
        void *right;
        assert_int_equal(pthread_join(threads[i], &right), 0);
        assert_int_equal((uintptr_t)right, ROUNDS);
    }
    writ_schema_free(schema);
    writ_arena_clear(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_share_a_schema)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
