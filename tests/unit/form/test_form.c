/* S4.9: a form asks for an input field by field, from the schema. */
#include "form/form.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static struct writ_contract *contract;
static struct writ_arena arena;

/* A contract whose input is an object with these members of its schema. */
static void open_contract(const char *members, const char *permissions)
{
    struct writ_contract_faults faults;
    struct writ_error error;
    struct writ_buffer text;
    writ_buffer_init(&text, 1 << 20);
    writ_contract_faults_init(&faults);
    writ_buffer_printf(&text,
                       "{\"id\": \"com.example.form.any\", \"name\": \"Any\", \"description\": \"Any.\", "
                       "\"version\": \"1.0.0\", \"author\": \"a\", \"license\": \"MIT\", "
                       "\"input\": {\"type\": \"object\", %s}, \"output\": {\"type\": \"object\", "
                       "\"required\": [\"success\", \"data\"], \"properties\": {\"success\": {\"type\": \"boolean\"}, "
                       "\"data\": {}}}, \"permissions\": [%s], \"runtime\": {\"language\": \"sh\"}}",
                       members, permissions);
    if (writ_contract_parse(text.data, text.length, "skill.yaml", NULL, &contract, &faults, &error) < 0)
        fail_msg("%s: %s", error.subject, error.message);
    writ_contract_faults_clear(&faults);
    writ_buffer_clear(&text);
}

static int set_up(void **state)
{
    (void)state;
    writ_arena_init(&arena, 1 << 22);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    writ_contract_free(contract);
    contract = NULL;
    writ_arena_clear(&arena);
    return 0;
}

static struct writ_form *open_form(const char *before_text, bool only_missing)
{
    const struct writ_json *before = NULL;
    struct writ_form *form = NULL;
    struct writ_error error;
    if (before_text)
        assert_int_equal(writ_json_parse(&arena, before_text, strlen(before_text), &before, &error), 0);
    assert_int_equal(writ_form_new(contract, before, only_missing, &form, &error), 0);
    return form;
}

#define ENTER ((const char *)NULL)

static void answers(struct writ_form *form, const char *label, const char *text)
{
    struct writ_error error;
    const struct writ_form_question *question = writ_form_question(form);
    if (!question)
        fail_msg("no question is left, wanted was %s", label);
    assert_string_equal(question->label, label);
    if (writ_form_answer(form, text, text ? strlen(text) : 0, &error) < 0)
        fail_msg("%s: %s", label, error.message);
}

static void refuses(struct writ_form *form, const char *label, const char *text, const char *part)
{
    struct writ_error error;
    const struct writ_form_question *question = writ_form_question(form);
    assert_non_null(question);
    assert_string_equal(question->label, label);
    if (writ_form_answer(form, text, text ? strlen(text) : 0, &error) != WRIT_INPUT_INVALID)
        fail_msg("%s was taken for %s", text ? text : "Enter", label);
    if (!strstr(error.message, part))
        fail_msg("%s: %s", text ? text : "Enter", error.message);
    assert_ptr_equal(writ_form_question(form), question);
}

static void prints(const struct writ_form *form, enum writ_form_document which, const char *expected)
{
    struct writ_buffer out;
    struct writ_error error;
    const struct writ_form_question *question = writ_form_question(form);
    if (question)
        fail_msg("%s is still asked", question->label);
    writ_buffer_init(&out, 1 << 20);
    assert_int_equal(writ_form_print(form, which, WRIT_JSON_COMPACT, &out, &error), 0);
    assert_string_equal(writ_buffer_text(&out), expected);
    writ_buffer_clear(&out);
}

static void gives(struct writ_form *form, const char *expected)
{
    prints(form, WRIT_FORM_WHOLE, expected);
    writ_form_free(form);
}

