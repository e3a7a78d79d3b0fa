/* S4.1, S4.3: what a contract says is what is read; what is wrong with it is said, whatever it is. */
#include "base/descriptor.h"
#include "skill/contract.h"
#include "support.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* In the shape of the description that the format comes from: flow and block style, a value at the head of a path, a
 * range with a comma, unit suffixes, one test as a map. */
static const char whole[] = "id: com.example.file.text-extract\n"
                            "name: Text from a file\n"
                            "description: Reads a document and returns its text page by page.\n"
                            "version: 1.2.0\n"
                            "author: dev-team@example.com\n"
                            "license: MIT\n"
                            "tags: [text, pdf]\n"
                            "input:\n"
                            "  type: object\n"
                            "  required:\n"
                            "    - file_path\n"
                            "  properties:\n"
                            "    file_path:\n"
                            "      type: string\n"
                            "      description: The file to read.\n"
                            "      example: /tmp/uploaded/report.pdf\n"
                            "    ocr_enabled:\n"
                            "      type: boolean\n"
                            "      default: true\n"
                            "    max_pages:\n"
                            "      type: integer\n"
                            "      default: 0\n"
                            "      minimum: 0\n"
                            "    options:\n"
                            "      type: object\n"
                            "      properties:\n"
                            "        language: {type: string, default: en}\n"
                            "    parts:\n"
                            "      type: array\n"
                            "      items: {type: object, properties: {weight: {type: number, default: 0.50}}}\n"
                            "  examples:\n"
                            "    - file_path: /tmp/doc.pdf\n"
                            "output:\n"
                            "  type: object\n"
                            "  required:\n"
                            "    - success\n"
                            "    - data\n"
                            "  properties:\n"
                            "    success:\n"
                            "      type: boolean\n"
                            "    data:\n"
                            "      type: object\n"
                            "      required: [text]\n"
                            "      properties:\n"
                            "        text: {type: string}\n"
                            "    error:\n"
                            "      type: string\n"
                            "permissions:\n"
                            "  - filesystem:read:${{ .input.file_path }}\n"
                            "  - filesystem:read:/usr/share/tessdata # of the recogniser\n"
                            "  - binary:run:tesseract\n"
                            "runtime:\n"
                            "  language: python\n"
                            "  version: 3.9,3.12\n"
                            "  timeout: 120s\n"
                            "  memory: 1024MB\n"
                            "  cpu: 2\n"
                            "dependencies:\n"
                            "  binaries:\n"
                            "    - name: tesseract\n"
                            "      version: 5.0\n"
                            "  apis:\n"
                            "    - id: example\n"
                            "      endpoint: https://api.example.com/v1\n"
                            "      auth: bearer_token\n"
                            "      rate_limit: 60r/m\n"
                            "  filesystem:\n"
                            "    - path: .git\n"
                            "      mode: read\n"
                            "  skills: [com.example.text.stats@^1.2]\n"
                            "expose:\n"
                            "  http:\n"
                            "    - method: POST\n"
                            "      path: /v1/skills/text-extract\n"
                            "      auth: api_key\n"
                            "toolset: files\n"
                            "action: read\n"
                            "test:\n"
                            "  input:\n"
                            "    file_path: ./assets/sample.pdf\n"
                            "  expected_output:\n"
                            "    success: true\n"
                            "    data:\n"
                            "      text: hello\n";

struct reading {
    struct writ_contract *contract;
    struct writ_contract_faults faults;
    struct writ_error error;
    int result;
};

static void read_sized(struct reading *reading, const char *text, size_t length, const char *folder_name)
{
    *reading = (struct reading){0};
    writ_contract_faults_init(&reading->faults);
    reading->result = writ_contract_parse(text, length, "skill.yaml", folder_name, &reading->contract, &reading->faults,
                                          &reading->error);
}

