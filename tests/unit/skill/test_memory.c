/* Every allocation fails in its turn: an error and nothing lost, never a crash or a half-made answer. */
#include "failing_memory.h"
#include "folders.h"
#include "skill/lint.h"
#include "skill/scaffold.h"
#include "skill/settings.h"
#include "skill/test_files.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ID "com.example.a"

static const char sound[] =
    "id: com.example.a\nname: A\ndescription: Returns the number of lines of a text.\nversion: 1.0.0\n"
    "tags: [a, b]\ntoolset: text\naction: read\n"
    "input: {type: object, properties: {file: {type: string, pattern: '^[a-z]+$'}, n: {type: integer, default: 3}}}\n"
    "output: {type: object, required: [success, data], properties: {success: {type: boolean}, data: {}}}\n"
    "permissions: ['filesystem:read:${{ .input.file }}/x', 'binary:run:git']\n"
    "runtime: [python:3.11, timeout:30s, memory:512MB]\n"
    "dependencies: {binaries: {git: 2.25}, skills: [com.example.b@^1.0],\n"
    "  apis: [{id: x, endpoint: 'https://api.example.com', rate_limit: 60r/m}], filesystem: [.git]}\n"
    "expose: {http: {POST /a: {auth: api_key}}}\n"
    "test: [{input: {file: a}, expected_output: {success: true, data: 1}}, {input: 7, expected_error: "
    "input:invalid}]\n";

static const char faulty[] = "id: A\nnmae: A\nversion: 1\ninput: {type: strnig}\noutput: {}\npermissions: [a, b, c]\n"
                             "runtime: [pyhton:3, timeout:never]\ntest: {input: 1, expected_error: x}\n";

/* Runs `step` with every allocation failing in turn until it ends as it does with memory. */
static void in_turn(int (*step)(void), int with_memory)
{
    assert_int_equal(step(), with_memory);
    for (long n = 0; n < 100000; n++) {
        memory_fail((unsigned)n + 1, MEMORY_FAILS_FROM_THERE);
        int result = step();
        bool reached = memory_failed();
        memory_suffice();
        if (!reached && result == with_memory) {
            print_message("%ld allocations\n", n);
            return;
        }
        if (result == 0 && with_memory != 0)
            fail_msg("succeeded without memory");
    }
    fail_msg("never ends");
}

static int parse(const char *text)
{
    struct writ_contract *contract = NULL;
    struct writ_contract_faults faults;
    struct writ_error error = {0};
    writ_contract_faults_init(&faults);
    int result = writ_contract_parse(text, strlen(text), "skill.yaml", NULL, &contract, &faults, &error);
    if (result != error.code || (result == 0) != (contract != NULL))
        abort();
    if (result != 0 && result != WRIT_CONTRACT_INVALID && result != WRIT_INTERNAL_MEMORY)
        abort();
    writ_contract_free(contract);
    writ_contract_faults_clear(&faults);
    return result;
}

static int parse_sound(void)
{
    return parse(sound);
}

static int parse_faulty(void)
{
    return parse(faulty);
}

static void contracts(void **state)
{
    (void)state;
    in_turn(parse_sound, 0);
    in_turn(parse_faulty, WRIT_CONTRACT_INVALID);
}

static struct writ_places places;
static struct writ_catalog_options options = {.places = &places};
static char home[128], config[128], shipped[128], working[128];

static int set_up(void **state)
{
    if (folders_set_up(state) != 0)
        return -1;
    (void)snprintf(home, sizeof home, "%s/home", folders_root);
    (void)snprintf(config, sizeof config, "%s/home/.config/writ", folders_root);
    (void)snprintf(shipped, sizeof shipped, "%s/shipped", folders_root);
    (void)snprintf(working, sizeof working, "%s/home/project", folders_root);
    places =
        (struct writ_places){.home = home, .config = config, .data = config, .shipped = shipped, .working = working};
    folders_make("home/project/.git");
    folders_skill("shipped/" ID, ID, "1.0.0");
    folders_skill("home/project/.writ/skills/" ID, ID, "1.0.0");
    folders_skill("home/.config/writ/skills/com.example.b", "com.example.b", "1.0.0");
    folders_write("home/.config/writ/trust.json", "{\"version\":1,\"folders\":[{\"path\":\"/x\"}]}");
    return 0;
}

