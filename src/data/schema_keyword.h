/*
 * The keywords of JSON Schema 2020-12: names, vocabularies, the shape of their values.  Private to schema*.c and
 * to those who tell people of misspelt ones.
 */
#ifndef WRIT_DATA_SCHEMA_KEYWORD_H
#define WRIT_DATA_SCHEMA_KEYWORD_H

#include "data/json.h"

enum schema_vocabulary {
    VOCABULARY_CORE = 1,
    VOCABULARY_APPLICATOR = 2,
    VOCABULARY_UNEVALUATED = 4,
    VOCABULARY_VALIDATION = 8,
    VOCABULARY_META_DATA = 16,
    VOCABULARY_FORMAT_ANNOTATION = 32,
    VOCABULARY_FORMAT_ASSERTION = 64,
    VOCABULARY_CONTENT = 128,
};
/* What a schema has that names no dialect of its own. */
#define VOCABULARIES_DEFAULT (255u & ~(unsigned)VOCABULARY_FORMAT_ASSERTION)

enum schema_shape {
    SHAPE_ANY,
    SHAPE_SCHEMA,
    SHAPE_SCHEMAS,    /* array, not empty */
    SHAPE_SCHEMA_MAP, /* object */
    SHAPE_PATTERN_MAP,
    SHAPE_TEXT,
    SHAPE_PATTERN,
    SHAPE_ANCHOR,
    SHAPE_BOOLEAN,
    SHAPE_NUMBER,
    SHAPE_POSITIVE,
    SHAPE_COUNT,
    SHAPE_ARRAY,
    SHAPE_TYPES,
    SHAPE_TEXTS,     /* array of unique strings */
    SHAPE_TEXTS_MAP, /* object of such arrays */
    SHAPE_FLAGS_MAP, /* object of booleans */
};

/*     id                     name                     vocabulary   shape */
#define SCHEMA_KEYWORDS(X)                                                                                             \
    X(SCHEMA, "$schema", CORE, TEXT)                                                                                   \
    X(ID, "$id", CORE, TEXT)                                                                                           \
    X(ANCHOR, "$anchor", CORE, ANCHOR)                                                                                 \
    X(DYNAMIC_ANCHOR, "$dynamicAnchor", CORE, ANCHOR)                                                                  \
    X(REF, "$ref", CORE, TEXT)                                                                                         \
    X(DYNAMIC_REF, "$dynamicRef", CORE, TEXT)                                                                          \
    X(VOCABULARY, "$vocabulary", CORE, FLAGS_MAP)                                                                      \
    X(DEFS, "$defs", CORE, SCHEMA_MAP)                                                                                 \
    X(COMMENT, "$comment", CORE, TEXT)                                                                                 \
    X(DEFINITIONS, "definitions", CORE, SCHEMA_MAP) /* the old name, which references still reach into */              \
    X(PREFIX_ITEMS, "prefixItems", APPLICATOR, SCHEMAS)                                                                \
    X(ITEMS, "items", APPLICATOR, SCHEMA)                                                                              \
    X(CONTAINS, "contains", APPLICATOR, SCHEMA)                                                                        \
    X(PROPERTIES, "properties", APPLICATOR, SCHEMA_MAP)                                                                \
    X(PATTERN_PROPERTIES, "patternProperties", APPLICATOR, PATTERN_MAP)                                                \
    X(ADDITIONAL_PROPERTIES, "additionalProperties", APPLICATOR, SCHEMA)                                               \
    X(DEPENDENT_SCHEMAS, "dependentSchemas", APPLICATOR, SCHEMA_MAP)                                                   \
    X(PROPERTY_NAMES, "propertyNames", APPLICATOR, SCHEMA)                                                             \
    X(IF, "if", APPLICATOR, SCHEMA)                                                                                    \
    X(THEN, "then", APPLICATOR, SCHEMA)                                                                                \
    X(ELSE, "else", APPLICATOR, SCHEMA)                                                                                \
    X(ALL_OF, "allOf", APPLICATOR, SCHEMAS)                                                                            \
    X(ANY_OF, "anyOf", APPLICATOR, SCHEMAS)                                                                            \
    X(ONE_OF, "oneOf", APPLICATOR, SCHEMAS)                                                                            \
    X(NOT, "not", APPLICATOR, SCHEMA)                                                                                  \
    X(UNEVALUATED_ITEMS, "unevaluatedItems", UNEVALUATED, SCHEMA)                                                      \
    X(UNEVALUATED_PROPERTIES, "unevaluatedProperties", UNEVALUATED, SCHEMA)                                            \
    X(TYPE, "type", VALIDATION, TYPES)                                                                                 \
    X(CONST, "const", VALIDATION, ANY)                                                                                 \
    X(ENUM, "enum", VALIDATION, ARRAY)                                                                                 \
    X(MULTIPLE_OF, "multipleOf", VALIDATION, POSITIVE)                                                                 \
    X(MAXIMUM, "maximum", VALIDATION, NUMBER)                                                                          \
    X(EXCLUSIVE_MAXIMUM, "exclusiveMaximum", VALIDATION, NUMBER)                                                       \
    X(MINIMUM, "minimum", VALIDATION, NUMBER)                                                                          \
    X(EXCLUSIVE_MINIMUM, "exclusiveMinimum", VALIDATION, NUMBER)                                                       \
    X(MAX_LENGTH, "maxLength", VALIDATION, COUNT)                                                                      \
    X(MIN_LENGTH, "minLength", VALIDATION, COUNT)                                                                      \
    X(PATTERN, "pattern", VALIDATION, PATTERN)                                                                         \
    X(MAX_ITEMS, "maxItems", VALIDATION, COUNT)                                                                        \
    X(MIN_ITEMS, "minItems", VALIDATION, COUNT)                                                                        \
    X(UNIQUE_ITEMS, "uniqueItems", VALIDATION, BOOLEAN)                                                                \
    X(MAX_CONTAINS, "maxContains", VALIDATION, COUNT)                                                                  \
    X(MIN_CONTAINS, "minContains", VALIDATION, COUNT)                                                                  \
    X(MAX_PROPERTIES, "maxProperties", VALIDATION, COUNT)                                                              \
    X(MIN_PROPERTIES, "minProperties", VALIDATION, COUNT)                                                              \
    X(REQUIRED, "required", VALIDATION, TEXTS)                                                                         \
    X(DEPENDENT_REQUIRED, "dependentRequired", VALIDATION, TEXTS_MAP)                                                  \
    X(FORMAT, "format", FORMAT_ANNOTATION, TEXT)                                                                       \
    X(CONTENT_ENCODING, "contentEncoding", CONTENT, TEXT)                                                              \
    X(CONTENT_MEDIA_TYPE, "contentMediaType", CONTENT, TEXT)                                                           \
    X(CONTENT_SCHEMA, "contentSchema", CONTENT, SCHEMA)                                                                \
    X(TITLE, "title", META_DATA, TEXT)                                                                                 \
    X(DESCRIPTION, "description", META_DATA, TEXT)                                                                     \
    X(DEFAULT, "default", META_DATA, ANY)                                                                              \
    X(DEPRECATED, "deprecated", META_DATA, BOOLEAN)                                                                    \
    X(READ_ONLY, "readOnly", META_DATA, BOOLEAN)                                                                       \
    X(WRITE_ONLY, "writeOnly", META_DATA, BOOLEAN)                                                                     \
    X(EXAMPLES, "examples", META_DATA, ARRAY)

