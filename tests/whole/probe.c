/*
 * The program of the skills that tests/whole/ writes: does what the input's "do" says, with the file at "path".
 *
 * It reads its input with less than a JSON parser, for the tests write that input themselves.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define INPUT_BYTES ((size_t)256 << 10)

/* The text of a member, in place; "" when there is none.  Only \" and \\ are known of JSON's escapes. */
static char *member(char *input, const char *key)
{
    char wanted[32];
    (void)snprintf(wanted, sizeof wanted, "\"%s\":\"", key);
    char *from = strstr(input, wanted), *text = from ? from + strlen(wanted) : NULL, *to = text;
    if (!text)
        return strchr(input, '\0');
    for (from = text; *from && *from != '"'; from++) {
        if (*from == '\\' && from[1])
            from++;
        *to++ = *from;
    }
    *to = '\0';
    return text;
}

static int say(const char *what)
{
    (void)printf("{\"success\":true,\"data\":{\"said\":\"%s\"}}\n", what);
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
