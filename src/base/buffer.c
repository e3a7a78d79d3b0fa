#include "base/buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void writ_buffer_init(struct writ_buffer *buffer, size_t bytes_max)
{
    *buffer = (struct writ_buffer){.bytes_max = bytes_max};
}

void writ_buffer_init_secret(struct writ_buffer *buffer, size_t bytes_max)
{
    *buffer = (struct writ_buffer){.bytes_max = bytes_max, .is_secret = true};
}

void writ_buffer_clear(struct writ_buffer *buffer)
{
    if (buffer->data && buffer->is_secret)
        explicit_bzero(buffer->data, buffer->capacity);
    free(buffer->data);
    *buffer = (struct writ_buffer){.bytes_max = buffer->bytes_max, .is_secret = buffer->is_secret};
}

/* As realloc, which may leave the old bytes where they were. */
static char *grow(const struct writ_buffer *buffer, size_t capacity)
{
    if (!buffer->is_secret)
        return realloc(buffer->data, capacity);
    char *data = malloc(capacity);
    if (data && buffer->data) {
        memcpy(data, buffer->data, buffer->length);
        explicit_bzero(buffer->data, buffer->capacity);
        free(buffer->data);
    }
    return data;
}

char *writ_buffer_reserve(struct writ_buffer *buffer, size_t length)
{
    size_t need;
    if (buffer->failed || length > buffer->bytes_max - buffer->length ||
        WRIT_ADD_OVERFLOWS(buffer->length + 1, length, &need)) {
        buffer->too_large = buffer->too_large || !buffer->failed;
        buffer->failed = true;
        return NULL;
    }
    if (need > buffer->capacity) {
        size_t capacity = buffer->capacity ? buffer->capacity : 64;
        while (capacity < need && capacity <= SIZE_MAX / 2)
            capacity *= 2;
        if (capacity < need)
            capacity = need;
        char *data = grow(buffer, capacity);
        if (!data) {
            buffer->failed = true;
            return NULL;
        }
        buffer->data = data;
        buffer->capacity = capacity;
        data[buffer->length] = '\0';
    }
    return buffer->data + buffer->length;
}

void writ_buffer_commit(struct writ_buffer *buffer, size_t length)
{
    if (length >= buffer->capacity - buffer->length)
        abort();
    buffer->length += length;
    buffer->data[buffer->length] = '\0';
}

void writ_buffer_append(struct writ_buffer *buffer, const void *bytes, size_t length)
{
    char *room = writ_buffer_reserve(buffer, length);
    if (!room)
        return;
    if (length)
        memcpy(room, bytes, length);
    writ_buffer_commit(buffer, length);
}

void writ_buffer_append_text(struct writ_buffer *buffer, const char *text)
{
    writ_buffer_append(buffer, text, strlen(text));
}

void writ_buffer_append_byte(struct writ_buffer *buffer, char byte)
{
    writ_buffer_append(buffer, &byte, 1);
}

void writ_buffer_printf(struct writ_buffer *buffer, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    /* Only a text beyond INT_MAX has no length. */
    char *room = writ_buffer_reserve(buffer, length < 0 ? SIZE_MAX : (size_t)length);
    if (room) {
        (void)vsnprintf(room, (size_t)length + 1, format, again);
        writ_buffer_commit(buffer, (size_t)length);
    }
    va_end(again);
}

void writ_buffer_truncate(struct writ_buffer *buffer, size_t length)
{
    if (length >= buffer->length)
        return;
    buffer->length = length;
    buffer->data[length] = '\0';
}

const char *writ_buffer_text(const struct writ_buffer *buffer)
{
    return buffer->data ? buffer->data : "";
}
