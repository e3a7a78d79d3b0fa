/* `input` and `output`: compiled schemas, what a contract asks of them, and what hangs on their properties. */
#include "skill/contract_reader.h"

#include "base/text.h"
#include "data/json_pointer.h"
#include "skill/cut.h"

#define REFERENCES_MAX 16

/* ---- looking into a schema ---- */

const struct writ_json *contract_schema_resolve(const struct writ_json *root, const struct writ_json *node)
{
    for (unsigned i = 0; node && i < REFERENCES_MAX; i++) {
        const struct writ_json *reference = writ_json_get(node, "$ref");
        if (!reference)
            return node;
        const char *text = writ_json_text(reference);
        if (!text || text[0] != '#' || (text[1] && text[1] != '/'))
            return NULL;
        node = writ_json_pointer_get(root, text + 1, reference->length - 1);
    }
    return NULL;
}

const struct writ_json *contract_schema_property(const struct writ_json *root, const struct writ_json *schema,
                                                 const char *name, size_t length)
{
    const struct writ_json *resolved = contract_schema_resolve(root, schema);
    const struct writ_json *properties = writ_json_get(resolved, "properties");
    return writ_json_get_sized(properties, name, length);
}

/* True when `type` is `name`, alone or in a list beside nothing but null. */
static bool has_type(const struct writ_json *schema, const char *name)
{
    const struct writ_json *type = writ_json_get(schema, "type");
    if (!type || type->kind != WRIT_JSON_ARRAY)
        return writ_json_is_text(type, name);
    bool found = false;
    WRIT_JSON_EACH_ITEM(item, type)
    {
        if (!writ_json_is_text(item, name) && !writ_json_is_text(item, "null"))
            return false;
        found |= writ_json_is_text(item, name);
    }
    return found;
}

/* ---- the two fields ---- */

void contract_read_schema(struct contract_reader *reader, const struct writ_json *node, void *member,
                          const struct contract_field *field)
{
    if (node->kind == WRIT_JSON_OBJECT)
        *(const struct writ_json **)member = node;
    else
        contract_fault(reader, node, "must be %s, but is %s", field->form, contract_kind_name(node));
}

/* What the words of older YAML stand for, NULL for all others. */
static const char *meant_by(const char *text)
{
    static const char *const words[][2] = {{"no", "false"}, {"n", "false"}, {"off", "false"}, {"false", "false"},
                                           {"yes", "true"}, {"y", "true"},  {"on", "true"},   {"true", "true"}};
    for (size_t i = 0; i < WRIT_COUNT(words); i++)
        if (strcasecmp(text, words[i][0]) == 0)
            return words[i][1];
    return NULL;
}

/* A type by the name that it has in other languages, or misspelt. */
static void mend_type(struct contract_reader *reader, const struct writ_json *node)
{
    static const char *const types[] = {"string", "number", "integer", "boolean", "array", "object", "null"};
    static const char *const others[][2] = {
        {"str", "string"},   {"text", "string"}, {"int", "integer"}, {"float", "number"}, {"double", "number"},
        {"bool", "boolean"}, {"list", "array"},  {"dict", "object"}, {"map", "object"},   {"none", "null"},
    };
    const char *text = writ_json_text(node), *meant = text ? writ_certain_name(text, types, WRIT_COUNT(types)) : NULL;
    for (size_t i = 0; text && i < WRIT_COUNT(others); i++)
        if (strcasecmp(text, others[i][0]) == 0)
            meant = others[i][1];
    if (meant)
        contract_mend_text(reader, node, meant, false);
}

