#include "skill/lint_rules.h"

#include "data/json_pointer.h"
#include "skill/contract_reader.h"
#include "skill/cut.h"

#define FAULTS_MAX 10 /* of one document */
#define DEPTH_MAX 8   /* of properties within properties */

/* ---- documents in the contract against its schemas ---- */

void lint_add_faults(struct lint *lint, enum writ_lint_rule_id rule, const struct writ_json *node, const char *field,
                     const struct writ_schema_faults *faults)
{
    for (size_t i = 0; i < faults->count; i++) {
        const struct writ_schema_fault *fault = &faults->items[i];
        const struct writ_json *place =
            writ_json_pointer_get(node, fault->instance_pointer, strlen(fault->instance_pointer));
        lint_add(lint, rule, place ? place : node, field, "%s%s%s%s", fault->instance_pointer[0] ? "`" : "",
                 fault->instance_pointer, fault->instance_pointer[0] ? "` " : "", fault->message);
    }
}

static void check_document(struct lint *lint, const struct writ_schema *schema, const struct writ_json *document,
                           enum writ_lint_rule_id rule, const char *field)
{
    struct writ_schema_faults faults;
    if (writ_schema_check(schema, document))
        return;
    if (writ_schema_explain(schema, document, FAULTS_MAX, &lint->report->arena, &faults, lint->error) < 0)
        lint->out_of_memory = true;
    else
        lint_add_faults(lint, rule, document, field, &faults);
}

const struct writ_json *lint_with_defaults(struct lint *lint, const struct writ_json *input)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
    writ_buffer_init(&text, WRIT_YAML_BYTES_MAX * 4);
    const struct writ_json *filled = NULL;
    if (writ_contract_apply_defaults(lint->contract, input, &text, lint->error) < 0 ||
        writ_json_parse(&lint->report->arena, writ_buffer_text(&text), text.length, &filled, lint->error) < 0)
        lint->out_of_memory = true;
    return filled;
}

void lint_check_input(struct lint *lint, const struct writ_json *input, enum writ_lint_rule_id rule, const char *field)
{
    const struct writ_json *filled = lint_with_defaults(lint, input);
    struct writ_schema_faults faults;
    if (!filled || writ_schema_check(lint->contract->input, filled))
        return;
    if (writ_schema_explain(lint->contract->input, filled, FAULTS_MAX, &lint->report->arena, &faults, lint->error) < 0)
        lint->out_of_memory = true;
    else
        lint_add_faults(lint, rule, input, field, &faults); /* places are looked up in the document as written */
}

/* ---- inputs ---- */

static bool refers(const struct writ_json *node)
{
    if (node->kind == WRIT_JSON_ARRAY)
        WRIT_JSON_EACH_ITEM(item, node)
        {
            if (refers(item))
                return true;
        }
    if (node->kind == WRIT_JSON_OBJECT)
        WRIT_JSON_EACH_MEMBER(key, node)
        {
            if (writ_json_is_text(key, "$ref") || writ_json_is_text(key, "$dynamicRef") || refers(key + 1))
                return true;
        }
    return false;
}

/* Values that a property's own schema gives as good ones must be good. */
static void check_values(struct lint *lint, const struct writ_json *property, const char *field)
{
    static const char *const single[] = {"default", "example"};
    const struct writ_json *examples = writ_json_get(property, "examples");
    if (refers(property)) /* it means nothing by itself */
        return;
    struct writ_schema *schema = NULL;
    struct writ_error error;
    struct writ_schema_options options = {.assert_format = true};
    if (writ_schema_compile(property, &options, &schema, &error) < 0) {
        lint->out_of_memory |= error.code == WRIT_INTERNAL_MEMORY;
        return; /* the whole compiled: what fails alone is no fault */
    }
    for (size_t i = 0; i < WRIT_COUNT(single); i++) {
        const struct writ_json *value = writ_json_get(property, single[i]);
        if (value)
            check_document(lint, schema, value, WRIT_RULE_EXAMPLE_INVALID, field);
    }
    if (examples && examples->kind == WRIT_JSON_ARRAY)
        WRIT_JSON_EACH_ITEM(item, examples)
        {
            check_document(lint, schema, item, WRIT_RULE_EXAMPLE_INVALID, field);
        }
    writ_schema_free(schema);
}

static bool has_text(const struct writ_json *schema, const char *name)
{
    const char *text = writ_json_text(writ_json_get(schema, name));
    return text && text[strspn(text, " \t\r\n")];
}

static bool shown_in_examples(const struct writ_json *root, const char *pointer)
{
    const struct writ_json *examples = writ_json_get(root, "examples"), *example = writ_json_get(root, "example");
    if (example && writ_json_pointer_get(example, pointer, strlen(pointer)))
        return true;
    if (examples && examples->kind == WRIT_JSON_ARRAY)
        WRIT_JSON_EACH_ITEM(item, examples)
        {
            if (writ_json_pointer_get(item, pointer, strlen(pointer)))
                return true;
        }
    return false;
}

static bool has_example(const struct writ_json *root, const struct writ_json *schema, const char *pointer)
{
    static const char *const keys[] = {"example", "examples", "default", "enum", "const"};
    for (size_t i = 0; i < WRIT_COUNT(keys); i++)
        if (writ_json_get(schema, keys[i]))
            return true;
    return writ_json_is_text(writ_json_get(schema, "type"), "boolean") || shown_in_examples(root, pointer);
}

