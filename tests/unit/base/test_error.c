#include "base/error.h"
#include "support.h"

#include <errno.h>
#include <string.h>

static void each_code_has_a_class_and_a_status(void **state)
{
    (void)state;
    for (int index = 0; index < WRIT_CODE_COUNT; index++) {
        enum writ_code code = (enum writ_code)(-1 - index);
        assert_true(strlen(writ_code_class(code)) > 0);
        assert_in_range(writ_code_exit_status(code), 1, 255);
        for (int other = 0; other < index; other++) {
            assert_string_not_equal(writ_code_class(code), writ_code_class((enum writ_code)(-1 - other)));
            assert_int_not_equal(writ_code_exit_status(code), writ_code_exit_status((enum writ_code)(-1 - other)));
        }
    }
}

static void context_is_prepended(void **state)
{
    (void)state;
    struct writ_error error;
    assert_int_equal(writ_error_set_errno(&error, WRIT_INTERNAL_IO, ENOENT, "%s", "a.txt"), WRIT_INTERNAL_IO);
    assert_string_equal(error.message, "a.txt: No such file or directory");
    assert_int_equal(writ_error_wrap(&error, "reading %d", 7), WRIT_INTERNAL_IO);
    assert_string_equal(error.message, "reading 7: a.txt: No such file or directory");
    assert_int_equal(error.sys_errno, ENOENT);
}

static void long_messages_are_cut_on_a_character(void **state)
{
    (void)state;
    struct writ_error error;
    char text[WRIT_ERROR_MESSAGE_MAX * 2];
    for (size_t shift = 0; shift < 3; shift++) {
        memset(text, 'a', shift);
        size_t length = shift;
        while (length + 4 < sizeof text) {
            memcpy(text + length, "\xE6\x96\x87", 3);
            length += 3;
        }
        text[length] = '\0';
        (void)writ_error_set(&error, WRIT_USAGE, "%s", text);
        size_t kept = strlen(error.message);
        assert_in_range(kept, WRIT_ERROR_MESSAGE_MAX - 4, WRIT_ERROR_MESSAGE_MAX - 1);
        assert_int_equal((kept - shift) % 3, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_code_has_a_class_and_a_status),
        cmocka_unit_test(context_is_prepended),
        cmocka_unit_test(long_messages_are_cut_on_a_character),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
