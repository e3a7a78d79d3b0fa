#include "cli/placeholder.h"

#include <string.h>

const struct cli_placeholder cli_placeholders[] = {
    {"CLASS", "a class of errors, such as input:invalid", CLI_OFFER_CLASS},
    {"COMMAND", "the name of a command", CLI_OFFER_COMMAND},
    {"DIGEST", "a digest of 64 hexadecimal digits", 0},
    {"DIR", "a folder", CLI_OFFER_FOLDER},
    {"DOCUMENT", "a JSON file", CLI_OFFER_FILE},
    {"FILE", "a file", CLI_OFFER_FILE},
    {"ID", "the id of a skill, such as com.example.text.stats", CLI_OFFER_SKILL},
    {"JSON", "JSON text", 0},
    {"N", "a whole number", 0},
    {"NAME", "a name", 0},
    {"RUN", "the id of a call, or its beginning", 0},
    {"SCHEMA", "a JSON Schema in a file", CLI_OFFER_FILE},
    {"SETTING", "the name of a setting; `writ config list` shows them", CLI_OFFER_SETTING},
    {"TEXT", "any text", 0},
    {"TIME", "a day or a time, such as 2026-11-30 or 2026-11-30T12:00", 0},
    {"URL", "an address", 0},
    {"VALUE", "a value", 0},
    {"VERSION", "a version, or a range of versions", CLI_OFFER_VERSION},
};
const size_t cli_placeholder_count = WRIT_COUNT(cli_placeholders);

static bool is_upper(char c)
{
    return (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '+';
}

/* The next run of capitals or of word letters from `*cursor` up to `end`; false at the end. */
static bool next_run(const char **cursor, const char *end, const char **ret_run, size_t *ret_length)
{
    const char *at = *cursor;
    while (at < end && !is_upper(*at) && !(*at >= 'a' && *at <= 'z'))
        at++;
    *ret_run = at;
    bool upper = at < end && is_upper(*at);
    while (at < end && (upper ? is_upper(*at) : is_word(*at)))
        at++;
    *ret_length = (size_t)(at - *ret_run);
    *cursor = at;
    return *ret_length > 0;
}

static const struct cli_placeholder *find_placeholder(const char *word, size_t length)
{
    for (size_t i = 0; i < cli_placeholder_count; i++)
        if (strlen(cli_placeholders[i].word) == length && memcmp(cli_placeholders[i].word, word, length) == 0)
            return &cli_placeholders[i];
    return NULL;
}

unsigned cli_placeholder_offers(const char *text)
{
    unsigned offers = 0;
    const char *end = text + strcspn(text, " "), *run;
    size_t length;
    for (const char *cursor = text; next_run(&cursor, end, &run, &length);) {
        const struct cli_placeholder *found = is_upper(*run) ? find_placeholder(run, length) : NULL;
        offers |= found ? found->offers : is_upper(*run) ? 0 : CLI_OFFER_WORDS;
    }
    return offers;
}

const char *cli_usage_positional(const char *usage, size_t index, size_t *ret_length)
{
    const char *token = usage + strspn(usage, " ");
    for (size_t i = 0; *token && strncmp(token, "[--", 3) != 0; i++) {
        size_t length = strcspn(token, " ");
        bool repeats = length > 3 && memcmp(token + length - 3, "...", 3) == 0;
        repeats = repeats || (length > 4 && memcmp(token + length - 4, "...]", 4) == 0);
        if (i == index || (repeats && i < index)) {
            *ret_length = length;
            return token;
        }
        token += length;
        token += strspn(token, " ");
    }
    return NULL;
}

bool cli_placeholder_next_word(const char *text, const char **cursor, const char **ret_word, size_t *ret_length)
{
    const char *end = text + strcspn(text, " "), *run;
    size_t length;
    if (!*cursor)
        *cursor = text;
    while (next_run(cursor, end, &run, &length))
        if (!is_upper(*run)) {
            *ret_word = run;
            *ret_length = length;
            return true;
        }
    return false;
}

const char *cli_placeholder_unknown(const char *text)
{
    const char *end = text + strlen(text), *run;
    size_t length;
    for (const char *cursor = text; next_run(&cursor, end, &run, &length);)
        if (is_upper(*run) && !find_placeholder(run, length))
            return run;
    return NULL;
}
