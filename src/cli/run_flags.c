#include "cli/run_flags.h"

#include "base/text.h"

#include <string.h>

#define NODES_MAX 512
#define DEPTH_MAX 16
#define PROPERTIES_MAX 128
#define FLAG_BYTES_MAX 256
#define DESCRIBED_DEPTH_MAX 4

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

/* A property's name as a flag is written: `-` for `_`. */
static void spell_flag(char *out, size_t bytes, const char *name)
{
    (void)snprintf(out, bytes, "--%s", name);
    for (char *at = out + 2; *at; at++)
        if (*at == '_')
            *at = '-';
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
    char spelt[FLAG_BYTES_MAX] = "";
    if (nearest)
        spell_flag(spelt, sizeof spelt, nearest);
    return writ_error_set(error, WRIT_USAGE,
                          "the skill's input has no `%s`%s%s%s; `writ run ID --help` lists its flags", flag,
                          nearest ? " (did you mean " : "", spelt, nearest ? "?)" : "");
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

static int both_given(const struct node *node, struct writ_error *error)
{
    return writ_error_set(error, WRIT_USAGE, "`%s` is given whole, and a flag inside it too; use one of the two",
                          node->key);
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
        bool ends_in_dot = part + 1 == length;
        if (!key || ends_in_dot || depth == DEPTH_MAX) {
            (void)unknown_flag(node->schema, name, error);
            return NULL;
        }
        node = child_of(tree, node, key, error);
        if (!node)
            return NULL;
        if (part < length && node->value_count > 0) {
            (void)both_given(node, error);
            return NULL;
        }
        name += part + (part < length);
        length -= part + (part < length);
    }
    return node;
}

static int add_value(struct node *node, const char *value, const char *flag, struct writ_error *error)
{
    bool repeatable = is_type(node->schema, "array");
    if (node->first_child)
        return both_given(node, error);
    if (node->value_count > 0 && !repeatable)
        return writ_error_set(error, WRIT_USAGE, "%s is given twice", flag);
    if (node->value_count == WRIT_COUNT(node->values))
        return writ_error_set(error, WRIT_USAGE, "%s is given more than %zu times; use --input", flag,
                              WRIT_COUNT(node->values));
    node->values[node->value_count++] = value;
    return 0;
}

/* A value without its flag.  The first one is meant for the first text that the skill must have. */
static int refuse_bare(const struct writ_json *schema, bool is_first, const char *value, struct writ_error *error)
{
    const struct writ_json *required = is_first ? writ_json_get(schema, "required") : NULL;
    const struct writ_json *name =
        required && required->kind == WRIT_JSON_ARRAY && required->length > 0 ? writ_json_at(required, 0) : NULL;
    const char *text = writ_json_text(name);
    const struct writ_json *property = text ? find_property(schema, text, strlen(text)) : NULL;
    char spelt[FLAG_BYTES_MAX] = "";
    if (property && is_type(property + 1, "string"))
        spell_flag(spelt, sizeof spelt, text);
    return writ_error_set(error, WRIT_USAGE,
                          "`%s` is no flag%s%s%s; a skill takes its input as --NAME VALUE or --input JSON", value,
                          spelt[0] ? " (did you mean " : "", spelt, spelt[0] ? " before it?)" : "");
}

