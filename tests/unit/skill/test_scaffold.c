/* S4.1, C3: the files of a new skill, and the names that it gets. */
#include "skill/lint.h"
#include "skill/scaffold.h"
#include "support.h"

#include <string.h>

static const struct writ_scaffold_file *file_of(const struct writ_scaffold *scaffold, const char *path)
{
    for (size_t i = 0; i < scaffold->file_count; i++)
        if (strcmp(scaffold->files[i].path, path) == 0)
            return &scaffold->files[i];
    fail_msg("there is no %s", path);
    abort();
}

static void filled(const struct writ_scaffold_wish *wish, struct writ_scaffold *scaffold)
{
    struct writ_error error;
    if (writ_scaffold_fill(wish, scaffold, &error) != 0)
        fail_msg("%s", error.message);
}

static void refused(const struct writ_scaffold_wish *wish, const char *part)
{
    struct writ_scaffold scaffold = {.file_count = 77};
    struct writ_error error;
    assert_int_equal(writ_scaffold_fill(wish, &scaffold, &error), WRIT_USAGE);
    assert_int_equal(scaffold.file_count, 77);
    if (!strstr(error.message, part))
        fail_msg("`%s` is not in: %s", part, error.message);
}

static void every_language_has_its_program(void **state)
{
    static const char *const programs[] = {"main.py", "main.js", "main.sh", "main.c"};
    const char *name, *title;
    size_t count = 0;
    (void)state;
    for (; writ_scaffold_language(count, &name, &title); count++) {
        struct writ_scaffold scaffold;
        filled(&(struct writ_scaffold_wish){.language = name, .folder_name = "a-skill"}, &scaffold);
        assert_string_equal(scaffold.language, name);
        assert_string_equal(scaffold.program, programs[count]);
        assert_string_not_equal(name, title);
        assert_int_equal(file_of(&scaffold, scaffold.program)->executable, strcmp(name, "c") != 0);
        static const char *const common[] = {"README.md", "SKILL.md", "skill.yaml", "tests/sample.yaml",
                                             "tests/sample.txt"};
        for (size_t i = 0; i < WRIT_COUNT(common); i++)
            assert_true(file_of(&scaffold, common[i])->length == strlen(file_of(&scaffold, common[i])->text));
        writ_scaffold_clear(&scaffold);
    }
    assert_int_equal(count, WRIT_COUNT(programs));
}

/* What is filled in reads as what was wished for, whatever YAML would have made of it. */
static void fields_come_through(void **state)
{
    static const char *const descriptions[] = {
        "Counts: lines #and words",     "\"Quoted\" lines and words",
        "'Counts' the words & <lines>", "@id@ counts all lines",
        "统计一个文本文件的行数和词数", "null lines and words counted",
        "- counts the lines of words",  "Counts lines\nand\twords\r\n of files",
    };
    (void)state;
    for (size_t i = 0; i < WRIT_COUNT(descriptions); i++) {
        struct writ_scaffold scaffold;
        filled(&(struct writ_scaffold_wish){.language = "sh",
                                            .folder_name = "a",
                                            .description = descriptions[i],
                                            .author = "yes",
                                            .license = "A: [b]"},
               &scaffold);
        const struct writ_scaffold_file *file = file_of(&scaffold, "skill.yaml");
        struct writ_contract *contract;
        struct writ_contract_faults faults;
        struct writ_error error;
        writ_contract_faults_init(&faults);
        assert_int_equal(writ_contract_parse(file->text, file->length, "skill.yaml", NULL, &contract, &faults, &error),
                         0);
        char wanted[256];
        (void)snprintf(wanted, sizeof wanted, "%s", descriptions[i]);
        for (char *at = wanted; *at; at++)
            *at = strchr("\n\t\r", *at) ? ' ' : *at;
        assert_string_equal(contract->description, wanted);
        assert_string_equal(contract->author, "yes");
        assert_string_equal(contract->license, "A: [b]");
        assert_null(strstr(file_of(&scaffold, "SKILL.md")->text, "@text"));
        writ_contract_free(contract);
        writ_contract_faults_clear(&faults);
        writ_scaffold_clear(&scaffold);
    }
}

static void names_and_ids(void **state)
{
    static const struct {
        const char *folder, *wish, *id, *name, *title;
        bool made_up;
    } rows[] = {
        {"my-skill", NULL, "com.example.my-skill", "my-skill", "My skill", true},
        {"my-skill", "org.acme.other", "org.acme.other", "my-skill", "My skill", false},
        {"com.acme.file.text-count", NULL, "com.acme.file.text-count", "file-text-count", "File text count", false},
        {"acme.count", "acme.count", "acme.count", "count", "Count", false},
        {"3d", NULL, "com.example.3d", "3d", "3d", true},
    };
    (void)state;
    for (size_t i = 0; i < WRIT_COUNT(rows); i++) {
        struct writ_scaffold scaffold;
        filled(&(struct writ_scaffold_wish){.language = "c", .folder_name = rows[i].folder, .id = rows[i].wish},
               &scaffold);
        assert_string_equal(scaffold.id, rows[i].id);
        assert_string_equal(scaffold.name, rows[i].name);
        assert_string_equal(scaffold.title, rows[i].title);
        assert_int_equal(scaffold.id_is_made_up, rows[i].made_up);
        writ_scaffold_clear(&scaffold);
    }
}

static void what_cannot_be_made(void **state)
{
    char long_name[80] = "";
    memset(long_name, 'a', sizeof long_name - 1);
    (void)state;
    refused(&(struct writ_scaffold_wish){.language = "perl", .folder_name = "a"}, "python, node, sh or c");
    refused(&(struct writ_scaffold_wish){.language = "c", .folder_name = "A b"}, "call it `a-b`");
    refused(&(struct writ_scaffold_wish){.language = "c", .folder_name = "--"}, "call it `my-skill`");
    refused(&(struct writ_scaffold_wish){.language = "c", .folder_name = "a--b"}, "call it `a-b`");
    refused(&(struct writ_scaffold_wish){.language = "c", .folder_name = long_name}, "at most 64");
    refused(&(struct writ_scaffold_wish){.language = "c", .folder_name = "a", .id = "a"}, "--id `a`");
    refused(&(struct writ_scaffold_wish){.language = "c", .folder_name = "a.b", .id = "a.c"}, "bears the id `a.b`");
    refused(&(struct writ_scaffold_wish){.language = "c", .folder_name = "a", .description = "Does things."},
            "--description says too little");
    refused(&(struct writ_scaffold_wish){.language = "c", .folder_name = "a", .author = "a\x1b[1m"},
            "control character");
    refused(&(struct writ_scaffold_wish){.language = "c", .folder_name = "a", .author = "a\xe2\x80\xae"},
            "control character");
    refused(&(struct writ_scaffold_wish){.language = "c", .folder_name = "a", .author = "\xc3"}, "not UTF-8");
    refused(&(struct writ_scaffold_wish){.language = "c", .folder_name = "a", .license = " \n"}, "--license is empty");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_language_has_its_program),
        cmocka_unit_test(fields_come_through),
        cmocka_unit_test(names_and_ids),
        cmocka_unit_test(what_cannot_be_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
