#include "cli/run_flags.h"

#include "base/text.h"

#include <string.h>

#define NODES_MAX 512
#define DEPTH_MAX 16
#define PROPERTIES_MAX 128

/* The object being built, as a small tree: siblings and children by index, 0 is the root. */
struct node {
    const char *key;
    size_t key_length;
    const struct writ_json *schema;
    const struct writ_json *base; /* the base's value at this place, or NULL */
    const char *values[64];       /* given texts; several for arrays */
    size_t value_count;
    size_t first_child, next; /* 0: none */
};
struct tree {
    struct node nodes[NODES_MAX];
    size_t count;
};

static bool is_type(const struct writ_json *schema, const char *name)
{
    const struct writ_json *type = writ_json_get(schema, "type");
    if (!type || type->kind != WRIT_JSON_ARRAY)
        return writ_json_is_text(type, name);
    WRIT_JSON_EACH_ITEM(item, type)
    if (writ_json_is_text(item, name))
        return true;
    return false;
}

/* `file-path` names the property `file_path` and the property `file-path`. */
static bool is_same_name(const char *flag, size_t flag_length, const struct writ_json *property)
{
    if (flag_length != property->length)
        return false;
    for (size_t i = 0; i < flag_length; i++)
        if (flag[i] != property->text[i] && !(flag[i] == '-' && property->text[i] == '_'))
            return false;
    return true;
}

static const struct writ_json *find_property(const struct writ_json *schema, const char *flag, size_t length)
{
    const struct writ_json *properties = writ_json_get(schema, "properties");
    if (!properties || properties->kind != WRIT_JSON_OBJECT)
        return NULL;
    const struct writ_json *exact = NULL;
    WRIT_JSON_EACH_MEMBER(key, properties)
    {
        if (key->length == length && memcmp(key->text, flag, length) == 0)
            return key;
        if (is_same_name(flag, length, key))
            exact = key;
    }
    return exact;
}

static int unknown_flag(const struct writ_json *schema, const char *flag, struct writ_error *error)
{
    const struct writ_json *properties = writ_json_get(schema, "properties");
    const char *names[PROPERTIES_MAX];
    size_t count = 0;
    if (properties && properties->kind == WRIT_JSON_OBJECT)
        WRIT_JSON_EACH_MEMBER(key, properties)
    if (count < PROPERTIES_MAX)
        names[count++] = key->text;
    const char *nearest = writ_nearest_name(flag, names, count);
    return writ_error_set(error, WRIT_USAGE, "the skill's input has no `%s`%s%s%s; `writ show ID` lists what it wants",
                          flag, nearest ? " (did you mean --" : "", nearest ? nearest : "", nearest ? "?)" : "");
}

static struct node *child_of(struct tree *tree, struct node *parent, const struct writ_json *key,
                             struct writ_error *error)
{
    size_t *link = &parent->first_child;
    while (*link) {
        struct node *node = &tree->nodes[*link];
        if (node->key_length == key->length && memcmp(node->key, key->text, key->length) == 0)
            return node;
        link = &node->next;
    }
    if (tree->count == NODES_MAX) {
        (void)writ_error_set(error, WRIT_USAGE, "more than %d flags are given; use --input", NODES_MAX);
        return NULL;
    }
    *link = tree->count;
    struct node *node = &tree->nodes[tree->count++];
    *node = (struct node){.key = key->text,
                          .key_length = key->length,
                          .schema = key + 1,
                          .base = writ_json_get_sized(parent->base, key->text, key->length)};
    return node;
}

/* The node that a flag's dotted name leads to. */
static struct node *find_node(struct tree *tree, const char *name, size_t length, struct writ_error *error)
{
    struct node *node = &tree->nodes[0];
    for (unsigned depth = 0; length > 0; depth++) {
        const char *dot = memchr(name, '.', length);
        size_t part = dot ? (size_t)(dot - name) : length;
        /* A property whose own name has a dot is preferred to a way into a nested object. */
        const struct writ_json *key = find_property(node->schema, name, length);
        if (key)
            part = length;
        else
            key = find_property(node->schema, name, part);
        if (!key || depth == DEPTH_MAX) {
            (void)unknown_flag(node->schema, name, error);
            return NULL;
        }
        node = child_of(tree, node, key, error);
        if (!node)
            return NULL;
        name += part + (part < length);
        length -= part + (part < length);
    }
    return node;
}

static int add_value(struct node *node, const char *value, const char *flag, struct writ_error *error)
{
    bool repeatable = is_type(node->schema, "array");
    if (node->value_count > 0 && !repeatable)
        return writ_error_set(error, WRIT_USAGE, "%s is given twice", flag);
    if (node->value_count == WRIT_COUNT(node->values))
        return writ_error_set(error, WRIT_USAGE, "%s is given more than %zu times; use --input", flag,
                              WRIT_COUNT(node->values));
    node->values[node->value_count++] = value;
    return 0;
}

