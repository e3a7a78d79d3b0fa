/* S1.4, S4.10: what lint finds, and that it finds nothing in what is sound. */
#include "folders.h"
#include "skill/lint.h"
#include "skill/lint_rules.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define HEAD                                                                                                           \
    "id: com.example.a\nname: Line counter\nversion: 1.0.0\nauthor: The writ project\nlicense: MIT\nruntime: [sh]\n"
#define DESCRIPTION "description: Returns the number of lines, words and bytes of a text.\n"
#define INPUT                                                                                                          \
    "input:\n  type: object\n  additionalProperties: false\n  properties:\n"                                           \
    "    text: {type: string, description: What is counted., example: one two}\n"
#define OUTPUT                                                                                                         \
    "output: {type: object, required: [success, data], properties: {success: {type: boolean},"                         \
    " data: {type: object, required: [lines], properties: {lines: {type: integer}}}, error: {type: string}}}\n"
#define TESTS "test: {input: {text: a}, expected_output: {success: true, data: {lines: 1}}}\n"

static struct writ_lint_report report;

static void lint_text(const char *text)
{
    struct writ_skill *skill = NULL;
    struct writ_error error;
    folders_write("com.example.a/skill.yaml", text);
    folders_write("com.example.a/main.sh", "");
    int result = writ_catalog_open_folder(folders_path("com.example.a"), &skill, &error);
    assert_true(result == 0 || result == WRIT_CONTRACT_INVALID);
    writ_lint_report_clear(&report);
    assert_int_equal(writ_lint_skill(skill, &report, &error), 0);
    writ_skill_free(skill);
    size_t errors = 0, warnings = 0;
    for (size_t i = 0; i < report.count; i++) {
        errors += report.items[i].severity == WRIT_LINT_ERROR;
        warnings += report.items[i].severity == WRIT_LINT_WARNING;
    }
    assert_int_equal(errors, report.error_count);
    assert_int_equal(warnings, report.warning_count);
}

static int tear_down(void **state)
{
    writ_lint_report_clear(&report);
    return folders_tear_down(state);
}

static void dump(void)
{
    for (size_t i = 0; i < report.count; i++)
        print_error("%s %s %u:%u %s: %s\n", writ_lint_severity_name(report.items[i].severity), report.items[i].rule,
                    report.items[i].line, report.items[i].column, report.items[i].field, report.items[i].message);
}

/* Exactly one finding, of this rule, here, saying this. */
static void finds(const char *text, enum writ_lint_severity severity, const char *rule, uint32_t line,
                  const char *field, const char *part)
{
    lint_text(text);
    if (report.count != 1) {
        dump();
        fail_msg("%s: %zu findings", rule, report.count);
    }
    const struct writ_lint_finding *finding = &report.items[0];
    assert_string_equal(finding->rule, rule);
    assert_int_equal(finding->severity, severity);
    assert_string_equal(finding->file, "skill.yaml");
    assert_string_equal(finding->field, field);
    assert_int_equal(finding->line, line);
    if (!strstr(finding->message, part))
        fail_msg("the message lacks `%s`: %s", part, finding->message);
}

static void is_clean(const char *text)
{
    lint_text(text);
    if (report.count == 0)
        return;
    dump();
    fail_msg("%zu findings", report.count);
}

static void a_sound_contract_has_no_findings(void **state)
{
    (void)state;
    is_clean(HEAD "permissions: []\n" DESCRIPTION INPUT OUTPUT TESTS);
}

static void contract_faults_are_errors(void **state)
{
    (void)state;
    lint_text("id: com.example.a\nname: A\ncolour: red\n");
    assert_true(report.error_count >= 5);
    for (size_t i = 0; i < report.count; i++)
        assert_string_equal(report.items[i].rule, "contract");
    assert_int_equal(report.items[report.count - 1].line, 3);
    struct writ_skill skill = {.folder_fd = -1};
    struct writ_error error;
    writ_lint_report_clear(&report);
    (void)writ_error_set(&skill.fault, WRIT_SKILL_UNTRUSTED, "is a link");
    assert_int_equal(writ_lint_skill(&skill, &report, &error), 0);
    assert_int_equal(report.error_count, 1);
    assert_string_equal(report.items[0].message, "is a link");
}