/* `/properties/a/type` in people's form: `properties.a.type`. */
static void fault_in_schema(struct contract_reader *reader, const struct writ_json *schema,
                            const struct writ_error *error)
{
    size_t length = strlen(error->subject);
    const struct writ_json *node = writ_json_pointer_get(schema, error->subject, length);
    char field[WRIT_ERROR_SUBJECT_MAX];
    memcpy(field, error->subject, length + 1);
    for (size_t i = 0; i < length; i++)
        if (field[i] == '/')
            field[i] = '.';
    struct contract_excerpt excerpt = contract_excerpt(node ? node : schema);
    const char *meant = strstr(error->message, "true or false") ? meant_by(excerpt.text) : NULL;
    contract_fault_below(reader, node ? node : schema, field[0] == '.' && field[1] ? field + 1 : NULL, "%s%s%s%s%s%s",
                         error->message, meant ? "; `" : "", meant ? excerpt.text : "",
                         meant ? "` is a text here, write `" : "", meant ? meant : "", meant ? "`" : "");
    if (meant)
        contract_mend_value(reader, node, meant, false);
    else if (node && length >= 5 && strcmp(error->subject + length - 5, "/type") == 0)
        mend_type(reader, node);
}

static void compile(struct contract_reader *reader, const struct writ_json *schema, struct writ_schema **ret_schema)
{
    struct writ_error error;
    struct writ_schema_options options = {.assert_format = true};
    if (writ_schema_compile(schema, &options, ret_schema, &error) == 0)
        return;
    if (error.code == WRIT_INTERNAL_MEMORY)
        reader->out_of_memory = true;
    else
        fault_in_schema(reader, schema, &error);
}

static void check_is_object(struct contract_reader *reader, const struct writ_json *schema, const char *what)
{
    const struct writ_json *resolved = contract_schema_resolve(schema, schema);
    const struct writ_json *type = writ_json_get(resolved, "type");
    if (writ_json_is_text(type, "object"))
        return;
    contract_fault_below(reader, type ? type : schema, "type", "must be `object`: %s is one JSON object", what);
    if (!type && resolved == schema && writ_json_get(schema, "properties"))
        contract_mend_member(reader, schema, "properties", "type", "object");
}

bool contract_list_names(const struct writ_json *list, const char *name)
{
    if (!list || list->kind != WRIT_JSON_ARRAY)
        return false;
    WRIT_JSON_EACH_ITEM(item, list)
    {
        if (writ_json_is_text(item, name))
            return true;
    }
    return false;
}

/* S4.1: the output says whether it succeeded, and with what. */
static void check_output(struct contract_reader *reader, const struct writ_json *schema)
{
    const struct writ_json *resolved = contract_schema_resolve(schema, schema);
    if (!resolved)
        return;
    const struct writ_json *properties = writ_json_get(resolved, "properties");
    const struct writ_json *required = writ_json_get(resolved, "required");
    bool success = contract_list_names(required, "success"), data = contract_list_names(required, "data");
    if (!success || !data)
        contract_fault_below(reader, required ? required : schema, "required",
                             "must name %s%s%s; write `[success, data]`", success ? "" : "`success`",
                             !success && !data ? " and " : "", data ? "" : "`data`");
    if ((!success || !data) && !required && resolved == schema && writ_json_get(properties, "success") &&
        writ_json_get(properties, "data"))
        contract_mend_member(reader, schema, "properties", "required", "[success, data]");
    const struct writ_json *property = contract_schema_resolve(schema, writ_json_get(properties, "success"));
    if (!property || !writ_json_is_text(writ_json_get(property, "type"), "boolean"))
        contract_fault_below(reader,
                             property     ? property
                             : properties ? properties
                                          : schema,
                             "properties.success", "must be declared with `type: boolean`");
    if (!writ_json_get(properties, "data"))
        contract_fault_below(reader, properties ? properties : schema, "properties.data",
                             "must be declared: the schema of what the skill returns");
}

void contract_check_schemas(struct contract_reader *reader)
{
    struct writ_contract *contract = reader->contract;
    struct contract_frame frame;
    if (contract->input_node) {
        contract_enter(reader, &frame, "input", 0);
        compile(reader, contract->input_node, &contract->input);
        check_is_object(reader, contract->input_node, "the program's input");
        contract_leave(reader);
    }
    if (contract->output_node) {
        contract_enter(reader, &frame, "output", 0);
        compile(reader, contract->output_node, &contract->output);
        check_is_object(reader, contract->output_node, "the program's output");
        check_output(reader, contract->output_node);
        contract_leave(reader);
    }
}

