/*
 * libyaml tells which rule of its grammar was broken; people want to know what they wrote and how to mend it.  The
 * table goes from one to the other.  Its left side are libyaml 0.2's own words: a version that changes them falls to
 * the last sentence, which passes them on.
 */
#include "data/yaml_explain.h"

#include <stdbool.h>
#include <string.h>

enum focus {
    AT_PROBLEM, /* where the parser stopped */
    AT_CONTEXT, /* where the thing that it was reading began */
};

struct explanation {
    const char *problem; /* begins with */
    const char *context; /* begins with; NULL: any */
    enum focus focus;
    const char *sentence;
    bool wants_line; /* the sentence ends with the line where the context began */
};

#define QUOTE "put the whole value in quotes"
static const struct explanation explanations[] = {
    {"found character that cannot start any token", NULL, AT_PROBLEM, "a value cannot begin like this: " QUOTE, false},
    {"mapping values are not allowed", NULL, AT_PROBLEM,
     "a colon with a space behind it makes a mapping, and none can begin here: " QUOTE
     ", or begin the mapping on a line of its own",
     false},
    {"found a tab character", NULL, AT_PROBLEM, "a tab cannot stand here: indent with spaces", false},
    {"did not find expected alphabetic or numeric character", "while scanning an alias", AT_CONTEXT,
     "a value cannot begin with `*`: " QUOTE ", or write `- ` for a list item", false},
    {"did not find expected alphabetic or numeric character", "while scanning an anchor", AT_CONTEXT,
     "a value cannot begin with `&`: " QUOTE, false},
    {"did not find expected key", NULL, AT_PROBLEM,
     "this goes on with no mapping: indent it like those that it belongs to; the mapping around it begins in line",
     true},
    {"did not find expected '-' indicator", NULL, AT_PROBLEM,
     "this goes on with no list: give it a `- ` and the indentation of its neighbours; the list around it begins in "
     "line",
     true},
    {"did not find expected ',' or ']'", NULL, AT_PROBLEM,
     "a comma or `]` is due here to go on with or end the list that begins in line", true},
    {"did not find expected ',' or '}'", NULL, AT_PROBLEM,
     "a comma or `}` is due here to go on with or end the mapping that begins in line", true},
    {"found unexpected end of stream", "while scanning a quoted scalar", AT_CONTEXT,
     "the quoted text that begins here is not closed: add the quotation mark", false},
    {"found unexpected document indicator", NULL, AT_CONTEXT,
     "the quoted text that begins here is not closed before a line `---` or `...`: add the quotation mark", false},
    {"could not find expected ':'", NULL, AT_CONTEXT,
     "a key without a colon begins here: write it as in `key: value`, or put the text in quotes", false},
    {"block sequence entries are not allowed", NULL, AT_PROBLEM,
     "a list item cannot begin here: begin it on a line of its own, or " QUOTE, false},
    {"mapping keys are not allowed", NULL, AT_PROBLEM, "a value cannot begin with `? `: " QUOTE, false},
    {"found unknown escape character", NULL, AT_PROBLEM,
     "this makes no escape of a double-quoted text: write `\\\\` for a backslash, or use single quotes", false},
    {"did not find expected hexdecimal number", NULL, AT_PROBLEM,
     "hexadecimal digits are due here: 2 behind `\\x`, 4 behind `\\u`, 8 behind `\\U`", false},
    {"found invalid Unicode character escape code", NULL, AT_PROBLEM,
     "this escape names no character: write the character itself", false},
    {"did not find expected node content", NULL, AT_PROBLEM,
     "a value is due here, but none can begin like this: add it, or " QUOTE, false},
    {"did not find expected <document start>", NULL, AT_PROBLEM,
     "the document has ended before this place: remove what follows, or mend the indentation", false},
    {"did not find expected comment or line break", "while scanning a block scalar", AT_PROBLEM,
     "text cannot stand behind `|` or `>`: begin it on the next line, or " QUOTE, false},
    {"found an indentation indicator equal to 0", NULL, AT_PROBLEM,
     "the indentation behind `|` or `>` is a number from 1 to 9: leave it out", false},
    {"found unexpected ':'", NULL, AT_PROBLEM, "a colon cannot stand here: " QUOTE, false},
    {"", "while scanning a directive", AT_CONTEXT, "directives are not used here: remove the line, or " QUOTE, false},
    {"", "while scanning a %", AT_CONTEXT, "directives are not used here: remove the line", false},
    {"", "while parsing a %", AT_CONTEXT, "directives are not used here: remove the line", false},
    {"", "while scanning a tag", AT_CONTEXT, "tags are not used here: remove it, or " QUOTE, false},
    {"", "while parsing a tag", AT_CONTEXT, "tags are not used here: remove it, or " QUOTE, false},
    {"found undefined tag handle", NULL, AT_PROBLEM, "tags are not used here: remove it, or " QUOTE, false},
};