static void scalars(void **state)
{
    (void)state;
    open_contract("\"required\": [\"t\", \"i\", \"n\", \"b\"], \"properties\": {"
                  "\"t\": {\"type\": \"string\", \"minLength\": 2, \"maxLength\": 5},"
                  "\"i\": {\"type\": \"integer\", \"minimum\": 1, \"maximum\": 10},"
                  "\"n\": {\"type\": \"number\", \"exclusiveMaximum\": 1.5},"
                  "\"b\": {\"type\": \"boolean\"},"
                  "\"o\": {\"type\": \"string\"},"
                  "\"d\": {\"type\": \"integer\", \"default\": 7}}",
                  "");
    struct writ_form *form = open_form(NULL, false);
    refuses(form, "t", ENTER, "is required");
    refuses(form, "t", "", "2");
    refuses(form, "t", "toolong", "5");
    refuses(form, "t", "\xff\xfe", "UTF-8");
    answers(form, "t", "\xe4\xb8\xad\xe6\x96\x87 \"");
    refuses(form, "i", "x", "whole number");
    refuses(form, "i", "1.5", "whole number");
    refuses(form, "i", "11", "at most 10");
    refuses(form, "i", "0x5", "whole number");
    answers(form, "i", " +5 ");
    refuses(form, "n", "1.5", "1.5");
    refuses(form, "n", ".5", "number");
    answers(form, "n", "1.50e-3");
    refuses(form, "b", "maybe", "y or n");
    refuses(form, "b", ENTER, "is required");
    answers(form, "b", "YES");
    answers(form, "o", ENTER);
    answers(form, "d", ENTER);
    gives(form, "{\"t\":\"\xe4\xb8\xad\xe6\x96\x87 \\\"\",\"i\":5,\"n\":1.50e-3,\"b\":true,\"d\":7}");
}

static void choices(void **state)
{
    (void)state;
    open_contract("\"required\": [\"c\"], \"properties\": {"
                  "\"c\": {\"enum\": [\"fast\", \"slow\", \"slower\", null]},"
                  "\"n\": {\"enum\": [2, 1, 30]},"
                  "\"k\": {\"const\": \"only\"},"
                  "\"t\": {\"oneOf\": [{\"const\": 1, \"title\": \"one\"}, {\"const\": 2, \"title\": \"two\"}]}}",
                  "");
    struct writ_form *form = open_form(NULL, false);
    refuses(form, "c", "slo", "begin so");
    refuses(form, "c", "5", "choices");
    refuses(form, "c", "fats", "did you mean fast?");
    answers(form, "c", "2");
    refuses(form, "n", "3", "choices"); /* no place: choices are numbers themselves */
    answers(form, "n", "1");
    answers(form, "k", "o");
    answers(form, "t", "two");
    gives(form, "{\"c\":\"slow\",\"n\":1,\"k\":\"only\",\"t\":2}");
    form = open_form(NULL, false);
    answers(form, "c", "slow");
    answers(form, "n", ENTER);
    answers(form, "k", ENTER);
    answers(form, "t", ENTER);
    gives(form, "{\"c\":\"slow\"}");
    form = open_form("{\"c\":null}", false);
    answers(form, "n", "2");
    answers(form, "k", ENTER);
    answers(form, "t", "1");
    gives(form, "{\"c\":null,\"n\":2,\"t\":1}");
}

static void nested_objects(void **state)
{
    (void)state;
    open_contract("\"required\": [\"a\"], \"properties\": {"
                  "\"a\": {\"type\": \"object\", \"required\": [\"b\", \"x y\"], \"properties\": {"
                  "\"b\": {\"type\": \"string\"}, \"c\": {\"type\": \"object\", \"properties\": {\"d\": {\"type\": "
                  "\"integer\"}}}}},"
                  "\"free\": {\"type\": \"object\", \"additionalProperties\": {\"type\": \"integer\"}},"
                  "\"e\": {\"type\": \"object\", \"properties\": {\"f\": {\"type\": \"integer\"}}}}",
                  "");
    struct writ_form *form = open_form(NULL, false);
    assert_string_equal(writ_form_question(form)->section, "a");
    answers(form, "a.b", "B");
    answers(form, "a.c", "y");
    answers(form, "a.c.d", "5");
    answers(form, "a.x y", "[1, 2]");
    refuses(form, "free", "{\"k\": \"v\"}", "/k must be an integer");
    refuses(form, "free", "{", "must be JSON");
    answers(form, "free", "{\"k\": 1}");
    answers(form, "e", ENTER);
    gives(form, "{\"a\":{\"b\":\"B\",\"c\":{\"d\":5},\"x y\":[1,2]},\"free\":{\"k\":1}}");
}

