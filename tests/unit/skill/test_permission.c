/* S4.3: the permission grammar. */
#include "skill/permission.h"
#include "support.h"

#include <string.h>

static struct writ_arena arena;

static int set_up(void **state)
{
    (void)state;
    writ_arena_init(&arena, 1 << 20);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    writ_arena_clear(&arena);
    return 0;
}

static struct writ_permission parsed(const char *text)
{
    struct writ_permission permission = {0};
    struct writ_error error;
    if (writ_permission_parse(&arena, text, &permission, &error) != 0)
        fail_msg("`%s` was refused: %s", text, error.message);
    assert_string_equal(permission.source, text);
    return permission;
}

static void refused(const char *text, const char *part_of_message)
{
    struct writ_permission permission = {.kind = 99};
    struct writ_error error;
    int result = writ_permission_parse(&arena, text, &permission, &error);
    if (result == 0)
        fail_msg("`%s` was taken", text);
    assert_int_equal(result, WRIT_CONTRACT_INVALID);
    assert_int_equal(permission.kind, 99); /* outputs on success only */
    if (!strstr(error.message, part_of_message))
        fail_msg("`%s`: the message lacks `%s`: %s", text, part_of_message, error.message);
}

static void kinds_are_told_apart(void **state)
{
    (void)state;
    static const struct {
        const char *text, *subject;
        enum writ_permission_kind kind;
    } cases[] = {
        {"filesystem:read:/usr/share/tessdata", "/usr/share/tessdata", WRIT_PERMISSION_FILESYSTEM_READ},
        {"filesystem:write:out/report.txt", "out/report.txt", WRIT_PERMISSION_FILESYSTEM_WRITE},
        {"network:https://api.example.com", "https://api.example.com", WRIT_PERMISSION_NETWORK},
        {"network:http://127.0.0.1:8080", "http://127.0.0.1:8080", WRIT_PERMISSION_NETWORK},
        {"network:https://[2001:db8::1]:443", "https://[2001:db8::1]:443", WRIT_PERMISSION_NETWORK},
        {"binary:run:tesseract", "tesseract", WRIT_PERMISSION_BINARY_RUN},
        {"binary:run:g++-12", "g++-12", WRIT_PERMISSION_BINARY_RUN},
        {"clipboard:read", "", WRIT_PERMISSION_CLIPBOARD_READ},
        {"credential:todoist", "todoist", WRIT_PERMISSION_CREDENTIAL},
    };
    for (size_t i = 0; i < WRIT_COUNT(cases); i++) {
        struct writ_permission permission = parsed(cases[i].text);
        assert_int_equal(permission.kind, cases[i].kind);
        assert_string_equal(permission.subject, cases[i].subject);
    }
}

static void names_of_kinds_and_what_is_enforced(void **state)
{
    (void)state;
    assert_string_equal(writ_permission_kind_name(WRIT_PERMISSION_BINARY_RUN), "binary:run");
    assert_true(writ_permission_kind_is_enforced(WRIT_PERMISSION_FILESYSTEM_READ));
    assert_true(writ_permission_kind_is_enforced(WRIT_PERMISSION_FILESYSTEM_WRITE));
    assert_true(writ_permission_kind_is_enforced(WRIT_PERMISSION_BINARY_RUN));
    assert_false(writ_permission_kind_is_enforced(WRIT_PERMISSION_NETWORK));
    assert_false(writ_permission_kind_is_enforced(WRIT_PERMISSION_CLIPBOARD_READ));
    assert_false(writ_permission_kind_is_enforced(WRIT_PERMISSION_CREDENTIAL));
    assert_false(writ_permission_kind_is_enforced(0)); /* zeroed memory grants nothing */
}

