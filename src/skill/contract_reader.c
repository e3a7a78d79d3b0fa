#include "skill/contract_reader.h"

#include "base/text.h"
#include "data/quantity.h"
#include "skill/cut.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- faults ---- */

static void print_frame(struct writ_buffer *out, const struct contract_frame *frame)
{
    if (!frame)
        return;
    print_frame(out, frame->up); /* at most as deep as the tables nest */
    if (!frame->name)
        writ_buffer_printf(out, "[%zu]", frame->index);
    else
        writ_buffer_printf(out, "%s%.*s", frame->up ? "." : "", cut(frame->name, 64), frame->name);
}

static void WRIT_PRINTF(4, 0) add_fault(struct contract_reader *reader, const struct writ_json *node, const char *name,
                                        const char *format, va_list arguments)
{
    struct writ_contract_faults *faults = reader->faults;
    reader->last_fault = NULL;
    if (faults->count == WRIT_CONTRACT_FAULTS_MAX) {
        faults->truncated = true;
        return;
    }
    if (!faults->items)
        faults->items = writ_arena_zalloc(&faults->arena, WRIT_CONTRACT_FAULTS_MAX, sizeof *faults->items);
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer field = {.bytes_max = 1024};
    print_frame(&field, reader->frame);
    if (name)
        writ_buffer_printf(&field, "%s%.*s", field.length ? "." : "", cut(name, 64), name);
    char message[WRIT_ERROR_MESSAGE_MAX];
    (void)vsnprintf(message, sizeof message, format, arguments);
    message[cut(message, sizeof message - 2)] = '\0';
    /* What quotes a decoded `%AD` of a reference may hold any byte; what is shown may not. */
    if (!writ_utf8_is_valid(message, strlen(message)))
        for (char *c = message; *c; c++)
            *c = (unsigned char)*c < 0x80 ? *c : '?';
    const char *field_copy = writ_arena_copy(&faults->arena, writ_buffer_text(&field), field.length);
    const char *message_copy = writ_arena_copy(&faults->arena, message, strlen(message));
    if (!faults->items || !field_copy || !message_copy || field.failed) {
        reader->out_of_memory = true;
        return;
    }
    struct writ_yaml_place place = {1, 1};
    if (node && node == reader->stand_in)
        node = reader->stand_in_place;
    if (node)
        place = writ_yaml_place_of(&reader->contract->yaml, node);
    reader->last_fault = &faults->items[faults->count++];
    *reader->last_fault = (struct writ_contract_fault){
        .line = place.line, .column = place.column, .field = field_copy, .message = message_copy};
}

void contract_fault(struct contract_reader *reader, const struct writ_json *node, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_fault(reader, node, NULL, format, arguments);
    va_end(arguments);
}

void contract_fault_below(struct contract_reader *reader, const struct writ_json *node, const char *name,
                          const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_fault(reader, node, name, format, arguments);
    va_end(arguments);
}

struct contract_excerpt contract_excerpt(const struct writ_json *node)
{
    struct contract_excerpt excerpt = {{0}};
    char number[24];
    const char *text = "";
    size_t length = 0;
    if (node->kind == WRIT_JSON_STRING || node->kind == WRIT_JSON_DECIMAL) {
        text = node->text;
        length = node->length;
    } else if (node->kind == WRIT_JSON_INTEGER) {
        (void)snprintf(number, sizeof number, "%" PRId64, node->integer);
        text = number;
        length = strlen(number);
    }
    bool cut = length > 60;
    if (cut) {
        length = 60;
        while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80)
            length--;
    }
    for (size_t i = 0; i < length; i++)
        excerpt.text[i] = (unsigned char)text[i] < 0x20 || text[i] == 0x7F ? ' ' : text[i];
    if (cut)
        memcpy(excerpt.text + length, "...", 3);
    return excerpt;
}

const char *contract_kind_name(const struct writ_json *node)
{
    switch (node->kind) {
    case WRIT_JSON_STRING:
        return "a text";
    case WRIT_JSON_INTEGER:
    case WRIT_JSON_DECIMAL:
        return "a number";
    case WRIT_JSON_ARRAY:
        return "a list";
    case WRIT_JSON_OBJECT:
        return "a map";
    case WRIT_JSON_NULL:
        return "empty";
    default:
        return "true or false";
    }
}

/* ---- structure ---- */

void contract_enter(struct contract_reader *reader, struct contract_frame *frame, const char *name, size_t index)
{
    *frame = (struct contract_frame){.up = reader->frame, .name = name, .index = index};
    reader->frame = frame;
}

