/* Settings as values and as a text; the file is settings_file.c's. */
#include "skill/settings.h"

#include "base/text.h"
#include "data/quantity.h"
#include "data/yaml.h"

#include <string.h>

#define ARENA_BYTES_MAX ((size_t)8 << 20)

const struct writ_setting writ_settings_table[WRIT_SETTING_COUNT] = {
#define X(id, name, type, default_text, choices, least, most, meaning, used_by)                                        \
    [WRIT_SETTING_##id] = {name, WRIT_SETTING_TYPE_##type, default_text, choices, least, most, meaning, used_by},
    WRIT_SETTINGS(X)
#undef X
};

/* ---- values ---- */

/* `auto, always or never` */
static void print_choices(const char *choices, char *text, size_t bytes)
{
    size_t used = 0;
    for (const char *at = choices; *at && used < bytes;) {
        size_t length = strcspn(at, "|");
        const char *next = at + length + (at[length] == '|');
        const char *joint = used == 0 ? "" : *next ? ", " : " or ";
        int written = snprintf(text + used, bytes - used, "%s%.*s", joint, (int)length, at);
        used += written > 0 ? (size_t)written : 0;
        at = next;
    }
}

static int parse_choice(const struct writ_setting *setting, const char *text, uint64_t *ret_number,
                        struct writ_error *error)
{
    uint64_t number = 0;
    for (const char *at = setting->choices; *at; number++) {
        size_t length = strcspn(at, "|");
        if (strlen(text) == length && memcmp(at, text, length) == 0) {
            *ret_number = number;
            return 0;
        }
        at += length + (at[length] == '|');
    }
    char choices[128] = "";
    print_choices(setting->choices, choices, sizeof choices);
    return writ_error_set(error, WRIT_USAGE, "`%s` takes %s, not `%.60s`", setting->name, choices, text);
}

static int parse_count(const struct writ_setting *setting, const char *text, uint64_t *ret_number,
                       struct writ_error *error)
{
    uint64_t number = 0;
    bool good = text[0] != '\0';
    for (const char *at = text; *at && good; at++)
        good = *at >= '0' && *at <= '9' && !WRIT_MUL_OVERFLOWS(number, (uint64_t)10, &number) &&
               !WRIT_ADD_OVERFLOWS(number, (uint64_t)(*at - '0'), &number);
    if (!good || number < setting->least || number > setting->most)
        return writ_error_set(error, WRIT_USAGE, "`%s` takes a whole number from %llu to %llu, not `%.60s`",
                              setting->name, (unsigned long long)setting->least, (unsigned long long)setting->most,
                              text);
    *ret_number = number;
    return 0;
}

static int parse_quantity(const struct writ_setting *setting, const char *text, uint64_t *ret_number,
                          struct writ_error *error)
{
    bool is_size = setting->type == WRIT_SETTING_TYPE_SIZE;
    uint64_t number = 0;
    if (strcmp(text, "none") == 0) {
        *ret_number = 0;
        return 0;
    }
    int result = is_size ? writ_size_parse(text, &number, error) : writ_duration_parse(text, &number, error);
    if (result < 0) {
        error->code = WRIT_USAGE;
        return writ_error_wrap(error, "`%s` takes none or a %s", setting->name, is_size ? "size" : "duration");
    }
    if (number >= setting->least && number <= setting->most) {
        *ret_number = number;
        return 0;
    }
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer bounds;
    writ_buffer_init(&bounds, 128);
    (is_size ? writ_size_print : writ_duration_print)(&bounds, setting->least);
    writ_buffer_append_text(&bounds, " to ");
    (is_size ? writ_size_print : writ_duration_print)(&bounds, setting->most);
    return writ_error_set(error, WRIT_USAGE, "`%s` takes none or a %s from %s, not `%.60s`", setting->name,
                          is_size ? "size" : "duration", writ_buffer_text(&bounds), text);
}

int writ_setting_parse(enum writ_setting_id id, const char *text, struct writ_setting_value *ret_value,
                       struct writ_error *error)
{
    const struct writ_setting *setting = &writ_settings_table[id];
    struct writ_setting_value value = {.source = WRIT_SETTING_FROM_FILE};
    int result;
    if (strlen(text) >= sizeof value.text)
        return writ_error_set(error, WRIT_USAGE, "the value of `%s` is longer than %zu bytes: `%.40s…`", setting->name,
                              sizeof value.text - 1, text);
    switch (setting->type) {
    case WRIT_SETTING_TYPE_CHOICE:
        result = parse_choice(setting, text, &value.number, error);
        break;
    case WRIT_SETTING_TYPE_COUNT:
        result = parse_count(setting, text, &value.number, error);
        break;
    case WRIT_SETTING_TYPE_DURATION:
    case WRIT_SETTING_TYPE_SIZE:
    default:
        result = parse_quantity(setting, text, &value.number, error);
        break;
    }
    if (result < 0)
        return result;
    memcpy(value.text, text, strlen(text) + 1);
    *ret_value = value;
    return 0;
}

void writ_settings_init(struct writ_settings *settings)
{
    struct writ_error ignored;
    *settings = (struct writ_settings){0};
    for (size_t i = 0; i < WRIT_SETTING_COUNT; i++) {
        /* The defaults of the table are good values; a test says so. */
        (void)!writ_setting_parse((enum writ_setting_id)i, writ_settings_table[i].default_text, &settings->values[i],
                                  &ignored);
        settings->values[i].source = WRIT_SETTING_FROM_DEFAULT;
    }
}

static const char *nearest_name(const char *name)
{
    const char *names[WRIT_SETTING_COUNT];
    for (size_t i = 0; i < WRIT_SETTING_COUNT; i++)
        names[i] = writ_settings_table[i].name;
    return writ_nearest_name(name, names, WRIT_SETTING_COUNT);
}

int writ_setting_find(const char *name, enum writ_setting_id *ret_id, struct writ_error *error)
{
    for (size_t i = 0; i < WRIT_SETTING_COUNT; i++)
        if (strcmp(writ_settings_table[i].name, name) == 0) {
            *ret_id = (enum writ_setting_id)i;
            return 0;
        }
    const char *nearest = nearest_name(name);
    return writ_error_set(error, WRIT_USAGE, "there is no setting `%.60s`%s%s%s; `writ config list` shows them all",
                          name, nearest ? " (did you mean `" : "", nearest ? nearest : "", nearest ? "`?)" : "");
}

/* ---- the text ---- */

static int at_node(const struct writ_yaml *yaml, const struct writ_json *node, const char *path,
                   struct writ_error *error)
{
    struct writ_yaml_place place = writ_yaml_place_of(yaml, node);
    error->code = WRIT_CONFIG_INVALID;
    return writ_error_at(error, path, place.line, place.column);
}

/* True when nothing stands there but blanks and comments, which is no document of YAML. */
static bool is_blank(const char *text, size_t length)
{
    const char *end = text + length;
    while (text < end) {
        while (text < end && (*text == ' ' || *text == '\t' || *text == '\r' || *text == '\n'))
            text++;
        if (text < end && *text != '#')
            return false;
        while (text < end && *text != '\n')
            text++;
    }
    return true;
}

/* The document, which is a map.  Error: CONFIG_INVALID. */
static int parse_map(struct writ_arena *arena, const char *text, size_t length, const char *path,
                     struct writ_yaml *ret_yaml, struct writ_error *error)
{
    if (writ_yaml_parse(arena, text, length, ret_yaml, error) < 0) {
        if (error->code == WRIT_INTERNAL_MEMORY)
            return error->code;
        error->code = WRIT_CONFIG_INVALID;
        return writ_error_at(error, path, error->line, error->column);
    }
    if (ret_yaml->root->kind == WRIT_JSON_OBJECT)
        return 0;
    (void)writ_error_set(error, WRIT_CONFIG_INVALID, "the settings are no map; write lines such as `color: never`");
    return at_node(ret_yaml, ret_yaml->root, path, error);
}

static int check_version(const struct writ_yaml *yaml, const char *path, struct writ_error *error)
{
    const struct writ_json *version = writ_json_get(yaml->root, "version");
    if (!version) {
        (void)writ_error_set(error, WRIT_CONFIG_INVALID,
                             "the version of the format is missing; write `version: %d` in a line of its own",
                             WRIT_SETTINGS_VERSION);
        return at_node(yaml, yaml->root, path, error);
    }
    if (version->kind == WRIT_JSON_INTEGER && version->integer == WRIT_SETTINGS_VERSION)
        return 0;
    if (version->kind == WRIT_JSON_INTEGER && version->integer > WRIT_SETTINGS_VERSION)
        (void)writ_error_set(error, WRIT_CONFIG_INVALID,
                             "the settings are of version %lld, and this writ reads up to %d; use the newer writ that "
                             "wrote them, or move the file away",
                             (long long)version->integer, WRIT_SETTINGS_VERSION);
    else
        (void)writ_error_set(error, WRIT_CONFIG_INVALID, "this is no version of the format; write `version: %d`",
                             WRIT_SETTINGS_VERSION);
    return at_node(yaml, version, path, error);
}

/* The value as it would be written on a command line; NULL for what is no scalar, too long or of several lines. */
static const char *scalar_text(const struct writ_json *node, char text[WRIT_SETTING_TEXT_BYTES])
{
    int written = -1;
    if (node->kind == WRIT_JSON_INTEGER)
        written = snprintf(text, WRIT_SETTING_TEXT_BYTES, "%lld", (long long)node->integer);
    else if (node->kind == WRIT_JSON_DECIMAL || node->kind == WRIT_JSON_STRING)
        written = snprintf(text, WRIT_SETTING_TEXT_BYTES, "%.*s", (int)node->length, node->text);
    else if (node->kind == WRIT_JSON_TRUE || node->kind == WRIT_JSON_FALSE)
        written = snprintf(text, WRIT_SETTING_TEXT_BYTES, "%s", node->kind == WRIT_JSON_TRUE ? "true" : "false");
    if (written < 0 || written >= WRIT_SETTING_TEXT_BYTES)
        return NULL;
    for (const char *at = text; *at; at++)
        if ((unsigned char)*at < 0x20)
            return NULL;
    return text;
}

static int read_member(const struct writ_yaml *yaml, const struct writ_json *key, const char *path,
                       struct writ_settings *settings, struct writ_error *error)
{
    enum writ_setting_id id;
    char storage[WRIT_SETTING_TEXT_BYTES];
    if (writ_setting_find(key->text, &id, error) < 0)
        return at_node(yaml, key, path, error);
    const char *text = scalar_text(key + 1, storage);
    if (!text) {
        (void)writ_error_set(error, WRIT_USAGE, "`%s` takes one short value; `writ config list` shows which",
                             key->text);
        return at_node(yaml, key + 1, path, error);
    }
    if (writ_setting_parse(id, text, &settings->values[id], error) < 0)
        return at_node(yaml, key + 1, path, error);
    return 0;
}

int writ_settings_parse(const char *text, size_t length, const char *path, struct writ_settings *ret_settings,
                        struct writ_error *error)
{
    struct writ_settings settings;
    writ_settings_init(&settings);
    if (is_blank(text, length)) {
        *ret_settings = settings;
        return 0;
    }
    WRIT_CLEANUP(writ_arena_clear) struct writ_arena arena;
    writ_arena_init(&arena, ARENA_BYTES_MAX);
    struct writ_yaml yaml;
    int result = parse_map(&arena, text, length, path, &yaml, error);
    if (result == 0)
        result = check_version(&yaml, path, error);
    if (result < 0)
        return result;
    WRIT_JSON_EACH_MEMBER(key, yaml.root)
    {
        if (strcmp(key->text, "version") != 0 && read_member(&yaml, key, path, &settings, error) < 0)
            return error->code;
    }
    *ret_settings = settings;
    return 0;
}

/* ---- changing the text ---- */

/* Where a scalar that begins at `at` ends, when it is written in one line; NULL when it is not. */
static const char *scalar_end(const char *at, const char *end)
{
    const char *line_end = memchr(at, '\n', (size_t)(end - at));
    line_end = line_end ? line_end : end;
    if (line_end > at && line_end[-1] == '\r')
        line_end--;
    if (at < line_end && (*at == '"' || *at == '\'')) {
        char quote = *at;
        for (at++; at < line_end; at++) {
            if (*at == '\\' && quote == '"')
                at++;
            else if (*at == quote && quote == '\'' && at + 1 < line_end && at[1] == quote)
                at++;
            else if (*at == quote)
                return at + 1;
        }
        return NULL;
    }
    const char *last = at;
    for (; at < line_end && !(*at == '#' && at > last); at++)
        if (*at != ' ' && *at != '\t')
            last = at + 1;
    return last;
}

static const char *line_of(const char *text, const char *end, unsigned line)
{
    for (; line > 1 && text < end; line--) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        text = newline ? newline + 1 : end;
    }
    return text;
}

