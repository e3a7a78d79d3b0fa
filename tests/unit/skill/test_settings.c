/* skill/settings.h: values, the text of the file, changing it by one line, and who may have written the file. */
#include "folders.h"
#include "skill/settings.h"
#include "support.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char config[128];
static struct writ_places places;

static int set_up(void **state)
{
    if (folders_set_up(state) != 0)
        return -1;
    (void)snprintf(config, sizeof config, "%s/config", folders_root);
    places = (struct writ_places){.config = config};
    return 0;
}

static int parse(const char *text, struct writ_settings *settings, struct writ_error *error)
{
    return writ_settings_parse(text, strlen(text), "config.yaml", settings, error);
}

/* ---- values ---- */

static void defaults_are_good_values(void **state)
{
    (void)state;
    struct writ_settings settings;
    writ_settings_init(&settings);
    for (size_t i = 0; i < WRIT_SETTING_COUNT; i++) {
        struct writ_setting_value value;
        struct writ_error error;
        const struct writ_setting *setting = &writ_settings_table[i];
        assert_int_equal(writ_setting_parse((enum writ_setting_id)i, setting->default_text, &value, &error), 0);
        assert_string_equal(settings.values[i].text, setting->default_text);
        assert_int_equal(settings.values[i].source, WRIT_SETTING_FROM_DEFAULT);
        assert_true(i == 0 || strcmp(writ_settings_table[i - 1].name, setting->name) < 0);
    }
}

static void expect_read(enum writ_setting_id id, const char *text, uint64_t number)
{
    struct writ_setting_value value;
    struct writ_error error;
    if (writ_setting_parse(id, text, &value, &error) != 0)
        fail_msg("%s", error.message);
    assert_int_equal(value.number, number);
    assert_string_equal(value.text, text);
}

static void expect_refusal(enum writ_setting_id id, const char *text, const char *message)
{
    struct writ_setting_value value;
    struct writ_error error;
    assert_int_equal(writ_setting_parse(id, text, &value, &error), WRIT_USAGE);
    assert_string_equal(error.message, message);
}

static void values_have_types_and_bounds(void **state)
{
    (void)state;
    expect_read(WRIT_SETTING_COLOR, "always", WRIT_COLOR_ALWAYS);
    expect_read(WRIT_SETTING_COLOR, "never", WRIT_COLOR_NEVER);
    expect_read(WRIT_SETTING_PROGRESS, "never", WRIT_PROGRESS_NEVER);
    expect_read(WRIT_SETTING_TIME_ZONE, "utc", WRIT_TIME_ZONE_UTC);
    expect_read(WRIT_SETTING_AUDIT_COUNT, "0", 0);
    expect_read(WRIT_SETTING_AUDIT_COUNT, "100000", 100000);
    expect_read(WRIT_SETTING_RUN_TIMEOUT_MAX, "2m", 120000);
    expect_read(WRIT_SETTING_RUN_TIMEOUT_MAX, "24h", 86400000);
    expect_read(WRIT_SETTING_RUN_TIMEOUT_MAX, "none", 0);
    expect_read(WRIT_SETTING_RUN_MEMORY_MAX, "16MiB", 16 << 20);
    expect_refusal(WRIT_SETTING_COLOR, "alway", "`color` takes auto, always or never, not `alway`");
    expect_refusal(WRIT_SETTING_PROGRESS, "", "`progress` takes auto or never, not ``");
    expect_refusal(WRIT_SETTING_COLOR, "auto|always", "`color` takes auto, always or never, not `auto|always`");
    static const char count[] = "`audit.count` takes a whole number from 0 to 100000, not `%s`";
    static const char *const bad_counts[] = {"100001", "-1", "", "2x", "99999999999999999999999"};
    for (size_t i = 0; i < WRIT_COUNT(bad_counts); i++) {
        char message[200];
        (void)snprintf(message, sizeof message, count, bad_counts[i]);
        expect_refusal(WRIT_SETTING_AUDIT_COUNT, bad_counts[i], message);
    }
    expect_refusal(WRIT_SETTING_RUN_TIMEOUT_MAX, "99ms",
                   "`run.timeout-max` takes none or a duration from 100 ms to 24 h, not `99ms`");
    expect_refusal(WRIT_SETTING_RUN_TIMEOUT_MAX, "soon",
                   "`run.timeout-max` takes none or a duration: `soon` is not a duration: it must begin with a number; "
                   "write it as in 30s, 250ms, 2m or 1m30s");
    expect_refusal(WRIT_SETTING_RUN_MEMORY_MAX, "1MB",
                   "`run.memory-max` takes none or a size from 16 MiB to 1 TiB, not `1MB`");
    expect_refusal(
        WRIT_SETTING_RUN_MEMORY_MAX, "1111111111111111111111111111111111111111",
        "the value of `run.memory-max` is longer than 39 bytes: `1111111111111111111111111111111111111111…`");
}