static void end_reading(struct reading *reading)
{
    writ_contract_free(reading->contract);
    writ_contract_faults_clear(&reading->faults);
}

static struct writ_contract *whole_contract(struct reading *reading)
{
    read_sized(reading, whole, sizeof whole - 1, "com.example.file.text-extract");
    if (reading->result != 0)
        fail_msg("line %u: %s", reading->error.line, reading->error.message);
    return reading->contract;
}

static void every_field_is_read(void **state)
{
    (void)state;
    struct reading reading;
    const struct writ_contract *contract = whole_contract(&reading);
    assert_string_equal(contract->id, "com.example.file.text-extract");
    assert_string_equal(contract->version_text, "1.2.0");
    assert_int_equal(contract->version.minor, 2);
    assert_int_equal(contract->tag_count, 2);
    assert_string_equal(contract->tags[1], "pdf");
    assert_non_null(contract->input);
    assert_non_null(contract->output);
    assert_true(contract->permissions_declared);
    assert_int_equal(contract->permission_count, 3);
    assert_int_equal(contract->permissions[0].kind, WRIT_PERMISSION_FILESYSTEM_READ);
    assert_int_equal(contract->permissions[0].line, 49);
    assert_int_equal(contract->permissions[0].column, 5);
    assert_string_equal(contract->permissions[1].subject, "/usr/share/tessdata");
    assert_int_equal(contract->runtime.language, WRIT_LANGUAGE_PYTHON);
    assert_string_equal(contract->runtime.entry, "main.py");
    assert_string_equal(contract->runtime.version_text, "3.9,3.12");
    assert_int_equal(contract->runtime.timeout_ms, 120000);
    assert_int_equal(contract->runtime.memory_bytes, 1024000000);
    assert_int_equal(contract->runtime.cpus, 2);
    assert_int_equal(contract->runtime.processes, 64);
    assert_int_equal(contract->runtime.output_bytes, 10 << 20);
    assert_int_equal(contract->binary_count, 1);
    assert_string_equal(contract->binaries[0].version_text, "5.0");
    assert_string_equal(contract->apis[0].rate_limit, "60r/m");
    assert_string_equal(contract->files[0].path, ".git");
    assert_false(contract->files[0].write);
    assert_string_equal(contract->skills[0].id, "com.example.text.stats");
    assert_string_equal(contract->skills[0].version_text, "^1.2");
    assert_string_equal(contract->routes[0].method, "POST");
    assert_string_equal(contract->toolset, "files");
    assert_string_equal(contract->action, "read");
    assert_int_equal(contract->test_count, 1);
    assert_string_equal(contract->tests[0].name, "test 1");
    assert_null(contract->tests[0].expected_class);
    assert_true(contract->tests[0].tolerance == 1e-6);
    end_reading(&reading);
}

/* A bare version keeps its source text: 3.10 is not 3.1. */
static void bare_versions_are_taken_from_the_source(void **state)
{
    (void)state;
    char text[sizeof whole + 16];
    const char *at = strstr(whole, "3.9,3.12");
    (void)snprintf(text, sizeof text, "%.*s3.10%s", (int)(at - whole), whole, at + 8);
    struct reading reading;
    read_sized(&reading, text, strlen(text), NULL);
    assert_int_equal(reading.result, 0);
    assert_string_equal(reading.contract->runtime.version_text, "3.10");
    struct writ_semver version = {.major = 3, .minor = 9};
    assert_false(writ_semver_satisfies(&version, &reading.contract->runtime.version));
    version.minor = 11;
    assert_true(writ_semver_satisfies(&version, &reading.contract->runtime.version));
    version.major = 4;
    assert_false(writ_semver_satisfies(&version, &reading.contract->runtime.version));
    end_reading(&reading);
}

