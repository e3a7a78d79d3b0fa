/* S4.3: a path is taken from the validated input, and a value cannot climb out of what the contract wrote. */
#include "skill/permission.h"
#include "support.h"

#include <limits.h>
#include <string.h>

static struct writ_arena arena;

static int set_up(void **state)
{
    (void)state;
    writ_arena_init(&arena, 4 << 20);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    writ_arena_clear(&arena);
    return 0;
}

struct expanded {
    int result;
    const struct writ_expanded_path *paths;
    size_t count;
    struct writ_error error;
};

static struct expanded expand_as(const char *path, const char *input, const char *state_folder, const char *identity)
{
    struct expanded expanded = {.count = 77};
    struct writ_permission permission;
    const struct writ_json *document = NULL;
    char text[512];
    (void)snprintf(text, sizeof text, "filesystem:read:%s", path);
    assert_int_equal(writ_permission_parse(&arena, text, &permission, &expanded.error), 0);
    if (input)
        assert_int_equal(writ_json_parse(&arena, input, strlen(input), &document, &expanded.error), 0);
    struct writ_interpolation values = {.input = document, .state_folder = state_folder, .identity_id = identity};
    expanded.result =
        writ_permission_expand(&permission, &values, &arena, &expanded.paths, &expanded.count, &expanded.error);
    return expanded;
}

static struct expanded expand(const char *path, const char *input)
{
    return expand_as(path, input, "/state/writ/a", "user-1");
}

static void gives(const char *path, const char *input, const char *expected)
{
    struct expanded expanded = expand(path, input);
    if (expanded.result != 0)
        fail_msg("%s: %s", path, expanded.error.message);
    assert_int_equal(expanded.count, 1);
    assert_string_equal(expanded.paths[0].path, expected);
}

static void denied(const char *path, const char *input, const char *pointer, const char *part)
{
    struct expanded expanded = expand(path, input);
    if (expanded.result != WRIT_FILESYSTEM_DENIED)
        fail_msg("%s with %s gave %d", path, input, expanded.result);
    assert_int_equal(expanded.count, 77); /* outputs on success only */
    if (!strstr(expanded.error.message, part) || !strstr(expanded.error.message, pointer))
        fail_msg("the message lacks `%s` or `%s`: %s", pointer, part, expanded.error.message);
}

static void literals_need_no_input(void **state)
{
    (void)state;
    struct expanded expanded = expand_as("/usr/share/tessdata", NULL, NULL, NULL);
    assert_int_equal(expanded.result, 0);
    assert_int_equal(expanded.count, 1);
    assert_string_equal(expanded.paths[0].path, "/usr/share/tessdata");
    assert_null(expanded.paths[0].input_pointer);
    assert_false(expanded.paths[0].from_input);
    assert_false(expanded.paths[0].in_state);
}

static void values_are_put_in(void **state)
{
    (void)state;
    gives("${{ .input.a }}", "{\"a\":\"/tmp/report.pdf\"}", "/tmp/report.pdf");
    gives("${{ .input.a }}", "{\"a\":\"../report.pdf\"}", "../report.pdf");
    gives("${{ .input.a }}", "{\"a\":\"..\"}", "..");
    gives("${{ .input.a }}/.git", "{\"a\":\"../..\"}", "../../.git");
    gives("${{ .input.a.b }}", "{\"a\":{\"b\":\"x\"}}", "x");
    gives("/data/${{ .input.a }}.txt", "{\"a\":\"b/c\"}", "/data/b/c.txt");
    gives("/data/${{ .input.a }}", "{\"a\":\"..b\"}", "/data/..b");
    gives("${{ .state }}/${{ .identity.id }}/x", "{}", "/state/writ/a/user-1/x");
    struct expanded expanded = expand("${{ .input.a }}/out", "{\"a\":\"d\"}");
    assert_string_equal(expanded.paths[0].input_pointer, "/a");
    assert_true(expanded.paths[0].from_input);
    assert_false(expanded.paths[0].in_state);
    /* past the head: it came from the input, but the program is not to be given another value for it */
    expanded = expand("/data/${{ .input.a }}", "{\"a\":\"d\"}");
    assert_null(expanded.paths[0].input_pointer);
    assert_true(expanded.paths[0].from_input);
    expanded = expand("${{ .state }}/${{ .input.a }}", "{\"a\":\"d\"}");
    assert_true(expanded.paths[0].from_input);
    assert_true(expanded.paths[0].in_state);
}

static void absent_fields_drop_the_permission(void **state)
{
    (void)state;
    assert_int_equal(expand("${{ .input.a }}", "{}").count, 0);
    assert_int_equal(expand("${{ .input.a }}", "{\"a\":null}").count, 0);
    assert_int_equal(expand("${{ .input.a.b }}", "{\"a\":{}}").count, 0);
    assert_int_equal(expand("${{ .input.a }}/x/${{ .input.b }}", "{\"a\":\"y\"}").count, 0);
    assert_int_equal(expand("${{ .input.a }}", "{\"a\":[]}").count, 0);
    assert_int_equal(expand_as("${{ .input.a }}", NULL, NULL, NULL).count, 0);
}