static void names_have_neighbours(void **state)
{
    (void)state;
    enum writ_setting_id id;
    struct writ_error error;
    assert_int_equal(writ_setting_find("run.timeout-max", &id, &error), 0);
    assert_int_equal(id, WRIT_SETTING_RUN_TIMEOUT_MAX);
    assert_int_equal(writ_setting_find("colour", &id, &error), WRIT_USAGE);
    assert_string_equal(error.message, "there is no setting `colour` (did you mean `color`?); `writ config list` shows "
                                       "them all");
    assert_int_equal(writ_setting_find("version", &id, &error), WRIT_USAGE);
}

/* ---- reading ---- */

static void files_are_read(void **state)
{
    (void)state;
    struct writ_settings settings;
    struct writ_error error;
    static const char *const empty[] = {"", "\n\n", "# nothing yet\n", "  # a\r\n\t# b"};
    for (size_t i = 0; i < WRIT_COUNT(empty); i++) {
        assert_int_equal(parse(empty[i], &settings, &error), 0);
        assert_int_equal(settings.values[WRIT_SETTING_COLOR].source, WRIT_SETTING_FROM_DEFAULT);
    }
    assert_int_equal(
        parse("# mine\nversion: 1\ncolor: 'never' # why\nrun.timeout-max: 90\naudit.count: 5\n", &settings, &error), 0);
    assert_int_equal(settings.values[WRIT_SETTING_COLOR].number, WRIT_COLOR_NEVER);
    assert_int_equal(settings.values[WRIT_SETTING_COLOR].source, WRIT_SETTING_FROM_FILE);
    assert_int_equal(settings.values[WRIT_SETTING_RUN_TIMEOUT_MAX].number, 90000);
    assert_int_equal(settings.values[WRIT_SETTING_AUDIT_COUNT].number, 5);
    assert_int_equal(settings.values[WRIT_SETTING_PROGRESS].source, WRIT_SETTING_FROM_DEFAULT);
}

static void broken_files_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
        unsigned line, column;
    } cases[] = {
        {"color: never\n", "the version of the format is missing; write `version: 1` in a line of its own", 1, 1},
        {"version: 2\nnew: 1\n",
         "the settings are of version 2, and this writ reads up to 1; use the newer writ that wrote them, or move the "
         "file away",
         1, 10},
        {"version: one\n", "this is no version of the format; write `version: 1`", 1, 10},
        {"version: 0\n", "this is no version of the format; write `version: 1`", 1, 10},
        {"version: 1\n\ncolr: never\n",
         "there is no setting `colr` (did you mean `color`?); `writ config list` shows them all", 3, 1},
        {"version: 1\ncolor:   blue\n", "`color` takes auto, always or never, not `blue`", 2, 10},
        {"version: 1\ncolor: [never]\n", "`color` takes one short value; `writ config list` shows which", 2, 8},
        {"version: 1\ncolor:\n", "`color` takes one short value; `writ config list` shows which", 2, 7},
        {"version: 1\naudit.count: 1.5\n", "`audit.count` takes a whole number from 0 to 100000, not `1.5`", 2, 14},
        {"version: 1\nprogress: true\n", "`progress` takes auto or never, not `true`", 2, 11},
        {"- a\n", "the settings are no map; write lines such as `color: never`", 1, 1},
    };
    for (size_t i = 0; i < WRIT_COUNT(cases); i++) {
        struct writ_settings settings = {.values = {{.number = 77}}};
        struct writ_error error;
        assert_int_equal(parse(cases[i].text, &settings, &error), WRIT_CONFIG_INVALID);
        assert_string_equal(error.message, cases[i].message);
        assert_string_equal(error.subject, "config.yaml");
        assert_int_equal(error.line, cases[i].line);
        assert_int_equal(error.column, cases[i].column);
        assert_int_equal(settings.values[0].number, 77); /* outputs on success only */
    }
    struct writ_settings settings;
    struct writ_error error;
    assert_int_equal(parse("version: 1\ncolor: never\ncolor: auto\n", &settings, &error), WRIT_CONFIG_INVALID);
    assert_int_equal(error.line, 3);
    assert_int_equal(parse("version: 1\ncolor: &x never\n", &settings, &error), WRIT_CONFIG_INVALID);
}

