#include "form/answer.h"

#include "base/text.h"

#include <string.h>

#define ANSWER_BYTES_MAX ((size_t)16 << 20)
#define NAMES_MAX 64
#define NAME_BYTES_MAX 64

#define LINES_WORD "\"\"\""

/* A line that is the word, maybe with backslashes before it: how many to `*ret_slashes`. */
static bool is_form_word(const char *line, size_t length, const char *word, size_t *ret_slashes)
{
    size_t word_length = strlen(word);
    if (length < word_length || memcmp(line + length - word_length, word, word_length) != 0)
        return false;
    *ret_slashes = length - word_length;
    return strspn(line, "\\") >= *ret_slashes;
}

enum writ_form_word writ_form_word(const char *line, size_t length, size_t *ret_skip)
{
    static const struct {
        const char *text;
        enum writ_form_word word;
    } words[] = {{"<", WRIT_FORM_WORD_BACK},
                 {"\\q", WRIT_FORM_WORD_QUIT},
                 {"\\?", WRIT_FORM_WORD_HELP},
                 {LINES_WORD, WRIT_FORM_WORD_LINES},
                 {"\"\"", WRIT_FORM_WORD_EMPTY}};
    *ret_skip = 0;
    for (size_t i = 0, slashes; i < WRIT_COUNT(words); i++)
        if (is_form_word(line, length, words[i].text, &slashes)) {
            *ret_skip = slashes > 0;
            return slashes > 0 ? WRIT_FORM_WORD_TEXT : words[i].word;
        }
    return WRIT_FORM_WORD_TEXT;
}

enum writ_form_word writ_form_word_within(const char *line, size_t length, size_t *ret_skip)
{
    size_t slashes = 0;
    bool is_word = is_form_word(line, length, LINES_WORD, &slashes);
    *ret_skip = is_word && slashes > 0;
    return is_word && slashes == 0 ? WRIT_FORM_WORD_LINES : WRIT_FORM_WORD_TEXT;
}

static int parse(struct writ_arena *arena, const char *text, size_t length, const struct writ_json **ret_value,
                 struct writ_error *error)
{
    int result = writ_json_parse(arena, text, length, ret_value, error);
    if (result != WRIT_DATA_SYNTAX)
        return result;
    unsigned column = error->column, line = error->line;
    error->code = WRIT_INPUT_INVALID;
    if (line > 1)
        return writ_error_wrap(error, "must be JSON, but is not at line %u, column %u", line, column);
    return writ_error_wrap(error, "must be JSON, but is not at column %u", column);
}

static int read_text(struct writ_arena *arena, const char *text, size_t length, const struct writ_json **ret_value,
                     struct writ_error *error)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer json;
    writ_buffer_init_secret(&json, 8 * ANSWER_BYTES_MAX);
    writ_json_print_string(&json, text, length);
    if (json.failed)
        return writ_error_memory(error);
    return writ_json_parse(arena, writ_buffer_text(&json), json.length, ret_value, error);
}

static int read_number(const struct writ_form_question *question, struct writ_arena *arena, const char *text,
                       size_t length, const struct writ_json **ret_value, struct writ_error *error)
{
    bool whole = question->kind == WRIT_FORM_QUESTION_INTEGER;
    if (length > 1 && text[0] == '+') {
        text++;
        length--;
    }
    int result = writ_json_parse(arena, text, length, ret_value, error);
    if (result < 0 && result != WRIT_DATA_SYNTAX)
        return result;
    if (result < 0 || !writ_json_is_number(*ret_value))
        return writ_error_set(error, WRIT_INPUT_INVALID,
                              whole ? "must be a whole number, such as 5 or -12"
                                    : "must be a number, such as 5, -0.5 or 1e6");
    if (whole && !writ_json_is_integral(*ret_value))
        return writ_error_set(error, WRIT_INPUT_INVALID, "must be a whole number, without a fraction");
    return 0;
}

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && strncasecmp(text, word, length) == 0;
}

static int read_boolean(struct writ_arena *arena, const char *text, size_t length, const struct writ_json **ret_value,
                        struct writ_error *error)
{
    static const char *const words[][2] = {{"y", "n"}, {"yes", "no"}, {"true", "false"}};
    for (size_t i = 0; i < WRIT_COUNT(words); i++)
        for (size_t no = 0; no < 2; no++)
            if (is_word(text, length, words[i][no]))
                return writ_json_parse(arena, no ? "false" : "true", no ? 5 : 4, ret_value, error);
    return writ_error_set(error, WRIT_INPUT_INVALID, "must be answered with y or n");
}

/* The number that a text is, or 0. */
static size_t place_of(const char *text, size_t length)
{
    size_t number = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9' || i == 6)
            return 0;
        number = number * 10 + (size_t)(text[i] - '0');
    }
    return number;
}

static int no_choice(const struct writ_form_question *question, const char *text, size_t length,
                     struct writ_error *error)
{
    const char *names[NAMES_MAX];
    size_t count = 0;
    char typed[NAME_BYTES_MAX];
    while (count < question->choice_count && count < NAMES_MAX) {
        names[count] = question->choices[count].text;
        count++;
    }
    (void)snprintf(typed, sizeof typed, "%.*s", (int)(length < sizeof typed ? length : sizeof typed - 1), text);
    const char *nearest = writ_nearest_name(typed, names, count);
    if (nearest)
        return writ_error_set(error, WRIT_INPUT_INVALID, "must be one of the choices; did you mean %s?", nearest);
    return writ_error_set(error, WRIT_INPUT_INVALID, "must be one of the choices, by its text%s",
                          question->choices_by_number ? " or its number" : "");
}

