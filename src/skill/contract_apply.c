/* A contract at work on documents: defaults into the input, the verdict on an output. */
#include "skill/contract_reader.h"

#include <string.h>

/* ---- defaults (S4.3: they come first) ---- */

struct filling {
    const struct writ_json *root; /* of the input schema */
    struct writ_json_writer writer;
};

/* Depth is the input's own, which the JSON reader bounds. */
static void write_filled(struct filling *filling, const struct writ_json *node, const struct writ_json *schema)
{
    schema = contract_schema_resolve(filling->root, schema);
    if (!schema || !writ_json_is_container(node)) {
        writ_json_write_node(&filling->writer, node);
        return;
    }
    if (node->kind == WRIT_JSON_ARRAY) {
        const struct writ_json *items = writ_json_get(schema, "prefixItems") ? NULL : writ_json_get(schema, "items");
        writ_json_write_array(&filling->writer);
        WRIT_JSON_EACH_ITEM(item, node)
        {
            write_filled(filling, item, items);
        }
        writ_json_write_array_end(&filling->writer);
        return;
    }
    const struct writ_json *properties = writ_json_get(schema, "properties");
    writ_json_write_object(&filling->writer);
    WRIT_JSON_EACH_MEMBER(key, node)
    {
        writ_json_write_key_sized(&filling->writer, key->text, key->length);
        write_filled(filling, key + 1, writ_json_get_sized(properties, key->text, key->length));
    }
    if (properties && properties->kind == WRIT_JSON_OBJECT)
        WRIT_JSON_EACH_MEMBER(property, properties)
        {
            const struct writ_json *declared = contract_schema_resolve(filling->root, property + 1);
            const struct writ_json *value = writ_json_get(declared, "default");
            if (!value || writ_json_get_sized(node, property->text, property->length))
                continue;
            writ_json_write_key_sized(&filling->writer, property->text, property->length);
            write_filled(filling, value, declared);
        }
    writ_json_write_object_end(&filling->writer);
}

int writ_contract_apply_defaults(const struct writ_contract *contract, const struct writ_json *input,
                                 struct writ_buffer *out, struct writ_error *error)
{
    struct filling filling = {.root = contract->input_node};
    writ_json_writer_init(&filling.writer, out);
    write_filled(&filling, input, contract->input_node);
    if (out->failed && !out->too_large)
        return writ_error_memory(error);
    if (out->failed)
        return writ_error_set(error, WRIT_INTERNAL_LIMIT,
                              "the input with its defaults does not fit into %zu bytes; pass less", out->bytes_max);
    return 0;
}

/* ---- the verdict on an output (S4.1, S4.4) ---- */

static void write_failure_required(struct writ_json_writer *writer, const struct writ_json *required)
{
    writ_json_write_array(writer);
    if (required && required->kind == WRIT_JSON_ARRAY)
        WRIT_JSON_EACH_ITEM(item, required)
        {
            if (!writ_json_is_text(item, "data"))
                writ_json_write_node(writer, item);
        }
    if (!contract_list_names(required, "error"))
        writ_json_write_text(writer, "error");
    writ_json_write_array_end(writer);
}

/* The object that the root stands for: `error` instead of `data` is required, and is known even to a closed schema. */
static void write_failure_object(struct writ_json_writer *writer, const struct writ_json *schema)
{
    writ_json_write_object(writer);
    WRIT_JSON_EACH_MEMBER(key, schema)
    {
        writ_json_write_key_sized(writer, key->text, key->length);
        if (writ_json_is_text(key, "required")) {
            write_failure_required(writer, key + 1);
        } else if (writ_json_is_text(key, "properties") && !writ_json_get(key + 1, "error")) {
            writ_json_write_object(writer);
            WRIT_JSON_EACH_MEMBER(property, key + 1)
            {
                writ_json_write_key_sized(writer, property->text, property->length);
                writ_json_write_node(writer, property + 1);
            }
            writ_json_write_member_bool(writer, "error", true);
            writ_json_write_object_end(writer);
        } else {
            writ_json_write_node(writer, key + 1);
        }
    }
    writ_json_write_object_end(writer);
}

/* Copies the schema with the one object `target` in its form for failures.  Depth is the contract's, at most 32. */
static void write_failure_schema(struct writ_json_writer *writer, const struct writ_json *node,
                                 const struct writ_json *target)
{
    if (node == target) {
        write_failure_object(writer, node);
    } else if (target < node || target >= writ_json_next(node)) {
        writ_json_write_node(writer, node);
    } else if (node->kind == WRIT_JSON_ARRAY) {
        writ_json_write_array(writer);
        WRIT_JSON_EACH_ITEM(item, node)
        {
            write_failure_schema(writer, item, target);
        }
        writ_json_write_array_end(writer);
    } else {
        writ_json_write_object(writer);
        WRIT_JSON_EACH_MEMBER(key, node)
        {
            writ_json_write_key_sized(writer, key->text, key->length);
            write_failure_schema(writer, key + 1, target);
        }
        writ_json_write_object_end(writer);
    }
}

static void free_schema(struct writ_schema **schema)
{
    writ_schema_free(*schema);
}

static int check_failure(const struct writ_contract *contract, const struct writ_json *output, struct writ_arena *arena,
                         struct writ_schema_faults *ret_faults, struct writ_error *error)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
    writ_buffer_init(&text, WRIT_YAML_BYTES_MAX * 4);
    struct writ_json_writer writer;
    writ_json_writer_init(&writer, &text);
    write_failure_schema(&writer, contract->output_node,
                         contract_schema_resolve(contract->output_node, contract->output_node));
    if (text.failed)
        return writ_error_memory(error);
    const struct writ_json *document;
    int result = writ_json_parse(arena, writ_buffer_text(&text), text.length, &document, error);
    if (result < 0)
        return result;
    WRIT_CLEANUP(free_schema) struct writ_schema *schema = NULL;
    struct writ_schema_options options = {.assert_format = true};
    result = writ_schema_compile(document, &options, &schema, error);
    if (result < 0)
        return writ_error_wrap(error, "the output schema in its form for failures");
    if (writ_schema_check(schema, output)) {
        *ret_faults = (struct writ_schema_faults){0};
        return 0;
    }
    return writ_schema_explain(schema, output, 0, arena, ret_faults, error);
}

int writ_contract_check_output(const struct writ_contract *contract, const struct writ_json *output,
                               struct writ_arena *arena, struct writ_schema_faults *ret_faults,
                               struct writ_error *error)
{
    const struct writ_json *success = writ_json_get(output, "success");
    if (success && success->kind == WRIT_JSON_FALSE)
        return check_failure(contract, output, arena, ret_faults, error);
    if (writ_schema_check(contract->output, output)) {
        *ret_faults = (struct writ_schema_faults){0};
        return 0;
    }
    return writ_schema_explain(contract->output, output, 0, arena, ret_faults, error);
}