/* ---- changing ---- */

static void expect_edit(const char *text, enum writ_setting_id id, const char *value, const char *wanted)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer out;
    struct writ_error error;
    writ_buffer_init(&out, WRIT_SETTINGS_BYTES_MAX);
    if (writ_settings_edit(text, strlen(text), "config.yaml", id, value, &out, &error) != 0)
        fail_msg("%s", error.message);
    assert_string_equal(writ_buffer_text(&out), wanted);
}

static void one_line_changes(void **state)
{
    (void)state;
    expect_edit("", WRIT_SETTING_COLOR, "never", "version: 1\ncolor: never\n");
    expect_edit("", WRIT_SETTING_COLOR, NULL, "");
    expect_edit("# mine", WRIT_SETTING_COLOR, "never", "# mine\nversion: 1\ncolor: never\n");
    static const char text[] = "# mine\nversion: 1\nprogress: never   # slow link\n\ncolor: 'always'\n# the end\n";
    expect_edit(text, WRIT_SETTING_PROGRESS, "auto",
                "# mine\nversion: 1\nprogress: auto   # slow link\n\ncolor: 'always'\n# the end\n");
    expect_edit(text, WRIT_SETTING_COLOR, "never",
                "# mine\nversion: 1\nprogress: never   # slow link\n\ncolor: never\n# the end\n");
    expect_edit(text, WRIT_SETTING_COLOR, NULL, "# mine\nversion: 1\nprogress: never   # slow link\n\n# the end\n");
    expect_edit(text, WRIT_SETTING_TIME_ZONE, NULL, text);
    expect_edit(text, WRIT_SETTING_TIME_ZONE, "utc",
                "# mine\nversion: 1\nprogress: never   # slow link\n\ncolor: 'always'\n# the end\ntime-zone: utc\n");
    expect_edit("version: 1\r\ncolor: never\r\nprogress: auto\r\n", WRIT_SETTING_COLOR, "auto",
                "version: 1\r\ncolor: auto\r\nprogress: auto\r\n");
    expect_edit("version: 1\ncolor: never", WRIT_SETTING_COLOR, NULL, "version: 1\n");
    expect_edit("\xEF\xBB\xBF"
                "color: never\nversion: 1\n",
                WRIT_SETTING_COLOR, "auto",
                "\xEF\xBB\xBF"
                "color: auto\nversion: 1\n");
    expect_edit("version: 1\n\"color\": \"ne\\u0076er\" # x\n", WRIT_SETTING_COLOR, "auto",
                "version: 1\n\"color\": auto # x\n");
    expect_edit("version: 1\ncolor:\n  never\n", WRIT_SETTING_COLOR, "auto", "version: 1\ncolor:\n  auto\n");
    expect_edit("version: 1\nrun.timeout-max: 1m # max\n", WRIT_SETTING_RUN_TIMEOUT_MAX, "1h 30m",
                "version: 1\nrun.timeout-max: 1h 30m # max\n");
    /* A broken value is mended by setting it, or by taking it out. */
    expect_edit("version: 1\ncolor: blue\n", WRIT_SETTING_COLOR, "auto", "version: 1\ncolor: auto\n");
    expect_edit("version: 1\ncolor: blue\n", WRIT_SETTING_COLOR, NULL, "version: 1\n");
    expect_edit("version: 1\ncolor:\n", WRIT_SETTING_COLOR, "auto", "version: 1\ncolor: auto\n");
}