static int find(void)
{
    struct writ_skill *skill = NULL;
    struct writ_error error;
    int result = writ_catalog_find(&options, ID, NULL, &skill, &error);
    if (result == 0 && (!skill || !skill->contract))
        abort();
    writ_skill_free(skill);
    return result;
}

static int find_nothing(void)
{
    struct writ_skill *skill = NULL;
    struct writ_error error;
    int result = writ_catalog_find(&options, "com.example.c", NULL, &skill, &error);
    writ_skill_free(skill);
    return result;
}

static int list(void)
{
    struct writ_catalog catalog = {0};
    struct writ_error error;
    int result = writ_catalog_list(&options, &catalog, &error);
    if (result == 0 && catalog.count != 3)
        result = WRIT_INTERNAL_MEMORY; /* an entry says itself that it could not be read */
    writ_catalog_clear(&catalog);
    return result;
}

static int digest(void)
{
    unsigned char bytes[32];
    struct writ_error error;
    int fd = folders_open("shipped/" ID);
    int result = writ_skill_digest_cached(fd, folders_path("cache"), NULL, bytes, &error);
    (void)close(fd);
    return result;
}

static int load_test_files(void)
{
    struct writ_test_files files = {.count = 0};
    struct writ_error error;
    int fd = folders_open("tested");
    int result = writ_test_files_load(fd, &files, &error);
    if (result == 0 && files.count != 2)
        abort();
    writ_test_files_clear(&files);
    (void)close(fd);
    return result;
}

static void test_files(void **state)
{
    (void)state;
    folders_write("tested/tests/a.yaml", "input: {n: 1.5}\nexpected_output: {success: true, data: [1, 2]}\n");
    folders_write("tested/tests/b.json", "{\"name\": \"b\", \"input\": 1, \"expected_error\": \"input:invalid\"}");
    in_turn(load_test_files, 0);
    folders_write("tested/tests/c.yaml", "inptu: 1\n");
    in_turn(load_test_files, WRIT_CONTRACT_INVALID);
}

static int trust(void)
{
    bool changed;
    struct writ_error error;
    int result = writ_trust_change(&places, working, true, &changed, &error);
    if (result == 0 && !changed)
        return -1;
    if (result == 0 && (writ_trust_change(&places, working, false, &changed, &error) != 0 || !changed))
        result = -1;
    return result;
}

/* A file with one fault that setting the value mends, and what changing it leaves. */
static int settings(void)
{
    static const char text[] = "# mine\nversion: 1\ncolor: blue # why\nrun.timeout-max: 2m\n";
    struct writ_settings read;
    struct writ_buffer out;
    struct writ_error error;
    writ_buffer_init(&out, WRIT_SETTINGS_BYTES_MAX);
    int result = writ_settings_edit(text, strlen(text), "config.yaml", WRIT_SETTING_COLOR, "never", &out, &error);
    if (result == 0)
        result = writ_settings_parse(writ_buffer_text(&out), out.length, "config.yaml", &read, &error);
    if (result == 0 && strcmp(read.values[WRIT_SETTING_COLOR].text, "never") != 0)
        abort();
    writ_buffer_clear(&out);
    return result;
}

static int change_settings(void)
{
    struct writ_settings read;
    struct writ_error error;
    bool changed;
    int result = writ_settings_change(&places, WRIT_SETTING_PROGRESS, "never", &changed, &error);
    if (result == 0)
        result = writ_settings_load(&places, &read, &error);
    if (result == 0 && read.values[WRIT_SETTING_PROGRESS].number != WRIT_PROGRESS_NEVER)
        abort();
    return result;
}

