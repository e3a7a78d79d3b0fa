/* Fixes: what each makes of a contract, that all else stays byte for byte, what is left to a person, and the writing.
 */
#include "folders.h"
#include "skill/lint.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char sound[] = "# A skill.\n"
                            "id: com.example.a\n"
                            "name: Line counter\n"
                            "description: Returns the number of lines, words and bytes of a text.\n"
                            "version: 1.0.0 # the first\n"
                            "author: The writ project\n"
                            "license: MIT\n"
                            "tags: [text]\n"
                            "input:\n"
                            "  type: object\n"
                            "  additionalProperties: false\n"
                            "  required: [text]\n"
                            "  properties:\n"
                            "    # The one input.\n"
                            "    text: {type: string, description: What is counted., example: one two}\n"
                            "output:\n"
                            "  type: object\n"
                            "  required: [success, data]\n"
                            "  properties:\n"
                            "    success: {type: boolean}\n"
                            "    data: {type: object}\n"
                            "    error: {type: string}\n"
                            "permissions: [binary:run:git]\n"
                            "\n"
                            "# How it runs.\n"
                            "runtime:\n"
                            "  language: sh\n"
                            "dependencies:\n"
                            "  binaries:\n"
                            "    - git\n"
                            "test:\n"
                            "  - input: {text: a}\n"
                            "    expected_error: program:reported\n";

static struct writ_lint_fixes fixes;
static struct writ_lint_report report;

static int tear_down(void **state)
{
    writ_lint_fixes_clear(&fixes);
    writ_lint_report_clear(&report);
    return folders_tear_down(state);
}

/* The sound contract with one part replaced, in one of two places. */
static const char *with(const char *old, const char *new, unsigned place)
{
    static char texts[2][4096];
    const char *part = strstr(sound, old);
    assert_non_null(part);
    (void)snprintf(texts[place], sizeof texts[place], "%.*s%s%s", (int)(part - sound), sound, new, part + strlen(old));
    return texts[place];
}

static struct writ_skill *open_skill(void)
{
    struct writ_skill *skill = NULL;
    struct writ_error error;
    int result = writ_catalog_open_folder(folders_path("com.example.a"), &skill, &error);
    assert_true(result == 0 || result == WRIT_CONTRACT_INVALID);
    return skill;
}

static void fix(const char *text, bool with_unsafe)
{
    struct writ_error error;
    folders_write("com.example.a/skill.yaml", text);
    folders_write("com.example.a/main.sh", "");
    writ_lint_fixes_clear(&fixes);
    writ_lint_report_clear(&report);
    struct writ_skill *skill = open_skill();
    assert_int_equal(writ_lint_fix(skill, with_unsafe, &fixes, &report, &error), 0);
    writ_skill_free(skill);
    assert_int_equal(fixes.before_length, strlen(text));
    assert_string_equal(fixes.before, text);
}

static void gives(const char *text, bool with_unsafe, const char *expected)
{
    fix(text, with_unsafe);
    assert_string_equal(fixes.after, expected);
    assert_int_equal(fixes.after_length, strlen(expected));
}

struct slip {
    const char *part, *slip; /* of the sound contract, and what stands there instead */
    const char *mended;      /* NULL: as it was */
};

/* Each slip is mended, and nothing is left to find but what was there before. */
static void mends_each(const struct slip *slips, size_t count, bool with_unsafe)
{
    for (size_t i = 0; i < count; i++) {
        const char *mended = slips[i].mended ? slips[i].mended : slips[i].part;
        gives(with(slips[i].part, slips[i].slip, 0), with_unsafe, with(slips[i].part, mended, 1));
        if (fixes.count == 0 || report.error_count > 0)
            fail_msg("`%s`: %zu fixes, %zu errors", slips[i].slip, fixes.count, report.error_count);
    }
}

static void a_sound_contract_is_left_alone(void **state)
{
    (void)state;
    gives(sound, true, sound);
    assert_int_equal(fixes.count, 0);
    assert_int_equal(report.count, 0);
}

