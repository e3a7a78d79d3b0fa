/* Tests, in the contract and in tests/, against the schemas; and a first one where there is none. */
#include "skill/lint_rules.h"

#include "skill/contract_reader.h"
#include "skill/test_files.h"

#define EXAMPLE_BYTES_MAX 2000 /* a longer input is not put into a test by itself */

static void lint_test(struct lint *lint, const struct writ_contract_test *test, const char *field)
{
    const struct writ_contract *contract = lint->contract;
    if (test->expected_class && strcmp(test->expected_class, "input:invalid") == 0) {
        const struct writ_json *filled = lint_with_defaults(lint, test->input);
        if (filled && writ_schema_check(contract->input, filled))
            lint_add(lint, WRIT_RULE_TEST_INPUT_INVALID, test->input, field,
                     "expects `input:invalid`, but the input satisfies the schema; change one of them");
    } else {
        lint_check_input(lint, test->input, WRIT_RULE_TEST_INPUT_INVALID, field);
    }
    struct writ_schema_faults faults = {0};
    if (!test->expected_output)
        return;
    if (writ_contract_check_output(contract, test->expected_output, &lint->report->arena, &faults, lint->error) < 0)
        lint->out_of_memory = true;
    else
        lint_add_faults(lint, WRIT_RULE_TEST_OUTPUT_INVALID, test->expected_output, field, &faults);
}

/* True when there are any, right or wrong. */
static bool lint_test_files(struct lint *lint)
{
    struct writ_test_files files;
    struct writ_error error;
    lint->file = "tests";
    if (writ_test_files_read(lint->skill->folder_fd, &files, &error) < 0) {
        if (error.code == WRIT_INTERNAL_MEMORY)
            lint->out_of_memory = true;
        else
            lint_add_at(lint, WRIT_RULE_TEST_FILE_INVALID, 0, 0, "", error.message);
        lint->file = "skill.yaml";
        return true;
    }
    for (size_t i = 0; i < files.fault_count; i++) {
        const struct writ_test_file_fault *fault = &files.faults[i];
        lint->file = fault->path;
        lint_add_at(lint, WRIT_RULE_TEST_FILE_INVALID, fault->line, fault->column, fault->field, fault->message);
    }
    for (size_t i = 0; i < files.count; i++) {
        lint->file = files.paths[i];
        lint->yaml = &files.documents[i];
        lint_test(lint, &files.tests[i], "");
    }
    lint->file = "skill.yaml";
    lint->yaml = &lint->contract->yaml;
    bool any = files.count > 0 || files.fault_count > 0;
    writ_test_files_clear(&files);
    return any;
}

/* ---- a first test ---- */

/* What a property's own schema shows of it. */
static const struct writ_json *example_of(const struct writ_json *property)
{
    static const char *const lists[] = {"examples", "enum"};
    static const char *const single[] = {"example", "default", "const"};
    for (size_t i = 0; i < WRIT_COUNT(single); i++) {
        const struct writ_json *value = writ_json_get(property, single[i]);
        if (value)
            return value;
    }
    for (size_t i = 0; i < WRIT_COUNT(lists); i++) {
        const struct writ_json *list = writ_json_get(property, lists[i]);
        if (list && list->kind == WRIT_JSON_ARRAY && list->length > 0)
            return writ_json_first(list);
    }
    return NULL;
}

/* An input made of the examples in the schema.  False when there is none for what is required. */
static bool print_example(const struct writ_json *root, const struct writ_json *schema, struct writ_buffer *out)
{
    const struct writ_json *whole = example_of(schema), *required = writ_json_get(schema, "required");
    if (whole && whole->kind == WRIT_JSON_OBJECT) {
        writ_json_print(out, whole, WRIT_JSON_COMPACT);
        return true;
    }
    struct writ_json_writer writer;
    writ_json_writer_init(&writer, out);
    writ_json_write_object(&writer);
    if (required && required->kind == WRIT_JSON_ARRAY)
        WRIT_JSON_EACH_ITEM(name, required)
        {
            const struct writ_json *property =
                contract_schema_resolve(root, contract_schema_property(root, schema, name->text, name->length));
            const struct writ_json *value = property ? example_of(property) : NULL;
            if (!value)
                return false;
            writ_json_write_key_sized(&writer, name->text, name->length);
            writ_json_write_node(&writer, value);
        }
    writ_json_write_object_end(&writer);
    return true;
}

/* Unsafe, for whether the call succeeds is for `writ test` to see. */
static void mend_missing(struct lint *lint)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer input = {.bytes_max = EXAMPLE_BYTES_MAX};
    const struct writ_json *root = lint->contract->input_node, *schema = contract_schema_resolve(root, root);
    if (!schema || !print_example(root, schema, &input))
        return;
    lint->out_of_memory |= input.failed && !input.too_large;
    const char *test = input.failed ? NULL
                                    : writ_arena_printf(&lint->report->arena, "{name: the example, input: %s}",
                                                        writ_buffer_text(&input));
    if (test)
        lint_mend_top(lint, "test", test, true);
}

void lint_tests(struct lint *lint)
{
    const struct writ_contract *contract = lint->contract;
    for (size_t i = 0; i < contract->test_count; i++) {
        char field[32];
        (void)snprintf(field, sizeof field, "test[%zu]", i);
        lint_test(lint, &contract->tests[i], field);
    }
    bool in_files = lint->skill->folder_fd >= 0 && lint_test_files(lint);
    if (contract->test_count > 0 || in_files)
        return;
    lint_add(lint, WRIT_RULE_TEST_MISSING, contract->yaml.root, "test",
             "is missing; give at least one call with what must come out");
    mend_missing(lint);
}
