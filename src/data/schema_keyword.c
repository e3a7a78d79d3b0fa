#include "data/schema_keyword.h"

#include "data/schema_equal.h"

static const struct {
    const char *name;
    uint8_t vocabulary, shape;
} keywords[KEYWORD_COUNT] = {
#define X(id, name, vocabulary, shape) {name, VOCABULARY_##vocabulary, SHAPE_##shape},
    SCHEMA_KEYWORDS(X)
#undef X
};

enum schema_keyword_id writ_schema_keyword_find(const struct writ_json *key)
{
    for (size_t i = 0; i < KEYWORD_COUNT; i++) {
        if (strlen(keywords[i].name) == key->length && memcmp(keywords[i].name, key->text, key->length) == 0)
            return (enum schema_keyword_id)i;
    }
    return KEYWORD_COUNT;
}

const char *writ_schema_keyword_name(enum schema_keyword_id id)
{
    return keywords[id].name;
}

unsigned writ_schema_keyword_vocabulary(enum schema_keyword_id id)
{
    /* Either format vocabulary brings the keyword. */
    return id == KEYWORD_FORMAT ? VOCABULARY_FORMAT_ANNOTATION | VOCABULARY_FORMAT_ASSERTION : keywords[id].vocabulary;
}

enum schema_shape writ_schema_keyword_shape(enum schema_keyword_id id)
{
    return (enum schema_shape)keywords[id].shape;
}

/* ---- types ---- */

static const struct {
    const char *name;
    uint16_t kinds;
} type_names[] = {
    {"null", KIND_BIT(WRIT_JSON_NULL)},
    {"boolean", KINDS_BOOLEAN},
    {"object", KIND_BIT(WRIT_JSON_OBJECT)},
    {"array", KIND_BIT(WRIT_JSON_ARRAY)},
    {"number", KINDS_NUMBER},
    {"string", KIND_BIT(WRIT_JSON_STRING)},
    {"integer", KINDS_NUMBER},
};
#define INTEGER_NAME (WRIT_COUNT(type_names) - 1)

static size_t find_type(const struct writ_json *name)
{
    size_t i = 0;
    while (i < WRIT_COUNT(type_names) && !writ_json_is_text(name, type_names[i].name))
        i++;
    return i;
}

struct schema_types writ_schema_types(const struct writ_json *value)
{
    struct schema_types types = {0};
    bool number = false;
    size_t count = value->kind == WRIT_JSON_ARRAY ? value->length : 1;
    const struct writ_json *name = value->kind == WRIT_JSON_ARRAY ? value + 1 : value;
    for (size_t i = 0; i < count; i++, name++) {
        size_t found = find_type(name);
        types.kinds |= type_names[found].kinds;
        types.integral_only |= found == INTEGER_NAME;
        number |= found != INTEGER_NAME && type_names[found].kinds == KINDS_NUMBER;
    }
    types.integral_only &= !number;
    return types;
}

/* ---- shapes ---- */

static bool is_type_list(const struct writ_json *value)
{
    if (value->kind == WRIT_JSON_STRING)
        return find_type(value) < WRIT_COUNT(type_names);
    if (value->kind != WRIT_JSON_ARRAY || value->length == 0)
        return false;
    unsigned seen = 0;
    WRIT_JSON_EACH_ITEM(item, value)
    {
        size_t found = find_type(item);
        if (found == WRIT_COUNT(type_names) || (seen >> found & 1))
            return false;
        seen |= 1u << found;
    }
    return true;
}

static bool is_text_list(const struct writ_json *value)
{
    if (value->kind != WRIT_JSON_ARRAY)
        return false;
    WRIT_JSON_EACH_ITEM(item, value)
    {
        if (item->kind != WRIT_JSON_STRING)
            return false;
    }
    int64_t steps = INT64_MAX; /* linear for strings */
    return writ_schema_is_unique(value, &steps);
}

static bool all_values(const struct writ_json *value, bool (*holds)(const struct writ_json *))
{
    if (value->kind != WRIT_JSON_OBJECT)
        return false;
    WRIT_JSON_EACH_MEMBER(key, value)
    {
        if (!holds(key + 1))
            return false;
    }
    return true;
}

