#include "base/buffer.h"
#include "support.h"

#include <string.h>

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
    writ_buffer_wipe(&buffer);
    assert_false(buffer.failed);
    assert_null(writ_buffer_reserve(&buffer, SIZE_MAX));
    writ_buffer_clear(&buffer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(appends_grow_and_terminate),
        cmocka_unit_test(passing_the_maximum_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