static void append_member(struct writ_buffer *out, const char *name, const char *value)
{
    if (out->length > 0 && out->data[out->length - 1] != '\n')
        writ_buffer_append_byte(out, '\n');
    writ_buffer_printf(out, "%s: %s\n", name, value);
}

/* The text with the member's value replaced, or with its line taken out.  What this does not understand it leaves to
 * the check that follows. */
static void change_member(const char *text, size_t length, const struct writ_yaml *yaml, const struct writ_json *key,
                          const char *value, struct writ_buffer *out)
{
    const char *end = text + length;
    struct writ_yaml_place key_place = writ_yaml_place_of(yaml, key), place = writ_yaml_place_of(yaml, key + 1);
    size_t mark = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    const char *line = line_of(text + mark, end, place.line);
    const char *at = (size_t)(end - line) < place.column - 1 ? end : line + place.column - 1;
    const char *stop = scalar_end(at, end);
    if (!stop || (!value && (place.line != key_place.line || key_place.column != 1)))
        return;
    if (value) {
        writ_buffer_append(out, text, (size_t)(at - text));
        if (at > text && at[-1] == ':') /* nothing stood there */
            writ_buffer_append_byte(out, ' ');
        writ_buffer_append_text(out, value);
        writ_buffer_append(out, stop, (size_t)(end - stop));
        return;
    }
    const char *newline = memchr(stop, '\n', (size_t)(end - stop));
    writ_buffer_append(out, text, (size_t)(line - text));
    if (newline)
        writ_buffer_append(out, newline + 1, (size_t)(end - newline - 1));
}