static bool is_boolean(const struct writ_json *value)
{
    return value->kind == WRIT_JSON_TRUE || value->kind == WRIT_JSON_FALSE;
}

static bool is_anchor(const struct writ_json *value)
{
    if (value->kind != WRIT_JSON_STRING || value->length == 0)
        return false;
    for (size_t i = 0; i < value->length; i++) {
        char c = value->text[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && (i == 0 || !((c >= '0' && c <= '9') || c == '-' || c == '.')))
            return false;
    }
    return true;
}

#define NUMBER_BYTES_MAX 4096

/* Longer ones mean nothing to anyone, but would cost each comparison their length. */
static bool is_usable_number(const struct writ_json *value)
{
    return value->kind == WRIT_JSON_INTEGER || (value->kind == WRIT_JSON_DECIMAL && value->length <= NUMBER_BYTES_MAX);
}

static bool is_at_least_zero(const struct writ_json *value, bool allow_zero)
{
    static const struct writ_json zero = {.kind = WRIT_JSON_INTEGER, .integer = 0};
    return writ_json_compare_numbers(value, &zero) >= (allow_zero ? 0 : 1);
}

const char *writ_schema_keyword_complaint(enum schema_keyword_id id, const struct writ_json *value)
{
    switch ((enum schema_shape)keywords[id].shape) {
    case SHAPE_ANY:
    case SHAPE_SCHEMA:
        return NULL;
    case SHAPE_SCHEMAS:
        return value->kind == WRIT_JSON_ARRAY && value->length > 0 ? NULL : "must be an array of at least one schema";
    case SHAPE_SCHEMA_MAP:
        return value->kind == WRIT_JSON_OBJECT ? NULL : "must be an object whose values are schemas";
    case SHAPE_PATTERN_MAP:
        return value->kind == WRIT_JSON_OBJECT
                   ? NULL
                   : "must be an object whose keys are patterns and whose values are schemas";
    case SHAPE_TEXT:
    case SHAPE_PATTERN:
        return value->kind == WRIT_JSON_STRING ? NULL : "must be a string";
    case SHAPE_ANCHOR:
        return is_anchor(value) ? NULL
                                : "must be a name of letters, digits, `_`, `-`, `.` that starts with a letter or `_`";
    case SHAPE_BOOLEAN:
        return is_boolean(value) ? NULL : "must be true or false";
    case SHAPE_NUMBER:
        return is_usable_number(value) ? NULL : "must be a number (of at most 4096 characters)";
    case SHAPE_POSITIVE:
        return is_usable_number(value) && is_at_least_zero(value, false)
                   ? NULL
                   : "must be a number greater than 0 (of at most 4096 characters)";
    case SHAPE_COUNT:
        return is_usable_number(value) && writ_json_is_integral(value) && is_at_least_zero(value, true)
                   ? NULL
                   : "must be an integer that is not negative";
    case SHAPE_ARRAY:
        return value->kind == WRIT_JSON_ARRAY ? NULL : "must be an array";
    case SHAPE_TYPES:
        return is_type_list(value)
                   ? NULL
                   : "must be one of \"null\", \"boolean\", \"object\", \"array\", \"number\", \"integer\", "
                     "\"string\", or an array of different ones";
    case SHAPE_TEXTS:
        return is_text_list(value) ? NULL : "must be an array of different strings";
    case SHAPE_TEXTS_MAP:
        return all_values(value, is_text_list) ? NULL
                                               : "must be an object whose values are arrays of different strings";
    case SHAPE_FLAGS_MAP:
        return all_values(value, is_boolean) ? NULL : "must be an object whose values are true or false";
    }
    return NULL;
}

uint32_t writ_schema_count(const struct writ_json *value)
{
    int64_t number;
    return writ_json_int64(value, &number) && number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
}

bool writ_schema_keyword_is_in_place(enum schema_keyword_id id)
{
    switch (id) {
    case KEYWORD_ALL_OF:
    case KEYWORD_ANY_OF:
    case KEYWORD_ONE_OF:
    case KEYWORD_NOT:
    case KEYWORD_IF:
    case KEYWORD_THEN:
    case KEYWORD_ELSE:
    case KEYWORD_DEPENDENT_SCHEMAS:
        return true;
    default:
        return false;
    }
}