/* ---- permissions that take a path from the input ---- */

static void fault_unknown_input(struct contract_reader *reader, const struct writ_json *item,
                                const struct writ_json *schema, const char *pointer, const char *name, size_t length)
{
    const struct writ_json *properties =
        writ_json_get(contract_schema_resolve(reader->contract->input_node, schema), "properties");
    const char *names[64];
    size_t count = 0;
    if (properties && properties->kind == WRIT_JSON_OBJECT)
        WRIT_JSON_EACH_MEMBER(key, properties)
        {
            if (count < WRIT_COUNT(names))
                names[count++] = key->text;
        }
    char wanted[128];
    (void)snprintf(wanted, sizeof wanted, "%.*s", cut(name, length < 120 ? length : 120), name);
    const char *nearest = writ_nearest_name(wanted, names, count);
    contract_fault(reader, item,
                   "takes a path from the input's `%.*s`, which the input schema does not declare%s%.*s%s",
                   cut(pointer, 100), pointer, nearest ? "; did you mean `" : "; declare it under `properties`",
                   nearest ? cut(nearest, 64) : 0, nearest ? nearest : "", nearest ? "`?" : "");
    const char *certain = writ_certain_name(wanted, names, count);
    char path[256];
    int end = snprintf(path, sizeof path, "%.*s", (int)(name - pointer) + (int)length, pointer);
    if (!certain || end < 0 || (size_t)end >= sizeof path)
        return;
    for (char *c = path; *c; c++)
        if (*c == '/')
            *c = '.';
    contract_mend_input_name(reader, item, path, certain);
}

/* A path may come only from a property that the input schema says is a text or a list of texts. */
static void check_segment(struct contract_reader *reader, const struct writ_json *item, const char *pointer)
{
    const struct writ_json *root = reader->contract->input_node, *schema = root;
    for (const char *name = pointer + 1; *name;) {
        size_t length = strcspn(name, "/");
        const struct writ_json *property = contract_schema_property(root, schema, name, length);
        if (!property) {
            fault_unknown_input(reader, item, schema, pointer, name, length);
            return;
        }
        schema = property;
        name += length + (name[length] == '/');
    }
    schema = contract_schema_resolve(root, schema);
    if (has_type(schema, "string"))
        return;
    if (has_type(schema, "array") && has_type(contract_schema_resolve(root, writ_json_get(schema, "items")), "string"))
        return;
    contract_fault(reader, item,
                   "takes a path from the input's `%.*s`, which the input schema does not declare as `type: string` or "
                   "as an array whose items are of `type: string`",
                   cut(pointer, 100), pointer);
}

void contract_check_permissions(struct contract_reader *reader)
{
    const struct writ_contract *contract = reader->contract;
    const struct writ_json *list = writ_json_get(contract->yaml.root, "permissions");
    if (!contract->input_node || !list || list->kind != WRIT_JSON_ARRAY)
        return;
    struct contract_frame top, element;
    contract_enter(reader, &top, "permissions", 0);
    size_t index = 0, next = 0; /* faulty permissions are not in the contract: match by text */
    WRIT_JSON_EACH_ITEM(item, list)
    {
        contract_enter(reader, &element, NULL, index++);
        const struct writ_permission *permission =
            next < contract->permission_count && writ_json_is_text(item, contract->permissions[next].source)
                ? &contract->permissions[next++]
                : NULL;
        for (size_t i = 0; permission && i < permission->segment_count; i++)
            if (permission->segments[i].kind == WRIT_SEGMENT_INPUT)
                check_segment(reader, item, permission->segments[i].text);
        contract_leave(reader);
    }
    contract_leave(reader);
}
