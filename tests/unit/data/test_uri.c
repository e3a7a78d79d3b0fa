/* URI references: RFC 3986 section 5.4's examples and what is well-formed. */
#include "data/uri.h"
#include "support.h"

#include <string.h>

static void references_resolve_as_the_standard_lists(void **state)
{
    (void)state;
    static const char base[] = "http://a/b/c/d;p?q";
    static const char *const rows[][2] = {
        {"g:h", "g:h"},
        {"g", "http://a/b/c/g"},
        {"./g", "http://a/b/c/g"},
        {"g/", "http://a/b/c/g/"},
        {"/g", "http://a/g"},
        {"//g", "http://g"},
        {"?y", "http://a/b/c/d;p?y"},
        {"g?y", "http://a/b/c/g?y"},
        {"#s", "http://a/b/c/d;p?q"},
        {"g#s", "http://a/b/c/g"},
        {";x", "http://a/b/c/;x"},
        {"", "http://a/b/c/d;p?q"},
        {".", "http://a/b/c/"},
        {"./", "http://a/b/c/"},
        {"..", "http://a/b/"},
        {"../", "http://a/b/"},
        {"../g", "http://a/b/g"},
        {"../..", "http://a/"},
        {"../../g", "http://a/g"},
        {"../../../g", "http://a/g"},
        {"/./g", "http://a/g"},
        {"/../g", "http://a/g"},
        {"g.", "http://a/b/c/g."},
        {"..g", "http://a/b/c/..g"},
        {"./../g", "http://a/b/g"},
        {"./g/.", "http://a/b/c/g/"},
        {"g/./h", "http://a/b/c/g/h"},
        {"g/../h", "http://a/b/c/h"},
        {"http://x/a/../b", "http://x/b"},
        {"urn:a:b", "urn:a:b"},
    };
    struct writ_arena arena;
    writ_arena_init(&arena, 1 << 20);
    for (size_t i = 0; i < WRIT_COUNT(rows); i++)
        assert_string_equal(writ_uri_resolve(&arena, base, rows[i][0], strlen(rows[i][0])), rows[i][1]);
    assert_string_equal(writ_uri_resolve(&arena, "urn:uuid:x", "#/a", 3), "urn:uuid:x");
    assert_string_equal(writ_uri_resolve(&arena, "http://a", "b", 1), "http://a/b");
    assert_string_equal(writ_uri_resolve(&arena, "file:///a/b", "c", 1), "file:///a/c");
    writ_arena_clear(&arena);
}

static void parts_that_are_absent_differ_from_empty_ones(void **state)
{
    (void)state;
    struct writ_uri uri = writ_uri_split("http://h?#", 10);
    assert_non_null(uri.query.text);
    assert_int_equal(uri.query.length, 0);
    assert_non_null(uri.fragment.text);
    uri = writ_uri_split("a:b", 3);
    assert_null(uri.authority.text);
    assert_null(uri.query.text);
    assert_int_equal(uri.scheme.length, 1);
}

static void forms_are_told_apart(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool absolute, reference;
    } rows[] = {
        {"http://example.com/a?b#c", true, true},
        {"urn:isbn:0", true, true},
        {"http://[2001:db8::1]:80/", true, true},
        {"mailto:a@b", true, true},
        {"http://user:pw@h:8080", true, true},
        {"a%20b", false, true},
        {"//h/p", false, true},
        {"", false, true},
        {"#a", false, true},
        {"1a:b", false, false},
        {"http://a b", false, false},
        {"http://h/\\x", false, false},
        {"http://h/%zz", false, false},
        {"http://h/{x}", false, false},
        {"http://[::1", false, false},
        {"http://h:80a/", false, false},
        {"http://h/#a#b", false, false},
        {"http://h/文", false, false},
    };
    for (size_t i = 0; i < WRIT_COUNT(rows); i++) {
        if (writ_uri_is_valid(rows[i].text, strlen(rows[i].text), false) != rows[i].absolute ||
            writ_uri_is_valid(rows[i].text, strlen(rows[i].text), true) != rows[i].reference)
            fail_msg("%s", rows[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(references_resolve_as_the_standard_lists),
        cmocka_unit_test(parts_that_are_absent_differ_from_empty_ones),
        cmocka_unit_test(forms_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
