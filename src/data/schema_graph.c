#include "data/schema_graph.h"

#include "data/json_pointer.h"
#include "data/schema_meta.h"
#include "data/uri.h"

#include <stdarg.h>

#define SUBSCHEMAS_MAX 500000u
#define PRIVATE_BASE "writ-schema:///root"

/* ---- places ---- */

void writ_schema_place_print(const struct schema_graph *graph, uint32_t resource, const struct writ_json *node,
                             struct writ_buffer *out)
{
    const struct schema_resource *at = &graph->resources.items[resource];
    if (!at->is_main) {
        /* The pointer starts at the document, so the URI is that of the document's own resource. */
        uint32_t root = writ_schema_map_get(&graph->by_node, 0, &at->document, sizeof(at->document));
        const char *uri =
            root == SCHEMA_ABSENT ? at->uri : graph->resources.items[graph->subschemas.items[root].resource].uri;
        writ_buffer_append_text(out, uri);
        writ_buffer_append_byte(out, '#');
    }
    writ_json_pointer_to(out, at->document, node);
}

int writ_schema_refuse(const struct schema_graph *graph, uint32_t resource, const struct writ_json *node,
                       struct writ_error *error, const char *format, ...)
{
    char message[WRIT_ERROR_MESSAGE_MAX];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer place;
    writ_buffer_init(&place, (size_t)1 << 16);
    writ_schema_place_print(graph, resource, node, &place);
    (void)writ_error_set(error, WRIT_SCHEMA_INVALID, "%s", message);
    return writ_error_at(error, writ_buffer_text(&place), 0, 0);
}

uint32_t writ_schema_dynamic_anchor(const struct schema_graph *graph, uint32_t resource, uint32_t name)
{
    uint32_t at = graph->resources.items[resource].dynamic_first;
    while (at != SCHEMA_NONE && graph->dynamics.items[at].name != name)
        at = graph->dynamics.items[at].next;
    return at == SCHEMA_NONE ? SCHEMA_NONE : graph->dynamics.items[at].subschema;
}

/* ---- dialects ---- */

/* The vocabularies that a meta-schema's $vocabulary names. */
static int read_vocabularies(struct schema_graph *graph, uint32_t resource, const struct writ_json *node,
                             const struct writ_json *vocabulary, struct writ_error *error)
{
    static const struct {
        const char *name;
        unsigned bit;
    } known[] = {
        {"core", VOCABULARY_CORE},
        {"applicator", VOCABULARY_APPLICATOR},
        {"unevaluated", VOCABULARY_UNEVALUATED},
        {"validation", VOCABULARY_VALIDATION},
        {"meta-data", VOCABULARY_META_DATA},
        {"format-annotation", VOCABULARY_FORMAT_ANNOTATION},
        {"format-assertion", VOCABULARY_FORMAT_ASSERTION},
        {"content", VOCABULARY_CONTENT},
    };
    static const char prefix[] = SCHEMA_META_BASE "vocab/";
    unsigned vocabularies = VOCABULARY_CORE;
    WRIT_JSON_EACH_MEMBER(key, vocabulary)
    {
        size_t i = WRIT_COUNT(known);
        if (strncmp(key->text, prefix, sizeof(prefix) - 1) == 0) {
            for (i = 0; i < WRIT_COUNT(known); i++) {
                if (strcmp(key->text + sizeof(prefix) - 1, known[i].name) == 0)
                    break;
            }
        }
        if (i < WRIT_COUNT(known))
            vocabularies |= known[i].bit;
        else if (writ_json_is_true(key + 1))
            return writ_schema_refuse(graph, resource, node, error,
                                      "the meta-schema demands the vocabulary %s, which writ does not know", key->text);
    }
    graph->resources.items[resource].vocabularies = vocabularies;
    graph->resources.items[resource].assert_format |= (vocabularies & VOCABULARY_FORMAT_ASSERTION) != 0;
    return 0;
}