static void expect_no_edit(const char *text, const char *value, int code, const char *part)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer out;
    struct writ_error error;
    writ_buffer_init(&out, WRIT_SETTINGS_BYTES_MAX);
    assert_int_equal(writ_settings_edit(text, strlen(text), "config.yaml", WRIT_SETTING_COLOR, value, &out, &error),
                     code);
    if (!strstr(error.message, part))
        fail_msg("lacks `%s`: %s", part, error.message);
    assert_int_equal(out.length, 0);
}

static void what_cannot_be_changed_is_left(void **state)
{
    (void)state;
    static const char by_hand[] = "change it by hand";
    expect_no_edit("{version: 1, color: never}\n", NULL, WRIT_CONFIG_INVALID, by_hand);
    expect_no_edit("{version: 1}\n", "auto", WRIT_CONFIG_INVALID, "");
    expect_no_edit("version: 1\ncolor: |\n  never\n", "auto", WRIT_CONFIG_INVALID, "one short value");
    expect_no_edit("# a\x01", "auto", WRIT_CONFIG_INVALID, "control character");
    expect_no_edit("version: 1\ncolor:\n  never\n", NULL, WRIT_CONFIG_INVALID, by_hand);
    expect_no_edit("version: 1\n", "blue", WRIT_USAGE, "not `blue`");
    /* Another fault is told, at its place, and not hidden behind the change. */
    expect_no_edit("version: 1\nprogress: x\ncolor: blue\n", "auto", WRIT_CONFIG_INVALID, "`progress` takes");
    expect_no_edit("version: 2\n", "auto", WRIT_CONFIG_INVALID, "version 2");
    expect_no_edit("color: auto\n", "never", WRIT_CONFIG_INVALID, "`version: 1`");
}

/* ---- the file ---- */

static void set(enum writ_setting_id id, const char *value, bool wanted_change)
{
    bool changed = !wanted_change;
    struct writ_error error;
    if (writ_settings_change(&places, id, value, &changed, &error) != 0)
        fail_msg("%s", error.message);
    assert_int_equal(changed, wanted_change);
}

static void the_file_is_made_for_its_owner(void **state)
{
    (void)state;
    struct writ_settings settings;
    struct writ_error error;
    struct stat status;
    assert_int_equal(writ_settings_load(&places, &settings, &error), 0); /* no folder yet */
    set(WRIT_SETTING_COLOR, NULL, false);
    assert_int_equal(stat(folders_path("config/config.yaml"), &status), -1);
    set(WRIT_SETTING_COLOR, "never", true);
    set(WRIT_SETTING_COLOR, "never", false);
    assert_int_equal(stat(folders_path("config/config.yaml"), &status), 0);
    assert_int_equal(status.st_mode & 07777, 0600);
    assert_int_equal(stat(folders_path("config"), &status), 0);
    assert_int_equal(status.st_mode & 07777, 0700);
    assert_int_equal(writ_settings_load(&places, &settings, &error), 0);
    assert_int_equal(settings.values[WRIT_SETTING_COLOR].number, WRIT_COLOR_NEVER);
    set(WRIT_SETTING_COLOR, NULL, true);
    assert_int_equal(writ_settings_load(&places, &settings, &error), 0);
    assert_int_equal(settings.values[WRIT_SETTING_COLOR].number, WRIT_COLOR_AUTO);
}

static void expect_refused_file(const char *part)
{
    struct writ_settings settings;
    struct writ_error error;
    bool changed = false;
    assert_int_equal(writ_settings_load(&places, &settings, &error), WRIT_CONFIG_INVALID);
    if (!strstr(error.message, part))
        fail_msg("lacks `%s`: %s", part, error.message);
    assert_int_equal(writ_settings_change(&places, WRIT_SETTING_COLOR, "auto", &changed, &error), WRIT_CONFIG_INVALID);
    assert_false(changed);
}

