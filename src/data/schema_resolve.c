#include "data/json_pointer.h"
#include "data/schema_graph.h"
#include "data/uri.h"

struct resolver {
    struct schema_graph *graph;
    SCHEMA_VECTOR(uint32_t) queue;
    SCHEMA_VECTOR(bool) names_used; /* dynamic anchors' names that some reference is bound by */
    struct writ_error *error;
};

static int reach(struct resolver *resolver, uint32_t subschema)
{
    struct subschema *at = &resolver->graph->subschemas.items[subschema];
    if (at->reached)
        return 0;
    at->reached = true;
    uint32_t *slot = SCHEMA_PUSH(resolver->graph->arena, &resolver->queue);
    if (!slot)
        return writ_error_memory(resolver->error);
    *slot = subschema;
    return 0;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Undoes percent-encoding; a stray % stays. */
static char *decode_fragment(struct writ_arena *arena, struct writ_uri_part fragment, size_t *ret_length)
{
    char *text = writ_arena_copy(arena, fragment.text, fragment.length);
    if (!text)
        return NULL;
    size_t out = 0;
    for (size_t i = 0; i < fragment.length; i++) {
        int high = i + 2 < fragment.length && text[i] == '%' ? hex_digit(text[i + 1]) : -1;
        int low = high >= 0 ? hex_digit(text[i + 2]) : -1;
        if (low >= 0) {
            text[out++] = (char)(high << 4 | low);
            i += 2;
        } else {
            text[out++] = text[i];
        }
    }
    text[out] = '\0';
    *ret_length = out;
    return text;
}

/* The resource known under `uri`, with a registered document brought in when needed; SCHEMA_NONE when nobody knows it.
 */
static int find_resource(struct resolver *resolver, const char *uri, uint32_t *ret_resource)
{
    struct schema_graph *graph = resolver->graph;
    *ret_resource = writ_schema_map_get(&graph->by_uri, 0, uri, strlen(uri));
    if (*ret_resource != SCHEMA_ABSENT)
        return 0;
    const struct writ_json *document;
    int result = writ_schema_registry_find(graph->registry, uri, &document, resolver->error);
    if (result || !document)
        return result;
    uint32_t known = writ_schema_map_get(&graph->by_node, 0, &document, sizeof(document));
    if (known != SCHEMA_ABSENT) {
        /* Found before under its other name. */
        *ret_resource = graph->subschemas.items[known].resource;
        return 0;
    }
    return writ_schema_graph_add_document(graph, document, uri, false, ret_resource, resolver->error);
}

/* Objects of more members than this get an index when a reference leads through them: definitions are many, and each
 * has a reference of its own. */
#define INDEXED_MIN 64

static int index_members(struct schema_graph *graph, const struct writ_json *object, uint32_t *ret_scope,
                         struct writ_error *error)
{
    uint32_t scope = writ_schema_map_get(&graph->indexed, 0, &object, sizeof(object));
    if (scope == SCHEMA_ABSENT) {
        const struct writ_json **key = writ_arena_alloc(graph->arena, sizeof(*key));
        if (!key)
            return writ_error_memory(error);
        *key = object;
        scope = (uint32_t)graph->indexed.count;
        if (!writ_schema_map_put(graph->arena, &graph->indexed, 0, key, sizeof(*key), scope))
            return writ_error_memory(error);
        WRIT_JSON_EACH_MEMBER(member, object)
        {
            if (!writ_schema_map_put(graph->arena, &graph->members, scope, member->text, member->length,
                                     (uint32_t)(member + 1 - object)))
                return writ_error_memory(error);
        }
    }
    *ret_scope = scope;
    return 0;
}

/* One step of a pointer, `/token`.  NULL in *ret_child when there is no such child. */
static int step_into(struct resolver *resolver, const struct writ_json *node, const char *step, size_t length,
                     const struct writ_json **ret_child)
{
    struct schema_graph *graph = resolver->graph;
    if (node->kind != WRIT_JSON_OBJECT || node->length < INDEXED_MIN || memchr(step, '~', length)) {
        *ret_child = writ_json_pointer_get(node, step, length);
        return 0;
    }
    uint32_t scope = 0;
    int result = index_members(graph, node, &scope, resolver->error);
    if (result)
        return result;
    uint32_t offset = writ_schema_map_get(&graph->members, scope, step + 1, length - 1);
    *ret_child = offset == SCHEMA_ABSENT ? NULL : node + offset;
    return 0;
}

/* Follows a JSON pointer from the root of a resource.  What it names may lie in a resource inside. */
static int follow_pointer(struct resolver *resolver, uint32_t resource, const char *pointer, size_t length,
                          const struct writ_json *key, uint32_t from, uint32_t *ret_subschema)
{
    struct schema_graph *graph = resolver->graph;
    const struct writ_json *node = graph->subschemas.items[graph->resources.items[resource].root].node;
    for (size_t at = 0; at < length && node;) {
        size_t end = at + 1;
        while (end < length && pointer[end] != '/')
            end++;
        int result = step_into(resolver, node, pointer + at, end - at, &node);
        if (result)
            return result;
        at = end;
        /* The innermost schema on the way tells the resource. */
        uint32_t known = at < length ? writ_schema_map_get(&graph->by_node, 0, &node, sizeof(node)) : SCHEMA_ABSENT;
        if (known != SCHEMA_ABSENT)
            resource = graph->subschemas.items[known].resource;
    }
    if (!node)
        return writ_schema_refuse(graph, from, key + 1, resolver->error,
                                  "%s names %s, but there is nothing at that place", key->text, key[1].text);
    return writ_schema_graph_add_subschema(graph, node, resource, ret_subschema, resolver->error);
}

/* What the reference in `key + 1` of a schema in resource `from` leads to, before any dynamic binding. */
static int resolve_reference(struct resolver *resolver, const struct writ_json *key, uint32_t from,
                             uint32_t *ret_subschema, const char **ret_anchor, size_t *ret_anchor_length)
{
    struct schema_graph *graph = resolver->graph;
    const struct writ_json *reference = key + 1;
    char *uri = writ_uri_resolve(graph->arena, graph->resources.items[from].uri, reference->text, reference->length);
    if (!uri)
        return writ_error_memory(resolver->error);
    uint32_t resource;
    int result = find_resource(resolver, uri, &resource);
    if (result)
        return result;
    if (resource == SCHEMA_NONE)
        return writ_schema_refuse(graph, from, reference, resolver->error,
                                  "%s names %s, which is no schema here and is not registered (nothing is fetched)",
                                  key->text, uri);
    *ret_anchor = NULL;
    *ret_subschema = graph->resources.items[resource].root;
    struct writ_uri_part fragment = writ_uri_split(reference->text, reference->length).fragment;
    if (fragment.length == 0)
        return 0;
    size_t length;
    char *text = decode_fragment(graph->arena, fragment, &length);
    if (!text)
        return writ_error_memory(resolver->error);
    if (text[0] == '/')
        return follow_pointer(resolver, resource, text, length, key, from, ret_subschema);
    *ret_subschema = writ_schema_map_get(&graph->by_anchor, resource, text, length);
    if (*ret_subschema == SCHEMA_ABSENT)
        return writ_schema_refuse(graph, from, reference, resolver->error,
                                  "%s names %s, but no $anchor there has that name", key->text, reference->text);
    *ret_anchor = text;
    *ret_anchor_length = length;
    return 0;
}

static int note_dynamic_name(struct resolver *resolver, uint32_t name)
{
    while (resolver->names_used.count <= name) {
        if (!SCHEMA_PUSH(resolver->graph->arena, &resolver->names_used))
            return writ_error_memory(resolver->error);
    }
    resolver->names_used.items[name] = true;
    return 0;
}

/* Fills the child of a reference, and for a dynamic one that meets a dynamic anchor of its name, that name. */
static int visit_reference(struct resolver *resolver, uint32_t number, uint32_t resource)
{
    struct schema_graph *graph = resolver->graph;
    struct schema_keyword keyword = graph->keywords.items[number];
    uint32_t target;
    const char *anchor;
    size_t anchor_length = 0;
    int result = resolve_reference(resolver, keyword.key, resource, &target, &anchor, &anchor_length);
    if (result)
        return result;
    graph->children.items[keyword.child_first] = target;
    if (keyword.id != KEYWORD_DYNAMIC_REF || !anchor)
        return 0;
    uint32_t name = writ_schema_map_get(&graph->dynamic_names, 0, anchor, anchor_length);
    if (name == SCHEMA_ABSENT ||
        writ_schema_dynamic_anchor(graph, graph->subschemas.items[target].resource, name) != target)
        return 0;
    graph->keywords.items[number].dynamic_name = name;
    return note_dynamic_name(resolver, name);
}

/* Definitions of other documents, and what describes content, count only when a reference leads there. */
static bool is_followed(const struct schema_graph *graph, const struct schema_keyword *keyword, uint32_t resource)
{
    return graph->resources.items[resource].is_main ||
           (keyword->id != KEYWORD_DEFS && keyword->id != KEYWORD_DEFINITIONS && keyword->id != KEYWORD_CONTENT_SCHEMA);
}

static int visit(struct resolver *resolver, uint32_t subschema)
{
    struct schema_graph *graph = resolver->graph;
    struct subschema at = graph->subschemas.items[subschema];
    for (uint32_t k = at.keyword_first; k < at.keyword_first + at.keyword_count; k++) {
        enum schema_keyword_id id = graph->keywords.items[k].id;
        int result = id == KEYWORD_REF || id == KEYWORD_DYNAMIC_REF ? visit_reference(resolver, k, at.resource) : 0;
        if (result)
            return result;
        struct schema_keyword keyword = graph->keywords.items[k];
        if (!is_followed(graph, &keyword, at.resource))
            continue;
        for (uint32_t i = 0; i < keyword.child_count && !result; i++)
            result = reach(resolver, graph->children.items[keyword.child_first + i]);
        if (result)
            return result;
    }
    return 0;
}

/* A dynamic reference may be bound to any anchor of its name, wherever that stands. */
static int reach_dynamic_anchors(struct resolver *resolver)
{
    const struct schema_graph *graph = resolver->graph;
    for (size_t i = 0; i < graph->dynamics.count; i++) {
        uint32_t name = graph->dynamics.items[i].name;
        if (name >= resolver->names_used.count || !resolver->names_used.items[name])
            continue;
        int result = reach(resolver, graph->dynamics.items[i].subschema);
        if (result)
            return result;
    }
    return 0;
}

int writ_schema_graph_resolve(struct schema_graph *graph, struct writ_error *error)
{
    struct resolver resolver = {.graph = graph, .error = error};
    int result = reach(&resolver, 0);
    for (size_t done = 0; done < resolver.queue.count && !result;) {
        for (; done < resolver.queue.count && !result; done++)
            result = visit(&resolver, resolver.queue.items[done]);
        if (!result)
            result = reach_dynamic_anchors(&resolver);
    }
    return result;
}