/* `$schema` at the root of a resource. */
static int read_dialect(struct schema_graph *graph, uint32_t resource, const struct writ_json *schema,
                        struct writ_error *error)
{
    if (schema->kind != WRIT_JSON_STRING)
        return writ_schema_refuse(graph, resource, schema, error, "$schema must be a string");
    if (writ_json_is_text(schema, SCHEMA_META_URI) || writ_json_is_text(schema, SCHEMA_META_URI "#")) {
        graph->resources.items[resource].vocabularies = VOCABULARIES_DEFAULT;
        return 0;
    }
    char *uri = writ_uri_resolve(graph->arena, schema->text, schema->text, schema->length);
    if (!uri)
        return writ_error_memory(error);
    const struct writ_json *meta;
    int result = writ_schema_registry_find(graph->registry, uri, &meta, error);
    if (result)
        return result;
    if (!meta)
        return writ_schema_refuse(graph, resource, schema, error,
                                  "$schema names %s: writ reads draft 2020-12 (write " SCHEMA_META_URI
                                  ") and dialects whose meta-schema is registered",
                                  schema->text);
    const struct writ_json *vocabulary = writ_json_get(meta, "$vocabulary");
    if (!vocabulary)
        return 0;
    const char *complaint = writ_schema_keyword_complaint(KEYWORD_VOCABULARY, vocabulary);
    return complaint ? writ_schema_refuse(graph, resource, schema, error, "the meta-schema's $vocabulary %s", complaint)
                     : read_vocabularies(graph, resource, schema, vocabulary, error);
}

/* ---- indexing ---- */

static int add_resource(struct schema_graph *graph, const struct schema_resource *model, const char *uri,
                        uint32_t *ret_resource, struct writ_error *error)
{
    struct schema_resource *resource = SCHEMA_PUSH(graph->arena, &graph->resources);
    if (!resource)
        return writ_error_memory(error);
    *resource = *model;
    resource->uri = uri;
    resource->root = SCHEMA_NONE;
    resource->dynamic_first = SCHEMA_NONE;
    uint32_t number = (uint32_t)graph->resources.count - 1;
    if (writ_schema_map_get(&graph->by_uri, 0, uri, strlen(uri)) == SCHEMA_ABSENT &&
        !writ_schema_map_put(graph->arena, &graph->by_uri, 0, uri, strlen(uri), number))
        return writ_error_memory(error);
    *ret_resource = number;
    return 0;
}

/* `$id` below the root of a document, or at it: a resource of its own. */
static int enter_resource(struct schema_graph *graph, const struct writ_json *id, const struct writ_json *node,
                          uint32_t *resource, struct writ_error *error)
{
    if (id->kind != WRIT_JSON_STRING)
        return writ_schema_refuse(graph, *resource, id, error, "$id must be a string");
    struct schema_resource outer = graph->resources.items[*resource];
    struct writ_uri parts = writ_uri_split(id->text, id->length);
    if (parts.fragment.length > 0)
        return writ_schema_refuse(graph, *resource, id, error, "$id must have no fragment (use $anchor for #%.*s)",
                                  (int)(parts.fragment.length < 100 ? parts.fragment.length : 100),
                                  parts.fragment.text);
    char *uri = writ_uri_resolve(graph->arena, outer.uri, id->text, id->length);
    if (!uri)
        return writ_error_memory(error);
    if (node == outer.document) {
        /* The whole document's own name, beside the one that it was found under. */
        graph->resources.items[*resource].uri = uri;
        if (writ_schema_map_get(&graph->by_uri, 0, uri, strlen(uri)) == SCHEMA_ABSENT &&
            !writ_schema_map_put(graph->arena, &graph->by_uri, 0, uri, strlen(uri), *resource))
            return writ_error_memory(error);
        return 0;
    }
    uint32_t known = writ_schema_map_get(&graph->by_uri, 0, uri, strlen(uri));
    if (known != SCHEMA_ABSENT && graph->resources.items[known].document == outer.document)
        return writ_schema_refuse(graph, *resource, id, error, "two schemas have the $id %s", uri);
    return add_resource(graph, &outer, uri, resource, error);
}

static int add_anchor(struct schema_graph *graph, const struct schema_keyword *keyword, uint32_t resource,
                      uint32_t subschema, struct writ_error *error)
{
    const struct writ_json *name = keyword->key + 1;
    uint32_t known = writ_schema_map_get(&graph->by_anchor, resource, name->text, name->length);
    if (known != SCHEMA_ABSENT && known != subschema)
        return writ_schema_refuse(graph, resource, keyword->key, error, "two schemas have the anchor %s", name->text);
    if (!writ_schema_map_put(graph->arena, &graph->by_anchor, resource, name->text, name->length, subschema))
        return writ_error_memory(error);
    if (keyword->id != KEYWORD_DYNAMIC_ANCHOR)
        return 0;
    uint32_t number = writ_schema_map_get(&graph->dynamic_names, 0, name->text, name->length);
    if (number == SCHEMA_ABSENT) {
        number = (uint32_t)graph->dynamic_names.count;
        if (!writ_schema_map_put(graph->arena, &graph->dynamic_names, 0, name->text, name->length, number))
            return writ_error_memory(error);
    }
    struct schema_dynamic *dynamic = SCHEMA_PUSH(graph->arena, &graph->dynamics);
    if (!dynamic)
        return writ_error_memory(error);
    struct schema_resource *owner = &graph->resources.items[resource];
    *dynamic = (struct schema_dynamic){number, subschema, owner->dynamic_first};
    owner->dynamic_first = (uint32_t)graph->dynamics.count - 1;
    return 0;
}