static void files_of_others_are_refused(void **state)
{
    (void)state;
    folders_write("config/config.yaml", "version: 1\n");
    folders_mode("config/config.yaml", 0666);
    expect_refused_file("can be written by others");
    folders_mode("config/config.yaml", 0644);
    folders_remove("config/config.yaml");
    folders_write("elsewhere", "version: 1\n");
    folders_link("config/config.yaml", folders_path("elsewhere"));
    expect_refused_file("is a symbolic link");
    folders_remove("config/config.yaml");
    folders_make("config/config.yaml");
    expect_refused_file("is not a regular file");
    folders_remove("config/config.yaml");
    assert_int_equal(mkfifo(folders_path("config/config.yaml"), 0600), 0);
    expect_refused_file("is not a regular file");
    folders_remove("config/config.yaml");
    char text[WRIT_SETTINGS_BYTES_MAX + 2];
    memset(text, '\n', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    folders_write("config/config.yaml", text);
    expect_refused_file("is larger than 64 KiB");
    folders_remove("config/config.yaml");
    if (geteuid() != 0)
        return;
    folders_write("config/config.yaml", "version: 1\n");
    assert_int_equal(chown(folders_path("config/config.yaml"), 4242, 4242), 0);
    expect_refused_file("belongs to another user");
    folders_remove("config/config.yaml");
}

/* Limits that a person has set must not be gone without a word. */
static void a_folder_that_is_none_or_open_to_others_is_refused(void **state)
{
    (void)state;
    struct writ_settings settings;
    struct writ_error error;
    folders_mode("config", 0777);
    assert_int_equal(writ_settings_load(&places, &settings, &error), WRIT_CONFIG_INVALID);
    assert_non_null(strstr(error.message, "can be written by others"));
    folders_mode("config", 0700);
    assert_int_equal(rename(folders_path("config"), folders_path("kept")), 0);
    folders_link("config", "nowhere");
    assert_int_equal(writ_settings_load(&places, &settings, &error), WRIT_CONFIG_INVALID);
    assert_non_null(strstr(error.message, "leads to none"));
    folders_remove("config");
    folders_write("config", "a file\n");
    assert_int_equal(writ_settings_load(&places, &settings, &error), WRIT_CONFIG_INVALID);
    folders_remove("config");
    assert_int_equal(writ_settings_load(&places, &settings, &error), 0);
    assert_int_equal(rename(folders_path("kept"), folders_path("config")), 0);
}

/* Each of several at once finds what the others wrote. */
static void changes_at_once_are_all_kept(void **state)
{
    (void)state;
    static const char *const values[WRIT_SETTING_COUNT] = {"7", "never", "never", "1GiB", "2m", "utc"};
    pid_t children[WRIT_SETTING_COUNT];
    for (size_t i = 0; i < WRIT_SETTING_COUNT; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] > 0)
            continue;
        bool changed;
        struct writ_error error;
        int result = 0;
        for (int round = 0; round < 5 && result == 0; round++) {
            result = writ_settings_change(&places, (enum writ_setting_id)i, NULL, &changed, &error);
            if (result == 0)
                result = writ_settings_change(&places, (enum writ_setting_id)i, values[i], &changed, &error);
        }
        _exit(result == 0 ? 0 : 1);
    }
    for (size_t i = 0; i < WRIT_SETTING_COUNT; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    struct writ_settings settings;
    struct writ_error error;
    assert_int_equal(writ_settings_load(&places, &settings, &error), 0);
    for (size_t i = 0; i < WRIT_SETTING_COUNT; i++)
        assert_string_equal(settings.values[i].text, values[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_good_values),
        cmocka_unit_test(values_have_types_and_bounds),
        cmocka_unit_test(names_have_neighbours),
        cmocka_unit_test(files_are_read),
        cmocka_unit_test(broken_files_are_told),
        cmocka_unit_test(one_line_changes),
        cmocka_unit_test(what_cannot_be_changed_is_left),
        cmocka_unit_test(the_file_is_made_for_its_owner),
        cmocka_unit_test(files_of_others_are_refused),
        cmocka_unit_test(changes_at_once_are_all_kept),
        cmocka_unit_test(a_folder_that_is_none_or_open_to_others_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, folders_tear_down);
}