void contract_leave(struct contract_reader *reader)
{
    reader->frame = reader->frame->up;
}

void *contract_alloc(struct contract_reader *reader, size_t count, size_t size)
{
    void *memory = writ_arena_zalloc(reader->arena, count, size);
    if (!memory)
        reader->out_of_memory = true;
    return memory;
}

static const struct contract_field *find_field(const struct contract_table *table, const char *name)
{
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(table->fields[i].name, name) == 0)
            return &table->fields[i];
    return NULL;
}

bool contract_read_member(struct contract_reader *reader, const char *name, const struct writ_json *node,
                          const struct contract_table *table, void *target)
{
    const struct contract_field *field = find_field(table, name);
    if (!field)
        return false;
    struct contract_frame frame;
    contract_enter(reader, &frame, field->name, 0);
    if (node->kind == WRIT_JSON_NULL && field->read != contract_read_node) {
        contract_fault(reader, node, "is empty; %s %s", field->required ? "give" : "leave the field out, or give",
                       field->form);
        if (table == &contract_table_top && strcmp(name, "permissions") == 0)
            contract_mend_value(reader, node, "[]", false); /* what was meant may be more, but never less */
    } else
        field->read(reader, node, (char *)target + field->offset, field);
    contract_leave(reader);
    return true;
}

#define FIELDS_MAX 32