static bool begins_with(const char *text, const char *head)
{
    return strncmp(text, head, strlen(head)) == 0;
}

size_t yaml_mark_offset(const yaml_mark_t *mark, const char *text, size_t length)
{
    size_t offset = 0;
    for (size_t characters = 0; offset < length && characters < mark->index; characters++)
        do
            offset++;
        while (offset < length && ((unsigned char)text[offset] & 0xC0) == 0x80);
    return offset;
}

/* Where one rule covers several mistakes the text at the mark tells them apart: the sentence, or NULL.  `at` is within
 * the text or at its end, `byte` what stands there. */
static const char *sentence_for_byte(const char *problem, const char *text, size_t at, char byte)
{
    if (begins_with(problem, "found character that cannot start any token"))
        return byte == '\t'  ? "a tab cannot stand here: indent with spaces"
               : byte == '@' ? "a value cannot begin with `@`: " QUOTE
               : byte == '%' ? "a value cannot begin with `%`: " QUOTE
               : byte == '`' ? "a value cannot begin with a backtick: " QUOTE
                             : NULL;
    if (begins_with(problem, "could not find expected ':'"))
        return byte == '-' ? "a list item needs a space behind its `-`: add it, or put the text in quotes" : NULL;
    if (!begins_with(problem, "did not find expected key") && !begins_with(problem, "did not find expected '-'"))
        return NULL;
    if (byte == ':')
        return "a key is missing before the colon: add it, or put the text in quotes";
    while (at > 0 && text[at - 1] == ' ')
        at--;
    if (at > 0 && text[at - 1] != '\n')
        return "text follows behind a closing quotation mark or bracket: " QUOTE
               ", and a quotation mark inside twice (`''`)";
    return NULL;
}

yaml_mark_t yaml_explain_failure(const yaml_parser_t *parser, const char *text, size_t length, struct writ_error *error)
{
    const char *problem = parser->problem ? parser->problem : "not well-formed";
    const char *context = parser->context ? parser->context : "";
    for (size_t i = 0; i < WRIT_COUNT(explanations); i++) {
        const struct explanation *row = &explanations[i];
        if (!begins_with(problem, row->problem) || (row->context && !begins_with(context, row->context)))
            continue;
        yaml_mark_t mark = row->focus == AT_CONTEXT ? parser->context_mark : parser->problem_mark;
        size_t at = yaml_mark_offset(&mark, text, length);
        const char *sentence = sentence_for_byte(problem, text, at, at < length ? text[at] : '\0');
        if (sentence)
            (void)writ_error_set(error, WRIT_DATA_SYNTAX, "%s", sentence);
        else if (row->wants_line)
            (void)writ_error_set(error, WRIT_DATA_SYNTAX, "%s %zu", row->sentence, parser->context_mark.line + 1);
        else
            (void)writ_error_set(error, WRIT_DATA_SYNTAX, "%s", row->sentence);
        return mark;
    }
    (void)writ_error_set(error, WRIT_DATA_SYNTAX, "%s%s%s: mend the indentation or the quotes of this line", problem,
                         *context ? " " : "", context);
    return parser->problem_mark;
}