static void slips_of_the_pen_are_mended(void **state)
{
    (void)state;
    static const struct slip slips[] = {
        {"description:", "descripton:", NULL},
        {"license:", "License:", NULL},
        {"permissions:", "permisions:", NULL},
        {"language:", "\"langauge\":", "\"language\":"},
        {"expected_error:", "expected_eror:", NULL},
        {"version: 1.0.0", "version: 1.0", NULL},
        {"version: 1.0.0", "version: 1", NULL},
        {"version: 1.0.0", "version: v1.0.0", NULL},
        {"version: 1.0.0", "version: '1.0'", NULL},
        {"name: Line counter", "name: 3.10", "name: \"3.10\""},
        {"name: Line counter", "name: true", "name: \"true\""},
        {"tags: [text]", "tags: text", NULL},
        {"permissions: [binary:run:git]", "permissions: binary:run:git", NULL},
        {"language: sh", "language: hs", "language: hs"},
        {"id: com.example.a", "id: Com.Example.a", NULL},
        {"expected_error: program:reported", "expected_error: program:reportd", NULL},
        {"additionalProperties: false", "additionalProperties: no", NULL},
        {"additionalProperties: false", "additionalProperties: 'False'", NULL},
        {"{type: boolean}", "{type: bool}", NULL},
        {"{type: string, description", "{type: str, description", NULL},
        {"{type: string, description", "{type: strnig, description", NULL},
        {"  type: object\n  additional", "  additional", "  additional"},
    };
    for (size_t i = 0; i < WRIT_COUNT(slips); i++)
        if (slips[i].mended && strcmp(slips[i].mended, slips[i].slip) == 0) {
            fix(with(slips[i].part, slips[i].slip, 0), false); /* seen to below */
        } else {
            mends_each(&slips[i], 1, false);
        }
    /* A type goes before the properties, wherever it stood. */
    gives(with("  type: object\n  additional", "  additional", 0), false,
          with("  type: object\n  additionalProperties: false\n  required: [text]\n",
               "  additionalProperties: false\n  required: [text]\n  type: object\n", 1));
    gives(with("  required: [success, data]\n", "", 0), false, sound);
    gives(with("permissions: [binary:run:git]", "permissions:", 0), false,
          with("permissions: [binary:run:git]", "permissions: []", 1));
    gives(with("[binary:run:git]", "[binary:run:git, 'binary:run:git']", 0), false, sound);
    gives(with("language: sh", "language: pyhton", 0), false, with("language: sh", "language: python", 1));
}

