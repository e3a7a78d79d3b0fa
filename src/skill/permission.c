#include "skill/permission.h"

#include "base/text.h"
#include "skill/cut.h"

#include <string.h>

/* What is refused here is refused for every caller, so the messages speak to the author of the contract. */

struct kind {
    const char *name; /* everything before the colon that leads to the subject */
    enum writ_permission_kind kind;
    bool enforced;
    const char *form;
    int (*read_subject)(struct writ_arena *arena, struct writ_permission *permission, struct writ_error *error);
};

static int read_path(struct writ_arena *arena, struct writ_permission *permission, struct writ_error *error);
static int read_origin(struct writ_arena *arena, struct writ_permission *permission, struct writ_error *error);
static int read_name(struct writ_arena *arena, struct writ_permission *permission, struct writ_error *error);

static const struct kind kinds[] = {
    {"filesystem:read", WRIT_PERMISSION_FILESYSTEM_READ, true, "filesystem:read:PATH", read_path},
    {"filesystem:write", WRIT_PERMISSION_FILESYSTEM_WRITE, true, "filesystem:write:PATH", read_path},
    {"network", WRIT_PERMISSION_NETWORK, false, "network:ORIGIN", read_origin},
    {"binary:run", WRIT_PERMISSION_BINARY_RUN, true, "binary:run:NAME", read_name},
    {"clipboard:read", WRIT_PERMISSION_CLIPBOARD_READ, false, "clipboard:read", NULL},
    {"credential", WRIT_PERMISSION_CREDENTIAL, false, "credential:NAME", read_name},
};
_Static_assert(WRIT_COUNT(kinds) == WRIT_PERMISSION_KIND_COUNT, "every kind has its row");
#define ALL_FORMS                                                                                                      \
    "`filesystem:read:PATH`, `filesystem:write:PATH`, `network:ORIGIN`, `binary:run:NAME`, `clipboard:read` or "       \
    "`credential:NAME`"

const char *writ_permission_kind_name(enum writ_permission_kind kind)
{
    for (size_t i = 0; i < WRIT_COUNT(kinds); i++)
        if (kinds[i].kind == kind)
            return kinds[i].name;
    return "unknown";
}

bool writ_permission_kind_is_enforced(enum writ_permission_kind kind)
{
    for (size_t i = 0; i < WRIT_COUNT(kinds); i++)
        if (kinds[i].kind == kind)
            return kinds[i].enforced;
    return false;
}

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_alnum(char c)
{
    return is_lower(c) || is_digit(c) || (c >= 'A' && c <= 'Z');
}

/* ---- which kind ---- */

static const struct kind *find_kind(const char *text)
{
    for (size_t i = 0; i < WRIT_COUNT(kinds); i++) {
        size_t length = strlen(kinds[i].name);
        if (strncmp(text, kinds[i].name, length) == 0 && (text[length] == ':' || text[length] == '\0'))
            return &kinds[i];
    }
    return NULL;
}

/* The part of `text` before its `colons`th colon, cut to what a message can hold. */
static void copy_head(const char *text, unsigned colons, char *ret_head, size_t size)
{
    size_t length = 0;
    while (text[length] && length + 1 < size && (text[length] != ':' || --colons > 0))
        length++;
    length = (size_t)cut(text, length);
    memcpy(ret_head, text, length);
    ret_head[length] = '\0';
}

