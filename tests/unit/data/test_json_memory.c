/* Each allocation of a parse, a print and a comparison fails in turn: a clean error, nothing leaked, nothing written.
 */
#include "data/json.h"
#include "failing_memory.h"
#include "support.h"

#include <string.h>

/* More members than are compared pairwise, in the given order. */
static void fill(struct writ_buffer *text, bool backward)
{
    writ_buffer_append_byte(text, '[');
    for (unsigned object = 0; object < 3; object++) {
        for (unsigned key = 0; key < 100; key++)
            writ_buffer_printf(text, "%c\"key%u\":[%u,\"text\"]", key ? ',' : '{', backward ? 99 - key : key, object);
        writ_buffer_append_text(text, object < 2 ? "}," : "}");
    }
    writ_buffer_append_byte(text, ']');
}

static void each_allocation_may_fail(void **state)
{
    (void)state;
    struct writ_buffer text;
    writ_buffer_init(&text, 1 << 20);
    fill(&text, false);
    unsigned total = 0;
    for (unsigned nth = 0; nth <= total; nth++) {
        struct writ_arena arena;
        writ_arena_init(&arena, 1 << 20);
        struct writ_error error = {0};
        const struct writ_json *root = NULL;
        memory_fail(nth, MEMORY_FAILS_ONCE);
        int result = writ_json_parse(&arena, text.data, text.length, &root, &error);
        memory_suffice();
        if (nth == 0) {
            total = memory_asked();
            assert_int_equal(result, 0);
            assert_in_range(total, 3, 100);
        } else {
            /* The array of nodes is asked for once more after a careful count, which then succeeds. */
            assert_true(result == WRIT_INTERNAL_MEMORY || (result == 0 && nth == 2));
            assert_int_equal(error.code, result);
            assert_int_equal(root == NULL, result != 0);
        }
        writ_arena_clear(&arena);
    }
    writ_buffer_clear(&text);
}

static void printing_without_memory_fails_in_the_buffer(void **state)
{
    (void)state;
    struct writ_buffer text;
    writ_buffer_init(&text, 1 << 20);
    fill(&text, false);
    struct writ_arena arena;
    writ_arena_init(&arena, 1 << 20);
    struct writ_error error;
    const struct writ_json *root;
    assert_int_equal(writ_json_parse(&arena, text.data, text.length, &root, &error), 0);
    unsigned total = 1;
    for (unsigned nth = 0; nth <= total; nth++) {
        struct writ_buffer out;
        writ_buffer_init(&out, 1 << 20);
        memory_fail(nth, MEMORY_FAILS_ONCE);
        writ_json_print(&out, root, WRIT_JSON_COMPACT);
        memory_suffice();
        if (nth == 0)
            total = memory_asked();
        assert_int_equal(out.failed, nth != 0);
        if (nth == 0)
            assert_string_equal(out.data, text.data);
        writ_buffer_clear(&out);
    }
    writ_arena_clear(&arena);
    writ_buffer_clear(&text);
}

static void equality_needs_no_memory(void **state)
{
    (void)state;
    struct writ_buffer forward, backward;
    writ_buffer_init(&forward, 1 << 20);
    writ_buffer_init(&backward, 1 << 20);
    fill(&forward, false);
    fill(&backward, true);
    struct writ_arena arena;
    writ_arena_init(&arena, 1 << 22);
    struct writ_error error;
    const struct writ_json *a, *b;
    assert_int_equal(writ_json_parse(&arena, forward.data, forward.length, &a, &error), 0);
    assert_int_equal(writ_json_parse(&arena, backward.data, backward.length, &b, &error), 0);
    for (unsigned nth = 0; nth < 8; nth++) {
        memory_fail(nth, MEMORY_FAILS_ONCE);
        assert_true(writ_json_equal(a, b));
    }
    memory_suffice();
    writ_arena_clear(&arena);
    writ_buffer_clear(&forward);
    writ_buffer_clear(&backward);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_allocation_may_fail),
        cmocka_unit_test(printing_without_memory_fails_in_the_buffer),
        cmocka_unit_test(equality_needs_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
