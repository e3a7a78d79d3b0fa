#include "skill/places.h"
#include "support.h"

#include <string.h>

/* Interfaces, "Where skills and state live". */

struct variable {
    const char *name, *value;
};

static const char *get(void *context, const char *name)
{
    for (const struct variable *variable = context; variable->name; variable++)
        if (strcmp(variable->name, name) == 0)
            return variable->value;
    return NULL;
}

static int fill(struct variable *variables, struct writ_arena *arena, struct writ_places *places,
                struct writ_error *error)
{
    return writ_places_fill(arena, get, variables, "/usr/share/writ/skills", "/here", places, error);
}

static void defaults_lie_below_home(void **state)
{
    (void)state;
    struct variable variables[] = {{"HOME", "/home/u"}, {"XDG_STATE_HOME", ""}, {NULL, NULL}};
    struct writ_arena arena;
    struct writ_places places;
    struct writ_error error;
    writ_arena_init(&arena, 1 << 20);
    assert_int_equal(fill(variables, &arena, &places, &error), 0);
    assert_string_equal(places.home, "/home/u");
    assert_string_equal(places.config, "/home/u/.config/writ");
    assert_string_equal(places.data, "/home/u/.local/share/writ");
    assert_string_equal(places.state, "/home/u/.local/state/writ"); /* empty counts as unset */
    assert_string_equal(places.cache, "/home/u/.cache/writ");
    assert_null(places.runtime);
    assert_string_equal(places.shipped, "/usr/share/writ/skills");
    assert_string_equal(places.working, "/here");
    assert_string_equal(places.path, "/usr/local/bin:/usr/bin:/bin");
    writ_arena_clear(&arena);
}

static void variables_go_before_defaults(void **state)
{
    (void)state;
    struct variable variables[] = {{"HOME", "/home/u//"},
                                   {"XDG_CONFIG_HOME", "/c/"},
                                   {"XDG_DATA_HOME", "/"},
                                   {"XDG_STATE_HOME", "rel/s"},
                                   {"XDG_CACHE_HOME", "/k"},
                                   {"XDG_RUNTIME_DIR", "/run/u"},
                                   {NULL, NULL}};
    struct writ_arena arena;
    struct writ_places places;
    struct writ_error error;
    writ_arena_init(&arena, 1 << 20);
    assert_int_equal(fill(variables, &arena, &places, &error), 0);
    assert_string_equal(places.home, "/home/u");
    assert_string_equal(places.config, "/c/writ");
    assert_string_equal(places.data, "/writ");
    assert_string_equal(places.state, "/home/u/.local/state/writ"); /* a relative value is ignored */
    assert_string_equal(places.cache, "/k/writ");
    assert_string_equal(places.runtime, "/run/u/writ");
    writ_arena_clear(&arena);
}

static void only_absolute_folders_of_the_path_count(void **state)
{
    (void)state;
    static const struct {
        const char *value, *path;
    } cases[] = {
        {"/a:/b", "/a:/b"},
        {":/a::b:.:/c:", "/a:/c"},
        {"bin", "/usr/local/bin:/usr/bin:/bin"},
        {"", "/usr/local/bin:/usr/bin:/bin"},
        {":", "/usr/local/bin:/usr/bin:/bin"},
        {"/", "/"},
    };
    for (size_t i = 0; i < WRIT_COUNT(cases); i++) {
        struct variable variables[] = {{"HOME", "/h"}, {"PATH", cases[i].value}, {NULL, NULL}};
        struct writ_arena arena;
        struct writ_places places;
        struct writ_error error;
        writ_arena_init(&arena, 1 << 20);
        assert_int_equal(fill(variables, &arena, &places, &error), 0);
        assert_string_equal(places.path, cases[i].path);
        writ_arena_clear(&arena);
    }
}

static void an_unknown_home_is_told_only_when_it_is_wanted(void **state)
{
    (void)state;
    static const char *const homes[] = {NULL, "", "relative"};
    struct writ_places places = {.home = "untouched"};
    struct writ_error error;
    for (size_t i = 0; i < WRIT_COUNT(homes); i++) {
        struct variable variables[] = {{"HOME", homes[i]}, {"XDG_CONFIG_HOME", "/c"}, {NULL, NULL}};
        struct writ_arena arena;
        writ_arena_init(&arena, 1 << 20);
        assert_int_equal(fill(variables, &arena, &places, &error), WRIT_INTERNAL_IO);
        assert_non_null(strstr(error.message, "set HOME"));
        assert_string_equal(places.home, "untouched");
        writ_arena_clear(&arena);
    }
    struct variable all[] = {{"XDG_CONFIG_HOME", "/c"},
                             {"XDG_DATA_HOME", "/d"},
                             {"XDG_STATE_HOME", "/s"},
                             {"XDG_CACHE_HOME", "/k"},
                             {NULL, NULL}};
    struct writ_arena arena;
    writ_arena_init(&arena, 1 << 20);
    assert_int_equal(fill(all, &arena, &places, &error), 0);
    assert_null(places.home);
    assert_string_equal(places.config, "/c/writ");
    writ_arena_clear(&arena);
}

static void a_home_in_the_root_is_taken(void **state)
{
    (void)state;
    struct variable variables[] = {{"HOME", "/"}, {NULL, NULL}};
    struct writ_arena arena;
    struct writ_places places;
    struct writ_error error;
    writ_arena_init(&arena, 1 << 20);
    assert_int_equal(fill(variables, &arena, &places, &error), 0);
    assert_string_equal(places.home, "/");
    assert_string_equal(places.config, "/.config/writ");
    writ_arena_clear(&arena);
}

static void a_small_arena_is_an_error(void **state)
{
    (void)state;
    struct variable variables[] = {{"HOME", "/home/u"}, {"XDG_RUNTIME_DIR", "/r"}, {"PATH", "/a:/b"}, {NULL, NULL}};
    struct writ_error error;
    int result = -1;
    for (size_t bytes = 0; result != 0; bytes += 16) {
        struct writ_arena arena;
        struct writ_places places = {0};
        writ_arena_init(&arena, bytes);
        result = fill(variables, &arena, &places, &error);
        assert_true(result == 0 || result == WRIT_INTERNAL_MEMORY);
        assert_int_equal(result == 0, places.config != NULL);
        writ_arena_clear(&arena);
        assert_true(bytes < 4096);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_lie_below_home),
        cmocka_unit_test(variables_go_before_defaults),
        cmocka_unit_test(only_absolute_folders_of_the_path_count),
        cmocka_unit_test(an_unknown_home_is_told_only_when_it_is_wanted),
        cmocka_unit_test(a_home_in_the_root_is_taken),
        cmocka_unit_test(a_small_arena_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
