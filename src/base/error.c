#include "base/error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *class_name;
    int exit_status;
    const char *meaning;
} codes[] = {
#define X(name, class_name, exit_status, meaning) {class_name, exit_status, meaning},
    WRIT_CODES(X)
#undef X
};

#define WHOLE_BYTES 5120 /* what is looked at of a message before it is cut: a path of any length, and its sentence */
#define GAP "…"

static bool continues_character(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* Where to cut a text of that length, so that it holds at most `room` bytes and no part of a character. */
static size_t cut_at(const char *text, size_t length, size_t room)
{
    if (length <= room)
        return length;
    while (room > 0 && continues_character(text[room]))
        room--;
    return room;
}

/* Copies a text that may be too long.  What is left out is in its middle, between whole characters: it ends in what is
 * wrong and the mend, and begins with the place. */
static void fit(char *out, size_t size, const char *text)
{
    size_t length = strlen(text);
    if (length < size) {
        memcpy(out, text, length + 1);
        return;
    }
    size_t room = size - sizeof GAP, head = cut_at(text, length, room * 2 / 5), tail = length - (room - room * 2 / 5);
    while (tail < length && continues_character(text[tail]))
        tail++;
    memcpy(out, text, head);
    memcpy(out + head, GAP, sizeof GAP - 1);
    memcpy(out + head + sizeof GAP - 1, text + tail, length - tail + 1);
}

/* Prints what fits, as whole characters; returns its length. */
WRIT_PRINTF(3, 0)
static size_t print_whole(char *whole, size_t size, const char *format, va_list arguments)
{
    int used = vsnprintf(whole, size, format, arguments);
    size_t length = used < 0 ? 0 : (size_t)used < size ? (size_t)used : cut_at(whole, size - 1, size - 2);
    whole[length] = '\0';
    return length;
}

WRIT_PRINTF(4, 0)
static void set(struct writ_error *error, enum writ_code code, int sys_errno, const char *format, va_list arguments)
{
    char whole[WHOLE_BYTES];
    error->code = code;
    error->sys_errno = sys_errno;
    error->line = error->column = 0;
    error->subject[0] = '\0';
    size_t length = print_whole(whole, sizeof whole, format, arguments);
    if (sys_errno) {
        /* strerrordesc_np is a constant-table look-up: no locale, no lock, no allocation. */
        const char *reason = strerrordesc_np(sys_errno);
        length = cut_at(whole, length, sizeof whole - WRIT_ERROR_MESSAGE_MAX / 4);
        (void)snprintf(whole + length, sizeof whole - length, ": %s", reason ? reason : "unknown error");
    }
    fit(error->message, sizeof error->message, whole);
}

int writ_error_set(struct writ_error *error, enum writ_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set(error, code, 0, format, arguments);
    va_end(arguments);
    return code;
}

int writ_error_set_errno(struct writ_error *error, enum writ_code code, int sys_errno, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set(error, code, sys_errno, format, arguments);
    va_end(arguments);
    return code;
}

int writ_error_at(struct writ_error *error, const char *subject, unsigned line, unsigned column)
{
    fit(error->subject, sizeof error->subject, subject);
    error->line = line;
    error->column = column;
    return error->code;
}

int writ_error_wrap(struct writ_error *error, const char *format, ...)
{
    char whole[WHOLE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    size_t length = print_whole(whole, sizeof whole - WRIT_ERROR_MESSAGE_MAX - 2, format, arguments);
    va_end(arguments);
    (void)snprintf(whole + length, sizeof whole - length, ": %s", error->message);
    fit(error->message, sizeof error->message, whole);
    return error->code;
}

int writ_error_memory(struct writ_error *error)
{
    return writ_error_set(error, WRIT_INTERNAL_MEMORY, "out of memory");
}

int writ_error_io(struct writ_error *error, int sys_errno, const char *path)
{
    return writ_error_set_errno(error, WRIT_INTERNAL_IO, sys_errno, "%s", path);
}

static size_t index_of(enum writ_code code)
{
    size_t index = (size_t)(-1 - (int)code);
    if (index >= WRIT_COUNT(codes))
        abort();
    return index;
}

const char *writ_code_class(enum writ_code code)
{
    return code == WRIT_OK ? "ok" : codes[index_of(code)].class_name;
}

int writ_code_exit_status(enum writ_code code)
{
    return code == WRIT_OK ? 0 : codes[index_of(code)].exit_status;
}

const char *writ_code_meaning(enum writ_code code)
{
    return code == WRIT_OK ? "the call succeeded" : codes[index_of(code)].meaning;
}
