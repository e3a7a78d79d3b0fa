#include "data/schema_graph.h"
#include "data/schema_meta.h"
#include "data/uri.h"

#define REGISTRY_BYTES_MAX ((size_t)64 << 20)
#define REGISTRY_DOCUMENTS_MAX 100000

struct writ_schema_registry {
    struct writ_arena arena;
    SCHEMA_VECTOR(const struct writ_json *) documents;
    struct schema_map by_uri;
};

int writ_schema_registry_new(struct writ_schema_registry **ret_registry, struct writ_error *error)
{
    struct writ_schema_registry *registry = calloc(1, sizeof(*registry));
    if (!registry)
        return writ_error_memory(error);
    writ_arena_init(&registry->arena, REGISTRY_BYTES_MAX);
    *ret_registry = registry;
    return 0;
}

void writ_schema_registry_free(struct writ_schema_registry *registry)
{
    if (!registry)
        return;
    writ_arena_clear(&registry->arena);
    free(registry);
}

int writ_schema_registry_add(struct writ_schema_registry *registry, const char *uri, const struct writ_json *document,
                             struct writ_error *error)
{
    if (registry->documents.count >= REGISTRY_DOCUMENTS_MAX)
        return writ_error_set(error, WRIT_INTERNAL_LIMIT,
                              "more than %d schema documents are registered; name a smaller folder",
                              REGISTRY_DOCUMENTS_MAX);
    struct writ_uri parts = writ_uri_split(uri, strlen(uri));
    if (!parts.scheme.text || parts.fragment.length > 0)
        return writ_error_set(error, WRIT_SCHEMA_INVALID,
                              "a schema is registered under %s, which is no absolute URI without fragment", uri);
    /* Resolving against itself drops an empty fragment and dot segments, as a reference to it will be. */
    char *known = writ_uri_resolve(&registry->arena, uri, uri, strlen(uri));
    const struct writ_json *id = writ_json_get(document, "$id");
    const char *own = known;
    if (known && id && id->kind == WRIT_JSON_STRING)
        own = writ_uri_resolve(&registry->arena, known, id->text, id->length);
    if (!known || !own)
        return writ_error_memory(error);
    if (writ_schema_map_get(&registry->by_uri, 0, known, strlen(known)) != SCHEMA_ABSENT)
        return writ_error_set(error, WRIT_SCHEMA_INVALID, "two schemas are registered under %s; take one away", known);
    uint32_t number = (uint32_t)registry->documents.count;
    const struct writ_json **slot = SCHEMA_PUSH(&registry->arena, &registry->documents);
    if (!slot)
        return writ_error_memory(error);
    *slot = document;
    /* Two documents may claim one $id as long as each can be reached by the URI that it was registered under. */
    bool fits = writ_schema_map_put(&registry->arena, &registry->by_uri, 0, known, strlen(known), number);
    if (fits && writ_schema_map_get(&registry->by_uri, 0, own, strlen(own)) == SCHEMA_ABSENT)
        fits = writ_schema_map_put(&registry->arena, &registry->by_uri, 0, own, strlen(own), number);
    return fits ? 0 : writ_error_memory(error);
}

int writ_schema_registry_find(const struct writ_schema_registry *registry, const char *uri,
                              const struct writ_json **ret_document, struct writ_error *error)
{
    uint32_t number = registry ? writ_schema_map_get(&registry->by_uri, 0, uri, strlen(uri)) : SCHEMA_ABSENT;
    if (number != SCHEMA_ABSENT) {
        *ret_document = registry->documents.items[number];
        return 0;
    }
    return writ_schema_meta_find(uri, ret_document, error);
}
