/*
 * The meta-schema of JSON Schema 2020-12, written out from the specification: what each vocabulary's keywords may be.
 * Titles and comments are left out; they constrain nothing.
 */
#include "data/schema_meta.h"

#include "data/schema.h"

#include <stdatomic.h>

#define META_COUNT 9
#define META_BYTES_MAX ((size_t)1 << 20)

/* Pieces of the documents below. */
#define HEAD(name)                                                                                                     \
    "{\"$schema\":\"" SCHEMA_META_URI "\",\"$id\":\"" SCHEMA_META_BASE name "\",\"$dynamicAnchor\":\"meta\","          \
    "\"type\":[\"object\",\"boolean\"],"
#define USES(name) "\"" SCHEMA_META_BASE "vocab/" name "\":true"
#define VOCABULARY(name) HEAD("meta/" name) "\"$vocabulary\":{" USES(name) "},"
#define REF(target) "{\"$ref\":\"" target "\"}"
#define TYPE(name) "{\"type\":\"" name "\"}"
#define SELF "{\"$dynamicRef\":\"#meta\"}"
#define MAP_OF(schema) "{\"type\":\"object\",\"additionalProperties\":" schema "}"
#define COUNT REF("#/$defs/nonNegativeInteger")
#define COUNT_FROM_0 REF("#/$defs/nonNegativeIntegerDefault0")
#define SCHEMA_LIST REF("#/$defs/schemaArray")
#define FLAG "{\"type\":\"boolean\",\"default\":false}"

static const struct {
    const char *name, *text;
} documents[META_COUNT] = {
    /* clang-format off */
    {"schema", HEAD("schema")
        "\"$vocabulary\":{" USES("core") "," USES("applicator") "," USES("unevaluated") "," USES("validation") ","
            USES("meta-data") "," USES("format-annotation") "," USES("content") "},"
        "\"allOf\":[" REF("meta/core") "," REF("meta/applicator") "," REF("meta/unevaluated") ","
            REF("meta/validation") "," REF("meta/meta-data") "," REF("meta/format-annotation") ","
            REF("meta/content") "],"
        "\"properties\":{"
            "\"definitions\":" MAP_OF(SELF) ","
            "\"dependencies\":" MAP_OF("{\"anyOf\":[" SELF "," REF("meta/validation#/$defs/stringArray") "]}") ","
            "\"$recursiveAnchor\":" REF("meta/core#/$defs/anchorString") ","
            "\"$recursiveRef\":" REF("meta/core#/$defs/uriReferenceString") "}}"},
    {"meta/core", VOCABULARY("core")
        "\"properties\":{"
            "\"$id\":{\"$ref\":\"#/$defs/uriReferenceString\",\"pattern\":\"^[^#]*#?$\"},"
            "\"$schema\":" REF("#/$defs/uriString") ",\"$ref\":" REF("#/$defs/uriReferenceString") ","
            "\"$anchor\":" REF("#/$defs/anchorString") ",\"$dynamicRef\":" REF("#/$defs/uriReferenceString") ","
            "\"$dynamicAnchor\":" REF("#/$defs/anchorString") ","
            "\"$vocabulary\":{\"type\":\"object\",\"propertyNames\":" REF("#/$defs/uriString") ","
                "\"additionalProperties\":" TYPE("boolean") "},"
            "\"$comment\":" TYPE("string") ",\"$defs\":" MAP_OF(SELF) "},"
        "\"$defs\":{"
            "\"anchorString\":{\"type\":\"string\",\"pattern\":\"^[A-Za-z_][-A-Za-z0-9._]*$\"},"
            "\"uriString\":{\"type\":\"string\",\"format\":\"uri\"},"
            "\"uriReferenceString\":{\"type\":\"string\",\"format\":\"uri-reference\"}}}"},
    {"meta/applicator", VOCABULARY("applicator")
        "\"properties\":{"
            "\"prefixItems\":" SCHEMA_LIST ",\"items\":" SELF ",\"contains\":" SELF ","
            "\"additionalProperties\":" SELF ",\"properties\":" MAP_OF(SELF) ","
            "\"patternProperties\":{\"type\":\"object\",\"additionalProperties\":" SELF ","
                "\"propertyNames\":{\"format\":\"regex\"}},"
            "\"dependentSchemas\":" MAP_OF(SELF) ",\"propertyNames\":" SELF ","
            "\"if\":" SELF ",\"then\":" SELF ",\"else\":" SELF ","
            "\"allOf\":" SCHEMA_LIST ",\"anyOf\":" SCHEMA_LIST ",\"oneOf\":" SCHEMA_LIST ",\"not\":" SELF "},"
        "\"$defs\":{\"schemaArray\":{\"type\":\"array\",\"minItems\":1,\"items\":" SELF "}}}"},
    {"meta/unevaluated", VOCABULARY("unevaluated")
        "\"properties\":{\"unevaluatedItems\":" SELF ",\"unevaluatedProperties\":" SELF "}}"},
    {"meta/validation", VOCABULARY("validation")
        "\"properties\":{"
            "\"type\":{\"anyOf\":[" REF("#/$defs/simpleTypes") ",{\"type\":\"array\","
                "\"items\":" REF("#/$defs/simpleTypes") ",\"minItems\":1,\"uniqueItems\":true}]},"
            "\"const\":true,\"enum\":{\"type\":\"array\",\"items\":true},"
            "\"multipleOf\":{\"type\":\"number\",\"exclusiveMinimum\":0},"
            "\"maximum\":" TYPE("number") ",\"exclusiveMaximum\":" TYPE("number") ","
            "\"minimum\":" TYPE("number") ",\"exclusiveMinimum\":" TYPE("number") ","
            "\"maxLength\":" COUNT ",\"minLength\":" COUNT_FROM_0 ","
            "\"pattern\":{\"type\":\"string\",\"format\":\"regex\"},"
            "\"maxItems\":" COUNT ",\"minItems\":" COUNT_FROM_0 ",\"uniqueItems\":" FLAG ","
            "\"maxContains\":" COUNT ",\"minContains\":{\"$ref\":\"#/$defs/nonNegativeInteger\",\"default\":1},"
            "\"maxProperties\":" COUNT ",\"minProperties\":" COUNT_FROM_0 ","
            "\"required\":" REF("#/$defs/stringArray") ","
            "\"dependentRequired\":" MAP_OF(REF("#/$defs/stringArray")) "},"
        "\"$defs\":{"
            "\"nonNegativeInteger\":{\"type\":\"integer\",\"minimum\":0},"
            "\"nonNegativeIntegerDefault0\":{\"$ref\":\"#/$defs/nonNegativeInteger\",\"default\":0},"
            "\"simpleTypes\":{\"enum\":[\"array\",\"boolean\",\"integer\",\"null\",\"number\",\"object\",\"string\"]},"
            "\"stringArray\":{\"type\":\"array\",\"items\":" TYPE("string") ",\"uniqueItems\":true,\"default\":[]}}}"},
    {"meta/meta-data", VOCABULARY("meta-data")
        "\"properties\":{"
            "\"title\":" TYPE("string") ",\"description\":" TYPE("string") ",\"default\":true,"
            "\"deprecated\":" FLAG ",\"readOnly\":" FLAG ",\"writeOnly\":" FLAG ","
            "\"examples\":{\"type\":\"array\",\"items\":true}}}"},
    {"meta/format-annotation", VOCABULARY("format-annotation") "\"properties\":{\"format\":" TYPE("string") "}}"},
    {"meta/format-assertion", VOCABULARY("format-assertion") "\"properties\":{\"format\":" TYPE("string") "}}"},
    {"meta/content", VOCABULARY("content")
        "\"properties\":{"
            "\"contentEncoding\":" TYPE("string") ",\"contentMediaType\":" TYPE("string") ","
            "\"contentSchema\":" SELF "}}"},
    /* clang-format on */
};

