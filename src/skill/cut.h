/* Cutting text for messages, inside src/skill only. */
#ifndef WRIT_SKILL_CUT_H
#define WRIT_SKILL_CUT_H

#include <string.h>

/* How many of at most `bytes_max` bytes of the UTF-8 text to print with `%.*s`, so that no character is cut in two. */
static inline int cut(const char *text, size_t bytes_max)
{
    size_t length = strnlen(text, bytes_max + 1);
    if (length <= bytes_max)
        return (int)length;
    while (bytes_max > 0 && ((unsigned char)text[bytes_max] & 0xC0) == 0x80)
        bytes_max--;
    return (int)bytes_max;
}

#endif
