#include "failing_memory.h"

#include <errno.h>
#include <stddef.h>

static bool counts;
static enum memory_failure failure;
static unsigned fails_at, asked;

void memory_fail(unsigned nth, enum memory_failure which)
{
    counts = true;
    failure = which;
    fails_at = nth;
    asked = 0;
}

void memory_suffice(void)
{
    counts = false;
}

unsigned memory_asked(void)
{
    return asked;
}

bool memory_failed(void)
{
    return fails_at != 0 && asked >= fails_at;
}

static bool fails(void)
{
    if (!counts)
        return false;
    asked++;
    if (fails_at == 0 || asked < fails_at || (asked > fails_at && failure == MEMORY_FAILS_ONCE))
        return false;
    errno = ENOMEM;
    return true;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_reallocarray(void *memory, size_t count, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_reallocarray(void *memory, size_t count, size_t size);
char *__wrap_strdup(const char *text);

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    return fails() ? NULL : __real_realloc(memory, size);
}

void *__wrap_reallocarray(void *memory, size_t count, size_t size)
{
    return fails() ? NULL : __real_reallocarray(memory, count, size);
}

char *__wrap_strdup(const char *text)
{
    return fails() ? NULL : __real_strdup(text);
}