static void what_is_no_yaml_gets_quotation_marks(void **state)
{
    (void)state;
    static const struct slip slips[] = {
        {"description: Returns the number of lines, words and bytes of a text.",
         "description: Counts: it's lines # yes", "description: 'Counts: it''s lines' # yes"},
        {"author: The writ project", "author: @writ", "author: '@writ'"},
        {"author: The writ project", "author: `writ`", "author: '`writ`'"},
        {"author: The writ project", "author: 100%: writ", "author: '100%: writ'"},
        {"[binary:run:git]", "[binary:run:git, filesystem:read:${{ .input.text }}]",
         "[binary:run:git, 'filesystem:read:${{ .input.text }}']"},
        {"[binary:run:git]", "[filesystem:read:${{ .input.text }}/${{ .input.text }}, binary:run:git ]",
         "['filesystem:read:${{ .input.text }}/${{ .input.text }}', binary:run:git ]"},
        /* A comment is left alone, and what stands before it is mended. */
        {"author: The writ project", "author: @writ # ${{ .input.text }}", "author: '@writ' # ${{ .input.text }}"},
        {"author: The writ project", "author: @writ #, ${{ .input.text }}", "author: '@writ' #, ${{ .input.text }}"},
        /* Two in one list; and what stands behind a list that has ended is no item of it. */
        {"[binary:run:git]", "[binary:run:git, filesystem:read:${{ .input.a }}, filesystem:read:${{ .input.b }} ]",
         "[binary:run:git, 'filesystem:read:${{ .input.a }}', 'filesystem:read:${{ .input.b }}' ]"},
        {"[binary:run:git]", "[a ${{ .input.a }}] ${{ .input.b }}", "[a ${{ .input.a }}] ${{ .input.b }}"},
        {"[binary:run:git]", "[a ${{ .input.a }}, b] ${{ .input.b }}", "[a ${{ .input.a }}, b] ${{ .input.b }}"},
        {"  binaries:\n", "  apis:\n    - {id: a, endpoint: 'https://a.example.com', errors: {a: b}}\n  binaries:\n",
         "  apis:\n    - {id: a, endpoint: 'https://a.example.com', errors: {a: b}}\n  binaries:\n"},
        {"  binaries:\n",
         "  apis:\n    - id: a\n      endpoint: https://a.example.com\n      errors:\n        404: none\n  binaries:\n",
         "  apis:\n    - id: a\n      endpoint: https://a.example.com\n      errors:\n        '404': none\n  "
         "binaries:\n"},
    };
    for (size_t i = 0; i < WRIT_COUNT(slips); i++)
        gives(with(slips[i].part, slips[i].slip, 0), false, with(slips[i].part, slips[i].mended, 1));
    /* Several, one after the other. */
    gives(with("name: Line counter\ndescription: Returns the", "name: @a\ndescription: Counts: the", 0), false,
          with("name: Line counter\ndescription: Returns the number of lines, words and bytes of a text.",
               "name: '@a'\ndescription: 'Counts: the number of lines, words and bytes of a text.'", 1));
    /* A value that goes on, and one that may be an alias, are left to a person. */
    static const char *const left[] = {"author: The: writ\n  project", "author: *writ", "author: &writ project",
                                       "author: !writ project",        "author: [a",    "author: 'a"};
    for (size_t i = 0; i < WRIT_COUNT(left); i++) {
        const char *text = with("author: The writ project", left[i], 0);
        gives(text, true, text);
        assert_int_equal(report.stage, WRIT_LINT_UNREADABLE);
    }
}

static void lint_mends_its_own_findings(void **state)
{
    (void)state;
    static const struct slip slips[] = {
        {"permissions: [binary:run:git]\n\n# How it runs.\nruntime:\n  language: sh\ndependencies:\n  binaries:\n    - "
         "git\n",
         "\n# How it runs.\nruntime:\n  language: sh\n",
         "\npermissions: []\n# How it runs.\nruntime:\n  language: sh\n"},
        {"  additionalProperties: false\n", "  additionalProperties: false\n  titel: A\n",
         "  additionalProperties: false\n  title: A\n"},
        {"required: [text]", "required: [txet]", "required: [txet]"},
        {"required: [text]", "required: [texts]", NULL},
        {"[binary:run:git]", "[binary:run:git, binary:run:sed]", "[binary:run:git, binary:run:sed]"},
    };
    mends_each(slips, 2, false);
    mends_each(slips + 3, 1, false);
    gives(with("[binary:run:git]", "[binary:run:git, binary:run:sed]", 0), false,
          with("[binary:run:git]\n\n# How it runs.\nruntime:\n  language: sh\ndependencies:\n  binaries:\n    - git\n",
               "[binary:run:git, binary:run:sed]\n\n# How it runs.\nruntime:\n  language: sh\ndependencies:\n"
               "  binaries:\n    - git\n    - sed\n",
               1));
    char text[4096] = "\xEF\xBB\xBF";
    size_t length = 3;
    for (const char *c = sound; *c; c++) {
        if (*c == '\n')
            text[length++] = '\r';
        text[length++] = *c;
    }
    text[length] = '\0';
    gives(text, false, sound);
    assert_int_equal(fixes.count, 2);
    assert_int_equal(report.count, 0);
}