static void a_list_gives_one_path_each(void **state)
{
    (void)state;
    struct expanded expanded = expand("${{ .input.files }}.bak", "{\"files\":[\"a\",\"b\",\"/c\"]}");
    assert_int_equal(expanded.result, 0);
    assert_int_equal(expanded.count, 3);
    assert_string_equal(expanded.paths[0].path, "a.bak");
    assert_string_equal(expanded.paths[0].input_pointer, "/files/0");
    assert_string_equal(expanded.paths[2].path, "/c.bak");
    assert_string_equal(expanded.paths[2].input_pointer, "/files/2");
    /* the same list twice stands for the same element */
    expanded = expand("${{ .input.f }}/${{ .input.f }}", "{\"f\":[\"a\",\"b\"]}");
    assert_int_equal(expanded.count, 2);
    assert_string_equal(expanded.paths[1].path, "b/b");
    denied("${{ .input.f }}/${{ .input.g }}", "{\"f\":[\"a\"],\"g\":[\"b\"]}", "/g", "second list");
    denied("${{ .input.f }}", "{\"f\":[\"a\",3]}", "/f/1", "is no text");
    denied("${{ .input.f }}", "{\"f\":[\"a\",[\"b\"]]}", "/f/1", "is no text");
    denied("/d/${{ .input.f }}", "{\"f\":[\"a\",\"..\"]}", "/f/1", "`..`");
    char many[4096] = "{\"f\":[\"a\"";
    size_t length = strlen(many);
    for (int i = 0; i < WRIT_PERMISSION_PATHS_MAX; i++, length += 4)
        memcpy(many + length, ",\"a\"", 5);
    memcpy(many + length, "]}", 3);
    denied("${{ .input.f }}", many, "/f", "more than 256 paths");
}

static void values_that_name_no_path_are_denied(void **state)
{
    (void)state;
    denied("${{ .input.a }}", "{\"a\":3}", "/a", "no text");
    denied("${{ .input.a }}", "{\"a\":{}}", "/a", "no text");
    denied("${{ .input.a }}", "{\"a\":true}", "/a", "no text");
    denied("${{ .input.a }}", "{\"a\":\"\"}", "/a", "empty");
    denied("${{ .input.a }}", "{\"a\":\"/etc/passwd\\u0000.pdf\"}", "/a", "NUL");
}

static void values_cannot_climb_out(void **state)
{
    (void)state;
    denied("/data/${{ .input.a }}", "{\"a\":\"..\"}", "/a", "`..`");
    denied("/data/${{ .input.a }}", "{\"a\":\"../etc\"}", "/a", "`..`");
    denied("/data/${{ .input.a }}", "{\"a\":\"b/../../etc\"}", "/a", "`..`");
    denied("/data/${{ .input.a }}", "{\"a\":\"/etc\"}", "/a", "begins with `/`");
    denied("${{ .input.b }}/${{ .input.a }}", "{\"a\":\"..\",\"b\":\"x\"}", "/a", "`..`");
    denied("${{ .state }}/${{ .input.a }}", "{\"a\":\"../other\"}", "/a", "`..`");
    /* dots that only the joined pieces make */
    denied("/data/.${{ .input.a }}", "{\"a\":\".\"}", "permission", "make a `..` part");
    denied("/data/${{ .input.a }}${{ .input.b }}", "{\"a\":\".\",\"b\":\"./x\"}", "permission", "make a `..` part");
    denied("${{ .input.a }}${{ .input.b }}", "{\"a\":\".\",\"b\":\".\"}", "permission", "make a `..` part");
    denied("${{ .input.a }}./x", "{\"a\":\".\"}", "permission", "make a `..` part");
}

static void private_folder_and_identity_must_be_there(void **state)
{
    (void)state;
    assert_int_equal(expand_as("${{ .state }}/x", "{}", NULL, "a").result, WRIT_FILESYSTEM_DENIED);
    static const char *const bad[] = {NULL, "", ".", "..", "a/b", "/"};
    for (size_t i = 0; i < WRIT_COUNT(bad); i++)
        assert_int_equal(expand_as("/d/${{ .identity.id }}", "{}", "/s", bad[i]).result, WRIT_FILESYSTEM_DENIED);
    assert_int_equal(expand_as("/d/.${{ .identity.id }}", "{}", "/s", "x").result, 0);
}

static void long_paths_are_denied(void **state)
{
    (void)state;
    char input[PATH_MAX + 16] = "{\"a\":\"";
    memset(input + 6, 'x', PATH_MAX - 3);
    memcpy(input + 6 + PATH_MAX - 3, "\"}", 3);
    assert_int_equal(expand("${{ .input.a }}", input).result, 0);
    denied("${{ .input.a }}/yz", input, "permission", "longer than 4095 bytes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(literals_need_no_input, set_up, tear_down),
        cmocka_unit_test_setup_teardown(values_are_put_in, set_up, tear_down),
        cmocka_unit_test_setup_teardown(absent_fields_drop_the_permission, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_list_gives_one_path_each, set_up, tear_down),
        cmocka_unit_test_setup_teardown(values_that_name_no_path_are_denied, set_up, tear_down),
        cmocka_unit_test_setup_teardown(values_cannot_climb_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(private_folder_and_identity_must_be_there, set_up, tear_down),
        cmocka_unit_test_setup_teardown(long_paths_are_denied, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
