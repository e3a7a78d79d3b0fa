/*
 * The schema graph: every subschema that can be reached, its keywords read and its references resolved.
 *
 * Theory.  First the whole document is indexed: each place where the specification puts a schema becomes a subschema,
 * each `$id` a resource with its URI, each anchor an entry.  Then references are resolved from the root on; one that
 * leads to a registered document has it indexed in turn, one that leads to a place that holds no subschema by the
 * specification (a JSON pointer into an unknown keyword) makes one there.  What comes out is read by two others: the
 * code generator (schema_emit*.c) and the fault finder (schema_explain*.c), which walks it as the specification's text
 * does.
 *
 * Private to schema*.c.
 */
#ifndef WRIT_DATA_SCHEMA_GRAPH_H
#define WRIT_DATA_SCHEMA_GRAPH_H

#include "data/pattern.h"
#include "data/schema.h"
#include "data/schema_keyword.h"
#include "data/schema_map.h"

#define SCHEMA_NONE UINT32_MAX

struct schema_keyword {
    enum schema_keyword_id id;
    const struct writ_json *key; /* key + 1 is the value */
    /* Schemas in the value, in order; a reference has one: what it resolves to. */
    uint32_t child_first, child_count;
    /* `pattern`: one; `patternProperties`: one a member. */
    uint32_t pattern_first;
    /* $dynamicRef: the anchor's number when it is bound at run time, else SCHEMA_NONE. */
    uint32_t dynamic_name;
};

struct subschema {
    const struct writ_json *node; /* an object, or true or false */
    uint32_t resource;
    uint32_t keyword_first, keyword_count;
    bool reached;
};

struct schema_resource {
    const char *uri;                  /* absolute, without fragment */
    const struct writ_json *document; /* whole document that it stands in: schema pointers start there */
    uint32_t root;                    /* subschema */
    unsigned vocabularies;
    bool assert_format;
    bool is_main;           /* stands in the document that was given to compile */
    uint32_t dynamic_first; /* its dynamic anchors: a list in `dynamics` */
};

struct schema_dynamic {
    uint32_t name;      /* number of the name */
    uint32_t subschema; /* where it stands */
    uint32_t next;      /* next of the same resource, SCHEMA_NONE at the end */
};

struct schema_graph {
    struct writ_arena *arena;
    const struct writ_schema_registry *registry;
    bool assert_format;
    SCHEMA_VECTOR(struct schema_resource) resources;
    SCHEMA_VECTOR(struct subschema) subschemas;
    SCHEMA_VECTOR(struct schema_keyword) keywords;
    SCHEMA_VECTOR(uint32_t) children;
    SCHEMA_VECTOR(struct writ_pattern *) patterns;       /* one a place; equal texts share */
    SCHEMA_VECTOR(struct writ_pattern *) owned_patterns; /* each once */
    SCHEMA_VECTOR(struct schema_dynamic) dynamics;
    struct schema_map by_node;       /* address of a JSON node -> subschema */
    struct schema_map by_uri;        /* URI -> resource */
    struct schema_map by_anchor;     /* (resource, name) -> subschema */
    struct schema_map dynamic_names; /* name -> number */
    struct schema_map patterns_by_text;
    struct schema_map indexed; /* address of a large object that references lead through -> its scope in `members` */
    struct schema_map members; /* (scope, name) -> offset of the value from the object */
};

/* Builds the graph of `document`; subschema 0 is the root.  Memory and patterns belong to the arena and the graph even
 * on failure: writ_schema_graph_clear frees the patterns. */
int writ_schema_graph_build(struct schema_graph *graph, const struct writ_json *document, const char *base_uri,
                            struct writ_error *error) WRIT_MUST_USE;
void writ_schema_graph_clear(struct schema_graph *graph);

/* Indexing (schema_graph.c), used by the resolver. */
int writ_schema_graph_add_document(struct schema_graph *graph, const struct writ_json *document, const char *uri,
                                   bool is_main, uint32_t *ret_resource, struct writ_error *error) WRIT_MUST_USE;
int writ_schema_graph_add_subschema(struct schema_graph *graph, const struct writ_json *node, uint32_t resource,
                                    uint32_t *ret_subschema, struct writ_error *error) WRIT_MUST_USE;
/* Resolving (schema_resolve.c): visits all that can be reached from the main document. */
int writ_schema_graph_resolve(struct schema_graph *graph, struct writ_error *error) WRIT_MUST_USE;

/* ---- reading the graph ---- */
static inline const struct schema_keyword *schema_keyword_of(const struct schema_graph *graph, uint32_t subschema,
                                                             enum schema_keyword_id id)
{
    const struct subschema *at = &graph->subschemas.items[subschema];
    for (uint32_t i = 0; i < at->keyword_count; i++) {
        if (graph->keywords.items[at->keyword_first + i].id == id)
            return &graph->keywords.items[at->keyword_first + i];
    }
    return NULL;
}
static inline uint32_t schema_child(const struct schema_graph *graph, const struct schema_keyword *keyword, uint32_t i)
{
    return graph->children.items[keyword->child_first + i];
}
static inline const struct writ_pattern *schema_pattern(const struct schema_graph *graph,
                                                        const struct schema_keyword *keyword, uint32_t i)
{
    return graph->patterns.items[keyword->pattern_first + i];
}
/* The dynamic anchor of that name in the resource, or SCHEMA_NONE. */
uint32_t writ_schema_dynamic_anchor(const struct schema_graph *graph, uint32_t resource, uint32_t name);

/* Appends the place of `node` for people: a JSON pointer, after the URI when it is not in the main document. */
void writ_schema_place_print(const struct schema_graph *graph, uint32_t resource, const struct writ_json *node,
                             struct writ_buffer *out);
/* SCHEMA_INVALID at that place; the message follows. */
int writ_schema_refuse(const struct schema_graph *graph, uint32_t resource, const struct writ_json *node,
                       struct writ_error *error, const char *format, ...) WRIT_PRINTF(5, 6);

/* The registry: the document known under `uri`, or NULL.  The meta-schemas are always known. */
int writ_schema_registry_find(const struct writ_schema_registry *registry, const char *uri,
                              const struct writ_json **ret_document, struct writ_error *error) WRIT_MUST_USE;

#endif
