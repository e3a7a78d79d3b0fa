#include "data/schema_compiled.h"
#include "data/schema_emit.h"

#define SCHEMA_BYTES_MAX ((size_t)256 << 20)

static int compile(struct writ_schema *schema, const struct writ_json *document,
                   const struct writ_schema_options *options, struct writ_error *error)
{
    schema->graph = (struct schema_graph){.arena = &schema->arena,
                                          .registry = options ? options->registry : NULL,
                                          .assert_format = options && options->assert_format};
    int result = writ_schema_graph_build(&schema->graph, document, options ? options->base_uri : NULL, error);
    if (result)
        return result;
    struct emitter emitter = {.graph = &schema->graph, .arena = &schema->arena, .error = error};
    return writ_schema_emit_program(&emitter, &schema->program);
}

int writ_schema_compile(const struct writ_json *document, const struct writ_schema_options *options,
                        struct writ_schema **ret_schema, struct writ_error *error)
{
    struct writ_schema *schema = calloc(1, sizeof(*schema));
    if (!schema)
        return writ_error_memory(error);
    writ_arena_init(&schema->arena, SCHEMA_BYTES_MAX);
    int result = compile(schema, document, options, error);
    if (result == WRIT_INTERNAL_MEMORY && schema->arena.used_bytes > SCHEMA_BYTES_MAX / 2)
        result =
            writ_error_set(error, WRIT_SCHEMA_INVALID,
                           "the schema needs more than %zu MiB once compiled: make it smaller", SCHEMA_BYTES_MAX >> 20);
    if (result) {
        writ_schema_free(schema);
        return result;
    }
    *ret_schema = schema;
    return 0;
}

void writ_schema_free(struct writ_schema *schema)
{
    if (!schema)
        return;
    writ_schema_graph_clear(&schema->graph);
    writ_arena_clear(&schema->arena);
    free(schema);
}
