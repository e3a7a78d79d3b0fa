/*
 * The meta-schema of JSON Schema 2020-12, written out from the specification: what each vocabulary's keywords may be.
 * Titles and comments are left out; they constrain nothing.
 */
#include "data/schema_meta.h"

#include "data/schema.h"

#include <stdatomic.h>

#define META_COUNT 9
#define META_BYTES_MAX ((size_t)1 << 20)

#define HEAD(name) "{\"$schema\":\"" SCHEMA_META_URI "\",\"$id\":\"" SCHEMA_META_BASE name "\",\"$dynamicAnchor\":\"meta\","
#define VOCABULARY_OF(name) "\"$vocabulary\":{\"" SCHEMA_META_BASE "vocab/" name "\":true},"
#define KINDS "\"type\":[\"object\",\"boolean\"],"
#define SELF "{\"$dynamicRef\":\"#meta\"}"
#define SELF_MAP "{\"type\":\"object\",\"additionalProperties\":" SELF ",\"default\":{}}"
#define SELF_LIST "{\"type\":\"array\",\"minItems\":1,\"items\":" SELF "}"
#define LIST(name) "{\"$ref\":\"#/$defs/" name "\"}"

static const struct {
    const char *name, *text;
} documents[META_COUNT] = {
    {"schema",
     HEAD("schema") "\"$vocabulary\":{"
                    "\"" SCHEMA_META_BASE "vocab/core\":true,\"" SCHEMA_META_BASE "vocab/applicator\":true,"
                    "\"" SCHEMA_META_BASE "vocab/unevaluated\":true,\"" SCHEMA_META_BASE "vocab/validation\":true,"
                    "\"" SCHEMA_META_BASE "vocab/meta-data\":true,\"" SCHEMA_META_BASE "vocab/format-annotation\":true,"
                    "\"" SCHEMA_META_BASE "vocab/content\":true},"
                    "\"allOf\":[{\"$ref\":\"meta/core\"},{\"$ref\":\"meta/applicator\"},{\"$ref\":\"meta/unevaluated\"},"
                    "{\"$ref\":\"meta/validation\"},{\"$ref\":\"meta/meta-data\"},{\"$ref\":\"meta/format-annotation\"},"
                    "{\"$ref\":\"meta/content\"}]," KINDS "\"properties\":{"
                    "\"definitions\":{\"type\":\"object\",\"additionalProperties\":" SELF ",\"deprecated\":true,\"default\":{}},"
                    "\"dependencies\":{\"type\":\"object\",\"additionalProperties\":{\"anyOf\":[" SELF
                    ",{\"$ref\":\"meta/validation#/$defs/stringArray\"}]},\"deprecated\":true,\"default\":{}},"
                    "\"$recursiveAnchor\":{\"$ref\":\"meta/core#/$defs/anchorString\",\"deprecated\":true},"
                    "\"$recursiveRef\":{\"$ref\":\"meta/core#/$defs/uriReferenceString\",\"deprecated\":true}}}"},
    {"meta/core",
     HEAD("meta/core") VOCABULARY_OF("core") KINDS
     "\"properties\":{"
     "\"$id\":{\"$ref\":\"#/$defs/uriReferenceString\",\"pattern\":\"^[^#]*#?$\"},"
     "\"$schema\":{\"$ref\":\"#/$defs/uriString\"},\"$ref\":{\"$ref\":\"#/$defs/uriReferenceString\"},"
     "\"$anchor\":{\"$ref\":\"#/$defs/anchorString\"},\"$dynamicRef\":{\"$ref\":\"#/$defs/uriReferenceString\"},"
     "\"$dynamicAnchor\":{\"$ref\":\"#/$defs/anchorString\"},"
     "\"$vocabulary\":{\"type\":\"object\",\"propertyNames\":{\"$ref\":\"#/$defs/uriString\"},"
     "\"additionalProperties\":{\"type\":\"boolean\"}},"
     "\"$comment\":{\"type\":\"string\"},\"$defs\":{\"type\":\"object\",\"additionalProperties\":" SELF "}},"
     "\"$defs\":{\"anchorString\":{\"type\":\"string\",\"pattern\":\"^[A-Za-z_][-A-Za-z0-9._]*$\"},"
     "\"uriString\":{\"type\":\"string\",\"format\":\"uri\"},"
     "\"uriReferenceString\":{\"type\":\"string\",\"format\":\"uri-reference\"}}}"},
    {"meta/applicator",
     HEAD("meta/applicator") VOCABULARY_OF("applicator") KINDS
     "\"properties\":{\"prefixItems\":{\"$ref\":\"#/$defs/schemaArray\"},\"items\":" SELF ",\"contains\":" SELF
     ",\"additionalProperties\":" SELF ",\"properties\":" SELF_MAP
     ",\"patternProperties\":{\"type\":\"object\",\"additionalProperties\":" SELF
     ",\"propertyNames\":{\"format\":\"regex\"},\"default\":{}},"
     "\"dependentSchemas\":" SELF_MAP ",\"propertyNames\":" SELF ",\"if\":" SELF ",\"then\":" SELF ",\"else\":" SELF
     ",\"allOf\":{\"$ref\":\"#/$defs/schemaArray\"},\"anyOf\":{\"$ref\":\"#/$defs/schemaArray\"},"
     "\"oneOf\":{\"$ref\":\"#/$defs/schemaArray\"},\"not\":" SELF "},"
     "\"$defs\":{\"schemaArray\":" SELF_LIST "}}"},
    {"meta/unevaluated", HEAD("meta/unevaluated") VOCABULARY_OF("unevaluated") KINDS
     "\"properties\":{\"unevaluatedItems\":" SELF ",\"unevaluatedProperties\":" SELF "}}"},
    {"meta/validation",
     HEAD("meta/validation") VOCABULARY_OF("validation") KINDS
     "\"properties\":{\"type\":{\"anyOf\":[{\"$ref\":\"#/$defs/simpleTypes\"},{\"type\":\"array\",\"items\":{\"$ref\":"
     "\"#/$defs/simpleTypes\"},\"minItems\":1,\"uniqueItems\":true}]},\"const\":true,"
     "\"enum\":{\"type\":\"array\",\"items\":true},\"multipleOf\":{\"type\":\"number\",\"exclusiveMinimum\":0},"
     "\"maximum\":{\"type\":\"number\"},\"exclusiveMaximum\":{\"type\":\"number\"},\"minimum\":{\"type\":\"number\"},"
     "\"exclusiveMinimum\":{\"type\":\"number\"},"
     "\"maxLength\":" LIST("nonNegativeInteger") ",\"minLength\":" LIST("nonNegativeIntegerDefault0")
     ",\"pattern\":{\"type\":\"string\",\"format\":\"regex\"},"
     "\"maxItems\":" LIST("nonNegativeInteger") ",\"minItems\":" LIST("nonNegativeIntegerDefault0")
     ",\"uniqueItems\":{\"type\":\"boolean\",\"default\":false},"
     "\"maxContains\":" LIST("nonNegativeInteger") ",\"minContains\":{\"$ref\":\"#/$defs/nonNegativeInteger\",\"default\":1},"
     "\"maxProperties\":" LIST("nonNegativeInteger") ",\"minProperties\":" LIST("nonNegativeIntegerDefault0")
     ",\"required\":" LIST("stringArray") ",\"dependentRequired\":{\"type\":\"object\",\"additionalProperties\":"
     LIST("stringArray") "}},"
     "\"$defs\":{\"nonNegativeInteger\":{\"type\":\"integer\",\"minimum\":0},"
     "\"nonNegativeIntegerDefault0\":{\"$ref\":\"#/$defs/nonNegativeInteger\",\"default\":0},"
     "\"simpleTypes\":{\"enum\":[\"array\",\"boolean\",\"integer\",\"null\",\"number\",\"object\",\"string\"]},"
     "\"stringArray\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"uniqueItems\":true,\"default\":[]}}}"},
    {"meta/meta-data",
     HEAD("meta/meta-data") VOCABULARY_OF("meta-data") KINDS
     "\"properties\":{\"title\":{\"type\":\"string\"},\"description\":{\"type\":\"string\"},\"default\":true,"
     "\"deprecated\":{\"type\":\"boolean\",\"default\":false},\"readOnly\":{\"type\":\"boolean\",\"default\":false},"
     "\"writeOnly\":{\"type\":\"boolean\",\"default\":false},\"examples\":{\"type\":\"array\",\"items\":true}}}"},
    {"meta/format-annotation", HEAD("meta/format-annotation") VOCABULARY_OF("format-annotation") KINDS
     "\"properties\":{\"format\":{\"type\":\"string\"}}}"},
    {"meta/format-assertion", HEAD("meta/format-assertion") VOCABULARY_OF("format-assertion") KINDS
     "\"properties\":{\"format\":{\"type\":\"string\"}}}"},
    {"meta/content", HEAD("meta/content") VOCABULARY_OF("content") KINDS
     "\"properties\":{\"contentEncoding\":{\"type\":\"string\"},\"contentMediaType\":{\"type\":\"string\"},"
     "\"contentSchema\":" SELF "}}"},
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
        int result = writ_json_parse(&parsed->arena, documents[i].text, strlen(documents[i].text), &parsed->roots[i], error);
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