static void lists(void **state)
{
    (void)state;
    open_contract("\"required\": [\"l\", \"r\"], \"properties\": {"
                  "\"l\": {\"type\": \"array\", \"minItems\": 2, \"maxItems\": 3, \"uniqueItems\": true, \"items\": "
                  "{\"type\": \"string\", \"pattern\": \"^[a-z]*$\"}},"
                  "\"r\": {\"type\": \"array\", \"items\": {\"type\": \"integer\"}},"
                  "\"o\": {\"type\": \"array\", \"items\": {\"type\": \"object\", \"required\": [\"k\"], "
                  "\"properties\": {\"k\": {\"type\": \"string\"}}}},"
                  "\"p\": {\"type\": \"array\", \"prefixItems\": [{\"type\": \"integer\"}, {\"type\": \"string\"}], "
                  "\"items\": false}}",
                  "");
    struct writ_form *form = open_form(NULL, false);
    refuses(form, "l[0]", ENTER, "at least 2");
    answers(form, "l[0]", "a");
    refuses(form, "l[1]", ENTER, "at least 2");
    refuses(form, "l[1]", "A", "pattern");
    refuses(form, "l[1]", "a", "differ");
    answers(form, "l[1]", "");
    answers(form, "l[2]", "b"); /* the third is the last */
    answers(form, "r[0]", ENTER);
    answers(form, "o[0]", "y");
    answers(form, "o[0].k", "K");
    answers(form, "o[1]", ENTER);
    answers(form, "p[0]", "1");
    answers(form, "p[1]", "one");
    gives(form, "{\"l\":[\"a\",\"\",\"b\"],\"r\":[],\"o\":[{\"k\":\"K\"}],\"p\":[1,\"one\"]}");
}

static void branches(void **state)
{
    (void)state;
    open_contract("\"required\": [\"shape\"], \"properties\": {"
                  "\"shape\": {\"oneOf\": ["
                  "{\"title\": \"Circle\", \"type\": \"object\", \"required\": [\"kind\", \"r\"], \"properties\": "
                  "{\"kind\": {\"const\": \"circle\"}, \"r\": {\"type\": \"number\", \"minimum\": 0}}},"
                  "{\"type\": \"object\", \"required\": [\"kind\"], \"properties\": {\"kind\": {\"const\": \"dot\"}}},"
                  "{\"type\": \"string\"}]},"
                  "\"maybe\": {\"anyOf\": [{\"type\": \"integer\"}, {\"type\": \"null\"}]},"
                  "\"id\": {\"anyOf\": [{\"type\": \"integer\"}, {\"type\": \"string\", \"minLength\": 3}]}}",
                  "");
    struct writ_form *form = open_form(NULL, false);
    assert_int_equal(writ_form_question(form)->purpose, WRIT_FORM_ASK_BRANCH);
    assert_string_equal(writ_form_question(form)->choices[1].text, "dot");
    answers(form, "shape", "circ");
    refuses(form, "shape.r", "-1", "at least 0");
    answers(form, "shape.r", "2");
    answers(form, "maybe", "3");
    answers(form, "id", "a text");
    refuses(form, "id", "ab", "3");
    answers(form, "id", "abc");
    gives(form, "{\"shape\":{\"kind\":\"circle\",\"r\":2},\"maybe\":3,\"id\":\"abc\"}");
    form = open_form(NULL, false);
    answers(form, "shape", "dot");
    answers(form, "maybe", ENTER);
    answers(form, "id", "JSON");
    refuses(form, "id", "[]", "must");
    answers(form, "id", "5");
    gives(form, "{\"shape\":{\"kind\":\"dot\"},\"id\":5}");
}

static void references_and_recursion(void **state)
{
    (void)state;
    open_contract("\"required\": [\"tree\"], \"$defs\": {\"node\": {\"$anchor\": \"n\", \"type\": \"object\", "
                  "\"required\": [\"name\"], \"properties\": {\"name\": {\"$ref\": \"#/$defs/na%7E0me\"}, \"next\": "
                  "{\"$ref\": \"#n\"}}}, \"na~me\": {\"type\": \"string\", \"maxLength\": 3, \"title\": \"Name\"}},"
                  "\"properties\": {\"tree\": {\"allOf\": [{\"$ref\": \"#/$defs/node\"}, {\"required\": [\"next\"]}]}}",
                  "");
    struct writ_form *form = open_form(NULL, false);
    assert_string_equal(writ_form_view_text(writ_form_question(form)->view, "title"), "Name");
    refuses(form, "tree.name", "long", "3");
    answers(form, "tree.name", "a");
    answers(form, "tree.next.name", "b");
    answers(form, "tree.next.next", "y");
    answers(form, "tree.next.next.name", "c");
    answers(form, "tree.next.next.next", ENTER);
    gives(form, "{\"tree\":{\"name\":\"a\",\"next\":{\"name\":\"b\",\"next\":{\"name\":\"c\"}}}}");
}