/* True when both are the same settings but for `id`, which is at `value`, or at its default. */
static bool is_as_wanted(const struct writ_settings *before, const struct writ_settings *after, enum writ_setting_id id,
                         const char *value)
{
    for (size_t i = 0; i < WRIT_SETTING_COUNT; i++)
        if (i != id && before && strcmp(before->values[i].text, after->values[i].text) != 0)
            return false;
    if (!value)
        return after->values[id].source == WRIT_SETTING_FROM_DEFAULT;
    return after->values[id].source == WRIT_SETTING_FROM_FILE && strcmp(after->values[id].text, value) == 0;
}

static int edit_map(const char *text, size_t length, const char *path, enum writ_setting_id id, const char *value,
                    struct writ_buffer *out, struct writ_error *error)
{
    const char *name = writ_settings_table[id].name;
    WRIT_CLEANUP(writ_arena_clear) struct writ_arena arena;
    writ_arena_init(&arena, ARENA_BYTES_MAX);
    struct writ_yaml yaml;
    struct writ_settings before, after;
    int result = parse_map(&arena, text, length, path, &yaml, error);
    if (result < 0)
        return result;
    const struct writ_json *old = writ_json_get(yaml.root, name);
    if (old) {
        change_member(text, length, &yaml, old - 1, value, out);
    } else {
        writ_buffer_append(out, text, length);
        if (value)
            append_member(out, name, value);
    }
    if (out->failed)
        return 0;
    /* A fault of the value that is changed is mended by that; any other stays and is told. */
    bool was_good = writ_settings_parse(text, length, path, &before, error) == 0;
    result = writ_settings_parse(writ_buffer_text(out), out->length, path, &after, error);
    if (result == WRIT_INTERNAL_MEMORY)
        return result;
    if (result == 0 && !is_blank(writ_buffer_text(out), out->length) &&
        is_as_wanted(was_good ? &before : NULL, &after, id, value))
        return 0;
    if (result < 0 && !was_good)
        return writ_settings_parse(text, length, path, &before, error);
    (void)writ_error_set(error, WRIT_CONFIG_INVALID,
                         "`%s` is written such that it cannot be changed without touching the rest; change it by hand "
                         "to a line such as `%s: %s`",
                         name, name, value ? value : writ_settings_table[id].default_text);
    return at_node(&yaml, old ? old : yaml.root, path, error);
}