static void vague_descriptions_fail(void **state)
{
    (void)state;
    static const char *const vague[] = {
        "Get weather information",
        "A useful tool to process data and handle things",
        "Weather",
        "Does various tasks with some data.",
        "获取天气信息",
        "处理各种数据的工具",
        "Получает данные", /* two words of Russian */
        "...",
        "Line counter of the text in files", /* its own name, see below */
    };
    for (size_t i = 0; i < WRIT_COUNT(vague); i++)
        if (!lint_is_vague(vague[i], "Line counter of the text in files"))
            fail_msg("`%s` passed", vague[i]);
    static const char *const good[] = {
        "Returns the current temperature, humidity and wind of a named city",
        "Extract plain text from PDF documents.",
        "返回指定城市的当前温度、湿度、风速和简短描述",
        "Возвращает текущую температуру города",
        "Compte les lignes, mots et octets d'un texte.",
        "指定した都市の現在の気温と湿度を返す",
    };
    for (size_t i = 0; i < WRIT_COUNT(good); i++)
        if (lint_is_vague(good[i], "A"))
            fail_msg("`%s` failed", good[i]);
    finds(HEAD "permissions: []\ndescription: Gets some information.\n" INPUT OUTPUT TESTS, WRIT_LINT_ERROR,
          "description-vague", 8, "description", "says too little");
}

#define WITH_INPUT(properties)                                                                                         \
    HEAD "permissions: []\n" DESCRIPTION "input:\n  type: object\n  additionalProperties: false\n" properties OUTPUT   \
         "test: {input: {}, expected_output: {success: true, data: {lines: 1}}}\n"

static void inputs_are_described_and_shown(void **state)
{
    (void)state;
    finds(WITH_INPUT("  properties:\n    text: {type: string, example: a}\n"), WRIT_LINT_ERROR, "input-undescribed", 13,
          "input.text", "no description");
    finds(WITH_INPUT("  properties:\n    text: {type: string, description: '  ', example: a}\n"), WRIT_LINT_ERROR,
          "input-undescribed", 13, "input.text", "no description");
    finds(WITH_INPUT("  properties:\n    text: {type: string, description: What is counted.}\n"), WRIT_LINT_ERROR,
          "input-unexampled", 13, "input.text", "no example");
    finds(WITH_INPUT("  properties:\n    o:\n      description: Options.\n      type: object\n      properties:\n"
                     "        deep: {type: integer, description: Depth.}\n"),
          WRIT_LINT_ERROR, "input-unexampled", 17, "input.o.deep", "no example");
    is_clean(WITH_INPUT("  properties:\n"
                        "    a: {type: string, description: A., enum: [x, y]}\n"
                        "    b: {type: string, description: B., default: x}\n"
                        "    c: {type: boolean, description: C.}\n"
                        "    d: {type: string, description: D., examples: [x]}\n"
                        "    e: {type: string, description: E.}\n"
                        "    f: {$ref: '#/$defs/f'}\n"
                        "    g: {type: array, description: G., example: [{h: 1}],"
                        " items: {type: object, properties: {h: {type: integer, description: H.}}}}\n"
                        "  $defs: {f: {type: string, description: F., example: x}}\n"
                        "  examples: [{e: x}]\n"));
}

/* Ten properties that are each the whole again: 10^8 places down to the depth that lint goes to. */
static void schemas_that_refer_to_themselves_are_looked_at_once(void **state)
{
    (void)state;
    char text[2048];
    size_t length = (size_t)snprintf(text, sizeof text, "%s",
                                     HEAD "permissions: []\n" DESCRIPTION OUTPUT TESTS
                                          "input:\n  type: object\n  properties:\n    text: {type: string}\n");
    for (unsigned i = 0; i < 10; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "    p%u: {$ref: '#'}\n", i);
    lint_text(text);
    assert_false(report.truncated);
    size_t undescribed = 0;
    for (size_t i = 0; i < report.count; i++)
        undescribed += strcmp(report.items[i].rule, "input-undescribed") == 0;
    assert_int_equal(undescribed, 11);
}

