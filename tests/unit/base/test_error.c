#include "base/error.h"
#include "base/text.h"
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
    static char text[3 * 4096]; /* more than is looked at before it is cut */
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
        assert_in_range(kept, WRIT_ERROR_MESSAGE_MAX - 8, WRIT_ERROR_MESSAGE_MAX - 1);
        assert_true(writ_utf8_is_valid(error.message, kept));
        (void)writ_error_set_errno(&error, WRIT_INTERNAL_IO, ENOENT, "%s", text);
        assert_true(writ_utf8_is_valid(error.message, strlen(error.message)));
        (void)writ_error_wrap(&error, "%s", text);
        assert_true(writ_utf8_is_valid(error.message, strlen(error.message)));
        (void)writ_error_at(&error, text, 1, 1);
        assert_true(writ_utf8_is_valid(error.subject, strlen(error.subject)));
    }
}

/* A message ends in what is wrong, however long the place that it begins with. */
static void the_end_of_a_long_message_is_kept(void **state)
{
    (void)state;
    struct writ_error error;
    static const char reason[] = ": No such file or directory";
    static char path[3 * 4096];
    for (size_t length = 1; length < sizeof path; length += length < 1000 ? 1 : 997) {
        memset(path, 'a', length);
        path[length] = '\0';
        (void)writ_error_io(&error, ENOENT, path);
        size_t kept = strlen(error.message);
        assert_true(kept > strlen(reason) && kept < WRIT_ERROR_MESSAGE_MAX);
        assert_string_equal(error.message + kept - strlen(reason), reason);
        (void)writ_error_wrap(&error, "%s", path);
        (void)writ_error_wrap(&error, "reading");
        kept = strlen(error.message);
        assert_true(kept < WRIT_ERROR_MESSAGE_MAX);
        assert_string_equal(error.message + kept - strlen(reason), reason);
        assert_memory_equal(error.message, "reading: aa", length == 1 ? 10 : 11);
        (void)writ_error_at(&error, path, 1, 1);
        assert_in_range(strlen(error.subject), length < WRIT_ERROR_SUBJECT_MAX ? length : 250,
                        WRIT_ERROR_SUBJECT_MAX - 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_code_has_a_class_and_a_status),
        cmocka_unit_test(context_is_prepended),
        cmocka_unit_test(long_messages_are_cut_on_a_character),
        cmocka_unit_test(the_end_of_a_long_message_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
