/*
 * Slips in the schemas that no check of a document shows: a misspelt keyword is an annotation to JSON Schema and a
 * misspelt name in `required` asks for a property that nobody can know.
 *
 * The schema is walked as it is written, each schema in it once; references lead to what is walked elsewhere.
 */
#include "skill/lint_rules.h"

#include "base/text.h"
#include "data/schema_keyword.h"
#include "skill/contract_reader.h"
#include "skill/cut.h"

#define FIELD_BYTES_MAX 1024
#define NAMES_MAX 64 /* looked at for a suggestion */

/* Where the walk is, innermost first; as deep as the contract's own nesting, which its reader bounds. */
struct spot {
    const struct spot *up;
    const char *name; /* NULL: an element of a list */
    size_t index;
};

static void print_spot(struct writ_buffer *out, const struct spot *spot)
{
    if (spot->up)
        print_spot(out, spot->up);
    if (!spot->name)
        writ_buffer_printf(out, "[%zu]", spot->index);
    else
        writ_buffer_printf(out, "%s%.*s", spot->up ? "." : "", cut(spot->name, 64), spot->name);
}

static void add(struct lint *lint, const struct spot *spot, enum writ_lint_rule_id rule, const struct writ_json *node,
                const char *what, const char *mend, const char *nearest)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer field;
    writ_buffer_init(&field, (size_t)64 << 10);
    print_spot(&field, spot);
    char text[FIELD_BYTES_MAX];
    (void)snprintf(text, sizeof text, "%s", writ_buffer_text(&field));
    text[cut(text, sizeof text - 2)] = '\0';
    if (field.failed)
        lint->out_of_memory = true;
    else if (nearest)
        lint_add(lint, rule, node, text, "`%s` %s; did you mean `%.*s`?", contract_excerpt(node).text, what,
                 cut(nearest, 64), nearest);
    else
        lint_add(lint, rule, node, text, "`%s` %s; %s", contract_excerpt(node).text, what, mend);
}

/* ---- keywords ---- */

static void check_keyword(struct lint *lint, const struct spot *spot, const struct writ_json *schema,
                          const struct writ_json *key)
{
    /* `example` is no word of JSON Schema, but lint reads it. */
    if (writ_json_is_text(key, "example") || strncmp(key->text, "x-", 2) == 0)
        return;
    const char *names[KEYWORD_COUNT];
    for (size_t i = 0; i < KEYWORD_COUNT; i++)
        names[i] = writ_schema_keyword_name((enum schema_keyword_id)i);
    add(lint, spot, WRIT_RULE_SCHEMA_KEYWORD_UNKNOWN, key, "is no keyword of JSON Schema, so it does nothing",
        "remove it, or begin its name with `x-`", writ_nearest_name(key->text, names, WRIT_COUNT(names)));
    const char *certain = writ_certain_name(key->text, names, WRIT_COUNT(names));
    if (certain && !writ_json_get(schema, certain))
        lint_mend_text(lint, key, certain);
}

/* ---- required ---- */

bool lint_is_composed(const struct writ_json *schema)
{
    static const char *const others[] = {"$ref",
                                         "$dynamicRef",
                                         "allOf",
                                         "anyOf",
                                         "oneOf",
                                         "if",
                                         "then",
                                         "else",
                                         "dependentSchemas",
                                         "patternProperties"};
    for (size_t i = 0; i < WRIT_COUNT(others); i++)
        if (writ_json_get(schema, others[i]))
            return true;
    return false;
}

static void check_required(struct lint *lint, const struct spot *spot, const struct writ_json *schema)
{
    const struct writ_json *required = writ_json_get(schema, "required"),
                           *properties = writ_json_get(schema, "properties");
    if (!required || required->kind != WRIT_JSON_ARRAY || lint_is_composed(schema))
        return;
    const char *names[NAMES_MAX];
    size_t count = 0;
    if (properties && properties->kind == WRIT_JSON_OBJECT)
        WRIT_JSON_EACH_MEMBER(key, properties)
        {
            if (count < WRIT_COUNT(names))
                names[count++] = key->text;
        }
    const struct spot here = {.up = spot, .name = "required"};
    WRIT_JSON_EACH_ITEM(item, required)
    {
        if (item->kind != WRIT_JSON_STRING || writ_json_get_sized(properties, item->text, item->length))
            continue;
        add(lint, &here, WRIT_RULE_REQUIRED_UNDECLARED, item, "is required, but `properties` does not declare it",
            "declare it there", writ_nearest_name(item->text, names, count));
        const char *certain = writ_certain_name(item->text, names, count);
        if (certain && !contract_list_names(required, certain))
            lint_mend_text(lint, item, certain);
    }
}

/* ---- the walk ---- */

static void walk_schema(struct lint *lint, const struct spot *spot, const struct writ_json *schema, bool in_place);

static void walk_value(struct lint *lint, const struct spot *spot, enum schema_keyword_id id,
                       const struct writ_json *value)
{
    struct spot below = {.up = spot};
    switch (writ_schema_keyword_shape(id)) {
    case SHAPE_SCHEMA:
        walk_schema(lint, spot, value, writ_schema_keyword_is_in_place(id));
        break;
    case SHAPE_SCHEMAS:
        if (value->kind == WRIT_JSON_ARRAY)
            WRIT_JSON_EACH_ITEM(item, value)
            {
                walk_schema(lint, &below, item, writ_schema_keyword_is_in_place(id));
                below.index++;
            }
        break;
    case SHAPE_SCHEMA_MAP:
    case SHAPE_PATTERN_MAP:
        if (value->kind == WRIT_JSON_OBJECT)
            WRIT_JSON_EACH_MEMBER(key, value)
            {
                /* A definition may be meant for use within another. */
                below.name = key->text;
                walk_schema(lint, &below, key + 1,
                            writ_schema_keyword_is_in_place(id) || id == KEYWORD_DEFS || id == KEYWORD_DEFINITIONS);
            }
        break;
    default:
        break;
    }
}

static void walk_schema(struct lint *lint, const struct spot *spot, const struct writ_json *schema, bool in_place)
{
    if (schema->kind != WRIT_JSON_OBJECT)
        return;
    if (!in_place)
        check_required(lint, spot, schema);
    WRIT_JSON_EACH_MEMBER(key, schema)
    {
        enum schema_keyword_id id = writ_schema_keyword_find(key);
        const struct spot here = {.up = spot, .name = key->text};
        if (id == KEYWORD_COUNT)
            check_keyword(lint, &here, schema, key);
        else
            walk_value(lint, &here, id, key + 1);
    }
}

void lint_keywords(struct lint *lint)
{
    const struct spot input = {.name = "input"}, output = {.name = "output"};
    walk_schema(lint, &input, lint->contract->input_node, false);
    walk_schema(lint, &output, lint->contract->output_node, false);
}