static void examples_must_be_valid(void **state)
{
    (void)state;
    finds(WITH_INPUT("  properties:\n    a: {type: integer, description: A., example: x}\n"), WRIT_LINT_ERROR,
          "example-invalid", 13, "input.a", "must be an integer");
    /* A bad default spoils the test's input, too. */
    lint_text(WITH_INPUT("  properties:\n    a: {type: integer, description: A., default: x}\n"));
    assert_int_equal(report.error_count, 2);
    assert_string_equal(report.items[0].rule, "example-invalid");
    assert_string_equal(report.items[1].rule, "test-input-invalid");
}

static void every_value_is_judged(void **state)
{
    (void)state;
    lint_text(WITH_INPUT("  properties:\n    a: {type: integer, description: A., example: 1, examples: [2, x]}\n"
                         "  examples: [{a: 1}, {a: y}, {b: 1}]\n"));
    assert_int_equal(report.error_count, 3);
    for (size_t i = 0; i < report.count; i++)
        assert_string_equal(report.items[i].rule, "example-invalid");
    assert_string_equal(report.items[0].field, "input.a");
    assert_string_equal(report.items[1].field, "input.examples");
    assert_non_null(strstr(report.items[1].message, "`/a`"));
}

#define WITH_TEST(test) HEAD "permissions: []\n" DESCRIPTION INPUT OUTPUT test

static void tests_agree_with_the_schemas(void **state)
{
    (void)state;
    finds(WITH_TEST(""), WRIT_LINT_WARNING, "test-missing", 1, "test", "is missing");
    finds(WITH_TEST("test: {input: {text: 3}}\n"), WRIT_LINT_ERROR, "test-input-invalid", 15, "test[0]", "`/text`");
    finds(WITH_TEST("test: {input: {txet: a}}\n"), WRIT_LINT_ERROR, "test-input-invalid", 15, "test[0]",
          "did you mean \"text\"?");
    assert_null(strstr(strstr(report.items[0].message, "did you mean") + 1, "did you mean")); /* said once */
    finds(WITH_TEST("test: {input: {text: a}, expected_error: input:invalid}\n"), WRIT_LINT_ERROR, "test-input-invalid",
          15, "test[0]", "satisfies the schema");
    finds(WITH_TEST("test:\n  - input: {}\n    expected_output: {success: true, data: {lines: many}}\n"),
          WRIT_LINT_ERROR, "test-output-invalid", 17, "test[0]", "`/data/lines`");
    is_clean(WITH_TEST("test:\n  - {input: 7, expected_error: input:invalid}\n"
                       "  - {input: {text: a}, expected_error: limit:timeout}\n"
                       "  - {input: {text: a}, expected_error: program:reported,"
                       " expected_output: {success: false, error: no}}\n"));
}

#define WITH_PERMISSIONS(permissions) HEAD permissions DESCRIPTION INPUT OUTPUT TESTS