static int read_flag(struct tree *tree, const char *const *flags, size_t count, size_t *index, struct writ_error *error)
{
    const char *flag = flags[*index];
    const char *before = *index > 0 ? flags[*index - 1] : "";
    if (strncmp(flag, "--", 2) != 0 && strncmp(before, "--", 2) == 0 && !strchr(before, '='))
        return writ_error_set(error, WRIT_USAGE, "`%s` follows %s, which is a switch; write %s=%s or leave it out",
                              flag, before, before, flag);
    if (strncmp(flag, "--", 2) != 0 || !flag[2])
        return refuse_bare(tree->nodes[0].schema, *index == 0, flag, error);
    const char *name = flag + 2;
    size_t length = strcspn(name, "=");
    const char *value = name[length] == '=' ? name + length + 1 : NULL;
    bool negated = strncmp(name, "no-", 3) == 0 && !find_property(tree->nodes[0].schema, name, length);
    char copy[FLAG_BYTES_MAX];
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
        return writ_error_set(error, WRIT_USAGE,
                              "%s needs a value; one that could be an option of writ is written %s=VALUE", flag, flag);
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

/* True when the text is the whole list as JSON; `[draft] report` is an element that begins with a bracket. */
static bool is_json_array(const char *text)
{
    struct writ_arena arena;
    struct writ_error error;
    const struct writ_json *parsed = NULL;
    writ_arena_init(&arena, (size_t)64 << 20);
    bool is_array = text[0] == '[' && writ_json_parse(&arena, text, strlen(text), &parsed, &error) == 0;
    writ_arena_clear(&arena);
    return is_array;
}

static void write_node(struct writ_json_writer *writer, const struct tree *tree, const struct node *node)
{
    bool is_array = is_type(node->schema, "array");
    if (node->value_count == 0) {
        write_object(writer, tree, node);
    } else if (is_array && !(node->value_count == 1 && is_json_array(node->values[0]))) {
        writ_json_write_array(writer);
        for (size_t i = 0; i < node->value_count; i++)
            write_text(writer, writ_json_get(node->schema, "items"), node->values[i]);
        writ_json_write_array_end(writer);
    } else {
        write_text(writer, node->schema, node->values[0]);
    }
}

/* What is no text would be written as another one, and name another file. */
static int check_texts(const char *const *flags, size_t count, struct writ_error *error)
{
    for (size_t i = 0; i < count; i++)
        if (!writ_utf8_is_valid(flags[i], strlen(flags[i])))
            return writ_error_set(error, WRIT_USAGE,
                                  "`%s` is not UTF-8, and JSON cannot carry other bytes; rename the file that it names",
                                  flags[i]);
    return 0;
}

int cli_run_flags_write(const struct writ_json *schema, const struct writ_json *base, const char *const *flags,
                        size_t count, struct writ_buffer *out, struct writ_error *error)
{
    int result = check_texts(flags, count, error);
    if (result < 0)
        return result;
    struct tree *tree = calloc(1, sizeof *tree);
    if (!tree)
        return writ_error_memory(error);
    tree->count = 1;
    tree->nodes[0] = (struct node){.schema = schema, .base = base};
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

/* `TEXT`, `INTEGER`, `a|b|c`: what stands for a flag's value. */
static void print_value_word(struct writ_buffer *out, const struct writ_json *schema)
{
    static const char *const words[][2] = {
        {"string", "TEXT"}, {"integer", "INTEGER"}, {"number", "NUMBER"}, {"object", "JSON"}, {"array", "JSON"}};
    const struct writ_json *choices = writ_json_get(schema, "enum");
    if (choices && choices->kind == WRIT_JSON_ARRAY && choices->length > 0 && choices->length <= 8) {
        size_t count = 0;
        WRIT_JSON_EACH_ITEM(choice, choices)
        {
            if (count++ > 0)
                writ_buffer_append_byte(out, '|');
            if (choice->kind == WRIT_JSON_STRING)
                writ_buffer_append(out, choice->text, choice->length);
            else
                writ_json_print(out, choice, WRIT_JSON_COMPACT);
        }
        return;
    }
    for (size_t i = 0; i < WRIT_COUNT(words); i++)
        if (is_type(schema, words[i][0])) {
            writ_buffer_append_text(out, words[i][1]);
            return;
        }
    writ_buffer_append_text(out, "VALUE");
}

static void describe_flag(void *context, const struct cli_run_flag *flag)
{
    const struct cli_terminal *terminal = context;
    const struct writ_json *schema = flag->schema, *value = writ_json_get(schema, "default");
    const char *description = writ_json_text(writ_json_get(schema, "description"));
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer left;
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer right;
    writ_buffer_init(&left, 4096);
    writ_buffer_init(&right, 64 << 10);
    writ_buffer_printf(&left, "%s%s", flag->is_switch && !strchr(flag->name, '.') ? "--[no-]" : "--", flag->name);
    if (!flag->is_switch) {
        writ_buffer_append_byte(&left, ' ');
        print_value_word(&left, flag->repeats ? writ_json_get(schema, "items") : schema);
    }
    const char *gap = "";
    if (description) {
        writ_buffer_append_text(&right, description);
        gap = " ";
    }
    if (value || flag->required || flag->repeats)
        writ_buffer_printf(&right, "%s(%s%s", gap, flag->required ? "required" : "",
                           flag->required && flag->repeats ? ", " : "");
    if (flag->repeats)
        writ_buffer_append_text(&right, "repeatable");
    if (value) {
        writ_buffer_printf(&right, "%sdefault ", flag->required || flag->repeats ? ", " : "");
        writ_json_print(&right, value, WRIT_JSON_COMPACT);
    }
    if (value || flag->required || flag->repeats)
        writ_buffer_append_byte(&right, ')');
    cli_print_item(stdout, writ_buffer_text(&left), writ_buffer_text(&right), terminal->width);
}

/* Where a walk through nested objects stands. */
struct place {
    char prefix[FLAG_BYTES_MAX];  /* `a.b.` */
    char pointer[FLAG_BYTES_MAX]; /* `/a/b` */
};

/* False when the names are too long for a flag.  */
static bool enter_property(const struct place *place, const struct writ_json *key, struct place *ret_inner,
                           char ret_name[FLAG_BYTES_MAX])
{
    char flag[FLAG_BYTES_MAX];
    spell_flag(flag, sizeof flag, key->text);
    int name = snprintf(ret_name, FLAG_BYTES_MAX, "%s%s", place->prefix, flag + 2);
    int prefix = snprintf(ret_inner->prefix, FLAG_BYTES_MAX, "%s%s.", place->prefix, flag + 2);
    int pointer = snprintf(ret_inner->pointer, FLAG_BYTES_MAX, "%s/%s", place->pointer, key->text);
    return name > 0 && prefix > 0 && pointer > 0 && prefix < FLAG_BYTES_MAX && pointer < FLAG_BYTES_MAX;
}

static size_t visit_object(const struct writ_json *schema, const struct place *place, unsigned depth,
                           cli_run_flag_visit *visit, void *context)
{
    const struct writ_json *properties = writ_json_get(schema, "properties");
    size_t count = 0;
    if (!properties || properties->kind != WRIT_JSON_OBJECT)
        return 0;
    WRIT_JSON_EACH_MEMBER(key, properties)
    {
        struct place inner;
        char name[FLAG_BYTES_MAX];
        bool fits = enter_property(place, key, &inner, name);
        size_t inside =
            fits && depth < DESCRIBED_DEPTH_MAX ? visit_object(key + 1, &inner, depth + 1, visit, context) : 0;
        if (inside == 0 && fits)
            visit(context,
                  &(struct cli_run_flag){.name = name,
                                         .schema = key + 1,
                                         .pointer = inner.pointer,
                                         .is_switch = is_type(key + 1, "boolean"),
                                         .repeats = is_type(key + 1, "array"),
                                         .required = writ_json_has_item(writ_json_get(schema, "required"), key)});
        count++;
    }
    return count;
}

size_t cli_run_flags_each(const struct writ_json *schema, cli_run_flag_visit *visit, void *context)
{
    const struct place top = {.prefix = "", .pointer = ""};
    return visit_object(schema, &top, 0, visit, context);
}

size_t cli_run_flags_describe(const struct cli_terminal *terminal, const struct writ_json *schema)
{
    return cli_run_flags_each(schema, describe_flag, (void *)(uintptr_t)terminal);
}