/* What gives more than what is written, and what may not be meant, only when it is asked for. */
static void unsafe_fixes_are_made_when_they_are_asked_for(void **state)
{
    (void)state;
    static const struct slip slips[] = {
        {"[binary:run:git]", "[]", "[binary:run:git]"},
        {"[binary:run:git]", "\n  - binary:run: git", "\n  - binary:run:git"},
        {"[binary:run:git]", "[binary:rnu:git]", NULL},
        {"[binary:run:git]", "[binary:git]", NULL},
        {"[binary:run:git]", "['binary:run: git ']", "['binary:run:git']"},
        {"[binary:run:git]", "[netwrok:https://a.example.com, binary:run:git]",
         "[network:https://a.example.com, binary:run:git]"},
        {"[binary:run:git]", "[binary:run:git, 'filesystem:read:a/${{ .input.texts }}/b']",
         "[binary:run:git, 'filesystem:read:a/${{ .input.text }}/b']"},
        {"  binaries:\n", "  apis: [{id: a, endpoint: 'https://a.example.com/v1'}]\n  binaries:\n",
         "  apis: [{id: a, endpoint: 'https://a.example.com/v1'}]\n  binaries:\n"},
        {"  additionalProperties: false\n", "", ""},
        {"    error: {type: string}\n", "", "    error: {type: string, description: Why it failed.}\n"},
        {"test:\n  - input: {text: a}\n    expected_error: program:reported\n", "",
         "test: {name: the example, input: {\"text\":\"one two\"}}\n"},
        {"id: com.example.a", "id: com.example.b", "id: com.example.a"},
    };
    for (size_t i = 0; i < WRIT_COUNT(slips); i++) {
        const char *text = with(slips[i].part, slips[i].slip, 0);
        gives(text, false, text);
        assert_int_equal(fixes.count, 0);
        assert_true(report.count > 0);
        fix(text, true);
        assert_int_equal(fixes.count, 1);
        assert_true(fixes.items[0].is_unsafe);
        const char *mended = slips[i].mended ? slips[i].mended : slips[i].part;
        if (strcmp(slips[i].slip, mended) != 0)
            assert_string_equal(fixes.after, with(slips[i].part, mended, 1));
    }
    gives(with("  additionalProperties: false\n  required: [text]\n", "  required: [text]\n", 0), true,
          with("  additionalProperties: false\n  required: [text]\n",
               "  required: [text]\n  additionalProperties: false\n", 1));
    fix(with("  binaries:\n", "  filesystem: [/usr/share/dict/words]\n  binaries:\n", 0), true);
    assert_non_null(strstr(fixes.after, "permissions: [binary:run:git, filesystem:read:/usr/share/dict/words]"));
    fix(with("  binaries:\n", "  apis: [{id: a, endpoint: 'https://a.example.com/v1'}]\n  binaries:\n", 0), true);
    assert_non_null(strstr(fixes.after, "permissions: [binary:run:git, network:https://a.example.com]"));
}

static void a_fix_that_brings_another_finding_is_not_kept(void **state)
{
    (void)state;
    /* With its name mended the required property makes the test's input wrong. */
    const char *text =
        with("  required: [text]\n  properties:\n",
             "  required: [wordz]\n  properties:\n    words: {type: string, description: W., example: a}\n", 0);
    gives(text, true, text);
    assert_int_equal(fixes.count, 0);
    /* `None` was no permission to begin with. */
    text = with("[binary:run:git]", "none", 0);
    gives(text, true, text);
    /* All of /etc is too wide. */
    text = with("  binaries:\n", "  filesystem: [/etc]\n  binaries:\n", 0);
    gives(text, true, text);
}