static void permissions_are_weighed(void **state)
{
    (void)state;
    finds(WITH_PERMISSIONS(""), WRIT_LINT_WARNING, "permissions-undeclared", 1, "permissions", "is missing");
    finds(WITH_PERMISSIONS("permissions:\n  - filesystem:read:/etc\n"), WRIT_LINT_WARNING, "permission-wide", 8,
          "permissions[0]", "all of `/etc`");
    is_clean(
        WITH_PERMISSIONS("permissions: [filesystem:read:/etc/passwd, filesystem:read:/etc/sshd, "
                         "'filesystem:read:/etc/ssh${{ .input.text }}', filesystem:read:/usr/lib/x,"
                         " filesystem:write:/var/lib/a, filesystem:read:/home/a/ssh, filesystem:read:/home/.ssh]\n"));
    static const char *const never[] = {
        "/etc/shadow",     "/etc/ssh/${{ .input.text }}",
        "/proc",           "/dev/null",
        "/home/a/.ssh/id", "/root/.aws/${{ .input.text }}/${{ .input.text }}",
    };
    for (size_t i = 0; i < 2 * WRIT_COUNT(never); i++) {
        char text[4096];
        (void)snprintf(text, sizeof text, HEAD "permissions: ['filesystem:%s:%s']\n" DESCRIPTION INPUT OUTPUT TESTS,
                       i % 2 ? "write" : "read", never[i / 2]);
        finds(text, WRIT_LINT_ERROR, "permission-never-granted", 7, "permissions[0]", "no skill is ever granted");
    }
    finds(WITH_PERMISSIONS("permissions: [filesystem:write:/usr/local/share/a]\n"), WRIT_LINT_WARNING,
          "permission-never-written", 7, "permissions[0]", "`/usr`");
    finds(WITH_PERMISSIONS("permissions: ['filesystem:write:/etc/${{ .input.text }}']\n"), WRIT_LINT_WARNING,
          "permission-never-written", 7, "permissions[0]", "`/etc`");
    finds(WITH_PERMISSIONS("permissions: [network:https://api.example.com]\n"), WRIT_LINT_NOTE,
          "permission-not-enforced", 7, "permissions[0]", "is not enforced yet: a run will be refused");
    finds(WITH_PERMISSIONS("permissions: [clipboard:read]\n"), WRIT_LINT_NOTE, "permission-not-enforced", 7,
          "permissions[0]", "is not enforced yet");
    finds(WITH_PERMISSIONS("permissions: [credential:example]\n"), WRIT_LINT_NOTE, "permission-not-enforced", 7,
          "permissions[0]", "is not enforced yet");
    is_clean(WITH_PERMISSIONS("permissions: [filesystem:read:/usr/share/dict/words, binary:run:git]\n"));
}

static void dependencies_agree_with_permissions(void **state)
{
    (void)state;
    finds(WITH_PERMISSIONS("permissions: []\ndependencies:\n  binaries: [git]\n"), WRIT_LINT_WARNING,
          "binary-not-permitted", 9, "dependencies.binaries[0]", "add `binary:run:git`");
    finds(WITH_PERMISSIONS("permissions: [binary:run:git, binary:run:jq]\ndependencies: {binaries: {git: 2.25}}\n"),
          WRIT_LINT_WARNING, "binary-undeclared", 7, "permissions[1]", "`jq`");
    finds(
        WITH_PERMISSIONS("permissions: []\ndependencies:\n  apis: [{id: x, endpoint: 'https://api.example.com/v1'}]\n"),
        WRIT_LINT_WARNING, "api-without-network", 9, "dependencies.apis[0]", "`x`");
    finds(WITH_PERMISSIONS("permissions: ['network:https://api.example.com']\n"
                           "dependencies: {apis: [{id: x, endpoint: 'https://api.example.com/v1'}]}\n"),
          WRIT_LINT_NOTE, "permission-not-enforced", 7, "permissions[0]", "");
    finds(WITH_PERMISSIONS("permissions: []\ndependencies: {filesystem: [.git]}\n"), WRIT_LINT_WARNING,
          "file-not-permitted", 8, "dependencies.filesystem[0]", "filesystem:read:PATH");
}

static void who_and_on_what_terms(void **state)
{
    (void)state;
    lint_text(
        "id: com.example.a\nname: A\nversion: 1.0.0\nruntime: [sh]\npermissions: []\n" DESCRIPTION INPUT OUTPUT TESTS);
    assert_int_equal(report.warning_count, 2);
    assert_string_equal(report.items[0].rule, "author-missing");
    assert_string_equal(report.items[1].rule, "license-missing");
}

static void schemas_may_be_closed_and_tell_failures(void **state)
{
    (void)state;
    finds(HEAD "permissions: []\n" DESCRIPTION "input: {type: object}\n" OUTPUT
               "test: {input: {}, expected_output: {success: true, data: {lines: 1}}}\n",
          WRIT_LINT_NOTE, "input-open", 9, "input", "misspelt");
    finds(HEAD "permissions: []\n" DESCRIPTION INPUT
               "output: {type: object, required: [success, data], properties: {success: {type: boolean}, data: {}}}\n"
               "test: {input: {}}\n",
          WRIT_LINT_NOTE, "output-error-undeclared", 14, "output", "`properties.error`");
}