static void a_schema_without_end_is_cut_off(void **state)
{
    (void)state;
    open_contract("\"required\": [\"n\"], \"properties\": {\"n\": {\"$ref\": \"#\"}}", "");
    struct writ_form *form = open_form(NULL, false);
    const struct writ_form_question *question = writ_form_question(form);
    assert_non_null(question); /* the eleventh is not asked for, but taken as JSON */
    assert_int_equal(question->kind, WRIT_FORM_QUESTION_JSON);
    assert_string_equal(question->pointer, "/n/n/n/n/n/n/n/n/n/n");
    writ_form_free(form);
}

static void what_was_given_is_not_asked(void **state)
{
    (void)state;
    open_contract("\"required\": [\"a\", \"n\"], \"properties\": {\"a\": {\"type\": \"string\"}, \"n\": {\"type\": "
                  "\"integer\"}, \"in\": {\"type\": \"object\", \"required\": [\"x\", \"y\"], \"properties\": {\"x\": "
                  "{\"type\": \"integer\"}, \"y\": {\"type\": \"integer\"}, \"z\": {\"type\": \"integer\"}}}, \"l\": "
                  "{\"type\": \"array\", \"items\": {\"type\": \"integer\"}}}",
                  "");
    struct writ_form *form = open_form("{\"a\":\"A\",\"in\":{\"y\":1},\"other\":{\"k\":[true]},\"l\":[1]}", false);
    answers(form, "n", "5");
    answers(form, "in.x", "2");
    answers(form, "in.z", ENTER);
    gives(form, "{\"a\":\"A\",\"n\":5,\"in\":{\"x\":2,\"y\":1},\"l\":[1],\"other\":{\"k\":[true]}}");
    form = open_form("{\"a\":\"A\",\"n\":\"five\"}", false);
    assert_non_null(strstr(writ_form_question(form)->note, "must be an integer"));
    answers(form, "n", "5");
    answers(form, "in", ENTER);
    answers(form, "l[0]", ENTER);
    gives(form, "{\"a\":\"A\",\"n\":5}");
}

static void only_what_is_missing(void **state)
{
    (void)state;
    open_contract(
        "\"required\": [\"a\", \"d\", \"o\", \"l\"], \"properties\": {\"x\": {\"type\": \"string\"}, \"a\": "
        "{\"type\": \"string\"}, \"d\": {\"type\": \"integer\", \"default\": 1}, \"o\": {\"type\": "
        "\"object\", \"required\": [\"p\"], \"properties\": {\"p\": {\"type\": \"integer\"}, \"q\": {\"type\": "
        "\"integer\"}}}, \"l\": {\"type\": \"array\", \"items\": {\"type\": \"integer\"}}, \"u\": {\"type\": "
        "\"object\", \"required\": [\"v\"], \"properties\": {\"v\": {\"type\": \"integer\"}}}}",
        "");
    struct writ_form *form = open_form(NULL, true);
    answers(form, "a", "A");
    answers(form, "o.p", "1");
    answers(form, "l[0]", "4");
    answers(form, "l[1]", ENTER);
    gives(form, "{\"a\":\"A\",\"o\":{\"p\":1},\"l\":[4]}");
    form = open_form("{\"a\":\"A\",\"o\":{\"p\":1},\"l\":[],\"u\":{}}", true);
    answers(form, "u.v", "3");
    gives(form, "{\"a\":\"A\",\"o\":{\"p\":1},\"l\":[],\"u\":{\"v\":3}}");
    gives(open_form("{\"a\":\"A\",\"o\":{\"p\":1},\"l\":[],\"x\":\"X\"}", true),
          "{\"x\":\"X\",\"a\":\"A\",\"o\":{\"p\":1},\"l\":[]}");
}

static void what_a_given_field_brings_with_it_is_missing_too(void **state)
{
    (void)state;
    open_contract("\"properties\": {\"a\": {\"type\": \"integer\"}, \"b\": {\"type\": \"integer\"}}, "
                  "\"dependentRequired\": {\"a\": [\"b\"]}",
                  "");
    struct writ_form *form = open_form("{\"a\":1}", true);
    answers(form, "b", "2");
    gives(form, "{\"a\":1,\"b\":2}");
    gives(open_form("{}", true), "{}");
}

static void back(struct writ_form *form, bool moves)
{
    struct writ_error error;
    bool moved;
    assert_int_equal(writ_form_back(form, &moved, &error), 0);
    assert_int_equal(moved, moves);
}

