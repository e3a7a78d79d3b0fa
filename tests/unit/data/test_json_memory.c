/* Each allocation of a parse, a print and a comparison fails in turn: a clean error, nothing leaked, nothing written.
 * The build wraps malloc and realloc (see meson.build beside this file). */
#include "data/json.h"
#include "support.h"

#include <string.h>

void *__real_malloc(size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_realloc(void *memory, size_t size);

/* 0: none fails; n: the nth from now fails. */
static unsigned fails_at;
static unsigned asked;

static bool fails(void)
{
    asked++;
    return fails_at != 0 && asked == fails_at;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    return fails() ? NULL : __real_realloc(memory, size);
}

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
        fails_at = nth;
        asked = 0;
        int result = writ_json_parse(&arena, text.data, text.length, &root, &error);
        fails_at = 0;
        if (nth == 0) {
            total = asked;
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
        fails_at = nth;
        asked = 0;
        writ_json_print(&out, root, WRIT_JSON_COMPACT);
        fails_at = 0;
        if (nth == 0)
            total = asked;
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
    for (fails_at = 0; fails_at < 8; fails_at++) {
        asked = 0;
        assert_true(writ_json_equal(a, b));
    }
    fails_at = 0;
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
