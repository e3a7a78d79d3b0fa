#include "audit/record.h"

#include "audit/audit.h"
#include "base/text.h"

#include <string.h>
#include <time.h>

static const char head_open[] = "{\"v\":";
static const char sequence_open[] = ",\"seq\":";
static const char time_open[] = ",\"time\":\"";
static const char prev_open[] = ",\"prev\":\"sha256:";
#define LITERAL_LENGTH(literal) (sizeof(literal) - 1)
/* `,"prev":"sha256:<64 hex>"}` */
#define PREV_LENGTH (LITERAL_LENGTH(prev_open) + (size_t)2 * WRIT_DIGEST_BYTES + 2)

/* Takes a literal at *next. */
static bool take(const char **next, const char *end, const char *literal, size_t length)
{
    if ((size_t)(end - *next) < length || memcmp(*next, literal, length) != 0)
        return false;
    *next += length;
    return true;
}

/* Takes a decimal of at most 18 digits without leading zeros. */
static bool take_number(const char **next, const char *end, uint64_t *ret_value)
{
    const char *start = *next;
    uint64_t value = 0;
    while (*next < end && **next >= '0' && **next <= '9' && *next - start < 19) {
        value = value * 10 + (uint64_t)(**next - '0');
        ++*next;
    }
    *ret_value = value;
    return *next > start && *next - start < 19 && (*start != '0' || *next == start + 1);
}

static bool has_control_byte(const char *text, size_t length)
{
    unsigned char found = 0;
    for (size_t i = 0; i < length; i++)
        found |= (unsigned char)text[i] < 0x20;
    return found;
}

/* True when the line ends in `,"prev":"sha256:<64 lower-case hex>"}`; gives the digest's place. */
static bool ends_in_prev(const char *text, size_t length, const char **ret_prev)
{
    if (length < PREV_LENGTH)
        return false;
    const char *tail = text + length - PREV_LENGTH;
    const char *hex = tail + LITERAL_LENGTH(prev_open);
    if (memcmp(tail, prev_open, LITERAL_LENGTH(prev_open)) != 0 || memcmp(text + length - 2, "\"}", 2) != 0)
        return false;
    for (size_t i = 0; i < (size_t)2 * WRIT_DIGEST_BYTES; i++)
        if (!((hex[i] >= '0' && hex[i] <= '9') || (hex[i] >= 'a' && hex[i] <= 'f')))
            return false;
    *ret_prev = hex - LITERAL_LENGTH("sha256:");
    return true;
}

void writ_audit_line_scan(const char *text, size_t length, struct writ_audit_line *ret_line)
{
    *ret_line = (struct writ_audit_line){.kind = WRIT_AUDIT_LINE_OTHER};
    size_t suffix = LITERAL_LENGTH(WRIT_AUDIT_TORN_SUFFIX);
    if (length >= suffix && memcmp(text + length - suffix, WRIT_AUDIT_TORN_SUFFIX, suffix) == 0) {
        ret_line->kind = WRIT_AUDIT_LINE_TORN;
        return;
    }
    const char *next = text, *end = text + length;
    uint64_t version, sequence;
    if (!take(&next, end, head_open, LITERAL_LENGTH(head_open)) || !take_number(&next, end, &version) ||
        end[-1] != '}' || next == end || *next != ',')
        return;
    ret_line->version = version;
    if (version > WRIT_AUDIT_VERSION) {
        ret_line->kind = WRIT_AUDIT_LINE_NEWER;
        return;
    }
    const char *prev;
    if (version != WRIT_AUDIT_VERSION || length > WRIT_AUDIT_RECORD_BYTES_MAX ||
        !take(&next, end, sequence_open, LITERAL_LENGTH(sequence_open)) || !take_number(&next, end, &sequence) ||
        !take(&next, end, time_open, LITERAL_LENGTH(time_open)) || !ends_in_prev(text, length, &prev) || next > prev ||
        has_control_byte(text, length))
        return;
    ret_line->kind = WRIT_AUDIT_LINE_RECORD;
    ret_line->sequence = sequence;
    ret_line->prev = prev;
}

void writ_audit_record_print(struct writ_buffer *out, uint64_t sequence, const char *type, const char *fields,
                             size_t fields_length, const char *prev)
{
    struct timespec now;
    char time_text[WRIT_TIME_TEXT_BYTES];
    (void)clock_gettime(CLOCK_REALTIME, &now); /* cannot fail for this clock */
    writ_time_print(&now, time_text);
    writ_buffer_printf(out, "%s%d%s%llu%s%s\",\"type\":\"%s\"", head_open, WRIT_AUDIT_VERSION, sequence_open,
                       (unsigned long long)sequence, time_open, time_text, type);
    if (fields_length > 0)
        writ_buffer_append_byte(out, ',');
    writ_buffer_append(out, fields, fields_length);
    writ_buffer_append_text(out, ",\"prev\":\"");
    writ_buffer_append(out, prev, WRIT_DIGEST_TEXT_BYTES - 1);
    writ_buffer_append_text(out, "\"}\n");
}

void writ_audit_line_digest(const char *text, size_t length, char ret_text[WRIT_DIGEST_TEXT_BYTES])
{
    unsigned char bytes[WRIT_DIGEST_BYTES];
    writ_digest_of(text, length, bytes);
    writ_digest_print(bytes, ret_text);
}

int writ_audit_newer_error(struct writ_error *error, const char *where, uint64_t version)
{
    return writ_error_set(error, WRIT_INTERNAL_IO,
                          "%s: the audit log was written by a newer writ (format %llu; this one knows %d); use that "
                          "writ, or another state folder",
                          where, (unsigned long long)version, WRIT_AUDIT_VERSION);
}