static void going_back(void **state)
{
    (void)state;
    open_contract("\"properties\": {\"a\": {\"type\": \"string\"}, \"g\": {\"type\": \"string\"}, \"o\": {\"type\": "
                  "\"object\", \"properties\": {\"p\": {\"type\": \"integer\"}}}, \"l\": {\"type\": \"array\", "
                  "\"items\": {\"type\": \"integer\"}}}",
                  "");
    struct writ_form *form = open_form("{\"g\":\"G\"}", false);
    back(form, false);
    answers(form, "a", "wrong");
    back(form, true); /* passes over what was given */
    answers(form, "a", "right");
    answers(form, "o", "y");
    answers(form, "o.p", "1");
    answers(form, "l[0]", "1");
    back(form, true);
    back(form, true);
    back(form, true);
    answers(form, "o", "n");
    answers(form, "l[0]", ENTER);
    back(form, true); /* also when no question is left */
    answers(form, "l[0]", "5");
    answers(form, "l[1]", ENTER);
    gives(form, "{\"a\":\"right\",\"g\":\"G\",\"l\":[5]}");
}

static void the_whole_is_checked_and_asked_again(void **state)
{
    (void)state;
    open_contract("\"properties\": {\"a\": {\"type\": \"integer\"}, \"b\": {\"type\": \"integer\"}, \"c\": {\"type\": "
                  "\"integer\"}}, \"dependentRequired\": {\"a\": [\"b\"]}, \"if\": {\"required\": [\"c\"]}, \"then\": "
                  "{\"properties\": {\"a\": {\"maximum\": 5}}}",
                  "");
    struct writ_form *form = open_form(NULL, false);
    struct writ_schema_faults faults;
    struct writ_error error;
    bool reopened;
    answers(form, "a", "9");
    answers(form, "b", ENTER);
    answers(form, "c", "1");
    assert_int_equal(writ_form_check(form, &arena, &faults, &error), 0);
    assert_int_equal(faults.count, 2);
    for (size_t i = 0; i < faults.count; i++) {
        assert_int_equal(writ_form_reopen(form, &faults.items[i], &reopened, &error), 0);
        assert_true(reopened);
    }
    answers(form, "a", "4");
    answers(form, "b", "2"); /* and c stays as it was answered */
    assert_int_equal(writ_form_check(form, &arena, &faults, &error), 0);
    assert_int_equal(faults.count, 0);
    gives(form, "{\"a\":4,\"b\":2,\"c\":1}");
}

static void secrets_are_not_shown(void **state)
{
    (void)state;
    open_contract(
        "\"required\": [\"token\"], \"properties\": {\"token\": {\"type\": \"string\", \"writeOnly\": true, "
        "\"minLength\": 8}, \"deep\": {\"type\": \"object\", \"properties\": {\"pins\": {\"type\": \"array\", "
        "\"items\": {\"type\": \"string\", \"format\": \"password\"}}}}, \"plain\": {\"type\": \"string\"}}",
        "");
    struct writ_form *form = open_form(NULL, false);
    struct writ_error error;
    assert_true(writ_form_question(form)->secret);
    assert_int_equal(writ_form_answer(form, "hunter2", 7, &error), WRIT_INPUT_INVALID);
    assert_null(strstr(error.message, "hunter2"));
    answers(form, "token", "hunter22");
    answers(form, "deep", "y");
    answers(form, "deep.pins[0]", "1234");
    answers(form, "deep.pins[1]", ENTER);
    answers(form, "plain", "p");
    prints(form, WRIT_FORM_SHOWN, "{\"token\":\"(hidden)\",\"deep\":{\"pins\":\"(hidden)\"},\"plain\":\"p\"}");
    prints(form, WRIT_FORM_REPEATED, "{\"deep\":{},\"plain\":\"p\"}");
    gives(form, "{\"token\":\"hunter22\",\"deep\":{\"pins\":[\"1234\"]},\"plain\":\"p\"}");
}

