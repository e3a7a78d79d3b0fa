#include "form/check.h"

#include "data/json_pointer.h"

#include <string.h>

#define ROOT_URI "urn:writ:input"
#define SCRATCH_BYTES_MAX ((size_t)64 << 20)
#define REFERENCE_BYTES_MAX ((size_t)64 << 10)

int writ_form_view_registry_new(const struct writ_json *root, struct writ_schema_registry **ret_registry,
                                struct writ_error *error)
{
    struct writ_schema_registry *registry = NULL;
    int result = writ_schema_registry_new(&registry, error);
    if (result == 0)
        result = writ_schema_registry_add(registry, ROOT_URI, root, error);
    if (result < 0)
        writ_schema_registry_free(registry);
    else
        *ret_registry = registry;
    return result;
}

static void free_schema(struct writ_schema **schema)
{
    writ_schema_free(*schema);
}

/* {"$ref": "urn:writ:input#/properties/a"}: the part of the whole, with all that it refers to. */
static void write_reference(struct writ_buffer *out, const struct writ_json *root, const struct writ_json *part)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer pointer;
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer uri;
    writ_buffer_init(&pointer, REFERENCE_BYTES_MAX);
    writ_buffer_init(&uri, 4 * REFERENCE_BYTES_MAX);
    writ_json_pointer_to(&pointer, root, part);
    writ_buffer_append_text(&uri, ROOT_URI "#");
    for (size_t i = 0; i < pointer.length; i++) {
        unsigned char byte = (unsigned char)pointer.data[i];
        bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
                     (byte && strchr("/-._~$", byte));
        writ_buffer_printf(&uri, plain ? "%c" : "%%%02X", byte);
    }
    writ_buffer_append_text(out, "{\"$ref\":");
    writ_json_print_string(out, writ_buffer_text(&uri), uri.length);
    writ_buffer_append_byte(out, '}');
    out->failed = out->failed || pointer.failed || uri.failed;
}

static int tell(const struct writ_schema_fault *fault, bool secret, struct writ_error *error)
{
    if (secret)
        return writ_error_set(error, WRIT_INPUT_INVALID, WRIT_FORM_SECRET_FAULT, fault->keyword);
    if (fault->instance_pointer[0])
        return writ_error_set(error, WRIT_INPUT_INVALID, "at %s %s", fault->instance_pointer, fault->message);
    return writ_error_set(error, WRIT_INPUT_INVALID, "%s", fault->message);
}

static int check_part(const struct writ_json *root, const struct writ_json *part,
                      const struct writ_schema_registry *registry, const struct writ_json *value, bool secret,
                      struct writ_arena *arena, struct writ_error *error)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
    writ_buffer_init(&text, 8 * REFERENCE_BYTES_MAX);
    write_reference(&text, root, part);
    const struct writ_json *document;
    WRIT_CLEANUP(free_schema) struct writ_schema *schema = NULL;
    const struct writ_schema_options options = {.registry = registry, .assert_format = true};
    struct writ_schema_faults faults;
    if (text.failed)
        return writ_error_memory(error);
    int result = writ_json_parse(arena, writ_buffer_text(&text), text.length, &document, error);
    if (result == 0)
        result = writ_schema_compile(document, &options, &schema, error);
    if (result == WRIT_SCHEMA_INVALID)
        return 0;
    if (result < 0 || writ_schema_check(schema, value))
        return result;
    result = writ_schema_explain(schema, value, 1, arena, &faults, error);
    return result < 0 ? result : faults.count > 0 ? tell(&faults.items[0], secret, error) : 0;
}

int writ_form_view_check(const struct writ_form_view *view, const struct writ_schema_registry *registry,
                         const struct writ_json *value, bool secret, struct writ_error *error)
{
    struct writ_arena arena;
    writ_arena_init(&arena, SCRATCH_BYTES_MAX);
    int result = 0;
    for (size_t i = 0; result == 0 && i < view->top_count; i++)
        result = check_part(view->root, view->tops[i], registry, value, secret, &arena, error);
    writ_arena_clear(&arena);
    return result;
}