static void settings_are_whole(void **state)
{
    (void)state;
    in_turn(settings, 0);
    in_turn(change_settings, 0);
}

static int lint(void)
{
    struct writ_skill *skill = NULL;
    struct writ_lint_report report = {0};
    struct writ_error error;
    int result = writ_catalog_open_folder(folders_path("shipped/" ID), &skill, &error);
    if (result == 0)
        result = writ_lint_skill(skill, &report, &error);
    if (result == 0 && report.error_count > 0)
        abort();
    writ_lint_report_clear(&report);
    writ_skill_free(skill);
    return result;
}

/* In its turn each fault of this contract is mended, and a test is made for it. */
static const char slips[] = "id: com.example.c\r\nnmae: A\ndescription: Counts: the lines of a text.\nversion: 1.0\n"
                            "input: {properties: {file: {type: str, description: F., example: a}}, requird: [file]}\n"
                            "output: {type: object, required: [success, data], properties: {success: {type: boolean}, "
                            "data: {}}}\nruntime: {language: native}\ndependencies: {binaries: [git]}\n";

static int mend(void)
{
    struct writ_skill *skill = NULL;
    struct writ_lint_report report = {0};
    struct writ_lint_fixes fixes = {0};
    struct writ_error error;
    int result = writ_catalog_open_folder(folders_path("com.example.c"), &skill, &error);
    if (skill && result == WRIT_CONTRACT_INVALID)
        result = writ_lint_fix(skill, true, &fixes, &report, &error);
    if (result == 0 && (report.stage != WRIT_LINT_JUDGED || fixes.count < 6 || !fixes.makes_executable))
        abort();
    writ_lint_fixes_clear(&fixes);
    writ_lint_report_clear(&report);
    writ_skill_free(skill);
    return result;
}

static int scaffold(void)
{
    const struct writ_scaffold_wish wish = {
        .language = "python", .folder_name = "line-counter", .description = "Counts the lines of a text file."};
    struct writ_scaffold made = {.file_count = 0};
    struct writ_error error;
    int result = writ_scaffold_fill(&wish, &made, &error);
    writ_scaffold_clear(&made);
    return result;
}

static void scaffolding(void **state)
{
    (void)state;
    in_turn(scaffold, 0);
}

static void mending(void **state)
{
    (void)state;
    folders_write("com.example.c/skill.yaml", slips);
    folders_write("com.example.c/main", "");
    in_turn(mend, 0);
}

static void folders(void **state)
{
    (void)state;
    in_turn(find, 0);
    in_turn(find_nothing, WRIT_SKILL_NOT_FOUND);
    in_turn(list, 0);
    in_turn(digest, 0);
    in_turn(lint, 0);
}

/* What was trusted stays so, whatever fails. */
static void trust_is_not_lost(void **state)
{
    (void)state;
    bool trusted = false;
    struct writ_error error;
    for (long n = 0; n < 64; n++) {
        memory_fail((unsigned)n + 1, MEMORY_FAILS_FROM_THERE);
        (void)trust();
        memory_suffice();
        trusted = false;
        assert_int_equal(writ_trust_has(&places, "/x/y", &trusted, &error), 0);
        assert_true(trusted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contracts),
        cmocka_unit_test_setup_teardown(folders, set_up, folders_tear_down),
        cmocka_unit_test(scaffolding),
        cmocka_unit_test_setup_teardown(mending, folders_set_up, folders_tear_down),
        cmocka_unit_test_setup_teardown(settings_are_whole, set_up, folders_tear_down),
        cmocka_unit_test_setup_teardown(test_files, set_up, folders_tear_down),
        cmocka_unit_test_setup_teardown(trust_is_not_lost, set_up, folders_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