static int read_flag(struct tree *tree, const char *const *flags, size_t count, size_t *index, struct writ_error *error)
{
    const char *flag = flags[*index];
    if (strncmp(flag, "--", 2) != 0 || !flag[2])
        return writ_error_set(error, WRIT_USAGE,
                              "`%s` is no flag; a skill takes its input as --NAME VALUE or --input JSON", flag);
    const char *name = flag + 2;
    size_t length = strcspn(name, "=");
    const char *value = name[length] == '=' ? name + length + 1 : NULL;
    bool negated = strncmp(name, "no-", 3) == 0 && !find_property(tree->nodes[0].schema, name, length);
    char copy[256];
    if (length == 0 || length >= sizeof copy)
        return writ_error_set(error, WRIT_USAGE, "`%.100s` is no flag of a skill", flag);
    (void)snprintf(copy, sizeof copy, "%.*s", (int)(length - (negated ? 3 : 0)), name + (negated ? 3 : 0));
    struct node *node = find_node(tree, copy, strlen(copy), error);
    if (!node)
        return error->code;
    if (negated)
        return value || !is_type(node->schema, "boolean")
                   ? writ_error_set(error, WRIT_USAGE, "%s: --no- goes with a true-or-false input and takes no value",
                                    flag)
                   : add_value(node, "false", flag, error);
    if (!value && is_type(node->schema, "boolean"))
        return add_value(node, "true", flag, error);
    if (!value && *index + 1 >= count)
        return writ_error_set(error, WRIT_USAGE, "%s needs a value", flag);
    return add_value(node, value ? value : flags[++*index], flag, error);
}

/* A text becomes what the schema takes: a string as it is, anything else as JSON where it is JSON. */
static void write_text(struct writ_json_writer *writer, const struct writ_json *schema, const char *text)
{
    struct writ_arena arena;
    struct writ_error error;
    const struct writ_json *parsed;
    bool wants_string = is_type(schema, "string");
    writ_arena_init(&arena, (size_t)64 << 20);
    if (!wants_string && writ_json_parse(&arena, text, strlen(text), &parsed, &error) == 0)
        writ_json_write_node(writer, parsed);
    else
        writ_json_write_text(writer, text);
    writ_arena_clear(&arena);
}

static void write_node(struct writ_json_writer *writer, const struct tree *tree, const struct node *node);

static void write_object(struct writ_json_writer *writer, const struct tree *tree, const struct node *node)
{
    writ_json_write_object(writer);
    if (node->base && node->base->kind == WRIT_JSON_OBJECT)
        WRIT_JSON_EACH_MEMBER(key, node->base)
        {
            bool replaced = false;
            for (size_t i = node->first_child; i && !replaced; i = tree->nodes[i].next)
                replaced =
                    tree->nodes[i].key_length == key->length && memcmp(tree->nodes[i].key, key->text, key->length) == 0;
            if (replaced)
                continue;
            writ_json_write_key_sized(writer, key->text, key->length);
            writ_json_write_node(writer, key + 1);
        }
    for (size_t i = node->first_child; i; i = tree->nodes[i].next) {
        writ_json_write_key_sized(writer, tree->nodes[i].key, tree->nodes[i].key_length);
        write_node(writer, tree, &tree->nodes[i]);
    }
    writ_json_write_object_end(writer);
}

static void write_node(struct writ_json_writer *writer, const struct tree *tree, const struct node *node)
{
    bool is_array = is_type(node->schema, "array");
    if (node->value_count == 0) {
        write_object(writer, tree, node);
    } else if (is_array && !(node->value_count == 1 && node->values[0][0] == '[')) {
        writ_json_write_array(writer);
        for (size_t i = 0; i < node->value_count; i++)
            write_text(writer, writ_json_get(node->schema, "items"), node->values[i]);
        writ_json_write_array_end(writer);
    } else {
        write_text(writer, node->schema, node->values[0]);
    }
}

int cli_run_flags_write(const struct writ_json *schema, const struct writ_json *base, const char *const *flags,
                        size_t count, struct writ_buffer *out, struct writ_error *error)
{
    struct tree *tree = calloc(1, sizeof *tree);
    if (!tree)
        return writ_error_memory(error);
    tree->count = 1;
    tree->nodes[0] = (struct node){.schema = schema, .base = base};
    int result = 0;
    for (size_t i = 0; result == 0 && i < count; i++)
        result = read_flag(tree, flags, count, &i, error);
    if (result == 0) {
        struct writ_json_writer writer;
        writ_json_writer_init(&writer, out);
        write_object(&writer, tree, &tree->nodes[0]);
        if (out->failed)
            result = writ_error_memory(error);
    }
    free(tree);
    return result;
}

void cli_run_flags_describe(const struct writ_json *schema, struct writ_buffer *out)
{
    const struct writ_json *properties = writ_json_get(schema, "properties");
    if (!properties || properties->kind != WRIT_JSON_OBJECT)
        return;
    WRIT_JSON_EACH_MEMBER(key, properties)
    {
        char left[128];
        size_t used = (size_t)snprintf(left, sizeof left, "--%.100s", key->text);
        for (size_t i = 2; i < used && i < sizeof left; i++)
            if (left[i] == '_')
                left[i] = '-';
        if (!is_type(key + 1, "boolean"))
            (void)snprintf(left + used, sizeof left - used, " VALUE");
        const char *description = writ_json_text(writ_json_get(key + 1, "description"));
        writ_buffer_printf(out, "  %-26s %s\n", left, description ? description : "");
    }
}