static int add_pattern(struct schema_graph *graph, uint32_t resource, const struct writ_json *text,
                       struct writ_error *error)
{
    struct writ_pattern **slot = SCHEMA_PUSH(graph->arena, &graph->patterns);
    if (!slot)
        return writ_error_memory(error);
    uint32_t known = writ_schema_map_get(&graph->patterns_by_text, 0, text->text, text->length);
    if (known != SCHEMA_ABSENT) {
        *slot = graph->owned_patterns.items[known];
        return 0;
    }
    struct writ_pattern **owner = SCHEMA_PUSH(graph->arena, &graph->owned_patterns);
    if (!owner)
        return writ_error_memory(error);
    struct writ_error inner;
    int result = writ_pattern_compile(text->text, text->length, owner, &inner);
    if (result == WRIT_SCHEMA_INVALID)
        return writ_schema_refuse(graph, resource, text, error, "%s", inner.message);
    if (result) {
        *error = inner;
        return result;
    }
    *slot = *owner;
    uint32_t number = (uint32_t)graph->owned_patterns.count - 1;
    return writ_schema_map_put(graph->arena, &graph->patterns_by_text, 0, text->text, text->length, number)
               ? 0
               : writ_error_memory(error);
}

/* How many schemas the value of a keyword holds. */
static uint32_t count_children(enum schema_shape shape, const struct writ_json *value)
{
    return shape == SHAPE_SCHEMA                                                               ? 1
           : shape == SHAPE_SCHEMAS || shape == SHAPE_SCHEMA_MAP || shape == SHAPE_PATTERN_MAP ? value->length
                                                                                               : 0;
}

static int read_keyword(struct schema_graph *graph, uint32_t resource, uint32_t subschema, const struct writ_json *key,
                        struct writ_error *error)
{
    enum schema_keyword_id id = writ_schema_keyword_find(key);
    if (id == KEYWORD_COUNT || !(writ_schema_keyword_vocabulary(id) & graph->resources.items[resource].vocabularies))
        return 0;
    const char *complaint = writ_schema_keyword_complaint(id, key + 1);
    if (complaint)
        return writ_schema_refuse(graph, resource, key + 1, error, "%s %s", key->text, complaint);
    enum schema_shape shape = writ_schema_keyword_shape(id);
    struct schema_keyword *keyword = SCHEMA_PUSH(graph->arena, &graph->keywords);
    if (!keyword)
        return writ_error_memory(error);
    bool reference = id == KEYWORD_REF || id == KEYWORD_DYNAMIC_REF;
    *keyword = (struct schema_keyword){
        .id = id,
        .key = key,
        .child_first = (uint32_t)graph->children.count,
        .child_count = reference ? 1 : count_children(shape, key + 1),
        .pattern_first = (uint32_t)graph->patterns.count,
        .dynamic_name = SCHEMA_NONE,
    };
    for (uint32_t i = 0; i < keyword->child_count; i++) {
        uint32_t *child = SCHEMA_PUSH(graph->arena, &graph->children);
        if (!child)
            return writ_error_memory(error);
        *child = SCHEMA_NONE;
    }
    graph->subschemas.items[subschema].keyword_count++;
    if (shape == SHAPE_ANCHOR)
        return add_anchor(graph, keyword, resource, subschema, error);
    int result = shape == SHAPE_PATTERN ? add_pattern(graph, resource, key + 1, error) : 0;
    if (shape == SHAPE_PATTERN_MAP) {
        WRIT_JSON_EACH_MEMBER(pattern, key + 1)
        {
            if (!result)
                result = add_pattern(graph, resource, pattern, error);
        }
    }
    return result;
}

static int index_children(struct schema_graph *graph, uint32_t subschema, uint32_t resource, struct writ_error *error)
{
    uint32_t first = graph->subschemas.items[subschema].keyword_first;
    uint32_t count = graph->subschemas.items[subschema].keyword_count;
    for (uint32_t k = first; k < first + count; k++) {
        struct schema_keyword keyword = graph->keywords.items[k];
        if (keyword.id == KEYWORD_REF || keyword.id == KEYWORD_DYNAMIC_REF)
            continue;
        const struct writ_json *value = keyword.key + 1;
        enum schema_shape shape = writ_schema_keyword_shape(keyword.id);
        const struct writ_json *node = shape == SHAPE_SCHEMA ? value : value + 1;
        for (uint32_t i = 0; i < keyword.child_count; i++) {
            if (shape == SHAPE_SCHEMA_MAP || shape == SHAPE_PATTERN_MAP)
                node++; /* the member's key */
            uint32_t child;
            int result = writ_schema_graph_add_subschema(graph, node, resource, &child, error);
            if (result)
                return result;
            graph->children.items[keyword.child_first + i] = child;
            node = writ_json_next(node);
        }
    }
    return 0;
}

