/*
 * The program of the skills that tests/whole/ writes: does what the input's "do" says, with the file at "path".
 *
 * It reads its input with less than a JSON parser, for the tests write that input themselves.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define INPUT_BYTES ((size_t)256 << 10)

/* What an escape of JSON stands for; of \uXXXX only what is ASCII. */
static char unescaped(const char **from)
{
    static const char letters[] = "bfnrt", values[] = "\b\f\n\r\t";
    const char *found = strchr(letters, **from);
    if (**from != 'u')
        return found ? values[found - letters] : **from;
    char hex[5] = {0};
    memcpy(hex, *from + 1, 4);
    *from += 4;
    return (char)strtol(hex, NULL, 16);
}

/* The text of a member, in place; "" when there is none. */
static char *member(char *input, const char *key)
{
    char wanted[32];
    (void)snprintf(wanted, sizeof wanted, "\"%s\":\"", key);
    char *found = strstr(input, wanted), *text = found ? found + strlen(wanted) : NULL, *to = text;
    if (!text)
        return strchr(input, '\0');
    for (const char *from = text; *from && *from != '"'; from++) {
        bool is_escape = *from == '\\' && from[1];
        from += is_escape;
        *to++ = is_escape ? unescaped(&from) : *from;
    }
    *to = '\0';
    return text;
}

static int say(const char *what)
{
    (void)printf("{\"success\":true,\"data\":{\"said\":\"");
    for (; *what; what++)
        if ((unsigned char)*what < 0x20 || *what == '"' || *what == '\\')
            (void)printf("\\u%04x", (unsigned)*what);
        else
            (void)putchar(*what);
    (void)puts("\"}}");
    return 0;
}

static int say_long(void)
{
    (void)printf("{\"success\":true,\"data\":{\"said\":\"");
    for (unsigned i = 0; i < 1u << 20; i++)
        (void)putchar('x');
    (void)puts("\"}}");
    return 0;
}

/* Keeps what it took where the compiler cannot see that nobody reads it. */
static void *volatile kept;

static void take_memory(void)
{
    for (;;) {
        kept = malloc((size_t)1 << 20);
        if (kept)
            memset(kept, 1, (size_t)1 << 20);
        else
            (void)poll(NULL, 0, 10); /* the limit on data stands before the one that is watched */
    }
}

static int write_file(const char *path, off_t bytes)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 || ftruncate(fd, bytes) < 0 || (bytes == 0 && write(fd, "written\n", 8) != 8))
        return 5;
    (void)close(fd);
    return say("written");
}

static int read_file(const char *path)
{
    char text[64];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (length < 0)
        return 5;
    text[length] = '\0';
    return say(text);
}

int main(void)
{
    static char input[INPUT_BYTES], copy[INPUT_BYTES];
    size_t length = fread(input, 1, sizeof input - 1, stdin);
    memcpy(copy, input, length);
    const char *act = member(copy, "do"), *path = member(input, "path");
    if (strcmp(act, "fail") == 0)
        return 3;
    if (strcmp(act, "report") == 0)
        return puts("{\"success\":false,\"error\":\"it could not be done\"}") < 0;
    if (strcmp(act, "crash") == 0)
        return raise(SIGSEGV);
    if (strcmp(act, "sleep") == 0)
        return poll(NULL, 0, 60000);
    if (strcmp(act, "memory") == 0)
        take_memory();
    while (strcmp(act, "flood") == 0 && puts("0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef") >= 0)
        continue;
    if (strcmp(act, "long") == 0)
        return say_long();
    if (strcmp(act, "silence") == 0)
        return 0;
    if (strcmp(act, "read") == 0)
        return read_file(path);
    if (strcmp(act, "write") == 0)
        return write_file(path, 0);
    if (strcmp(act, "huge") == 0)
        return write_file("/tmp/huge", (off_t)1 << 40);
    return say(act);
}