/* Whatever a schema calls a secret is hidden, wherever it stands and however it was given. */
static void secrets_in_whole_values_are_not_shown(void **state)
{
#define SECRET "{\"type\": \"string\", \"writeOnly\": true}"
#define OBJECT_WITH_SECRET "{\"type\": \"object\", \"properties\": {\"t\": " SECRET "}}"
    static const struct {
        const char *members, *before, *shown, *repeated;
    } cases[] = {
        {"\"properties\": {\"pins\": {\"type\": \"array\", \"items\": " SECRET "}}", "{\"pins\":[\"1234\"]}",
         "{\"pins\":\"(hidden)\"}", "{}"},
        {"\"properties\": {\"a\": {\"oneOf\": [" OBJECT_WITH_SECRET ", {\"type\": \"integer\"}]}}",
         "{\"a\":{\"t\":\"1234\",\"u\":2}}", "{\"a\":{\"t\":\"(hidden)\",\"u\":2}}", "{\"a\":{\"u\":2}}"},
        {"\"properties\": {\"l\": {\"type\": \"array\", \"items\": " OBJECT_WITH_SECRET "}}",
         "{\"l\":[{\"t\":\"1234\"},{\"u\":1}]}", "{\"l\":[{\"t\":\"(hidden)\"},{\"u\":1}]}", "{\"l\":[{},{\"u\":1}]}"},
        {"\"additionalProperties\": " SECRET, "{\"x\":\"1234\"}", "{\"x\":\"(hidden)\"}", "{}"},
        {"\"patternProperties\": {\"^x\": " SECRET "}", "{\"x\":\"1234\"}", "{\"x\":\"(hidden)\"}", "{}"},
        {"\"if\": {\"required\": [\"x\"]}, \"then\": {\"properties\": {\"x\": " SECRET "}}", "{\"x\":\"1234\"}",
         "{\"x\":\"(hidden)\"}", "{}"},
        {"\"properties\": {\"o\": {\"type\": \"object\", \"writeOnly\": true, \"properties\": "
         "{\"t\": {\"type\": \"string\"}}}}",
         "{\"o\":{\"t\":\"1234\"}}", "{\"o\":\"(hidden)\"}", "{}"},
        {"\"properties\": {\"c\": {\"writeOnly\": false, \"$ref\": \"#/$defs/c\"}}, \"$defs\": {\"c\": " SECRET "}",
         "{\"c\":\"1234\"}", "{\"c\":\"(hidden)\"}", "{}"},
    };
    (void)state;
    for (size_t i = 0; i < WRIT_COUNT(cases); i++) {
        open_contract(cases[i].members, "");
        struct writ_form *form = open_form(cases[i].before, true);
        prints(form, WRIT_FORM_SHOWN, cases[i].shown);
        prints(form, WRIT_FORM_REPEATED, cases[i].repeated);
        gives(form, cases[i].before);
        writ_contract_free(contract);
    }
    contract = NULL;
}

/* Nor are they where a schema around the field calls it one, be it under a condition: typed unseen, told by no fault.
 */
static void secrets_of_schemas_around_are_asked_for_unseen(void **state)
{
    static const char text[] = "{\"type\": \"string\", \"minLength\": 2}";
    static const struct {
        const char *members, *label, *typed, *shown, *repeated;
    } cases[] = {
        {"\"required\": [\"t\"], \"properties\": {\"t\": %s}, \"if\": {}, \"then\": {\"properties\": {\"t\": " SECRET
         "}}",
         "t", "1234", "{\"t\":\"(hidden)\"}", "{}"},
        {"\"required\": [\"t\"], \"properties\": {\"t\": %s}, \"patternProperties\": {\"^t\": " SECRET "}", "t", "1234",
         "{\"t\":\"(hidden)\"}", "{}"},
        {"\"required\": [\"a/~b\"], \"properties\": {\"a/~b\": %s}, \"dependentSchemas\": {\"a/~b\": {\"properties\": "
         "{\"a/~b\": " SECRET "}}}",
         "a/~b", "1234", "{\"a/~b\":\"(hidden)\"}", "{}"},
        {"\"required\": [\"o\"], \"properties\": {\"o\": {\"type\": \"object\", \"required\": [\"t\"], \"properties\": "
         "{\"t\": %s}}}, \"anyOf\": [{\"properties\": {\"o\": " OBJECT_WITH_SECRET "}}]",
         "o.t", "1234", "{\"o\":{\"t\":\"(hidden)\"}}", "{\"o\":{}}"},
        {"\"required\": [\"l\"], \"properties\": {\"l\": {\"type\": \"array\", \"maxItems\": 1, \"items\": %s}}, "
         "\"if\": {}, \"else\": {\"properties\": {\"l\": {\"items\": " SECRET "}}}",
         "l[0]", "1234", "{\"l\":\"(hidden)\"}", "{}"},
    };
    (void)state;
    for (size_t i = 0; i < WRIT_COUNT(cases); i++) {
        char members[1024];
        const char *place = strstr(cases[i].members, "%s");
        (void)snprintf(members, sizeof members, "%.*s%s%s", (int)(place - cases[i].members), cases[i].members, text,
                       place + 2);
        open_contract(members, "");
        struct writ_form *form = open_form(NULL, false);
        struct writ_error error;
        assert_true(writ_form_question(form)->secret);
        assert_int_equal(writ_form_answer(form, "9", 1, &error), WRIT_INPUT_INVALID);
        assert_null(strstr(error.message, "9"));
        answers(form, cases[i].label, cases[i].typed);
        prints(form, WRIT_FORM_SHOWN, cases[i].shown);
        prints(form, WRIT_FORM_REPEATED, cases[i].repeated);
        writ_form_free(form);
        writ_contract_free(contract);
    }
    contract = NULL;
}

