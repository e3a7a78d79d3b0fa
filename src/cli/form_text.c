#include "cli/form_text.h"

#include <string.h>

#define TEXT_BYTES_MAX ((size_t)64 << 10)
#define FALLBACK_COLUMNS_MAX 24
#define EXAMPLES_MAX 3
#define VALUE_BYTES_MAX 200

/* Values as one would type them: texts without quotes. */
static void append_value(struct writ_buffer *out, const struct writ_json *value)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
    writ_buffer_init(&text, TEXT_BYTES_MAX);
    if (value->kind == WRIT_JSON_STRING && value->length == 0)
        writ_buffer_append_text(&text, "\"\"");
    else if (value->kind == WRIT_JSON_STRING)
        writ_buffer_append(&text, value->text, value->length);
    else
        writ_json_print(&text, value, WRIT_JSON_COMPACT);
    size_t length = text.length;
    if (length > VALUE_BYTES_MAX) {
        length = VALUE_BYTES_MAX;
        while (length > 0 && ((unsigned char)text.data[length] & 0xC0) == 0x80)
            length--;
    }
    writ_buffer_append(out, writ_buffer_text(&text), length);
    if (length < text.length || text.failed)
        writ_buffer_append_text(out, "…");
}

/* ---- what is taken ---- */

static void append_bound(struct writ_buffer *out, const struct writ_form_view *view, const char *keyword,
                         const char *words)
{
    const struct writ_json *bound = writ_form_view_get(view, keyword);
    if (!bound || !writ_json_is_number(bound))
        return;
    writ_buffer_append_text(out, words);
    append_value(out, bound);
}

static void append_counts(struct writ_buffer *out, const struct writ_form_view *view, const char *least,
                          const char *most, const char *unit)
{
    size_t minimum = writ_form_view_count(view, least, 0), maximum = writ_form_view_count(view, most, SIZE_MAX);
    if (minimum > 0 && minimum == maximum)
        writ_buffer_printf(out, " of %zu %s%s", minimum, unit, minimum == 1 ? "" : "s");
    else if (minimum > 0 && maximum < SIZE_MAX)
        writ_buffer_printf(out, " of %zu to %zu %ss", minimum, maximum, unit);
    else if (minimum > 1)
        writ_buffer_printf(out, " of at least %zu %ss", minimum, unit);
    else if (maximum < SIZE_MAX)
        writ_buffer_printf(out, " of at most %zu %s%s", maximum, unit, maximum == 1 ? "" : "s");
}

static void describe_text(const struct writ_form_view *view, struct writ_buffer *out)
{
    static const char *const formats[][2] = {{"date-time", "date and time, such as 2026-11-30T12:00:00Z"},
                                             {"date", "date, such as 2026-11-30"},
                                             {"time", "time, such as 12:00:00Z"},
                                             {"duration", "duration, such as P1DT2H"},
                                             {"email", "e-mail address"},
                                             {"hostname", "host name"},
                                             {"ipv4", "IPv4 address"},
                                             {"ipv6", "IPv6 address"},
                                             {"uri", "URI"},
                                             {"uuid", "UUID"},
                                             {"password", "password, which is not shown"}};
    const char *format = writ_form_view_text(view, "format"), *pattern = writ_form_view_text(view, "pattern"),
               *name = NULL;
    for (size_t i = 0; format && i < WRIT_COUNT(formats); i++)
        if (strcmp(format, formats[i][0]) == 0)
            name = formats[i][1];
    writ_buffer_append_text(out, name ? name : "text");
    append_counts(out, view, "minLength", "maxLength", "character");
    if (pattern)
        writ_buffer_printf(out, " that matches %s", pattern);
    if (!name && writ_json_is_true(writ_form_view_get(view, "writeOnly")))
        writ_buffer_append_text(out, ", which is not shown");
}

static void describe_number(const struct writ_form_view *view, struct writ_buffer *out)
{
    bool from = writ_form_view_get(view, "minimum") || writ_form_view_get(view, "exclusiveMinimum");
    append_bound(out, view, "minimum", " from ");
    append_bound(out, view, "exclusiveMinimum", " above ");
    append_bound(out, view, "maximum", from ? " to " : " up to ");
    append_bound(out, view, "exclusiveMaximum", from ? " and below " : " below ");
    append_bound(out, view, "multipleOf", ", a multiple of ");
}