int writ_schema_graph_add_subschema(struct schema_graph *graph, const struct writ_json *node, uint32_t resource,
                                    uint32_t *ret_subschema, struct writ_error *error)
{
    uint32_t known = writ_schema_map_get(&graph->by_node, 0, &node, sizeof(node));
    if (known != SCHEMA_ABSENT) {
        *ret_subschema = known;
        return 0;
    }
    if (node->kind != WRIT_JSON_OBJECT && node->kind != WRIT_JSON_TRUE && node->kind != WRIT_JSON_FALSE)
        return writ_schema_refuse(graph, resource, node, error, "a schema must be an object, true or false");
    if (graph->subschemas.count >= SUBSCHEMAS_MAX)
        return writ_schema_refuse(graph, resource, node, error, "the schema has more than %u subschemas",
                                  SUBSCHEMAS_MAX);
    uint32_t outer = resource;
    const struct writ_json *id = writ_json_get(node, "$id");
    int result = id ? enter_resource(graph, id, node, &resource, error) : 0;
    if (result)
        return result;
    struct subschema *subschema = SCHEMA_PUSH(graph->arena, &graph->subschemas);
    if (!subschema)
        return writ_error_memory(error);
    uint32_t number = (uint32_t)graph->subschemas.count - 1;
    *subschema =
        (struct subschema){.node = node, .resource = resource, .keyword_first = (uint32_t)graph->keywords.count};
    /* The map borrows its keys: the address is kept in the subschema, but that array moves when it grows. */
    const struct writ_json **key = writ_arena_alloc(graph->arena, sizeof(*key));
    if (!key)
        return writ_error_memory(error);
    *key = node;
    if (!writ_schema_map_put(graph->arena, &graph->by_node, 0, key, sizeof(*key), number))
        return writ_error_memory(error);
    if (graph->resources.items[resource].root == SCHEMA_NONE)
        graph->resources.items[resource].root = number;
    *ret_subschema = number;
    if (node->kind != WRIT_JSON_OBJECT)
        return 0;
    const struct writ_json *schema = writ_json_get(node, "$schema");
    if (schema && (resource != outer || node == graph->resources.items[resource].document))
        result = read_dialect(graph, resource, schema, error);
    WRIT_JSON_EACH_MEMBER(member, node)
    {
        if (!result)
            result = read_keyword(graph, resource, number, member, error);
    }
    return result ? result : index_children(graph, number, resource, error);
}

int writ_schema_graph_add_document(struct schema_graph *graph, const struct writ_json *document, const char *uri,
                                   bool is_main, uint32_t *ret_resource, struct writ_error *error)
{
    struct schema_resource model = {.document = document,
                                    .is_main = is_main,
                                    .vocabularies = VOCABULARIES_DEFAULT,
                                    .assert_format = graph->assert_format};
    uint32_t resource = 0, root;
    int result = add_resource(graph, &model, uri, &resource, error);
    if (!result)
        result = writ_schema_graph_add_subschema(graph, document, resource, &root, error);
    if (!result)
        *ret_resource = resource;
    return result;
}

int writ_schema_graph_build(struct schema_graph *graph, const struct writ_json *document, const char *base_uri,
                            struct writ_error *error)
{
    if (!base_uri)
        base_uri = PRIVATE_BASE;
    struct writ_uri parts = writ_uri_split(base_uri, strlen(base_uri));
    if (!parts.scheme.text)
        return writ_error_set(
            error, WRIT_SCHEMA_INVALID,
            "the base URI %s is not absolute: write it with its scheme, such as https://example.com/schema", base_uri);
    char *base = writ_uri_resolve(graph->arena, base_uri, base_uri, strlen(base_uri));
    if (!base)
        return writ_error_memory(error);
    uint32_t resource;
    int result = writ_schema_graph_add_document(graph, document, base, true, &resource, error);
    return result ? result : writ_schema_graph_resolve(graph, error);
}

void writ_schema_graph_clear(struct schema_graph *graph)
{
    for (size_t i = 0; i < graph->owned_patterns.count; i++)
        writ_pattern_free(graph->owned_patterns.items[i]);
    graph->owned_patterns.count = 0;
}