static int fail_unknown_kind(const char *text, struct writ_error *error)
{
    char area[48], head[48];
    copy_head(text, 1, area, sizeof area);
    copy_head(text, 2, head, sizeof head);
    const char *names[WRIT_COUNT(kinds)];
    for (size_t i = 0; i < WRIT_COUNT(kinds); i++)
        names[i] = kinds[i].name;
    const char *nearest = writ_nearest_name(head, names, WRIT_COUNT(kinds));
    if (!nearest)
        nearest = writ_nearest_name(area, names, WRIT_COUNT(kinds));
    const struct kind *kind = nearest ? find_kind(nearest) : NULL;
    if (kind)
        return writ_error_set(error, WRIT_CONTRACT_INVALID, "`%s` is no kind of permission; did you mean `%s`?", head,
                              kind->form);
    /* The area is right and the verb is missing: `filesystem:/tmp/a`, `binary:git`. */
    size_t length = strlen(area);
    const struct kind *first = NULL, *last = NULL;
    for (size_t i = 0; i < WRIT_COUNT(kinds); i++)
        if (strncmp(kinds[i].name, area, length) == 0 && kinds[i].name[length] == ':') {
            first = first ? first : &kinds[i];
            last = &kinds[i];
        }
    if (first && first != last)
        return writ_error_set(error, WRIT_CONTRACT_INVALID, "`%s` does not say what for; write `%s` or `%s`", area,
                              first->form, last->form);
    if (first)
        return writ_error_set(error, WRIT_CONTRACT_INVALID, "`%s` does not say what for; write `%s`", area,
                              first->form);
    return writ_error_set(error, WRIT_CONTRACT_INVALID, "`%s` is no kind of permission; write " ALL_FORMS, head);
}

/* ---- names and origins ---- */

bool writ_permissions_name_input(const struct writ_permission *permissions, size_t count, const char *pointer,
                                 size_t length)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < permissions[i].segment_count; k++) {
            const struct writ_segment *segment = &permissions[i].segments[k];
            if (segment->kind == WRIT_SEGMENT_INPUT && strlen(segment->text) == length &&
                memcmp(segment->text, pointer, length) == 0)
                return true;
        }
    return false;
}

bool writ_permission_name_is_valid(const char *name)
{
    size_t length = strlen(name);
    if (length == 0 || length > 64 || name[0] == '.' || name[0] == '-')
        return false;
    for (size_t i = 0; i < length; i++)
        if (!is_alnum(name[i]) && !strchr("._+-", name[i]))
            return false;
    return true;
}

static int read_name(struct writ_arena *arena, struct writ_permission *permission, struct writ_error *error)
{
    (void)arena;
    const char *name = permission->subject;
    if (writ_permission_name_is_valid(name))
        return 0;
    const char *slash = strrchr(name, '/');
    if (permission->kind == WRIT_PERMISSION_BINARY_RUN && slash && writ_permission_name_is_valid(slash + 1))
        return writ_error_set(error, WRIT_CONTRACT_INVALID,
                              "a program is named without its folder, for that differs between machines; write "
                              "`binary:run:%s`",
                              slash + 1);
    if (strstr(name, "${{"))
        return writ_error_set(error, WRIT_CONTRACT_INVALID,
                              "`${{ }}` may stand in filesystem paths only; name each %s literally",
                              permission->kind == WRIT_PERMISSION_BINARY_RUN ? "program" : "credential");
    return writ_error_set(error, WRIT_CONTRACT_INVALID,
                          "`%.*s` is no name: 1 to 64 of letters, digits, `.`, `_`, `+` and `-`, beginning with none "
                          "of `.` and `-`",
                          cut(name, 60), name);
}

/* Length of the host that `text` begins with: a DNS name or IPv4 address in lower case, or a bracketed IPv6 address.  0
 * when there is none. */
static size_t host_length(const char *text)
{
    if (text[0] == '[') {
        size_t length = 1 + strspn(text + 1, "0123456789abcdef:.");
        return text[length] == ']' && length > 2 ? length + 1 : 0;
    }
    size_t length = 0;
    for (;;) {
        size_t label = 0;
        while (is_lower(text[length + label]) || is_digit(text[length + label]) || text[length + label] == '-')
            label++;
        if (label == 0 || label > 63 || text[length] == '-' || text[length + label - 1] == '-')
            return 0;
        length += label;
        if (text[length] != '.')
            return length <= 253 ? length : 0;
        length++;
    }
}