/* The whole text, then the number, then a beginning that only one has. */
static int find_choice(const struct writ_form_question *question, const char *text, size_t length, size_t *ret_choice,
                       struct writ_error *error)
{
    size_t found = 0, beginnings = 0, place = place_of(text, length);
    bool is_number = place > 0 && question->choices_by_number, may_begin = question->choices_by_number || place == 0;
    for (size_t i = 0; i < question->choice_count; i++) {
        const char *choice = question->choices[i].text;
        if (strlen(choice) == length && memcmp(choice, text, length) == 0) {
            *ret_choice = i;
            return 0;
        }
        if (length > 0 && may_begin && strncasecmp(choice, text, length) == 0) {
            found = i;
            beginnings++;
        }
    }
    if (is_number && place <= question->choice_count) {
        *ret_choice = place - 1;
        return 0;
    }
    if (beginnings > 1)
        return writ_error_set(error, WRIT_INPUT_INVALID, "must be one choice, and %zu begin so; type more of it",
                              beginnings);
    if (beginnings == 0)
        return no_choice(question, text, length, error);
    *ret_choice = found;
    return 0;
}

/* Enter alone. */
static int read_nothing(const struct writ_form_question *question, struct writ_form_answer *ret_answer,
                        struct writ_error *error)
{
    *ret_answer = (struct writ_form_answer){.kind = WRIT_FORM_ANSWER_NONE};
    if (question->ends_list && question->index < question->items_min && (question->index > 0 || question->required))
        return writ_error_set(error, WRIT_INPUT_INVALID, "is required: the list must have at least %zu element%s",
                              question->items_min, question->items_min == 1 ? "" : "s");
    if (question->fallback)
        *ret_answer = (struct writ_form_answer){.kind = WRIT_FORM_ANSWER_VALUE, .value = question->fallback};
    else if (!question->ends_list && question->required)
        return writ_error_set(error, WRIT_INPUT_INVALID,
                              question->kind == WRIT_FORM_QUESTION_TEXT && !question->secret
                                  ? "is required; \"\" stands for an empty text"
                                  : "is required");
    return 0;
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

static unsigned type_of(const struct writ_json *value)
{
    switch ((enum writ_json_kind)value->kind) {
    case WRIT_JSON_NULL:
        return WRIT_FORM_TYPE_NULL;
    case WRIT_JSON_FALSE:
    case WRIT_JSON_TRUE:
        return WRIT_FORM_TYPE_BOOLEAN;
    case WRIT_JSON_STRING:
        return WRIT_FORM_TYPE_TEXT;
    case WRIT_JSON_ARRAY:
        return WRIT_FORM_TYPE_LIST;
    case WRIT_JSON_OBJECT:
        return WRIT_FORM_TYPE_OBJECT;
    case WRIT_JSON_INTEGER:
    case WRIT_JSON_DECIMAL:
    default:
        return WRIT_FORM_TYPE_NUMBER | WRIT_FORM_TYPE_INTEGER;
    }
}

/* What is JSON of a type that fits is that; all else is a text. */
static int read_mixed(const struct writ_form_question *question, struct writ_arena *arena, const char *text,
                      size_t length, const struct writ_json **ret_value, struct writ_error *error)
{
    int result = writ_json_parse(arena, text, length, ret_value, error);
    if (result == 0 && (type_of(*ret_value) & writ_form_view_types(question->view)))
        return 0;
    return result < 0 && result != WRIT_DATA_SYNTAX ? result : read_text(arena, text, length, ret_value, error);
}

static int read_trimmed(const struct writ_form_question *question, struct writ_arena *arena, const char *text,
                        size_t length, struct writ_form_answer *answer, struct writ_error *error)
{
    int result;
    for (; length > 0 && is_blank(text[0]); length--)
        text++;
    while (length > 0 && is_blank(text[length - 1]))
        length--;
    switch (question->kind) {
    case WRIT_FORM_QUESTION_INTEGER:
    case WRIT_FORM_QUESTION_NUMBER:
        return read_number(question, arena, text, length, &answer->value, error);
    case WRIT_FORM_QUESTION_BOOLEAN:
        return read_boolean(arena, text, length, &answer->value, error);
    case WRIT_FORM_QUESTION_MIXED:
        return read_mixed(question, arena, text, length, &answer->value, error);
    case WRIT_FORM_QUESTION_CHOICE:
        result = find_choice(question, text, length, &answer->choice, error);
        if (result == 0)
            answer->value = question->choices[answer->choice].value;
        answer->kind = answer->value ? WRIT_FORM_ANSWER_VALUE : WRIT_FORM_ANSWER_CHOICE;
        return result;
    case WRIT_FORM_QUESTION_TEXT:
    case WRIT_FORM_QUESTION_JSON:
    default:
        return parse(arena, text, length, &answer->value, error);
    }
}

int writ_form_answer_read(const struct writ_form_question *question, const char *text, size_t length,
                          struct writ_arena *arena, struct writ_form_answer *ret_answer, struct writ_error *error)
{
    struct writ_form_answer answer = {.kind = WRIT_FORM_ANSWER_VALUE};
    int result;
    if (!text)
        return read_nothing(question, ret_answer, error);
    if (length > ANSWER_BYTES_MAX)
        return writ_error_set(error, WRIT_INPUT_INVALID, "must be no larger than 16 MiB; use --input FILE");
    if (!writ_utf8_is_valid(text, length))
        return writ_error_set(error, WRIT_INPUT_INVALID, "must be UTF-8, which a terminal set to it sends");
    if (question->kind == WRIT_FORM_QUESTION_TEXT)
        result = read_text(arena, text, length, &answer.value, error);
    else
        result = read_trimmed(question, arena, text, length, &answer, error);
    if (result == 0)
        *ret_answer = answer;
    return result;
}