static void the_id_must_be_the_folders_name(void **state)
{
    (void)state;
    struct reading reading;
    read_sized(&reading, whole, sizeof whole - 1, "com.example.other");
    assert_int_equal(reading.result, WRIT_CONTRACT_INVALID);
    assert_int_equal(reading.faults.count, 1);
    assert_string_equal(reading.faults.items[0].field, "id");
    assert_non_null(strstr(reading.faults.items[0].message, "`com.example.other`"));
    end_reading(&reading);
}

static void refused_with(const char *text, size_t length, const char *part)
{
    struct reading reading;
    read_sized(&reading, text, length, NULL);
    assert_int_equal(reading.result, WRIT_CONTRACT_INVALID);
    assert_null(reading.contract);
    assert_true(reading.faults.count >= 1);
    if (!strstr(reading.faults.items[0].message, part))
        fail_msg("the message lacks `%s`: %s", part, reading.faults.items[0].message);
    end_reading(&reading);
}

static void hostile_documents_are_refused(void **state)
{
    (void)state;
    size_t size = 5 << 20;
    char *text = malloc(size);
    assert_non_null(text);
    memset(text, 'x', size);
    memcpy(text, "id: com.example.a\nname: ", 24);
    refused_with(text, size, "bytes");
    /* depth 10,000, in both styles */
    memset(text, '[', 10000);
    memset(text + 10000, ']', 10000);
    refused_with(text, 20000, "nested");
    size_t length = 0;
    for (int i = 0; i < 10000; i++) {
        text[length++] = '-';
        text[length++] = ' ';
    }
    refused_with(text, length, "nested");
    /* a billion laughs: each line names the one before ten times */
    length = (size_t)snprintf(text, size, "a0: &a0 lol\n");
    for (int i = 1; i < 10; i++) {
        length += (size_t)snprintf(text + length, size - length, "a%d: &a%d [", i, i);
        for (int j = 0; j < 10; j++)
            length += (size_t)snprintf(text + length, size - length, "%s*a%d", j ? ", " : "", i - 1);
        length += (size_t)snprintf(text + length, size - length, "]\n");
    }
    refused_with(text, length, "anchor");
    /* 200,000 nodes */
    memcpy(text, "tags: [", 7);
    for (length = 7; length < 400007; length += 2)
        memcpy(text + length, "a,", 2);
    text[length++] = ']';
    refused_with(text, length, "values");
    refused_with("id: \xC3\x28", 6, "UTF-8");
    refused_with("id: a\0b", 7, "");
    refused_with("", 0, "empty");
    free(text);
}

/* The whole of writ run has about 3 ms; this is a guard against something quadratic, not a measurement. */
static void many_fields_do_not_explode(void **state)
{
    (void)state;
    size_t size = 900 << 10, length = 0;
    char *text = malloc(size + 64);
    assert_non_null(text);
    for (int i = 0; i < 40000; i++)
        length += (size_t)snprintf(text + length, size - length, "field_%d: x\n", i);
    struct reading reading;
    read_sized(&reading, text, length, NULL);
    assert_int_equal(reading.result, WRIT_CONTRACT_INVALID);
    assert_int_equal(reading.faults.count, WRIT_CONTRACT_FAULTS_MAX);
    assert_true(reading.faults.truncated);
    assert_non_null(strstr(reading.error.message, "more"));
    end_reading(&reading);
    free(text);
}

/* ---- loading ---- */

static int make_folder(char *path)
{
    assert_non_null(mkdtemp(path));
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(fd >= 0);
    return fd;
}