static bool port_is_valid(const char *text)
{
    unsigned long port = 0;
    size_t digits = 0;
    for (; is_digit(text[digits]) && digits < 6; digits++)
        port = port * 10 + (unsigned long)(text[digits] - '0');
    return digits > 0 && text[digits] == '\0' && text[0] != '0' && port <= 65535;
}

static int read_origin(struct writ_arena *arena, struct writ_permission *permission, struct writ_error *error)
{
    (void)arena;
    const char *origin = permission->subject;
    size_t scheme = is_lower(origin[0]) ? strspn(origin, "abcdefghijklmnopqrstuvwxyz0123456789+.-") : 0;
    if (scheme == 0 || strncmp(origin + scheme, "://", 3) != 0)
        return writ_error_set(error, WRIT_CONTRACT_INVALID,
                              "`%.*s` is no origin; write scheme and host in lower case, such as "
                              "`network:https://api.example.com`",
                              cut(origin, 80), origin);
    const char *host = origin + scheme + 3;
    size_t length = host_length(host);
    const char *rest = host + length;
    if (strchr(host, '*'))
        return writ_error_set(error, WRIT_CONTRACT_INVALID,
                              "an origin holds no `*`; name each host in a permission of its own");
    if (length == 0 || (*rest && *rest != ':' && *rest != '/'))
        return writ_error_set(error, WRIT_CONTRACT_INVALID,
                              "`%.*s` names no host; write a host name in lower case, such as "
                              "`network:https://api.example.com`",
                              cut(origin, 80), origin);
    size_t port = rest[0] == ':' ? strcspn(rest, "/") : 0;
    if (rest[port] == '/')
        return writ_error_set(error, WRIT_CONTRACT_INVALID,
                              "an origin ends with its host or port; write `network:%.*s`",
                              cut(origin, (size_t)(rest + port - origin)), origin);
    if (port && !port_is_valid(rest + 1))
        return writ_error_set(error, WRIT_CONTRACT_INVALID, "`%.*s` is no port; write a number from 1 to 65535",
                              cut(rest + 1, 20), rest + 1);
    return 0;
}

/* ---- paths ---- */

static bool is_name_byte(char c)
{
    return is_alnum(c) || c == '_' || c == '-' || ((unsigned char)c & 0x80);
}

/* Turns `.input.a.b` into `/a/b`: the names hold no byte that a JSON pointer would have to escape. */
static int read_input_names(struct writ_arena *arena, const char *names, size_t length, struct writ_segment *segment,
                            struct writ_error *error)
{
    char *pointer = writ_arena_copy(arena, names, length);
    if (!pointer)
        return writ_error_memory(error);
    for (size_t i = 0; i < length; i++) {
        bool dot = pointer[i] == '.';
        if (!dot && !is_name_byte(pointer[i]))
            return writ_error_set(error, WRIT_CONTRACT_INVALID,
                                  "`.input%.*s` is no name of an input; write `${{ .input.NAME }}`", cut(names, 60),
                                  names);
        if (dot && (i + 1 == length || pointer[i + 1] == '.'))
            return writ_error_set(error, WRIT_CONTRACT_INVALID,
                                  "`${{ .input. }}` lacks a name; write `${{ .input.NAME }}`");
        if (dot)
            pointer[i] = '/';
    }
    *segment = (struct writ_segment){.kind = WRIT_SEGMENT_INPUT, .text = pointer};
    return 0;
}

