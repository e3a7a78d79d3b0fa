/*
 * JSON: whatever is taken prints as JSON that reads back equal and prints the same again; its nodes are in order, its
 * numbers agree with themselves, and every value is found by the pointer to it.  Whatever is refused says so in UTF-8,
 * at a place in the document.
 */
#include "base/text.h"
#include "data/json_pointer.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void demand(bool holds)
{
    if (!holds)
        abort();
}

static void check_number(const struct writ_json *number)
{
    int64_t value;
    bool fits = writ_json_int64(number, &value);
    demand(!fits || writ_json_is_integral(number));
    demand(writ_json_compare_numbers(number, number) == 0);
    if (fits) {
        const struct writ_json same = {.kind = WRIT_JSON_INTEGER, .integer = value},
                               one = {.kind = WRIT_JSON_INTEGER, .integer = 1};
        demand(writ_json_compare_numbers(number, &same) == 0 && writ_json_compare_numbers(&same, number) == 0);
        demand(writ_json_is_multiple(number, &one));
        demand(writ_json_double(number) == (double)value);
    }
    double nearest = writ_json_double(number);
    demand(!isnan(nearest));
    if (nearest > 0 && number->length <= 4096)
        demand(writ_json_is_multiple(number, number));
    /* A double on one side of the number may only be off by its own rounding. */
    if (isfinite(nearest)) {
        struct writ_buffer text;
        struct writ_arena arena;
        struct writ_error error;
        const struct writ_json *back;
        writ_buffer_init(&text, 64);
        writ_arena_init(&arena, 4096);
        writ_json_print_double(&text, nearest);
        demand(writ_json_parse(&arena, text.data, text.length, &back, &error) == 0);
        demand(writ_json_double(back) == nearest);
        writ_arena_clear(&arena);
        writ_buffer_clear(&text);
    }
}

static void check_node(const struct writ_json *root, const struct writ_json *node)
{
    demand(node->kind >= WRIT_JSON_NULL && node->kind <= WRIT_JSON_OBJECT);
    if (writ_json_is_number(node))
        check_number(node);
    if (node->kind == WRIT_JSON_STRING) {
        demand(writ_utf8_is_valid(node->text, node->length) && node->text[node->length] == '\0');
        demand((node->tag & WRIT_JSON_TAG_MASK) == writ_json_string_tag(node->text, node->length));
    }
    if (writ_json_is_container(node)) {
        size_t count = 0;
        if (node->kind == WRIT_JSON_OBJECT) {
            WRIT_JSON_EACH_MEMBER(key, node)
            {
                demand(key->kind == WRIT_JSON_STRING);
                demand(writ_json_get_sized(node, key->text, key->length) == key + 1);
                count++;
            }
        } else {
            WRIT_JSON_EACH_ITEM(item, node)
            count++;
        }
        demand(count == node->length);
    }
    struct writ_buffer pointer;
    writ_buffer_init(&pointer, (size_t)16 << 20);
    writ_json_pointer_to(&pointer, root, node);
    const struct writ_json *found = writ_json_pointer_get(root, writ_buffer_text(&pointer), pointer.length);
    demand(found == node || (node->kind == WRIT_JSON_STRING && found == node + 1));
    writ_buffer_clear(&pointer);
}

static void check_print(const struct writ_json *root, enum writ_json_style style)
{
    struct writ_buffer text, again;
    struct writ_arena arena;
    struct writ_error error;
    const struct writ_json *back;
    writ_buffer_init(&text, (size_t)64 << 20);
    writ_buffer_init(&again, (size_t)64 << 20);
    writ_arena_init(&arena, (size_t)256 << 20);
    writ_json_print(&text, root, style);
    demand(!text.failed);
    demand(writ_json_parse(&arena, text.data, text.length, &back, &error) == 0);
    demand(writ_json_equal(root, back) && writ_json_equal(back, root));
    writ_json_print(&again, back, style);
    demand(again.length == text.length && memcmp(again.data, text.data, text.length) == 0);
    writ_arena_clear(&arena);
    writ_buffer_clear(&text);
    writ_buffer_clear(&again);
}

/* Places count lines and bytes from 1. */
static void check_place(const char *text, size_t length, const struct writ_error *error)
{
    demand(error->line >= 1 && error->column >= 1);
    size_t at = 0;
    for (unsigned line = 1; line < error->line; line++) {
        const char *end = at < length ? memchr(text + at, '\n', length - at) : NULL;
        demand(end != NULL);
        at = (size_t)(end - text) + 1;
    }
    demand(at + error->column - 1 <= length);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    const char *text = (const char *)bytes;
    struct writ_arena arena;
    struct writ_error error = {0};
    const struct writ_json *root;
    writ_arena_init(&arena, (size_t)64 << 20);
    int result = writ_json_parse(&arena, text, length, &root, &error);
    if (result == 0) {
        const struct writ_json *end = writ_json_next(root);
        /* Pointers are looked up from the root, which is a square: not in large documents. */
        if (end - root < 2000) {
            for (const struct writ_json *node = root; node < end; node++)
                check_node(root, node);
        }
        check_print(root, WRIT_JSON_COMPACT);
        check_print(root, WRIT_JSON_INDENTED);
    } else {
        demand(error.code == result && error.message[0]);
        demand(writ_utf8_is_valid(error.message, strlen(error.message)));
        if (result == WRIT_DATA_SYNTAX)
            check_place(text, length, &error);
    }
    writ_arena_clear(&arena);
    struct writ_buffer literal;
    writ_buffer_init(&literal, (size_t)64 << 20);
    writ_json_print_string(&literal, text, length);
    writ_arena_init(&arena, (size_t)256 << 20);
    demand(writ_json_parse(&arena, literal.data, literal.length, &root, &error) == 0);
    demand(root->kind == WRIT_JSON_STRING);
    demand(!writ_utf8_is_valid(text, length) || (root->length == length && memcmp(root->text, text, length) == 0));
    writ_arena_clear(&arena);
    writ_buffer_clear(&literal);
    return 0;
}