void cli_question_describe(const struct writ_form_question *question, struct writ_buffer *out)
{
    unsigned types = writ_form_view_types(question->view);
    switch (question->kind) {
    case WRIT_FORM_QUESTION_TEXT:
        describe_text(question->view, out);
        break;
    case WRIT_FORM_QUESTION_INTEGER:
        writ_buffer_append_text(out, "whole number");
        describe_number(question->view, out);
        break;
    case WRIT_FORM_QUESTION_NUMBER:
        writ_buffer_append_text(out, "number");
        describe_number(question->view, out);
        break;
    case WRIT_FORM_QUESTION_BOOLEAN:
        writ_buffer_append_text(out, "yes or no");
        break;
    case WRIT_FORM_QUESTION_CHOICE:
        writ_buffer_append_text(out, "one of");
        break;
    case WRIT_FORM_QUESTION_MIXED:
        writ_buffer_append_text(out, "text, or JSON");
        break;
    case WRIT_FORM_QUESTION_JSON:
    default:
        writ_buffer_append_text(out, types == WRIT_FORM_TYPE_OBJECT ? "JSON object"
                                     : types == WRIT_FORM_TYPE_LIST ? "JSON list"
                                                                    : "JSON");
        break;
    }
}

/* ---- a question ---- */

/* Plain words, wrapped; whatever came from a schema in them is made safe by the printing. */
static void print_line(unsigned columns, const struct writ_buffer *text)
{
    if (text->length > 0)
        cli_print_wrapped(stderr, text->data, 2, columns);
}

/* A line end in a title would pass for a line of writ's own. */
static void append_line(struct writ_buffer *out, const char *text)
{
    for (; *text; text++)
        writ_buffer_append_byte(out, *text == '\n' || *text == '\t' ? ' ' : *text);
}

static void print_bold(const struct cli_terminal *terminal, const char *text)
{
    cli_style_begin(terminal, stderr, CLI_BOLD);
    cli_print_cut(stderr, text, 0, 0);
    cli_style_end(terminal, stderr, CLI_BOLD);
}

static void print_head(const struct cli_terminal *terminal, const char *label, const struct writ_form_view *view,
                       unsigned columns)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer line;
    const char *title = writ_form_view_text(view, "title"), *description = writ_form_view_text(view, "description");
    size_t used = cli_text_width(label, strlen(label));
    writ_buffer_init(&line, TEXT_BYTES_MAX);
    print_bold(terminal, label);
    if (title && used + 6 < columns) {
        (void)fputs(" - ", stderr);
        append_line(&line, title);
        cli_print_hanging(stderr, writ_buffer_text(&line), (unsigned)used + 3, columns);
    } else {
        (void)fputc('\n', stderr);
    }
    if (!description)
        return;
    writ_buffer_clear(&line);
    writ_buffer_append_text(&line, description);
    print_line(columns, &line);
}

static void append_examples(struct writ_buffer *out, const struct writ_form_question *question)
{
    const struct writ_json *examples = writ_form_view_get(question->view, "examples");
    const struct writ_json *example = writ_form_view_get(question->view, "example");
    size_t count = 0;
    if (question->secret || question->kind == WRIT_FORM_QUESTION_CHOICE || question->kind == WRIT_FORM_QUESTION_BOOLEAN)
        return;
    if (examples && examples->kind == WRIT_JSON_ARRAY) {
        WRIT_JSON_EACH_ITEM(item, examples)
        {
            if (count < EXAMPLES_MAX) {
                writ_buffer_append_text(out, count++ > 0 ? ", " : "; for example ");
                append_value(out, item);
            }
        }
    } else if (example) {
        writ_buffer_append_text(out, "; for example ");
        append_value(out, example);
    }
}