static void misspelt_keywords_are_named(void **state)
{
    (void)state;
    finds(WITH_INPUT("  properties:\n    a: {type: string, description: A., example: x, maxLenght: 3}\n"),
          WRIT_LINT_WARNING, "schema-keyword-unknown", 13, "input.properties.a.maxLenght", "did you mean `maxLength`?");
    finds(WITH_INPUT("  frobnicate: 1\n"), WRIT_LINT_WARNING, "schema-keyword-unknown", 12, "input.frobnicate",
          "is no keyword of JSON Schema, so it does nothing; remove it");
    finds(WITH_INPUT("  $defs: {n: {anyOf: [{}, {tpye: string}]}}\n"), WRIT_LINT_WARNING, "schema-keyword-unknown", 12,
          "input.$defs.n.anyOf[1].tpye", "did you mean `type`?");
    finds(HEAD "permissions: []\n" DESCRIPTION "input:\n  type: object\n  additionalPropertis: false\n"
               "  unevaluatedProperties: false\n" OUTPUT
               "test: {input: {}, expected_output: {success: true, data: {lines: 1}}}\n",
          WRIT_LINT_WARNING, "schema-keyword-unknown", 11, "input.additionalPropertis",
          "did you mean `additionalProperties`?");
    /* names of properties, values and what is marked as one's own are no keywords */
    is_clean(WITH_INPUT("  x-note: {tpye: 1}\n  default: {tpye: 1}\n  properties:\n"
                        "    tpye: {const: {maxLenght: 1}, description: A.}\n"));
}

static void required_names_are_declared(void **state)
{
    (void)state;
    finds(WITH_INPUT("  properties:\n    o: {type: object, description: O., required: [txet], "
                     "properties: {text: {type: string, description: T., example: x}}}\n"),
          WRIT_LINT_WARNING, "required-undeclared", 13, "input.properties.o.required", "did you mean `text`?");
    finds(WITH_INPUT("  properties:\n    l: {type: array, description: L., example: [], items: {required: [zz]}}\n"),
          WRIT_LINT_WARNING, "required-undeclared", 13, "input.properties.l.items.required", "declare it there");
    is_clean(WITH_INPUT("  properties:\n    a: {type: integer, description: A., example: 1}\n"
                        "  anyOf: [{required: [a]}, {required: [b]}, {not: {properties: {a: {}}, required: [b]}}, {}]\n"
                        "  $defs: {p: {required: [c]}}\n"));
}

#define SOUND(runtime)                                                                                                 \
    "id: com.example.a\nname: A\nversion: 1.0.0\nauthor: A\nlicense: MIT\nruntime: " runtime                           \
    "\npermissions: []\n" DESCRIPTION INPUT OUTPUT TESTS

static void the_folder_holds_the_program(void **state)
{
    (void)state;
    finds(SOUND("[python]"), WRIT_LINT_ERROR, "entry-missing", 6, "runtime.entry", "`main.py` is not in the folder");
    finds(SOUND("[c]"), WRIT_LINT_ERROR, "entry-missing", 6, "runtime.entry", "`main` is not in the folder");
    folders_write("com.example.a/main.c", "");
    finds(SOUND("[c]"), WRIT_LINT_NOTE, "entry-unbuilt", 6, "runtime.entry", "is not built yet");
    folders_write("com.example.a/main", "");
    finds(SOUND("[c]"), WRIT_LINT_ERROR, "entry-not-executable", 6, "runtime.entry", "chmod +x");
    folders_mode("com.example.a/main", 0755);
    is_clean(SOUND("[c]"));
    folders_make("com.example.a/main.py");
    finds(SOUND("[python]"), WRIT_LINT_ERROR, "entry-missing", 6, "runtime.entry", "is not a file");
    folders_link("com.example.a/link", "main");
    finds(SOUND("[c]"), WRIT_LINT_ERROR, "folder-unpackable", 0, "", "`link` is a symbolic link");
}