static void unknown_kinds_name_the_nearest(void **state)
{
    (void)state;
    refused("", "empty");
    refused("filesystem:raed:/tmp/a", "did you mean `filesystem:read:PATH`?");
    refused("filesytem:write:/tmp/a", "did you mean `filesystem:write:PATH`?");
    refused("netwrok:https://a.example", "did you mean `network:ORIGIN`?");
    refused("credentials:todoist", "did you mean `credential:NAME`?");
    refused("clipboard:reed", "did you mean `clipboard:read`?");
    refused("filesystem:/tmp/a", "write `filesystem:read:PATH` or `filesystem:write:PATH`");
    refused("filesystem", "write `filesystem:read:PATH` or `filesystem:write:PATH`");
    refused("binary:git", "did you mean `binary:run:NAME`?");
    refused("everything:allow:me", "`network:ORIGIN`");
    refused("clipboard:read:all", "nothing follows `clipboard:read`");
    refused("filesystem:read:", "names nothing");
    refused("network", "names nothing");
    refused("binary:run: git", "no space");
    refused(" binary:run:git", "no space at its ends");
    refused("binary:run:git ", "no space at its ends");
    refused("binary:run:g\nit", "control characters");
    refused("filesystem:read:/tmp/\x7f", "control characters");
}

static void paths_that_are_unclear_are_refused(void **state)
{
    (void)state;
    refused("filesystem:read:/", "every file");
    refused("filesystem:read:/etc/../root", "`..` part");
    refused("filesystem:read:..", "`..` part");
    refused("filesystem:read:./a", "`.` part");
    refused("filesystem:read:a/.", "`.` part");
    refused("filesystem:read://a", "empty part");
    refused("filesystem:read:/a//b", "empty part");
    refused("filesystem:read:/a/", "empty part");
    refused("filesystem:read:~/a", "`~` is not expanded");
    refused("filesystem:read:~", "`~` is not expanded");
    (void)parsed("filesystem:read:/a b/c:d");
    (void)parsed("filesystem:read:/a/...");
    (void)parsed("filesystem:read:/a/.hidden/~x");
    (void)parsed("filesystem:read:/\xE6\x95\xB0\xE6\x8D\xAE/a");
    char text[WRIT_PERMISSION_BYTES_MAX + 2];
    memset(text, 'a', sizeof text);
    memcpy(text, "filesystem:read:/", 17);
    text[sizeof text - 1] = '\0';
    refused(text, "longer than");
    text[sizeof text - 2] = '\0';
    (void)parsed(text);
}

static void expressions_become_segments(void **state)
{
    (void)state;
    struct writ_permission permission = parsed("filesystem:read:${{ .input.file_path }}");
    assert_int_equal(permission.segment_count, 1);
    assert_int_equal(permission.segments[0].kind, WRIT_SEGMENT_INPUT);
    assert_string_equal(permission.segments[0].text, "/file_path");

    permission = parsed("filesystem:read:${{.input.repository.path}}/.git");
    assert_int_equal(permission.segment_count, 2);
    assert_string_equal(permission.segments[0].text, "/repository/path");
    assert_int_equal(permission.segments[1].kind, WRIT_SEGMENT_LITERAL);
    assert_string_equal(permission.segments[1].text, "/.git");

    permission = parsed("filesystem:write:${{ .state }}/${{ .identity.id }}/${{ .input.name }}.json");
    assert_int_equal(permission.segment_count, 6);
    assert_int_equal(permission.segments[0].kind, WRIT_SEGMENT_STATE);
    assert_int_equal(permission.segments[2].kind, WRIT_SEGMENT_IDENTITY);
    assert_int_equal(permission.segments[4].kind, WRIT_SEGMENT_INPUT);
    assert_string_equal(permission.segments[5].text, ".json");

    /* names as a schema may have them */
    permission = parsed("filesystem:read:${{ .input.\xE6\x96\x87\xE4\xBB\xB6-a_1 }}");
    assert_string_equal(permission.segments[0].text, "/\xE6\x96\x87\xE4\xBB\xB6-a_1");
}