static void print_choices(const struct writ_form_question *question, unsigned columns)
{
    for (size_t i = 0; i < question->choice_count; i++) {
        const struct writ_form_choice *choice = &question->choices[i];
        WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer line;
        unsigned indent = 4;
        writ_buffer_init(&line, TEXT_BYTES_MAX);
        if (question->choices_by_number)
            indent += (unsigned)fprintf(stderr, "    %zu  ", i + 1) - 4;
        else
            (void)fputs("    ", stderr);
        append_line(&line, choice->text[0] ? choice->text : "\"\"");
        if (choice->meaning) {
            writ_buffer_append_text(&line, " - ");
            append_line(&line, choice->meaning);
        }
        cli_print_hanging(stderr, writ_buffer_text(&line), indent, columns);
    }
}

void cli_question_print(const struct cli_terminal *terminal, const struct writ_form_question *question,
                        unsigned columns)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer line;
    writ_buffer_init(&line, TEXT_BYTES_MAX);
    bool is_element = question->ends_list && question->purpose == WRIT_FORM_ASK_VALUE;
    /* One line an element is enough once the first was asked for. */
    if (is_element && question->index > 0 && !question->note)
        return;
    (void)fputc('\n', stderr);
    if (question->section)
        print_head(terminal, question->section, question->section_view, columns);
    if (!is_element || writ_form_view_get(question->view, "title") || writ_form_view_get(question->view, "description"))
        print_head(terminal, question->label[0] ? question->label : "the input", question->view, columns);
    bool goes_without = question->fallback || !question->required;
    switch (question->purpose) {
    case WRIT_FORM_ASK_WHETHER:
        writ_buffer_append_text(&line, "optional, with fields of its own");
        break;
    case WRIT_FORM_ASK_MORE:
        writ_buffer_printf(&line, "element %zu of a list", question->index + 1);
        break;
    case WRIT_FORM_ASK_BRANCH:
        writ_buffer_printf(&line, "%s, one of", goes_without ? "optional" : "required");
        break;
    case WRIT_FORM_ASK_VALUE:
    default:
        if (is_element)
            writ_buffer_append_text(&line, "one element after the other, Enter ends the list; each ");
        else
            writ_buffer_append_text(&line, question->required ? "required, " : "optional, ");
        cli_question_describe(question, &line);
        append_examples(&line, question);
        break;
    }
    if (question->choice_count > 0)
        writ_buffer_append_byte(&line, ':');
    print_line(columns, &line);
    print_choices(question, columns);
    if (question->note) {
        writ_buffer_clear(&line);
        writ_buffer_printf(&line, "The value that was given %s.", question->note);
        print_line(columns, &line);
    }
}

void cli_question_prompt(const struct writ_form_question *question, struct writ_buffer *out)
{
    const struct writ_json *fallback = question->fallback;
    bool yes = fallback && fallback->kind == WRIT_JSON_TRUE, no = fallback && fallback->kind == WRIT_JSON_FALSE;
    if (question->purpose == WRIT_FORM_ASK_WHETHER)
        writ_buffer_printf(out, "Fill in %s? [y/N] ", question->label);
    else if (question->purpose == WRIT_FORM_ASK_MORE)
        writ_buffer_printf(out, "Add %s? [%s] ", question->label, yes ? "Y/n" : "y/N");
    else
        append_line(out, question->label[0] ? question->label : "input");
    if (question->purpose == WRIT_FORM_ASK_WHETHER || question->purpose == WRIT_FORM_ASK_MORE)
        return;
    if (question->kind == WRIT_FORM_QUESTION_BOOLEAN) {
        writ_buffer_printf(out, " [%s]", yes ? "Y/n" : no ? "y/N" : "y/n");
    } else if (fallback && question->secret) {
        writ_buffer_append_text(out, " [default]");
    } else if (fallback) {
        WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer value;
        writ_buffer_init(&value, TEXT_BYTES_MAX);
        append_value(&value, fallback);
        if (cli_text_width(writ_buffer_text(&value), value.length) <= FALLBACK_COLUMNS_MAX)
            writ_buffer_printf(out, " [%s]", writ_buffer_text(&value));
        else
            writ_buffer_append_text(out, " [default]");
    }
    writ_buffer_append_text(out, "> ");
}