static void write_file(int folder_fd, const char *name, const char *bytes, size_t length)
{
    int fd = openat(folder_fd, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    assert_true(fd >= 0);
    assert_int_equal(writ_descriptor_write_all(fd, bytes, length), 0);
    (void)close(fd);
}

static int load(int folder_fd, struct reading *reading)
{
    *reading = (struct reading){0};
    writ_contract_faults_init(&reading->faults);
    return writ_contract_load(folder_fd, "/folder", NULL, &reading->contract, &reading->faults, &reading->error);
}

static void a_folder_is_loaded(void **state)
{
    (void)state;
    char path[] = "/tmp/writ-contract-XXXXXX";
    int fd = make_folder(path);
    struct reading reading;
    assert_int_equal(load(fd, &reading), WRIT_SKILL_NOT_FOUND);
    assert_string_equal(reading.error.subject, "/folder/skill.yaml");
    end_reading(&reading);
    write_file(fd, "real.yaml", whole, sizeof whole - 1);
    assert_int_equal(symlinkat("real.yaml", fd, "skill.yaml"), 0);
    assert_int_equal(load(fd, &reading), WRIT_CONTRACT_INVALID);
    assert_non_null(strstr(reading.error.message, "symbolic link"));
    end_reading(&reading);
    assert_int_equal(unlinkat(fd, "skill.yaml", 0), 0);
    assert_int_equal(mkdirat(fd, "skill.yaml", 0755), 0);
    assert_int_equal(load(fd, &reading), WRIT_INTERNAL_IO);
    end_reading(&reading);
    assert_int_equal(unlinkat(fd, "skill.yaml", AT_REMOVEDIR), 0);
    assert_int_equal(renameat(fd, "real.yaml", fd, "skill.yaml"), 0);
    assert_int_equal(load(fd, &reading), 0);
    end_reading(&reading);
    assert_int_equal(unlinkat(fd, "skill.yaml", 0), 0);
    (void)close(fd);
    assert_int_equal(rmdir(path), 0);
}

/* A language that is not named is known by the one program in the folder. */
static void the_folder_tells_the_language(void **state)
{
    (void)state;
    static const char text[] = "id: com.example.a\nname: A\ndescription: Counts lines.\nversion: 1.0.0\n"
                               "input: {type: object}\n"
                               "output: {type: object, required: [success, data],"
                               " properties: {success: {type: boolean}, data: {}}}\n";
    char path[] = "/tmp/writ-contract-XXXXXX";
    int fd = make_folder(path);
    struct reading reading;
    write_file(fd, "skill.yaml", text, sizeof text - 1);
    assert_int_equal(load(fd, &reading), WRIT_CONTRACT_INVALID);
    assert_string_equal(reading.faults.items[0].field, "runtime.language");
    end_reading(&reading);
    write_file(fd, "main.c", "", 0); /* what `main` is built from */
    assert_int_equal(load(fd, &reading), 0);
    assert_int_equal(reading.contract->runtime.language, WRIT_LANGUAGE_NATIVE);
    assert_string_equal(reading.contract->runtime.entry, "main");
    end_reading(&reading);
    write_file(fd, "main", "", 0);
    assert_int_equal(load(fd, &reading), 0);
    assert_int_equal(reading.contract->runtime.language, WRIT_LANGUAGE_NATIVE);
    end_reading(&reading);
    assert_int_equal(unlinkat(fd, "main", 0), 0);
    write_file(fd, "main.js", "", 0); /* beside which main.c is no program of its own */
    assert_int_equal(load(fd, &reading), 0);
    assert_int_equal(reading.contract->runtime.language, WRIT_LANGUAGE_NODE);
    assert_string_equal(reading.contract->runtime.entry, "main.js");
    assert_int_equal(reading.contract->runtime.timeout_ms, 30000);
    assert_false(reading.contract->permissions_declared);
    end_reading(&reading);
    write_file(fd, "main.sh", "", 0);
    assert_int_equal(load(fd, &reading), WRIT_CONTRACT_INVALID);
    assert_non_null(strstr(reading.error.message, "several programs"));
    end_reading(&reading);
    (void)unlinkat(fd, "skill.yaml", 0);
    (void)unlinkat(fd, "main.c", 0);
    (void)unlinkat(fd, "main.js", 0);
    (void)unlinkat(fd, "main.sh", 0);
    (void)close(fd);
    assert_int_equal(rmdir(path), 0);
}

/* ---- at work ---- */

static void filled(const struct writ_contract *contract, const char *input, const char *expected)
{
    struct writ_arena arena;
    struct writ_error error;
    const struct writ_json *document;
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer out;
    writ_arena_init(&arena, 1 << 20);
    writ_buffer_init(&out, 1 << 16);
    assert_int_equal(writ_json_parse(&arena, input, strlen(input), &document, &error), 0);
    assert_int_equal(writ_contract_apply_defaults(contract, document, &out, &error), 0);
    assert_string_equal(writ_buffer_text(&out), expected);
    writ_arena_clear(&arena);
}

static void defaults_are_filled_in(void **state)
{
    (void)state;
    struct reading reading;
    const struct writ_contract *contract = whole_contract(&reading);
    filled(contract, "{\"file_path\":\"a\"}", "{\"file_path\":\"a\",\"ocr_enabled\":true,\"max_pages\":0}");
    filled(contract, "{\"max_pages\":7,\"ocr_enabled\":null}", "{\"max_pages\":7,\"ocr_enabled\":null}");
    filled(contract, "{\"ocr_enabled\":false,\"max_pages\":1.0,\"options\":{}}",
           "{\"ocr_enabled\":false,\"max_pages\":1.0,\"options\":{\"language\":\"en\"}}");
    /* numbers keep their notation */
    filled(contract, "{\"ocr_enabled\":false,\"max_pages\":1,\"parts\":[{},{\"weight\":1},7]}",
           "{\"ocr_enabled\":false,\"max_pages\":1,\"parts\":[{\"weight\":0.50},{\"weight\":1},7]}");
    filled(contract, "[1, 2]", "[1,2]");
    filled(contract, "\"text\"", "\"text\"");
    struct writ_arena arena;
    struct writ_error error;
    const struct writ_json *document;
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer small;
    writ_arena_init(&arena, 1 << 20);
    writ_buffer_init(&small, 8);
    assert_int_equal(writ_json_parse(&arena, "{}", 2, &document, &error), 0);
    assert_int_equal(writ_contract_apply_defaults(contract, document, &small, &error), WRIT_INTERNAL_LIMIT);
    writ_arena_clear(&arena);
    end_reading(&reading);
}

static size_t output_faults(const struct writ_contract *contract, const char *output)
{
    struct writ_arena arena;
    struct writ_error error;
    struct writ_schema_faults faults;
    const struct writ_json *document;
    writ_arena_init(&arena, 4 << 20);
    assert_int_equal(writ_json_parse(&arena, output, strlen(output), &document, &error), 0);
    int result = writ_contract_check_output(contract, document, &arena, &faults, &error);
    if (result != 0)
        fail_msg("%s", error.message);
    writ_arena_clear(&arena);
    return faults.count;
}

/* S4.1: where success is false, error is required and data is not. */
static void outputs_are_judged_by_what_they_say(void **state)
{
    (void)state;
    struct reading reading;
    const struct writ_contract *contract = whole_contract(&reading);
    assert_int_equal(output_faults(contract, "{\"success\":true,\"data\":{\"text\":\"a\"}}"), 0);
    assert_int_equal(output_faults(contract, "{\"success\":true}"), 1);
    assert_int_equal(output_faults(contract, "{\"success\":true,\"data\":{}}"), 1);
    assert_int_equal(output_faults(contract, "{\"success\":false,\"error\":\"no such file\"}"), 0);
    assert_int_equal(output_faults(contract, "{\"success\":false,\"error\":\"x\",\"data\":{\"text\":\"\"}}"), 0);
    assert_int_equal(output_faults(contract, "{\"success\":false}"), 1);
    assert_int_equal(output_faults(contract, "{\"success\":false,\"error\":3}"), 1);
    assert_int_equal(output_faults(contract, "{\"success\":false,\"error\":\"x\",\"data\":{}}"), 1);
    assert_true(output_faults(contract, "{\"success\":\"false\"}") > 0);
    assert_true(output_faults(contract, "[]") > 0);
    end_reading(&reading);
}

/* A closed schema that forgets `error`, behind a reference: a failure can still be told. */
static void failures_fit_a_closed_schema(void **state)
{
    (void)state;
    static const char text[] = "id: com.example.a\nname: A\ndescription: Counts lines.\nversion: 1.0.0\nruntime: [sh]\n"
                               "input: {type: object}\n"
                               "output:\n"
                               "  $ref: '#/$defs/answer'\n"
                               "  $defs:\n"
                               "    answer: {type: object, additionalProperties: false, required: [data, success],"
                               " properties: {success: {type: boolean}, data: {type: integer}}}\n";
    struct reading reading;
    read_sized(&reading, text, sizeof text - 1, NULL);
    assert_int_equal(reading.result, 0);
    assert_int_equal(output_faults(reading.contract, "{\"success\":true,\"data\":1}"), 0);
    assert_int_equal(output_faults(reading.contract, "{\"success\":true,\"data\":1,\"error\":\"x\"}"), 1);
    assert_int_equal(output_faults(reading.contract, "{\"success\":false,\"error\":\"x\"}"), 0);
    assert_int_equal(output_faults(reading.contract, "{\"success\":false,\"error\":\"x\",\"more\":1}"), 1);
    end_reading(&reading);
}

static void the_manual_names_every_field(void **state)
{
    (void)state;
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer out;
    writ_buffer_init(&out, 1 << 16);
    writ_contract_print_fields(&out);
    const char *text = writ_buffer_text(&out);
    assert_false(out.failed);
    assert_int_equal(strncmp(text, "id\trequired\t", 12), 0);
    assert_non_null(strstr(text, "\nruntime.timeout\toptional\t"));
    assert_non_null(strstr(text, "\ndependencies.binaries[].version\toptional\t"));
    assert_non_null(strstr(text, "\ntest[].expected_error\toptional\t"));
}

/* Held against the values of the input's `operation`, each with each. */
static void operations_are_few(void **state)
{
    (void)state;
    for (unsigned count = 256; count <= 257; count++) {
        struct writ_buffer text;
        writ_buffer_init(&text, 1 << 20);
        writ_buffer_append_text(&text, "operations:\n");
        for (unsigned i = 0; i < count; i++)
            writ_buffer_printf(&text, "  o%u: {creates: task, id: /data/id}\n", i);
        struct writ_contract *contract = NULL;
        struct writ_contract_faults faults;
        struct writ_error error;
        writ_contract_faults_init(&faults);
        assert_int_equal(
            writ_contract_parse(writ_buffer_text(&text), text.length, "skill.yaml", NULL, &contract, &faults, &error),
            WRIT_CONTRACT_INVALID);
        bool told = false;
        for (size_t i = 0; i < faults.count; i++)
            told |= strcmp(faults.items[i].message, "has 257 operations; at most 256 are taken") == 0;
        assert_int_equal(told, count > 256);
        writ_contract_faults_clear(&faults);
        writ_buffer_clear(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_is_read),
        cmocka_unit_test(operations_are_few),
        cmocka_unit_test(bare_versions_are_taken_from_the_source),
        cmocka_unit_test(the_id_must_be_the_folders_name),
        cmocka_unit_test(hostile_documents_are_refused),
        cmocka_unit_test(many_fields_do_not_explode),
        cmocka_unit_test(a_folder_is_loaded),
        cmocka_unit_test(the_folder_tells_the_language),
        cmocka_unit_test(defaults_are_filled_in),
        cmocka_unit_test(outputs_are_judged_by_what_they_say),
        cmocka_unit_test(failures_fit_a_closed_schema),
        cmocka_unit_test(the_manual_names_every_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
