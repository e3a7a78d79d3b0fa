#include "base/arena.h"
#include "support.h"

#include <string.h>

static void memory_is_aligned_and_apart(void **state)
{
    (void)state;
    struct writ_arena arena;
    writ_arena_init(&arena, 1 << 20);
    char *last = NULL;
    for (size_t size = 0; size < 500; size++) {
        char *memory = writ_arena_alloc(&arena, size);
        assert_non_null(memory);
        assert_int_equal((uintptr_t)memory % 16, 0);
        assert_ptr_not_equal(memory, last);
        memset(memory, 0xAA, size);
        last = memory;
    }
    writ_arena_clear(&arena);
}

static void the_maximum_is_held(void **state)
{
    (void)state;
    struct writ_arena arena;
    writ_arena_init(&arena, 64);
    assert_null(writ_arena_alloc(&arena, 65));
    assert_non_null(writ_arena_alloc(&arena, 48));
    assert_null(writ_arena_alloc(&arena, 17));
    assert_non_null(writ_arena_alloc(&arena, 16));
    assert_null(writ_arena_alloc(&arena, 0));
    assert_null(writ_arena_alloc(&arena, SIZE_MAX));
    assert_null(writ_arena_zalloc(&arena, SIZE_MAX / 2, 4));
    writ_arena_clear(&arena);
    assert_non_null(writ_arena_alloc(&arena, 64));
    writ_arena_clear(&arena);
}

static void printing_and_copies(void **state)
{
    (void)state;
    struct writ_arena arena;
    writ_arena_init(&arena, 4096);
    assert_string_equal(writ_arena_printf(&arena, "%s-%d", "a", 5), "a-5");
    assert_memory_equal(writ_arena_copy(&arena, "a\0b", 3), "a\0b", 4);
    assert_null(writ_arena_copy(&arena, "x", SIZE_MAX));
    writ_arena_clear(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_aligned_and_apart),
        cmocka_unit_test(the_maximum_is_held),
        cmocka_unit_test(printing_and_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