static void one_bad_fix_does_not_spoil_the_others(void **state)
{
    (void)state;
    fix(with("  required: [text]\n  properties:\n",
             "  titel: A\n  required: [wordz]\n  properties:\n    words: {type: string, description: W., example: a}\n",
             0),
        false);
    assert_int_equal(fixes.count, 1);
    assert_string_equal(fixes.items[0].rule, "schema-keyword-unknown");
    assert_non_null(strstr(fixes.after, "  title: A\n  required: [wordz]\n"));
}

/* ---- writing ---- */

static int write_fixes(const char *text, struct writ_error *error)
{
    fix(text, false);
    struct writ_skill *skill = open_skill();
    int result = writ_lint_fix_write(skill, &fixes, error);
    writ_skill_free(skill);
    return result;
}

static void holds(const char *path, const char *expected)
{
    char text[4096];
    FILE *file = fopen(folders_path(path), "rbe");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    (void)fclose(file);
    assert_string_equal(text, expected);
}

static void what_was_fixed_is_written_with_its_mode(void **state)
{
    (void)state;
    struct writ_error error;
    struct stat status;
    const char *text = with("version: 1.0.0", "version: 1.0", 0);
    folders_write("com.example.a/skill.yaml", text);
    folders_mode("com.example.a/skill.yaml", 0664);
    mode_t mask = umask(077);
    assert_int_equal(write_fixes(text, &error), 0);
    (void)umask(mask);
    holds("com.example.a/skill.yaml", sound);
    assert_int_equal(stat(folders_path("com.example.a/skill.yaml"), &status), 0);
    assert_int_equal(status.st_mode & 07777, 0664);
}

/* What the old group may do is no right of the group that new files get. */
static void what_was_fixed_is_written_with_its_group(void **state)
{
    (void)state;
    struct writ_error error;
    struct stat status;
    if (geteuid() != 0)
        skip();
    const char *text = with("version: 1.0.0", "version: 1.0", 0);
    folders_write("com.example.a/skill.yaml", text);
    folders_mode("com.example.a/skill.yaml", 0640);
    assert_int_equal(chown(folders_path("com.example.a/skill.yaml"), (uid_t)-1, 12345), 0);
    assert_int_equal(write_fixes(text, &error), 0);
    assert_int_equal(stat(folders_path("com.example.a/skill.yaml"), &status), 0);
    assert_int_equal(status.st_gid, 12345);
    assert_int_equal(status.st_mode & 07777, 0640);
}

static void the_program_becomes_executable_for_those_who_may_read_it(void **state)
{
    (void)state;
    struct writ_error error;
    struct stat status;
    folders_write("com.example.a/main", "");
    folders_mode("com.example.a/main", 0640);
    const char *text = with("language: sh", "language: native", 0);
    assert_int_equal(write_fixes(text, &error), 0);
    assert_string_equal(fixes.makes_executable, "main");
    assert_int_equal(fixes.count, 1);
    assert_int_equal(report.error_count, 0);
    assert_int_equal(stat(folders_path("com.example.a/main"), &status), 0);
    assert_int_equal(status.st_mode & 07777, 0750);
    holds("com.example.a/skill.yaml", text);
}

/* From the moment of the fix to the writing the file may become anything. */
static void only_the_file_that_was_read_is_written(void **state)
{
    (void)state;
    struct writ_error error;
    const char *text = with("version: 1.0.0", "version: 1.0", 0);
    fix(text, false);
    struct writ_skill *skill = open_skill();
    folders_write("com.example.a/skill.yaml", "id: other\n");
    assert_int_equal(writ_lint_fix_write(skill, &fixes, &error), WRIT_INTERNAL_IO);
    assert_non_null(strstr(error.message, "was changed while it was mended"));
    holds("com.example.a/skill.yaml", "id: other\n");
    folders_write("elsewhere.yaml", text);
    folders_remove("com.example.a/skill.yaml");
    folders_link("com.example.a/skill.yaml", "../elsewhere.yaml");
    assert_int_equal(writ_lint_fix_write(skill, &fixes, &error), WRIT_INTERNAL_IO);
    assert_non_null(strstr(error.message, "is a symbolic link"));
    folders_remove("com.example.a/skill.yaml");
    assert_int_equal(mkfifo(folders_path("com.example.a/skill.yaml"), 0600), 0);
    assert_int_equal(writ_lint_fix_write(skill, &fixes, &error), WRIT_INTERNAL_IO);
    assert_non_null(strstr(error.message, "is not a regular file"));
    folders_remove("com.example.a/skill.yaml");
    assert_int_equal(link(folders_path("elsewhere.yaml"), folders_path("com.example.a/skill.yaml")), 0);
    assert_int_equal(writ_lint_fix_write(skill, &fixes, &error), WRIT_INTERNAL_IO);
    assert_non_null(strstr(error.message, "has other names"));
    holds("elsewhere.yaml", text);
    writ_skill_free(skill);
}

