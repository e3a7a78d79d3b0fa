#include "base/arena.h"
#include "base/buffer.h"
#include "support.h"

#include <malloc.h>
#include <string.h>

#define SECRET "hunter2hunter2"

static size_t freed_secrets;

void __real_free(void *memory);
void __wrap_free(void *memory);
void __wrap_free(void *memory)
{
    if (memory && memmem(memory, malloc_usable_size(memory), SECRET, strlen(SECRET)))
        freed_secrets++;
    __real_free(memory);
}

static void appends_grow_and_terminate(void **state)
{
    (void)state;
    struct writ_buffer buffer;
    writ_buffer_init(&buffer, 1000);
    assert_string_equal(writ_buffer_text(&buffer), "");
    for (int i = 0; i < 100; i++)
        writ_buffer_printf(&buffer, "%02d", i);
    assert_int_equal(buffer.length, 200);
    assert_false(buffer.failed);
    assert_memory_equal(buffer.data + 196, "9899", 5);
    writ_buffer_clear(&buffer);
}

static void passing_the_maximum_changes_nothing(void **state)
{
    (void)state;
    struct writ_buffer buffer;
    writ_buffer_init(&buffer, 5);
    writ_buffer_append_text(&buffer, "abcde");
    assert_false(buffer.failed);
    writ_buffer_append_byte(&buffer, 'f');
    assert_true(buffer.failed);
    assert_true(buffer.too_large);
    assert_string_equal(writ_buffer_text(&buffer), "abcde");
    assert_null(writ_buffer_reserve(&buffer, SIZE_MAX));
    writ_buffer_clear(&buffer);
    assert_false(buffer.failed);
    assert_null(writ_buffer_reserve(&buffer, SIZE_MAX));
    writ_buffer_clear(&buffer);
}

/* Nothing of a secret is left in memory that was given back. */
static void secrets_are_overwritten(void **state)
{
    (void)state;
    struct writ_buffer buffer;
    writ_buffer_init_secret(&buffer, 1 << 20);
    for (int i = 0; i < 1000; i++)
        writ_buffer_append_text(&buffer, SECRET);
    assert_int_equal(buffer.length, 1000 * strlen(SECRET));
    assert_memory_equal(buffer.data + 999 * strlen(SECRET), SECRET, strlen(SECRET));
    writ_buffer_clear(&buffer);
    writ_buffer_append_text(&buffer, SECRET);
    writ_buffer_clear(&buffer);
    struct writ_arena arena;
    writ_arena_init_secret(&arena, 1 << 20);
    for (int i = 0; i < 1000; i++)
        assert_non_null(writ_arena_copy(&arena, SECRET, strlen(SECRET)));
    writ_arena_clear(&arena);
    assert_int_equal(freed_secrets, 0);
    /* The check itself sees what is not overwritten. */
    writ_buffer_init(&buffer, 1 << 20);
    writ_buffer_append_text(&buffer, SECRET);
    writ_buffer_clear(&buffer);
    assert_int_equal(freed_secrets, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(appends_grow_and_terminate),
        cmocka_unit_test(passing_the_maximum_changes_nothing),
        cmocka_unit_test(secrets_are_overwritten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