static void more_secrets_than_usual_are_all_hidden(void **state)
{
    struct writ_buffer before, shown;
    (void)state;
    writ_buffer_init(&before, 1 << 20);
    writ_buffer_init(&shown, 1 << 20);
    for (int i = 0; i < 600; i++) {
        writ_buffer_printf(&before, "%c\"k%d\":\"1234\"", i ? ',' : '{', i);
        writ_buffer_printf(&shown, "%c\"k%d\":\"(hidden)\"", i ? ',' : '{', i);
    }
    writ_buffer_append_byte(&before, '}');
    writ_buffer_append_byte(&shown, '}');
    open_contract("\"additionalProperties\": " SECRET, "");
    struct writ_form *form = open_form(before.data, true);
    prints(form, WRIT_FORM_SHOWN, shown.data);
    prints(form, WRIT_FORM_REPEATED, "{}");
    writ_form_free(form);
    writ_buffer_clear(&before);
    writ_buffer_clear(&shown);
}

/* What was typed for a secret object is typed unseen, and no fault tells it. */
static void secrets_inside_are_asked_for_unseen(void **state)
{
    (void)state;
    open_contract("\"required\": [\"o\", \"s\"], \"properties\": {\"o\": {\"type\": \"object\", \"writeOnly\": true, "
                  "\"required\": [\"t\"], \"properties\": {\"t\": {\"type\": \"string\"}}}, \"s\": " SECRET "}, "
                  "\"if\": {}, \"then\": {\"properties\": {\"s\": {\"minLength\": 6}}}",
                  "");
    struct writ_form *form = open_form(NULL, false);
    struct writ_schema_faults faults;
    struct writ_error error;
    assert_true(writ_form_question(form)->secret);
    answers(form, "o.t", "1234");
    answers(form, "s", "abcd");
    assert_int_equal(writ_form_check(form, &arena, &faults, &error), 0);
    assert_int_equal(faults.count, 1);
    assert_string_equal(faults.items[0].message, "must satisfy `minLength` of its schema, and does not");
    prints(form, WRIT_FORM_SHOWN, "{\"o\":\"(hidden)\",\"s\":\"(hidden)\"}");
    writ_form_free(form);
#undef SECRET
#undef OBJECT_WITH_SECRET
}

static void paths_are_known(void **state)
{
    (void)state;
    open_contract("\"properties\": {\"file\": {\"type\": \"string\"}, \"files\": {\"type\": \"array\", \"items\": "
                  "{\"type\": \"string\"}}, \"word\": {\"type\": \"string\"}}",
                  "\"filesystem:read:${{ .input.file }}\", \"filesystem:read:${{ .input.files }}\"");
    struct writ_form *form = open_form(NULL, false);
    assert_true(writ_form_question(form)->is_path);
    answers(form, "file", "x");
    assert_true(writ_form_question(form)->is_path);
    answers(form, "files[0]", ENTER);
    assert_false(writ_form_question(form)->is_path);
    writ_form_free(form);
}

static void mixed_types(void **state)
{
    (void)state;
    open_contract("\"required\": [\"m\", \"s\"], \"properties\": {\"m\": {\"type\": [\"integer\", \"string\", "
                  "\"null\"]}, \"s\": {\"type\": [\"string\", \"null\"]}, \"any\": {}, \"yes\": true}",
                  "");
    struct writ_form *form = open_form(NULL, false);
    answers(form, "m", "true"); /* no boolean fits, so it is a text */
    answers(form, "s", ENTER);
    answers(form, "any", "{\"k\":1}");
    answers(form, "yes", "plain words");
    gives(form, "{\"m\":\"true\",\"s\":null,\"any\":{\"k\":1},\"yes\":\"plain words\"}");
}

