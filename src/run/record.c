#include "run/record.h"

#include "base/digest.h"

#include <string.h>

/* Names that come from outside are cut here, so that a record always fits.  A byte may take six as JSON (`\u001b`), so
 * that a name takes 6 KiB, all the names beside the grants less than 40, and one grant more 12. */
#define NAME_BYTES_MAX 1024
#define GRANTS_RECORDED_MAX 40
#define BYTES_BEFORE_LAST_GRANT ((size_t)40 << 10)
_Static_assert(BYTES_BEFORE_LAST_GRANT + (size_t)2 * 6 * NAME_BYTES_MAX + 1024 <= WRIT_AUDIT_RECORD_BYTES_MAX,
               "a record that holds as many grants as are let in fits");

/* The members of an object without its braces, as writ_audit_append wants them. */
static int append_members(struct writ_audit *audit, const char *type, const struct writ_buffer *object,
                          struct writ_error *error)
{
    if (object->failed || object->length < 2)
        return writ_error_set(error, WRIT_INTERNAL_AUDIT, "the record of the call could not be built: %s",
                              object->too_large ? "it is too large" : "out of memory");
    /* A view of what lies between the braces; it borrows the bytes. */
    const struct writ_buffer members = {.data = object->data + 1,
                                        .length = object->length - 2,
                                        .capacity = object->length - 1,
                                        .bytes_max = object->bytes_max};
    return writ_audit_append(audit, type, &members, error);
}

static void write_name(struct writ_json_writer *writer, const char *key, const char *text)
{
    if (!text)
        return;
    size_t length = strlen(text);
    if (length > NAME_BYTES_MAX)
        length = NAME_BYTES_MAX;
    /* Not in the middle of a character. */
    while (text[length] && length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80)
        length--;
    writ_json_write_key(writer, key);
    writ_json_write_text_sized(writer, text, length);
}

static void write_digest(struct writ_json_writer *writer, const char *key, const unsigned char *digest)
{
    char text[WRIT_DIGEST_TEXT_BYTES];
    writ_digest_print(digest, text);
    writ_json_write_member_text(writer, key, text);
}

static void write_digest_of(struct writ_json_writer *writer, const char *digest_key, const char *size_key,
                            const char *bytes, size_t length)
{
    unsigned char digest[WRIT_DIGEST_BYTES];
    writ_digest_of(bytes, length, digest);
    write_digest(writer, digest_key, digest);
    writ_json_write_member_integer(writer, size_key, (int64_t)length);
}

/* As many as fit; `grants_count` tells how many there were when some are missing. */
static void write_grants(struct writ_json_writer *writer, const struct writ_prepared *prepared)
{
    writ_json_write_key(writer, "grants");
    writ_json_write_array(writer);
    size_t recorded = 0;
    for (; recorded < prepared->grant_count && recorded < GRANTS_RECORDED_MAX &&
           writer->out->length < BYTES_BEFORE_LAST_GRANT;
         recorded++) {
        const struct writ_grant *grant = &prepared->grants[recorded];
        writ_json_write_object(writer);
        write_name(writer, "permission", grant->permission->source);
        write_name(writer, "path", grant->path);
        writ_json_write_object_end(writer);
    }
    writ_json_write_array_end(writer);
    if (prepared->grant_count > recorded) {
        writ_json_write_member_integer(writer, "grants_count", (int64_t)prepared->grant_count);
    }
}

int writ_record_append_begin(struct writ_audit *audit, const struct writ_record_begin *begin, struct writ_error *error)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer object;
    struct writ_json_writer writer;
    writ_buffer_init(&object, 2 * WRIT_AUDIT_RECORD_BYTES_MAX);
    writ_json_writer_init(&writer, &object);
    writ_json_write_object(&writer);
    write_name(&writer, "run", begin->run_id);
    write_name(&writer, "caller", begin->caller);
    write_name(&writer, "identity", begin->identity_id);
    write_name(&writer, "skill", begin->skill_id);
    write_name(&writer, "version", begin->skill_version);
    if (begin->folder) {
        write_name(&writer, "trust", "local");
        write_name(&writer, "source", begin->source);
        write_name(&writer, "folder", begin->folder);
    }
    if (begin->digest)
        write_digest(&writer, "digest", begin->digest);
    write_digest_of(&writer, "input_digest", "input_bytes", begin->input, begin->input_length);
    if (begin->prepared)
        write_grants(&writer, begin->prepared);
    writ_json_write_object_end(&writer);
    return append_members(audit, "begin", &object, error);
}

int writ_record_append_end(struct writ_audit *audit, const struct writ_record_end *end, struct writ_error *error)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer object;
    struct writ_json_writer writer;
    writ_buffer_init(&object, 2 * WRIT_AUDIT_RECORD_BYTES_MAX);
    writ_json_writer_init(&writer, &object);
    writ_json_write_object(&writer);
    write_name(&writer, "run", end->run_id);
    write_name(&writer, "outcome", end->outcome);
    if (end->error) {
        write_name(&writer, "class", writ_code_class(end->error->code));
        /* What a program reports may quote its input: the record holds the class alone then. */
        if (end->error->code != WRIT_PROGRAM_REPORTED && end->error->code != WRIT_PROGRAM_FAILED &&
            end->error->code != WRIT_PROGRAM_CRASHED && end->error->code != WRIT_INPUT_INVALID &&
            end->error->code != WRIT_OUTPUT_INVALID)
            write_name(&writer, "message", end->error->message);
    }
    if (end->denial) {
        writ_json_write_key(&writer, "denials");
        writ_json_write_array(&writer);
        writ_json_write_object(&writer);
        write_name(&writer, "kind", end->denial->kind);
        write_name(&writer, "what", end->denial->what);
        write_name(&writer, "missing", end->denial->missing);
        writ_json_write_object_end(&writer);
        writ_json_write_array_end(&writer);
    }
    if (end->exit_status) {
        writ_json_write_member_integer(&writer, "exit_status", end->exit_status);
    }
    if (end->signal_number) {
        writ_json_write_member_integer(&writer, "signal", end->signal_number);
    }
    if (end->output) {
        WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
        writ_buffer_init(&text, (size_t)1 << 30);
        writ_json_print(&text, end->output, WRIT_JSON_COMPACT);
        if (!text.failed) {
            write_digest_of(&writer, "output_digest", "output_bytes", writ_buffer_text(&text), text.length);
        } else {
            /* That there was an output is recorded all the same. */
            writ_json_write_key(&writer, "output_digest");
            writ_json_write_null(&writer);
        }
    }
    const struct {
        const char *key;
        uint64_t value;
    } figures[] = {{"duration_us", end->duration_us},
                   {"setup_us", end->setup_us},
                   {"cpu_us", end->cpu_us},
                   {"memory_peak_bytes", end->memory_peak_bytes}};
    for (size_t i = 0; i < WRIT_COUNT(figures); i++) {
        writ_json_write_member_integer(&writer, figures[i].key, (int64_t)figures[i].value);
    }
    if (end->limits_held_by[0])
        write_name(&writer, "limits", end->limits_held_by);
    writ_json_write_object_end(&writer);
    return append_members(audit, "end", &object, error);
}