static int fail_unknown_expression(const char *text, size_t length, struct writ_error *error)
{
    static const char *const known[] = {".input", ".state", ".identity"};
    static const char *const forms[] = {".input.NAME", ".state", ".identity.id"};
    char head[48];
    size_t head_bytes = 0; /* the part before the second dot */
    while (head_bytes < length && head_bytes + 1 < sizeof head && (head_bytes == 0 || text[head_bytes] != '.'))
        head_bytes++;
    memcpy(head, text, head_bytes);
    head[head_bytes] = '\0';
    const char *nearest = writ_nearest_name(head, known, WRIT_COUNT(known));
    for (size_t i = 0; nearest && i < WRIT_COUNT(known); i++)
        if (nearest == known[i])
            return writ_error_set(error, WRIT_CONTRACT_INVALID, "`${{ %.*s }}` is not known; write `${{ %s }}`",
                                  cut(text, length > 60 ? 60 : length), text, forms[i]);
    return writ_error_set(error, WRIT_CONTRACT_INVALID,
                          "`${{ %.*s }}` is not known; write `${{ .input.NAME }}`, `${{ .state }}` or "
                          "`${{ .identity.id }}`",
                          cut(text, length > 60 ? 60 : length), text);
}

/* `text` is what stands between `${{` and `}}`. */
static int read_expression(struct writ_arena *arena, const char *text, size_t length, struct writ_segment *segment,
                           struct writ_error *error)
{
    while (length > 0 && text[0] == ' ')
        text++, length--;
    while (length > 0 && text[length - 1] == ' ')
        length--;
    if (length > 7 && strncmp(text, ".input.", 7) == 0)
        return read_input_names(arena, text + 6, length - 6, segment, error);
    if (length == 6 && strncmp(text, ".state", 6) == 0) {
        *segment = (struct writ_segment){.kind = WRIT_SEGMENT_STATE, .text = ""};
        return 0;
    }
    if (length == 12 && strncmp(text, ".identity.id", 12) == 0) {
        *segment = (struct writ_segment){.kind = WRIT_SEGMENT_IDENTITY, .text = ""};
        return 0;
    }
    return fail_unknown_expression(text, length, error);
}

static int read_segments(struct writ_arena *arena, const char *path, struct writ_segment *segments, size_t *ret_count,
                         struct writ_error *error)
{
    size_t count = 0;
    for (const char *next = path; *next;) {
        if (count == WRIT_PERMISSION_SEGMENTS_MAX)
            return writ_error_set(error, WRIT_CONTRACT_INVALID, "the path has more than %d pieces; write a simpler one",
                                  WRIT_PERMISSION_SEGMENTS_MAX);
        struct writ_segment *segment = &segments[count++];
        if (strncmp(next, "${{", 3) == 0) {
            const char *end = strstr(next, "}}");
            if (!end)
                return writ_error_set(error, WRIT_CONTRACT_INVALID, "`${{` is not closed; write `${{ .input.NAME }}`");
            int result = read_expression(arena, next + 3, (size_t)(end - next) - 3, segment, error);
            if (result < 0)
                return result;
            next = end + 2;
            if (segment->kind == WRIT_SEGMENT_STATE && (count > 1 || (*next && *next != '/')))
                return writ_error_set(error, WRIT_CONTRACT_INVALID,
                                      "`${{ .state }}` is a whole folder: it stands at the head of a path and a `/` "
                                      "follows it");
            continue;
        }
        const char *end = strstr(next, "${{");
        size_t length = end ? (size_t)(end - next) : strlen(next);
        char *literal = writ_arena_copy(arena, next, length);
        if (!literal)
            return writ_error_memory(error);
        if (strstr(literal, "{{") || strstr(literal, "}}") || strstr(literal, "${"))
            return writ_error_set(
                error, WRIT_CONTRACT_INVALID,
                "braces stand for values only; write `${{ .input.NAME }}` with its `$` and two braces "
                "on each side");
        *segment = (struct writ_segment){.kind = WRIT_SEGMENT_LITERAL, .text = literal};
        next += length;
    }
    *ret_count = count;
    return 0;
}