static void a_program_that_is_a_link_is_left_alone(void **state)
{
    (void)state;
    struct writ_error error;
    struct stat status;
    folders_write("com.example.a/main", "");
    folders_mode("com.example.a/main", 0600);
    folders_write("elsewhere", "");
    folders_mode("elsewhere", 0600);
    const char *text = with("version: 1.0.0", "version: 1.0", 0);
    const char *native = strstr(text, "language: sh");
    char whole[4096];
    (void)snprintf(whole, sizeof whole, "%.*slanguage: native%s", (int)(native - text), text,
                   native + strlen("language: sh"));
    fix(whole, false);
    assert_non_null(fixes.makes_executable);
    assert_int_equal(fixes.count, 2);
    folders_remove("com.example.a/main");
    folders_link("com.example.a/main", "../elsewhere");
    struct writ_skill *skill = open_skill();
    assert_int_equal(writ_lint_fix_write(skill, &fixes, &error), WRIT_INTERNAL_IO);
    writ_skill_free(skill);
    assert_int_equal(stat(folders_path("elsewhere"), &status), 0);
    assert_int_equal(status.st_mode & 07777, 0600);
    holds("com.example.a/skill.yaml", whole); /* and nothing else was begun */
}

/* Of a schema one fault is known at a time, and each has its turn. */
static void faults_behind_faults_are_mended(void **state)
{
    (void)state;
    gives(with("    text: {type: string",
               "    a1: {type: str, description: A., example: a}\n"
               "    a2: {type: str, description: A., example: a}\n    text: {type: str",
               0),
          false,
          with("    text: {type: string",
               "    a1: {type: string, description: A., example: a}\n"
               "    a2: {type: string, description: A., example: a}\n    text: {type: string",
               1));
    assert_int_equal(fixes.count, 3);
}

/* A contract as bad as can be ends, too. */
static void many_fixes_end(void **state)
{
    (void)state;
    char text[65536];
    size_t length = (size_t)snprintf(text, sizeof text, "%s", sound);
    length += (size_t)snprintf(text + length, sizeof text - length, "expose:\n  http:\n");
    for (unsigned i = 0; i < 60; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "    - {methd: GET, path: /v%u}\n", i);
    fix(text, false);
    assert_true(fixes.count > 0);
    assert_null(strstr(fixes.after, "methd"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, folders_set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_sound_contract_is_left_alone),
        TEST(slips_of_the_pen_are_mended),
        TEST(what_is_no_yaml_gets_quotation_marks),
        TEST(lint_mends_its_own_findings),
        TEST(unsafe_fixes_are_made_when_they_are_asked_for),
        TEST(a_fix_that_brings_another_finding_is_not_kept),
        TEST(one_bad_fix_does_not_spoil_the_others),
        TEST(what_was_fixed_is_written_with_its_mode),
        TEST(what_was_fixed_is_written_with_its_group),
        TEST(the_program_becomes_executable_for_those_who_may_read_it),
        TEST(only_the_file_that_was_read_is_written),
        TEST(a_program_that_is_a_link_is_left_alone),
        TEST(faults_behind_faults_are_mended),
        TEST(many_fixes_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