static void expressions_that_are_unclear_are_refused(void **state)
{
    (void)state;
    refused("filesystem:read:${{ .input.a", "not closed");
    refused("filesystem:read:${{ }}", "is not known");
    refused("filesystem:read:${{ .inptu.a }}", "write `${{ .input.NAME }}`");
    refused("filesystem:read:${{ .stat }}", "write `${{ .state }}`");
    refused("filesystem:read:${{ .identity.name }}", "write `${{ .identity.id }}`");
    refused("filesystem:read:${{ .identity }}", "write `${{ .identity.id }}`");
    refused("filesystem:read:${{ input.a }}", "write `${{ .input.NAME }}`");
    refused("filesystem:read:${{ .input }}", "write `${{ .input.NAME }}`");
    refused("filesystem:read:${{ .input. }}", "write `${{ .input.NAME }}`");
    refused("filesystem:read:${{ .input..a }}", "lacks a name");
    refused("filesystem:read:${{ .input.a. }}", "lacks a name");
    refused("filesystem:read:${{ .input.a[0] }}", "is no name of an input");
    refused("filesystem:read:${{ .input.a b }}", "is no name of an input");
    refused("filesystem:read:{{ .input.a }}", "braces");
    refused("filesystem:read:${ .input.a }", "braces");
    refused("filesystem:read:$HOME}}/a", "braces");
    refused("filesystem:read:/a/${{ .state }}", "head of a path");
    refused("filesystem:read:${{ .state }}x", "head of a path");
    refused("filesystem:read:${{ .env.HOME }}/a", "is not known");
    /* values stand in filesystem paths only */
    refused("binary:run:${{ .input.name }}", "filesystem paths only");
    refused("credential:${{ .input.name }}", "filesystem paths only");
    refused("network:https://${{ .input.host }}", "names no host");
    char text[512] = "filesystem:read:/a";
    size_t length = strlen(text);
    for (int i = 0; i < 9; i++, length += strlen(text + length))
        (void)snprintf(text + length, sizeof text - length, "/${{ .input.a }}");
    refused(text, "more than 16 pieces");
}

static void names_are_plain(void **state)
{
    (void)state;
    refused("binary:run:/usr/bin/git", "write `binary:run:git`");
    refused("binary:run:../git", "write `binary:run:git`");
    refused("binary:run:git status", "is no name");
    refused("binary:run:-c", "is no name");
    refused("binary:run:..", "is no name");
    refused("binary:run:*", "is no name");
    refused("credential:a/b", "is no name");
    refused("credential:.hidden", "is no name");
    char text[80] = "binary:run:";
    memset(text + 11, 'a', 65);
    refused(text, "is no name");
    text[11 + 64] = '\0';
    (void)parsed(text);
}

static void origins_have_one_spelling(void **state)
{
    (void)state;
    refused("network:api.example.com", "is no origin");
    refused("network:https:/api.example.com", "is no origin");
    refused("network:HTTPS://api.example.com", "is no origin");
    refused("network:://a", "is no origin");
    refused("network:https://API.example.com", "names no host");
    refused("network:https://", "names no host");
    refused("network:https://-a.example", "names no host");
    refused("network:https://a..example", "names no host");
    refused("network:https://user@a.example", "names no host");
    refused("network:https://[::1", "names no host");
    refused("network:https://*.example.com", "no `*`");
    refused("network:https://a.example/", "write `network:https://a.example`");
    refused("network:https://a.example:8443/v1?q=1", "write `network:https://a.example:8443`");
    refused("network:https://a.example?q", "names no host");
    refused("network:https://a.example:0", "is no port");
    refused("network:https://a.example:65536", "is no port");
    refused("network:https://a.example:", "is no port");
    refused("network:https://a.example:99999999999", "is no port");
}

static void memory_running_out_is_an_error(void **state)
{
    (void)state;
    struct writ_arena small;
    struct writ_permission permission = {0};
    struct writ_error error;
    for (size_t bytes = 0; bytes < 256; bytes += 16) {
        writ_arena_init(&small, bytes);
        int result = writ_permission_parse(&small, "filesystem:read:/a/${{ .input.b }}/c", &permission, &error);
        writ_arena_clear(&small);
        if (result == 0) {
            assert_true(bytes >= 128);
            return;
        }
        assert_int_equal(result, WRIT_INTERNAL_MEMORY);
    }
    fail_msg("256 bytes do not suffice");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(kinds_are_told_apart, set_up, tear_down),
        cmocka_unit_test(names_of_kinds_and_what_is_enforced),
        cmocka_unit_test_setup_teardown(unknown_kinds_name_the_nearest, set_up, tear_down),
        cmocka_unit_test_setup_teardown(paths_that_are_unclear_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(expressions_become_segments, set_up, tear_down),
        cmocka_unit_test_setup_teardown(expressions_that_are_unclear_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_are_plain, set_up, tear_down),
        cmocka_unit_test_setup_teardown(origins_have_one_spelling, set_up, tear_down),
        cmocka_unit_test(memory_running_out_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