static void lint_properties(struct lint *lint, const struct writ_json *schema, const char *field, const char *pointer,
                            bool shown, unsigned depth);

/* `shown`: an example of the whole, further out, shows the parts too. */
static void lint_property(struct lint *lint, const struct writ_json *key, const char *field, const char *pointer,
                          bool shown, unsigned depth)
{
    const struct writ_json *root = lint->contract->input_node;
    const struct writ_json *target = contract_schema_resolve(root, key + 1);
    if (!target || target->kind != WRIT_JSON_OBJECT)
        return;
    if (!has_text(key + 1, "description") && !has_text(target, "description"))
        lint_add(lint, WRIT_RULE_INPUT_UNDESCRIBED, key, field,
                 "has no description; say what it is, in what form, and what happens without it");
    bool example = shown || has_example(root, key + 1, pointer) || has_example(root, target, pointer);
    bool has_parts = writ_json_get(target, "properties") != NULL;
    if (!example && !has_parts)
        lint_add(lint, WRIT_RULE_INPUT_UNEXAMPLED, key, field,
                 "has no example; give `example`, `default` or `enum`, or show it in the input's `examples`");
    check_values(lint, target, field);
    lint_properties(lint, target, field, pointer, example, depth + 1);
    const struct writ_json *items = contract_schema_resolve(root, writ_json_get(target, "items"));
    if (items)
        lint_properties(lint, items, field, pointer, true, depth + 1);
}

static void lint_properties(struct lint *lint, const struct writ_json *schema, const char *field, const char *pointer,
                            bool shown, unsigned depth)
{
    const struct writ_json *properties = writ_json_get(schema, "properties");
    if (!properties || properties->kind != WRIT_JSON_OBJECT || depth > DEPTH_MAX)
        return;
    /* Once each, in the first place where it stands: a schema that refers to itself would double with every level. */
    bool *seen = &lint->seen[properties - lint->contract->yaml.root];
    if (*seen)
        return;
    *seen = true;
    WRIT_JSON_EACH_MEMBER(key, properties)
    {
        WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer inner;
        writ_buffer_init(&inner, (size_t)64 << 10);
        writ_buffer_append_text(&inner, pointer);
        writ_json_pointer_append(&inner, key->text, key->length);
        const char *name = writ_arena_printf(&lint->report->arena, "%s.%.*s", field, cut(key->text, 64), key->text);
        if (!name || inner.failed) {
            lint->out_of_memory = true;
            return;
        }
        lint_property(lint, key, name, writ_buffer_text(&inner), shown, depth);
    }
}

/* ---- the schemas as a whole ---- */

static const struct writ_json *find_key(const struct writ_json *map, const char *name)
{
    WRIT_JSON_EACH_MEMBER(key, map)
    {
        if (writ_json_is_text(key, name))
            return key;
    }
    return NULL;
}

static void lint_input_end(struct lint *lint, const struct writ_json *input)
{
    const struct writ_json *resolved = contract_schema_resolve(input, input);
    if (!resolved || writ_json_get(resolved, "additionalProperties") ||
        writ_json_get(resolved, "unevaluatedProperties"))
        return;
    lint_add(lint, WRIT_RULE_INPUT_OPEN, input, "input",
             "takes any further property, so a misspelt one passes unseen; `additionalProperties: false` refuses it");
    const struct writ_json *properties = find_key(input, "properties");
    if (resolved == input && properties && !lint_is_composed(input))
        lint_mend_member(lint, input, properties, "additionalProperties", "false", true);
}

static void lint_output_error(struct lint *lint, const struct writ_json *output)
{
    if (contract_schema_property(output, output, "error", 5))
        return;
    lint_add(lint, WRIT_RULE_OUTPUT_ERROR_UNDECLARED, output, "output",
             "does not declare `error`, which a failure must carry; declare `properties.error`");
    const struct writ_json *properties = writ_json_get(output, "properties");
    if (properties)
        lint_mend_member(lint, properties, NULL, "error", "{type: string, description: Why it failed.}", true);
}

void lint_schemas(struct lint *lint)
{
    const struct writ_json *input = lint->contract->input_node, *output = lint->contract->output_node;
    const struct writ_json *root = lint->contract->yaml.root;
    lint->seen = writ_arena_zalloc(&lint->report->arena, (size_t)(writ_json_next(root) - root), sizeof *lint->seen);
    if (!lint->seen) {
        lint->out_of_memory = true;
        return;
    }
    lint_properties(lint, input, "input", "", false, 0);
    const struct writ_json *examples = writ_json_get(input, "examples"), *example = writ_json_get(input, "example");
    if (example)
        lint_check_input(lint, example, WRIT_RULE_EXAMPLE_INVALID, "input.example");
    if (examples && examples->kind == WRIT_JSON_ARRAY)
        WRIT_JSON_EACH_ITEM(item, examples)
        {
            lint_check_input(lint, item, WRIT_RULE_EXAMPLE_INVALID, "input.examples");
        }
    lint_input_end(lint, input);
    lint_output_error(lint, output);
}