enum schema_keyword_id {
#define X(id, name, vocabulary, shape) KEYWORD_##id,
    SCHEMA_KEYWORDS(X)
#undef X
        KEYWORD_COUNT, /* also: no keyword */
};

enum schema_keyword_id writ_schema_keyword_find(const struct writ_json *key) WRIT_PURE;
const char *writ_schema_keyword_name(enum schema_keyword_id id) WRIT_PURE;
unsigned writ_schema_keyword_vocabulary(enum schema_keyword_id id) WRIT_PURE;
enum schema_shape writ_schema_keyword_shape(enum schema_keyword_id id) WRIT_PURE;
/* True when the schemas in the keyword's value are for the very value that the schema around it is for. */
bool writ_schema_keyword_is_in_place(enum schema_keyword_id id) WRIT_PURE;
/* NULL when the value has the keyword's shape, else what it must be (`must be a string`).  Schemas inside are not
 * looked at. */
const char *writ_schema_keyword_complaint(enum schema_keyword_id id, const struct writ_json *value) WRIT_PURE;

/* One bit a node kind; JSON Schema's `integer` is not a kind of its own (1.0 is one). */
#define KIND_BIT(kind) ((uint16_t)(1u << (kind)))
#define KINDS_NUMBER ((uint16_t)(KIND_BIT(WRIT_JSON_INTEGER) | KIND_BIT(WRIT_JSON_DECIMAL)))
#define KINDS_BOOLEAN ((uint16_t)(KIND_BIT(WRIT_JSON_TRUE) | KIND_BIT(WRIT_JSON_FALSE)))
#define KINDS_ALL ((uint16_t)0x1FE)
struct schema_types {
    uint16_t kinds;
    bool integral_only; /* numbers must be integers */
};
struct schema_types writ_schema_types(const struct writ_json *value) WRIT_PURE;

/* A count such as maxLength as a 32-bit number; larger ones become UINT32_MAX. */
uint32_t writ_schema_count(const struct writ_json *value) WRIT_PURE;

#endif
