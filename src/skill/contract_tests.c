/* `test`: one map or a list of maps. */
#include "skill/contract_reader.h"

#include "base/text.h"

#include <math.h>

#define TESTS_MAX 256
#define TEST(member) offsetof(struct writ_contract_test, member)

static contract_read_function read_expected_output, read_expected_error, read_class, read_tolerance, read_ignore,
    read_description;

static const struct contract_field test_fields[] = {
    {"name", contract_read_text, TEST(name), 1, 128, false, "a short text", "`test 1` and so on when left out"},
    {"description", read_description, 0, 0, 0, false, "a text", "why it is there"},
    {"input", contract_read_node, TEST(input), 0, 0, true, "the document that is passed in",
     "any document: wrong ones are tested too"},
    {"expected_output", read_expected_output, TEST(expected_output), 0, 0, false, "the document that must come out",
     "numbers are compared with the tolerance"},
    {"expected_error", read_expected_error, TEST(expected_class), 0, 0, false,
     "a class such as `input:invalid`, or a map with `class`", "the class of failure that must come out"},
    {"tolerance", read_tolerance, TEST(tolerance), 0, 0, false, "a number, 0 or more; 0.000001 is the default",
     "absolute, for numbers"},
    {"ignore", read_ignore, TEST(ignore), 0, 64, false, "a list of JSON pointers such as `[/data/duration_ms]`",
     "parts of the output that are not compared"},
};
const struct contract_table contract_table_test = {"test[]", test_fields, WRIT_COUNT(test_fields)};

static const struct contract_field expected_error_fields[] = {
    {"class", read_class, 0, 0, 0, true, "a class such as `input:invalid`", "the class of failure"},
};
const struct contract_table contract_table_expected_error = {"test[].expected_error", expected_error_fields,
                                                             WRIT_COUNT(expected_error_fields)};

static const char *const classes[] = {
#define X(name, class_name, exit_status, meaning) class_name,
    WRIT_CODES(X)
#undef X
};

static void read_description(struct contract_reader *reader, const struct writ_json *node, void *member,
                             const struct contract_field *field)
{
    (void)member;
    if (node->kind != WRIT_JSON_STRING)
        contract_fault(reader, node, "must be %s, but is %s", field->form, contract_kind_name(node));
}

static void read_expected_output(struct contract_reader *reader, const struct writ_json *node, void *member,
                                 const struct contract_field *field)
{
    if (node->kind == WRIT_JSON_OBJECT)
        contract_read_node(reader, node, member, field);
    else
        contract_fault(reader, node, "must be a map with `success` and `data`, but is %s", contract_kind_name(node));
}

static void read_class(struct contract_reader *reader, const struct writ_json *node, void *member,
                       const struct contract_field *field)
{
    const char *text = writ_json_text(node);
    for (size_t i = 0; text && i < WRIT_COUNT(classes); i++)
        if (strcmp(text, classes[i]) == 0) {
            *(const char **)member = classes[i];
            return;
        }
    const char *nearest = text ? writ_nearest_name(text, classes, WRIT_COUNT(classes)) : NULL;
    if (nearest)
        contract_fault(reader, node, "`%s` is no class of failure; did you mean `%s`?", contract_excerpt(node).text,
                       nearest);
    else
        contract_fault(reader, node, "`%s` is no class of failure; write %s",
                       text ? contract_excerpt(node).text : contract_kind_name(node), field->form);
    const char *certain = text ? writ_certain_name(text, classes, WRIT_COUNT(classes)) : NULL;
    if (certain)
        contract_mend_text(reader, node, certain, false);
}

static void read_expected_error(struct contract_reader *reader, const struct writ_json *node, void *member,
                                const struct contract_field *field)
{
    if (node->kind == WRIT_JSON_OBJECT)
        contract_read_map(reader, node, &contract_table_expected_error, member);
    else
        read_class(reader, node, member, field);
}

static void read_tolerance(struct contract_reader *reader, const struct writ_json *node, void *member,
                           const struct contract_field *field)
{
    double value = writ_json_is_number(node) ? writ_json_double(node) : -1;
    if (value >= 0 && isfinite(value))
        *(double *)member = value;
    else
        contract_fault(reader, node, "must be %s, but is %s", field->form,
                       writ_json_is_number(node) ? contract_excerpt(node).text : contract_kind_name(node));
}

static void read_ignore(struct contract_reader *reader, const struct writ_json *node, void *member,
                        const struct contract_field *field)
{
    if (node->kind != WRIT_JSON_ARRAY || node->length > field->max) {
        contract_fault(reader, node, "must be %s, at most %llu of them", field->form, (unsigned long long)field->max);
        return;
    }
    size_t index = 0;
    WRIT_JSON_EACH_ITEM(item, node)
    {
        const char *text = writ_json_text(item);
        struct contract_frame frame;
        contract_enter(reader, &frame, NULL, index++);
        if (!text || text[0] != '/')
            contract_fault(reader, item, "must be a JSON pointer such as `/data/duration_ms`, but is `%s`",
                           text ? contract_excerpt(item).text : contract_kind_name(item));
        contract_leave(reader);
    }
    *(const struct writ_json **)member = node;
}

void contract_read_test(struct contract_reader *reader, const struct writ_json *node, struct writ_contract_test *test,
                        size_t number)
{
    struct writ_yaml_place place = writ_yaml_place_of(&reader->contract->yaml, node);
    *test = (struct writ_contract_test){.tolerance = 1e-6, .line = place.line, .column = place.column};
    contract_read_map(reader, node, &contract_table_test, test);
    if (test->expected_output && test->expected_class && strcmp(test->expected_class, "program:reported") != 0)
        contract_fault_below(reader, test->expected_output, "expected_output",
                             "cannot come with `expected_error: %s`, which leaves no output; remove one",
                             test->expected_class);
    if (!test->name) {
        test->name = writ_arena_printf(reader->arena, "test %zu", number);
        reader->out_of_memory |= !test->name;
    }
}

void contract_read_tests(struct contract_reader *reader, const struct writ_json *node, void *member,
                         const struct contract_field *field)
{
    struct writ_contract *contract = member;
    bool list = node->kind == WRIT_JSON_ARRAY;
    if (!list && node->kind != WRIT_JSON_OBJECT) {
        contract_fault(reader, node, "must be %s, but is %s", field->form, contract_kind_name(node));
        return;
    }
    if (list && node->length > TESTS_MAX) {
        contract_fault(reader, node, "has %u tests; at most %d are taken here, more may stand in `tests/`",
                       node->length, TESTS_MAX);
        return;
    }
    size_t count = list ? node->length : 1;
    struct writ_contract_test *tests = contract_alloc(reader, count, sizeof *tests);
    if (!tests)
        return;
    if (!list)
        contract_read_test(reader, node, &tests[0], 1);
    const struct writ_json *next = list ? writ_json_first(node) : NULL;
    for (size_t i = 0; next && i < count; i++, next = writ_json_next(next)) {
        struct contract_frame frame;
        contract_enter(reader, &frame, NULL, i);
        contract_read_test(reader, next, &tests[i], i + 1);
        contract_leave(reader);
    }
    contract->tests = tests;
    contract->test_count = count;
}