struct parsed {
    struct writ_arena arena;
    const struct writ_json *roots[META_COUNT];
};

/* Constant once it is set: the only thing of the library that outlives its callers. */
static _Atomic(struct parsed *) parsed_once;

static int parse_all(struct parsed **ret_parsed, struct writ_error *error)
{
    struct parsed *parsed = calloc(1, sizeof(*parsed));
    if (!parsed)
        return writ_error_memory(error);
    writ_arena_init(&parsed->arena, META_BYTES_MAX);
    for (size_t i = 0; i < META_COUNT; i++) {
        int result =
            writ_json_parse(&parsed->arena, documents[i].text, strlen(documents[i].text), &parsed->roots[i], error);
        if (result) {
            writ_arena_clear(&parsed->arena);
            free(parsed);
            return result;
        }
    }
    *ret_parsed = parsed;
    return 0;
}

static int get_parsed(const struct parsed **ret_parsed, struct writ_error *error)
{
    struct parsed *known = parsed_once;
    if (!known) {
        struct parsed *fresh = NULL;
        int result = parse_all(&fresh, error);
        if (result)
            return result;
        /* Two threads may both have parsed: the first one's copy stays. */
        if (atomic_compare_exchange_strong(&parsed_once, &known, fresh)) {
            known = fresh;
        } else {
            writ_arena_clear(&fresh->arena);
            free(fresh);
        }
    }
    *ret_parsed = known;
    return 0;
}

int writ_schema_meta_find(const char *uri, const struct writ_json **ret_document, struct writ_error *error)
{
    size_t base = strlen(SCHEMA_META_BASE);
    *ret_document = NULL;
    if (strncmp(uri, SCHEMA_META_BASE, base) != 0)
        return 0;
    for (size_t i = 0; i < META_COUNT; i++) {
        if (strcmp(uri + base, documents[i].name) != 0)
            continue;
        const struct parsed *parsed;
        int result = get_parsed(&parsed, error);
        if (!result)
            *ret_document = parsed->roots[i];
        return result;
    }
    return 0;
}

const struct writ_json *writ_schema_meta_document(struct writ_error *error)
{
    const struct writ_json *document;
    return writ_schema_meta_find(SCHEMA_META_URI, &document, error) ? NULL : document;
}
