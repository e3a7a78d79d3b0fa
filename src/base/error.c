#include "base/error.h"

#include <stdarg.h>
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

/* Cuts a string that may have been truncated in the middle of a UTF-8 sequence back to a whole character. */
static void cut_at_boundary(char *text, size_t size)
{
    size_t length = strlen(text);
    if (length + 1 < size)
        return;
    size_t start = length;
    while (start > 0 && ((unsigned char)text[start - 1] & 0xC0) == 0x80)
        start--;
    if (start == 0)
        return;
    unsigned char lead = (unsigned char)text[start - 1];
    size_t need = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    if (need > 1 && length - (start - 1) < need)
        text[start - 1] = '\0';
}

WRIT_PRINTF(4, 0)
static void set(struct writ_error *error, enum writ_code code, int sys_errno, const char *format, va_list arguments)
{
    error->code = code;
    error->sys_errno = sys_errno;
    error->line = error->column = 0;
    error->subject[0] = '\0';
    (void)vsnprintf(error->message, sizeof error->message, format, arguments);
    cut_at_boundary(error->message, sizeof error->message);
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
    /* strerrordesc_np is a constant-table look-up: no locale, no lock, no allocation. */
    const char *reason = strerrordesc_np(sys_errno);
    size_t used = strlen(error->message);
    (void)snprintf(error->message + used, sizeof error->message - used, ": %s", reason ? reason : "unknown error");
    cut_at_boundary(error->message, sizeof error->message);
    return code;
}

int writ_error_at(struct writ_error *error, const char *subject, unsigned line, unsigned column)
{
    (void)snprintf(error->subject, sizeof error->subject, "%s", subject);
    cut_at_boundary(error->subject, sizeof error->subject);
    error->line = line;
    error->column = column;
    return error->code;
}

int writ_error_wrap(struct writ_error *error, const char *format, ...)
{
    char old[WRIT_ERROR_MESSAGE_MAX];
    memcpy(old, error->message, sizeof old);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    size_t used = strlen(error->message);
    (void)snprintf(error->message + used, sizeof error->message - used, ": %s", old);
    cut_at_boundary(error->message, sizeof error->message);
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
