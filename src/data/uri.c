#include "data/uri.h"

#include <string.h>

static bool is_alpha(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static size_t scheme_length(const char *text, size_t length)
{
    if (length == 0 || !is_alpha(text[0]))
        return 0;
    size_t i = 1;
    while (i < length && (is_alpha(text[i]) || is_digit(text[i]) || text[i] == '+' || text[i] == '-' || text[i] == '.'))
        i++;
    return i < length && text[i] == ':' ? i : 0;
}

struct writ_uri writ_uri_split(const char *text, size_t length)
{
    struct writ_uri uri = {0};
    const char *hash = memchr(text, '#', length);
    if (hash) {
        uri.fragment = (struct writ_uri_part){hash + 1, length - 1 - (size_t)(hash - text)};
        length = (size_t)(hash - text);
    }
    const char *question = memchr(text, '?', length);
    if (question) {
        uri.query = (struct writ_uri_part){question + 1, length - 1 - (size_t)(question - text)};
        length = (size_t)(question - text);
    }
    size_t scheme = scheme_length(text, length);
    if (scheme) {
        uri.scheme = (struct writ_uri_part){text, scheme};
        text += scheme + 1;
        length -= scheme + 1;
    }
    if (length >= 2 && text[0] == '/' && text[1] == '/') {
        const char *slash = memchr(text + 2, '/', length - 2);
        size_t authority = slash ? (size_t)(slash - text) - 2 : length - 2;
        uri.authority = (struct writ_uri_part){text + 2, authority};
        text += authority + 2;
        length -= authority + 2;
    }
    uri.path = (struct writ_uri_part){text, length};
    return uri;
}

/* Section 5.2.4 on `path` in place; returns the new length. */
static size_t remove_dots(char *path, size_t length)
{
    size_t out = 0, at = 0;
    while (at < length) {
        size_t end = at + 1;
        while (end < length && path[end] != '/')
            end++;
        size_t start = path[at] == '/' ? at + 1 : at, segment = end - start;
        bool last = end == length;
        if (segment == 1 && path[start] == '.') {
            if (last)
                path[out++] = '/';
        } else if (segment == 2 && path[start] == '.' && path[start + 1] == '.') {
            while (out > 0 && path[--out] != '/')
                ;
            if (last)
                path[out++] = '/';
        } else {
            memmove(path + out, path + at, end - at);
            out += end - at;
        }
        at = end;
    }
    return out;
}

static char *put(char *out, const char *text, size_t length)
{
    if (length)
        memcpy(out, text, length);
    return out + length;
}

char *writ_uri_resolve(struct writ_arena *arena, const char *base_text, const char *reference, size_t length)
{
    struct writ_uri base = writ_uri_split(base_text, strlen(base_text));
    struct writ_uri uri = writ_uri_split(reference, length);
    char *result = writ_arena_alloc(arena, strlen(base_text) + length + 8);
    if (!result)
        return NULL;
    /* Which parts come from the base: section 5.2.2. */
    size_t keep = 0; /* bytes of the base's path that stand before the reference's */
    bool own = uri.scheme.text || uri.authority.text;
    if (!uri.scheme.text) {
        uri.scheme = base.scheme;
        if (!uri.authority.text) {
            uri.authority = base.authority;
            if (uri.path.length == 0) {
                uri.path = base.path;
                if (!uri.query.text)
                    uri.query = base.query;
            } else if (uri.path.text[0] != '/') {
                for (keep = base.path.length; keep > 0 && base.path.text[keep - 1] != '/';)
                    keep--;
            }
        }
    }
    char *out = put(result, uri.scheme.text, uri.scheme.length);
    out = put(out, ":", uri.scheme.text ? 1 : 0);
    if (uri.authority.text) {
        out = put(out, "//", 2);
        out = put(out, uri.authority.text, uri.authority.length);
    }
    char *path = out;
    if (!own && keep == 0 && uri.path.length && uri.path.text[0] != '/' && uri.authority.text)
        out = put(out, "/", 1);
    out = put(out, base.path.text, keep);
    out = put(out, uri.path.text, uri.path.length);
    /* An opaque path (`urn:a:b`) has no segments to remove. */
    if (path < out && path[0] == '/')
        out = path + remove_dots(path, (size_t)(out - path));
    if (uri.query.text) {
        out = put(out, "?", 1);
        out = put(out, uri.query.text, uri.query.length);
    }
    *out = '\0';
    return result;
}

/* Unreserved, percent-encoded, sub-delimiters, and what `extra` names. */
static bool is_made_of(struct writ_uri_part part, const char *extra)
{
    for (size_t i = 0; i < part.length; i++) {
        char c = part.text[i];
        if (c == '%') {
            if (part.length - i < 3 || !is_hex(part.text[i + 1]) || !is_hex(part.text[i + 2]))
                return false;
            i += 2;
        } else if (c == '\0' || (!is_alpha(c) && !is_digit(c) && !strchr("-._~!$&'()*+,;=", c) && !strchr(extra, c))) {
            return false;
        }
    }
    return true;
}

/* Between brackets: an IPv6 address by its characters, or the form kept free for later ones. */
static bool is_address(struct writ_uri_part address)
{
    size_t hex = 0, colons = 0, at = *address.text == 'v' || *address.text == 'V';
    for (; at < address.length && (is_hex(address.text[at]) || address.text[at] == ':'); at++) {
        hex += is_hex(address.text[at]);
        colons += address.text[at] == ':';
    }
    if (*address.text != 'v' && *address.text != 'V') {
        /* An IPv4 address may be the end. */
        while (at < address.length && (is_digit(address.text[at]) || address.text[at] == '.'))
            at++;
        return at == address.length && colons >= 2;
    }
    struct writ_uri_part rest = {address.text + at + 1, address.length - at - 1};
    return hex > 0 && colons == 0 && at + 1 < address.length && address.text[at] == '.' && is_made_of(rest, ":") &&
           !memchr(rest.text, '%', rest.length);
}

static bool is_authority(struct writ_uri_part authority)
{
    const char *text = authority.text, *end = text + authority.length;
    const char *at = memchr(text, '@', authority.length);
    if (at) {
        if (!is_made_of((struct writ_uri_part){text, (size_t)(at - text)}, ":"))
            return false;
        text = at + 1;
    }
    const char *port = end;
    while (port > text && is_digit(port[-1]))
        port--;
    if (port > text && port[-1] == ':')
        end = port - 1;
    if (text < end && text[0] == '[') {
        struct writ_uri_part inner = {text + 1, (size_t)(end - text) - 1};
        if (inner.length < 3 || inner.text[inner.length - 1] != ']')
            return false;
        inner.length--;
        return is_address(inner);
    }
    return is_made_of((struct writ_uri_part){text, (size_t)(end - text)}, "");
}

bool writ_uri_is_valid(const char *text, size_t length, bool relative_too)
{
    struct writ_uri uri = writ_uri_split(text, length);
    if (!uri.scheme.text) {
        if (!relative_too)
            return false;
        /* A colon in the first segment would make it look like a scheme. */
        const char *slash = memchr(uri.path.text, '/', uri.path.length);
        if (!uri.authority.text &&
            memchr(uri.path.text, ':', slash ? (size_t)(slash - uri.path.text) : uri.path.length))
            return false;
    }
    return (!uri.authority.text || is_authority(uri.authority)) && is_made_of(uri.path, "/:@") &&
           (!uri.query.text || is_made_of(uri.query, "/?:@")) &&
           (!uri.fragment.text || is_made_of(uri.fragment, "/?:@"));
}