static bool is_among(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* The field that was certainly meant, or NULL. */
static const char *fault_unknown(struct contract_reader *reader, const struct writ_json *map,
                                 const struct writ_json *key, const struct contract_table *table)
{
    const char *names[FIELDS_MAX];
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer list = {.bytes_max = 1024};
    for (size_t i = 0; i < table->count; i++) {
        names[i] = table->fields[i].name;
        writ_buffer_printf(&list, "%s`%s`", i ? ", " : "", names[i]);
    }
    const char *nearest = writ_nearest_name(key->text, names, table->count);
    if (nearest)
        contract_fault_below(reader, key, contract_excerpt(key).text, "is not a field here; did you mean `%s`?",
                             nearest);
    else
        contract_fault_below(reader, key, contract_excerpt(key).text, "is not a field here; known ones are %s",
                             writ_buffer_text(&list));
    const char *certain = writ_certain_name(key->text, names, table->count);
    if (certain)
        contract_mend_key(reader, map, key, certain);
    return certain;
}

void contract_read_map(struct contract_reader *reader, const struct writ_json *node, const struct contract_table *table,
                       void *target)
{
    if (node->kind != WRIT_JSON_OBJECT) {
        contract_fault(reader, node, "must be a map of fields, but is %s", contract_kind_name(node));
        return;
    }
    const char *meant[FIELDS_MAX]; /* fields that are there under a misspelt name */
    size_t meant_count = 0;
    WRIT_JSON_EACH_MEMBER(key, node)
    {
        if (contract_read_member(reader, key->text, key + 1, table, target))
            continue;
        const char *field = fault_unknown(reader, node, key, table);
        if (field && meant_count < WRIT_COUNT(meant))
            meant[meant_count++] = field;
    }
    for (size_t i = 0; i < table->count; i++) {
        const struct contract_field *field = &table->fields[i];
        if (field->required && !writ_json_get(node, field->name) && !is_among(field->name, meant, meant_count))
            contract_fault_below(reader, node, field->name, "is missing; give %s", field->form);
    }
}

/* ---- scalars ---- */

const char *contract_scalar_text(struct contract_reader *reader, const struct writ_json *node)
{
    char number[24];
    switch (node->kind) {
    case WRIT_JSON_STRING:
        if (memchr(node->text, '\0', node->length)) {
            contract_fault(reader, node, "holds a NUL character; remove it");
            return NULL;
        }
        return node->text;
    case WRIT_JSON_INTEGER:
        (void)snprintf(number, sizeof number, "%" PRId64, node->integer);
        break;
    case WRIT_JSON_DECIMAL: {
        const char *text = writ_arena_copy(reader->arena, node->text, node->length);
        reader->out_of_memory |= !text;
        return text;
    }
    default:
        contract_fault(reader, node, "must be a text or a number, but is %s", contract_kind_name(node));
        return NULL;
    }
    const char *text = writ_arena_copy(reader->arena, number, strlen(number));
    reader->out_of_memory |= !text;
    return text;
}

static bool is_blank(const struct writ_json *text)
{
    for (size_t i = 0; i < text->length; i++)
        if (!strchr(" \t\r\n", text->text[i]))
            return false;
    return true;
}

void contract_read_text(struct contract_reader *reader, const struct writ_json *node, void *member,
                        const struct contract_field *field)
{
    if (node->kind == WRIT_JSON_INTEGER || node->kind == WRIT_JSON_DECIMAL || node->kind == WRIT_JSON_TRUE ||
        node->kind == WRIT_JSON_FALSE) {
        contract_fault(reader, node, "must be a text, but is %s; put it in quotes", contract_kind_name(node));
        contract_mend_quote(reader, node);
        return;
    }
    if (node->kind != WRIT_JSON_STRING) {
        contract_fault(reader, node, "must be a text, but is %s", contract_kind_name(node));
        return;
    }
    if (is_blank(node)) {
        contract_fault(reader, node, "is empty; %s %s", field->required ? "give" : "leave the field out, or give",
                       field->form);
        return;
    }
    size_t count = writ_utf8_count(node->text, node->length);
    if (count < field->min || count > field->max) {
        contract_fault(reader, node, "has %zu characters; at most %" PRIu64 " are taken", count, field->max);
        return;
    }
    const char *text = contract_scalar_text(reader, node);
    if (text)
        *(const char **)member = text;
}

void contract_read_token(struct contract_reader *reader, const struct writ_json *node, void *member,
                         const struct contract_field *field)
{
    (void)field;
    bool good = node->kind == WRIT_JSON_STRING && node->length >= 1 && node->length <= 64 && node->text[0] >= 'a' &&
                node->text[0] <= 'z' && strspn(node->text, "abcdefghijklmnopqrstuvwxyz0123456789._-") == node->length;
    if (good)
        *(const char **)member = node->text;
    else
        contract_fault(reader, node, "must be a plain name: 1 to 64 of a-z, 0-9, `.`, `_`, `-`, a letter first");
}

void contract_read_count(struct contract_reader *reader, const struct writ_json *node, void *member,
                         const struct contract_field *field)
{
    const char *text = contract_scalar_text(reader, node);
    if (!text)
        return;
    char *end = NULL;
    size_t digits = strspn(text, "0123456789");
    uint64_t value = digits > 0 && digits < 10 ? strtoull(text, &end, 10) : UINT64_MAX;
    if (!end || *end || value < field->min || value > field->max)
        contract_fault(reader, node, "must be a whole number from %" PRIu64 " to %" PRIu64 ", but is `%s`", field->min,
                       field->max, contract_excerpt(node).text);
    else
        *(unsigned *)member = (unsigned)value;
}

static void read_quantity(struct contract_reader *reader, const struct writ_json *node, uint64_t *member,
                          const struct contract_field *field,
                          int (*parse)(const char *, uint64_t *, struct writ_error *),
                          void (*print)(struct writ_buffer *, uint64_t))
{
    const char *text = contract_scalar_text(reader, node);
    if (!text)
        return;
    struct writ_error error;
    uint64_t value;
    if (parse(text, &value, &error) < 0) {
        contract_fault(reader, node, "%s", error.message);
        return;
    }
    if (value >= field->min && value <= field->max) {
        *member = value;
        return;
    }
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer limit = {.bytes_max = 64};
    print(&limit, value < field->min ? field->min : field->max);
    contract_fault(reader, node, "`%s` is too %s; %s is the %s", contract_excerpt(node).text,
                   value < field->min ? "small" : "large", writ_buffer_text(&limit),
                   value < field->min ? "least" : "most");
}

void contract_read_duration(struct contract_reader *reader, const struct writ_json *node, void *member,
                            const struct contract_field *field)
{
    read_quantity(reader, node, member, field, writ_duration_parse, writ_duration_print);
}

void contract_read_size(struct contract_reader *reader, const struct writ_json *node, void *member,
                        const struct contract_field *field)
{
    read_quantity(reader, node, member, field, writ_size_parse, writ_size_print);
}

void contract_read_node(struct contract_reader *reader, const struct writ_json *node, void *member,
                        const struct contract_field *field)
{
    (void)reader;
    (void)field;
    *(const struct writ_json **)member = node;
}

void contract_read_requirement(struct contract_reader *reader, const struct writ_json *node, const char **ret_text,
                               struct writ_semver_range *ret_range)
{
    if (node->kind == WRIT_JSON_NULL)
        return;
    const char *text = contract_scalar_text(reader, node);
    if (!text)
        return;
    struct writ_error error;
    if (writ_semver_requirement_parse(text, ret_range, &error) < 0)
        contract_fault(reader, node, "%s", error.message);
    else
        *ret_text = text;
}
