/* S4.10: the files of a skill's tests/ folder, each one test; what is wrong with one is said with its place. */
#include "base/descriptor.h"
#include "folders.h"
#include "skill/test_files.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static struct writ_test_files files;
static struct writ_error error;

static int load(void)
{
    WRIT_CLEANUP(writ_descriptor_close) int fd = folders_open("skill");
    struct writ_test_files loaded = {.count = 0};
    memset(&error, 0, sizeof error);
    int result = writ_test_files_load(fd, &loaded, &error);
    if (result == 0)
        files = loaded;
    else
        assert_null(loaded.tests);
    return result;
}

static int set_up(void **state)
{
    if (folders_set_up(state) != 0)
        return -1;
    folders_make("skill");
    return 0;
}

static int tear_down(void **state)
{
    writ_test_files_clear(&files);
    return folders_tear_down(state);
}

static void no_folder_and_an_empty_one_give_none(void **state)
{
    (void)state;
    assert_int_equal(load(), 0);
    assert_int_equal(files.count, 0);
    writ_test_files_clear(&files);
    folders_make("skill/tests");
    assert_int_equal(load(), 0);
    assert_int_equal(files.count, 0);
}

static void files_are_sorted_and_others_are_left_alone(void **state)
{
    (void)state;
    folders_write("skill/tests/b.yaml",
                  "input: {n: 1.50}\nexpected_output: {success: true, data: 2}\ntolerance: 0.5\n");
    folders_write("skill/tests/a.json", "{\"name\": \"given\", \"input\": \"\\ud83d\\ude00\", \"expected_error\": "
                                        "{\"class\": \"input:invalid\"}}");
    folders_write("skill/tests/c.yml", "not: a test");
    folders_write("skill/tests/.d.yaml", "not: a test");
    folders_write("skill/tests/.yaml", "not: a test");
    folders_write("skill/tests/data/e.yaml", "not: a test");
    folders_write("skill/tests/input.txt", "not a test");
    assert_int_equal(load(), 0);
    assert_int_equal(files.count, 2);
    assert_string_equal(files.tests[0].name, "given");
    assert_string_equal(files.tests[0].input->text, "\xF0\x9F\x98\x80");
    assert_string_equal(files.tests[0].expected_class, "input:invalid");
    assert_string_equal(files.tests[1].name, "tests/b.yaml");
    assert_int_equal(files.tests[1].line, 1);
    assert_true(files.tests[1].tolerance > 0.49 && files.tests[1].tolerance < 0.51);
    const struct writ_json *number = writ_json_get(files.tests[1].input, "n");
    assert_memory_equal(number->text, "1.50", number->length);
}

static void faults_are_told_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *file, *text, *says;
        unsigned line, column;
    } rows[] = {
        {"t.yaml", "input: 1\nexpected_ouput: {}\n", "expected_ouput: is not a field here", 2, 1},
        {"t.yaml", "name: a\n", "input: is missing", 1, 1},
        {"t.yaml", "- input: 1\n", "must be a map of fields, but is a list", 1, 1},
        {"t.yaml", "input: 1\nname: 5\n", "name: must be a text", 2, 7},
        {"t.yaml", "input: 1\nignore: [data]\n", "ignore[0]: must be a JSON pointer", 2, 10},
        {"t.yaml", "input: 1\ntolerance: -1\n", "tolerance: must be a number", 2, 12},
        {"t.yaml", "input: 1\nexpected_error: input:invald\n", "did you mean `input:invalid`", 2, 17},
        {"t.yaml", "input: 1\nexpected_output: {}\nexpected_error: input:invalid\n", "remove one", 2, 18},
        {"t.yaml", "input: [1\n", "to go on with or end the list", 2, 1},
        {"t.yaml", "", "the document is empty", 1, 1},
        {"t.yaml", "input: 1\ninput: 2\n", "occurs twice", 2, 1},
        {"t.json", "{\"input\": 1,}", "remove the comma", 1, 13},
        {"t.json", "{\"input\": 1, \"name\": []}", "name: must be a text", 0, 0},
        {"t.json", "{\"input\": 1, \"input\": 2}", "occurs twice", 1, 14},
        {"t.json", "\"\\ud83d\"", "half of a surrogate pair", 1, 2},
    };
    for (size_t i = 0; i < WRIT_COUNT(rows); i++) {
        char path[64];
        (void)snprintf(path, sizeof path, "skill/tests/%s", rows[i].file);
        folders_write(path, rows[i].text);
        int result = load();
        if (result != WRIT_CONTRACT_INVALID || !strstr(error.message, rows[i].says) || error.line != rows[i].line ||
            error.column != rows[i].column || strcmp(error.subject, path + strlen("skill/")) != 0)
            fail_msg("%s: %d %s:%u:%u: %s", rows[i].text, result, error.subject, error.line, error.column,
                     error.message);
        folders_remove(path);
    }
}

static void only_files_themselves_are_read(void **state)
{
    (void)state;
    folders_make("skill/tests");
    folders_write("skill/real.yaml", "input: 1\n");
    folders_link("skill/tests/a.yaml", "../real.yaml");
    assert_int_equal(load(), WRIT_INTERNAL_IO);
    folders_remove("skill/tests/a.yaml");
    assert_int_equal(mkfifo(folders_path("skill/tests/a.yaml"), 0600), 0);
    assert_int_equal(load(), WRIT_INTERNAL_IO); /* and does not wait for a writer */
    folders_remove("skill/tests/a.yaml");
    folders_make("skill/tests/a.yaml");
    assert_int_equal(load(), WRIT_INTERNAL_IO);
    folders_remove("skill/tests/a.yaml");
    folders_remove("skill/tests");
    folders_write("elsewhere/a.yaml", "input: 1\n");
    folders_link("skill/tests", "../elsewhere");
    assert_int_equal(load(), WRIT_INTERNAL_IO);
    folders_remove("skill/tests");
    folders_write("skill/tests", "");
    assert_int_equal(load(), WRIT_INTERNAL_IO);
}

static void sizes_are_bounded(void **state)
{
    (void)state;
    size_t size = ((size_t)4 << 20) + 1;
    char *text = malloc(size + 1);
    assert_non_null(text);
    memset(text, ' ', size);
    text[size] = '\0';
    folders_write("skill/tests/a.json", text);
    free(text);
    assert_int_equal(load(), WRIT_INTERNAL_LIMIT);
    folders_remove("skill/tests/a.json");
    for (unsigned i = 0; i < WRIT_TEST_FILES_MAX; i++) {
        char path[64];
        (void)snprintf(path, sizeof path, "skill/tests/%04u.json", i);
        folders_write(path, "{\"input\": 1}");
    }
    assert_int_equal(load(), 0);
    assert_int_equal(files.count, WRIT_TEST_FILES_MAX);
    assert_string_equal(files.tests[999].name, "tests/0999.json");
    folders_write("skill/tests/one-more.yaml", "input: 1\n");
    assert_int_equal(load(), WRIT_INTERNAL_LIMIT);
    assert_non_null(strstr(error.message, "1000"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(no_folder_and_an_empty_one_give_none),
        TEST(files_are_sorted_and_others_are_left_alone),
        TEST(faults_are_told_with_their_place),
        TEST(only_files_themselves_are_read),
        TEST(sizes_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