/* Judges the literal components; a value stands as one byte that is none of them. */
static int check_components(const struct writ_segment *segments, size_t count, struct writ_error *error)
{
    char shape[WRIT_PERMISSION_BYTES_MAX + 1];
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        const char *text = segments[i].kind == WRIT_SEGMENT_LITERAL ? segments[i].text : "\001";
        size_t size = strlen(text);
        if (size > sizeof shape - 1 - length)
            return writ_error_set(error, WRIT_CONTRACT_INVALID, "the path is too long; write a shorter one");
        memcpy(shape + length, text, size);
        length += size;
    }
    shape[length] = '\0';
    if (shape[0] == '~')
        return writ_error_set(error, WRIT_CONTRACT_INVALID,
                              "`~` is not expanded; take the path from the input, or use `${{ .state }}`");
    if (strcmp(shape, "/") == 0)
        return writ_error_set(error, WRIT_CONTRACT_INVALID,
                              "`/` would grant every file; name the files and folders that are needed");
    for (const char *part = shape + (shape[0] == '/'); *part || part[-1] == '/';) {
        size_t size = strcspn(part, "/");
        if (size == 0)
            return writ_error_set(error, WRIT_CONTRACT_INVALID,
                                  "the path has an empty part; write single slashes and none at the end");
        if ((size == 1 && part[0] == '.') || (size == 2 && part[0] == '.' && part[1] == '.'))
            return writ_error_set(error, WRIT_CONTRACT_INVALID, "the path has a `%.*s` part; write the path without it",
                                  (int)size, part);
        part += size;
        if (*part == '\0')
            break;
        part++;
    }
    return 0;
}

static int read_path(struct writ_arena *arena, struct writ_permission *permission, struct writ_error *error)
{
    struct writ_segment segments[WRIT_PERMISSION_SEGMENTS_MAX];
    size_t count = 0;
    int result = read_segments(arena, permission->subject, segments, &count, error);
    if (result == 0)
        result = check_components(segments, count, error);
    if (result < 0)
        return result;
    struct writ_segment *kept = writ_arena_zalloc(arena, count, sizeof *kept);
    if (!kept)
        return writ_error_memory(error);
    memcpy(kept, segments, count * sizeof *kept);
    permission->segments = kept;
    permission->segment_count = count;
    return 0;
}

/* ---- the whole ---- */

int writ_permission_parse(struct writ_arena *arena, const char *text, struct writ_permission *ret_permission,
                          struct writ_error *error)
{
    size_t length = strlen(text);
    if (length == 0)
        return writ_error_set(error, WRIT_CONTRACT_INVALID, "the permission is empty; write " ALL_FORMS);
    if (length > WRIT_PERMISSION_BYTES_MAX)
        return writ_error_set(error, WRIT_CONTRACT_INVALID,
                              "the permission is longer than %d bytes; write a shorter one", WRIT_PERMISSION_BYTES_MAX);
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7F)
            return writ_error_set(error, WRIT_CONTRACT_INVALID,
                                  "a permission holds no control characters; remove them");
    if (text[0] == ' ' || text[length - 1] == ' ')
        return writ_error_set(error, WRIT_CONTRACT_INVALID, "a permission has no space at its ends; remove it");
    const struct kind *kind = find_kind(text);
    if (!kind)
        return fail_unknown_kind(text, error);
    const char *rest = text + strlen(kind->name);
    if (!kind->read_subject && *rest)
        return writ_error_set(error, WRIT_CONTRACT_INVALID, "nothing follows `%s`; write it alone", kind->name);
    if (kind->read_subject && (rest[0] == '\0' || rest[1] == '\0'))
        return writ_error_set(error, WRIT_CONTRACT_INVALID, "`%s` names nothing; write `%s`", kind->name, kind->form);
    if (kind->read_subject && rest[1] == ' ')
        return writ_error_set(error, WRIT_CONTRACT_INVALID, "no space follows `%s:`; write `%s`", kind->name,
                              kind->form);
    char *source = writ_arena_copy(arena, text, length);
    if (!source)
        return writ_error_memory(error);
    struct writ_permission permission = {
        .kind = kind->kind, .source = source, .subject = kind->read_subject ? source + (rest - text) + 1 : ""};
    int result = kind->read_subject ? kind->read_subject(arena, &permission, error) : 0;
    if (result == 0)
        *ret_permission = permission;
    return result;
}