int writ_settings_edit(const char *text, size_t length, const char *path, enum writ_setting_id id, const char *value,
                       struct writ_buffer *out, struct writ_error *error)
{
    struct writ_setting_value parsed;
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer edited;
    writ_buffer_init(&edited, WRIT_SETTINGS_BYTES_MAX);
    int result = value ? writ_setting_parse(id, value, &parsed, error) : 0;
    if (result < 0)
        return result;
    if (is_blank(text, length)) {
        char version[16];
        (void)snprintf(version, sizeof version, "%d", WRIT_SETTINGS_VERSION);
        writ_buffer_append(&edited, text, length);
        if (value) {
            append_member(&edited, "version", version);
            append_member(&edited, writ_settings_table[id].name, value);
        }
        struct writ_settings after; /* comments may hold what YAML refuses */
        if (!edited.failed)
            result = writ_settings_parse(writ_buffer_text(&edited), edited.length, path, &after, error);
    } else {
        result = edit_map(text, length, path, id, value, &edited, error);
    }
    if (result < 0)
        return result;
    if (edited.failed && edited.too_large)
        return writ_error_set(error, WRIT_CONFIG_INVALID, "`%s` would be larger than %zu KiB; shorten it", path,
                              WRIT_SETTINGS_BYTES_MAX >> 10);
    writ_buffer_append(out, writ_buffer_text(&edited), edited.length);
    return edited.failed || out->failed ? writ_error_memory(error) : 0;
}