static void files_of_tests_are_judged_too(void **state)
{
    (void)state;
    folders_write("com.example.a/tests/one.yaml", "input: {text: a}\n");
    is_clean(WITH_TEST("")); /* a test there is a test */
    folders_write("com.example.a/tests/two.yaml", "name: two\ninput:\n  text: 3\n");
    lint_text(WITH_TEST(""));
    assert_int_equal(report.count, 1);
    assert_string_equal(report.items[0].rule, "test-input-invalid");
    assert_string_equal(report.items[0].file, "tests/two.yaml");
    assert_int_equal(report.items[0].line, 3);
    folders_write("com.example.a/tests/two.yaml", "inptu: {}\n");
    lint_text(WITH_TEST(""));
    assert_int_equal(report.count, 1); /* a misspelt field is not missing as well */
    assert_string_equal(report.items[0].rule, "test-file-invalid");
    assert_string_equal(report.items[0].file, "tests/two.yaml");
    assert_string_equal(report.items[0].field, "inptu");
    /* One broken file hides no other. */
    folders_write("com.example.a/tests/one.yaml", "input: [\n");
    folders_write("com.example.a/tests/three.yaml", "input: {text: 3}\n");
    lint_text(WITH_TEST(""));
    assert_int_equal(report.count, 3);
    assert_string_equal(report.items[0].file, "tests/one.yaml");
    assert_string_equal(report.items[2].file, "tests/three.yaml");
    folders_remove("com.example.a/tests/one.yaml");
    folders_remove("com.example.a/tests/two.yaml");
    folders_remove("com.example.a/tests/three.yaml");
    folders_remove("com.example.a/tests");
    folders_link("com.example.a/tests", "nowhere");
    lint_text(WITH_TEST(""));
    assert_string_equal(report.items[0].rule, "test-file-invalid");
    assert_string_equal(report.items[0].file, "tests");
}

static void the_bytes_of_the_contract_are_looked_at(void **state)
{
    (void)state;
    finds("\xEF\xBB\xBF" HEAD "permissions: []\n" DESCRIPTION INPUT OUTPUT TESTS, WRIT_LINT_WARNING, "byte-order-mark",
          1, "", "without one");
    finds(HEAD "permissions: []\r\n" DESCRIPTION INPUT OUTPUT TESTS, WRIT_LINT_WARNING, "line-ends", 7, "",
          "end them with LF");
    assert_int_equal(report.items[0].column, 16);
}

/* Each finding says how far it reaches, where that is a word or a value. */
static void findings_know_their_bytes(void **state)
{
    (void)state;
    lint_text(WITH_PERMISSIONS("permissions: [network:https://api.example.com]\n"));
    assert_int_equal(report.count, 1);
    const struct writ_lint_finding *finding = &report.items[0];
    assert_int_equal(finding->length, 31);
    assert_memory_equal(report.source + finding->offset, "network:https://api.example.com", finding->length);
    assert_int_equal(report.stage, WRIT_LINT_JUDGED);
    lint_text("id: [\n");
    assert_int_equal(report.stage, WRIT_LINT_UNREADABLE);
    lint_text("id: 3\n");
    assert_int_equal(report.stage, WRIT_LINT_FAULTY);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, folders_set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_sound_contract_has_no_findings),
        TEST(contract_faults_are_errors),
        TEST(vague_descriptions_fail),
        TEST(inputs_are_described_and_shown),
        TEST(schemas_that_refer_to_themselves_are_looked_at_once),
        TEST(examples_must_be_valid),
        TEST(every_value_is_judged),
        TEST(tests_agree_with_the_schemas),
        TEST(permissions_are_weighed),
        TEST(dependencies_agree_with_permissions),
        TEST(who_and_on_what_terms),
        TEST(schemas_may_be_closed_and_tell_failures),
        TEST(misspelt_keywords_are_named),
        TEST(required_names_are_declared),
        TEST(the_folder_holds_the_program),
        TEST(files_of_tests_are_judged_too),
        TEST(the_bytes_of_the_contract_are_looked_at),
        TEST(findings_know_their_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