static void too_many_answers_are_refused(void **state)
{
    (void)state;
    open_contract("\"properties\": {\"l\": {\"type\": \"array\", \"items\": {\"type\": \"integer\"}}}", "");
    struct writ_form *form = open_form(NULL, false);
    struct writ_error error;
    int result = 0;
    for (unsigned i = 0; result == 0 && i < 2000; i++)
        result = writ_form_answer(form, "1", 1, &error);
    assert_int_equal(result, WRIT_INTERNAL_LIMIT);
    writ_form_free(form);
}

/* Whatever is answered, a form ends, and what passes its check is what the skill takes. */
static void any_answers(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "y",    "n",    "1",      "2",     "0",     "-1",        "",           ENTER,
        ENTER,  "a",    "abc",    "[]",    "[1,2]", "{}",        "null",       "\"a\"",
        "true", "JSON", "circle", "3.5e2", "\xff",  "{\"k\":1}", "2026-11-30", "long text of several words"};
    open_contract("\"required\": [\"a\", \"tree\"], \"$defs\": {\"node\": {\"type\": \"object\", \"properties\": {"
                  "\"v\": {\"type\": [\"integer\", \"string\"]}, \"next\": {\"type\": \"array\", \"minItems\": 1, "
                  "\"items\": {\"$ref\": \"#/$defs/node\"}}}}}, \"properties\": {\"a\": {\"enum\": [\"a\", 1, null]}, "
                  "\"tree\": {\"$ref\": \"#/$defs/node\"}, \"s\": {\"oneOf\": [{\"title\": \"circle\", \"type\": "
                  "\"object\", \"required\": [\"r\"], \"properties\": {\"r\": {\"type\": \"number\"}}}, {\"type\": "
                  "\"array\", \"uniqueItems\": true, \"items\": {\"type\": \"integer\"}}, {\"type\": \"null\"}]}, "
                  "\"d\": {\"type\": \"string\", \"format\": \"date\"}}, \"dependentRequired\": {\"d\": [\"s\"]}",
                  "");
    unsigned seed = 7, ended = 0;
    for (unsigned round = 0; round < 200; round++) {
        struct writ_form *form = open_form(NULL, round % 4 == 0);
        struct writ_error error;
        struct writ_arena own;
        writ_arena_init(&own, 1 << 22);
        for (unsigned i = 0; i < 400; i++) {
            struct writ_schema_faults faults;
            bool moved;
            seed = seed * 1103515245u + 12345u;
            unsigned chosen = (seed >> 16) % (WRIT_COUNT(texts) + 2);
            if (!writ_form_question(form)) {
                assert_int_equal(writ_form_check(form, &own, &faults, &error), 0);
                ended++;
                if (faults.count == 0)
                    break;
                assert_int_equal(writ_form_reopen(form, &faults.items[0], &moved, &error), 0);
                if (!moved)
                    break;
            } else if (chosen >= WRIT_COUNT(texts)) {
                assert_int_equal(writ_form_back(form, &moved, &error), 0);
            } else {
                const char *text = texts[chosen];
                int result = writ_form_answer(form, text, text ? strlen(text) : 0, &error);
                assert_true(result == 0 || result == WRIT_INPUT_INVALID);
            }
        }
        writ_arena_clear(&own);
        writ_form_free(form);
    }
    assert_true(ended > 20);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(scalars),
        CASE(choices),
        CASE(nested_objects),
        CASE(lists),
        CASE(branches),
        CASE(references_and_recursion),
        CASE(a_schema_without_end_is_cut_off),
        CASE(what_was_given_is_not_asked),
        CASE(only_what_is_missing),
        CASE(what_a_given_field_brings_with_it_is_missing_too),
        CASE(going_back),
        CASE(the_whole_is_checked_and_asked_again),
        CASE(secrets_are_not_shown),
        CASE(secrets_in_whole_values_are_not_shown),
        CASE(secrets_of_schemas_around_are_asked_for_unseen),
        CASE(more_secrets_than_usual_are_all_hidden),
        CASE(secrets_inside_are_asked_for_unseen),
        CASE(paths_are_known),
        CASE(mixed_types),
        CASE(too_many_answers_are_refused),
        CASE(any_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
