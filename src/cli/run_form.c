#include "cli/run_form.h"

#include "cli/form_text.h"
#include "cli/keyboard.h"
#include "cli/path_completion.h"
#include "cli/shell_quote.h"
#include "form/answer.h"
#include "form/form.h"
#include "form/secret.h"

#include <string.h>
#include <sys/resource.h>

#define INPUT_BYTES_MAX (((size_t)16 << 20) + 1)
#define ARENA_BYTES_MAX ((size_t)256 << 20)
#define PROMPT_BYTES_MAX 4096
/* An argument of a program may have 128 KiB. */
#define COMMAND_BYTES_MAX ((size_t)120 << 10)

struct session {
    const struct cli_context *context;
    const struct cli_arguments *arguments;
    const struct writ_contract *contract;
    struct writ_form *form;
    struct cli_keyboard keyboard;
    struct writ_error *error;
};

bool cli_run_form_is_possible(const struct cli_context *context)
{
    return context->terminal.err_is_terminal && isatty(STDIN_FILENO) == 1;
}

static int leave(struct session *session)
{
    return writ_error_set(session->error, WRIT_INTERRUPTED, "the form was left; nothing was run");
}

static void print_help(unsigned columns)
{
    static const char *const lines[] = {
        "Enter alone takes what stands in brackets, leaves an optional field out, and ends a list.",
        "<  goes back to the question before",
        "\\q  leaves the form, as Ctrl-C and Ctrl-D do; nothing is run",
        "\\?  this text and the question again",
        "\"\"  an empty text",
        "\"\"\"  begins a text of several lines, which ends with a line of the same",
        "A text that is one of these is written with a backslash in front: \\<",
    };
    (void)fputc('\n', stderr);
    for (size_t i = 0; i < WRIT_COUNT(lines); i++)
        cli_print_wrapped(stderr, lines[i], 2, columns);
}

/* `size must be …`, `the input: the property …`. */
static void print_fault(const char *place, const char *message)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer line;
    bool goes_on =
        strncmp(message, "must ", 5) == 0 || strncmp(message, "is ", 3) == 0 || strncmp(message, "at ", 3) == 0;
    writ_buffer_init(&line, (size_t)64 << 10);
    writ_buffer_printf(&line, "%s%s %s", place[0] ? place : "the input", goes_on ? "" : ":", message);
    cli_print_wrapped(stderr, writ_buffer_text(&line), 2, cli_keyboard_columns());
}

static void complete_path(void *context, const char *before, size_t length, struct writ_buffer *ret_text,
                          struct writ_buffer *ret_listing)
{
    const struct session *session = context;
    cli_path_complete(session->context->places.working, before, length, ret_text, ret_listing);
}

/* ---- one answer ---- */

/* Lines up to the one that ends them. */
static enum cli_reading read_lines(struct session *session, bool hidden, struct writ_buffer *text)
{
    const struct cli_keyboard_line wanted = {.prompt = "... ", .hidden = hidden};
    for (bool first = true;; first = false) {
        WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer line;
        size_t skip;
        writ_buffer_init_secret(&line, INPUT_BYTES_MAX);
        enum cli_reading reading = cli_keyboard_read(&session->keyboard, &wanted, &line);
        if (reading != CLI_READ_LINE)
            return reading;
        if (writ_form_word_within(writ_buffer_text(&line), line.length, &skip) == WRIT_FORM_WORD_LINES)
            return CLI_READ_LINE;
        if (!first)
            writ_buffer_append_byte(text, '\n');
        writ_buffer_append(text, writ_buffer_text(&line) + skip, line.length - skip);
    }
}

/* What the person typed, and what it is; CLI_READ_LINE with `*ret_word` TEXT or EMPTY is an answer. */
static enum cli_reading read_answer(struct session *session, const struct writ_form_question *question,
                                    struct writ_buffer *text, enum writ_form_word *ret_word)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer prompt;
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer line;
    size_t skip;
    writ_buffer_init(&prompt, PROMPT_BYTES_MAX);
    writ_buffer_init_secret(&line, INPUT_BYTES_MAX);
    cli_question_prompt(question, &prompt);
    const struct cli_keyboard_line wanted = {.prompt = writ_buffer_text(&prompt),
                                             .hidden = question->secret,
                                             .complete = question->is_path ? complete_path : NULL,
                                             .context = session};
    enum cli_reading reading = cli_keyboard_read(&session->keyboard, &wanted, &line);
    if (reading != CLI_READ_LINE)
        return reading;
    *ret_word = writ_form_word(writ_buffer_text(&line), line.length, &skip);
    if (*ret_word == WRIT_FORM_WORD_TEXT)
        writ_buffer_append(text, writ_buffer_text(&line) + skip, line.length - skip);
    if (*ret_word == WRIT_FORM_WORD_LINES) {
        reading = read_lines(session, question->secret, text);
        *ret_word = text->length > 0 ? WRIT_FORM_WORD_TEXT : WRIT_FORM_WORD_EMPTY;
    }
    return reading;
}

/* Asks the present question until it is answered; goes back when that is wanted.  0, or an error. */
static int ask_question(struct session *session)
{
    const struct writ_form_question *question = writ_form_question(session->form);
    bool moved = false;
    cli_question_print(&session->context->terminal, question, cli_keyboard_columns());
    for (;;) {
        WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
        enum writ_form_word word;
        writ_buffer_init_secret(&text, INPUT_BYTES_MAX);
        enum cli_reading reading = read_answer(session, question, &text, &word);
        if (reading == CLI_READ_OVERFLOWED) {
            (void)fputs("  That line is too long; use --input FILE.\n", stderr);
            continue;
        }
        if (reading != CLI_READ_LINE || word == WRIT_FORM_WORD_QUIT)
            return leave(session);
        if (word == WRIT_FORM_WORD_HELP) {
            print_help(cli_keyboard_columns());
            cli_question_print(&session->context->terminal, question, cli_keyboard_columns());
            continue;
        }
        if (word == WRIT_FORM_WORD_BACK) {
            int result = writ_form_back(session->form, &moved, session->error);
            if (result < 0 || moved)
                return result;
            (void)fputs("  This is the first question.\n", stderr);
            continue;
        }
        bool nothing = word == WRIT_FORM_WORD_TEXT && text.length == 0;
        int result =
            writ_form_answer(session->form, nothing ? NULL : writ_buffer_text(&text), text.length, session->error);
        if (result != WRIT_INPUT_INVALID)
            return result;
        print_fault(question->label, session->error->message);
    }
}

/* ---- the end ---- */

static void tell_faults(const struct writ_schema_faults *faults)
{
    (void)fputs("\nTogether the answers are not what the skill takes:\n", stderr);
    for (size_t i = 0; i < faults->count; i++)
        print_fault(faults->items[i].instance_pointer, faults->items[i].message);
}

/* Checks the whole.  `*ret_again`: the form asks again for what is at fault.  INPUT_INVALID when it cannot mend that.
 */
static int check_whole(struct session *session, bool *ret_again)
{
    struct writ_arena arena;
    struct writ_schema_faults faults;
    *ret_again = false;
    writ_arena_init_secret(&arena, ARENA_BYTES_MAX);
    int result = writ_form_check(session->form, &arena, &faults, session->error);
    if (result == 0 && faults.count > 0) {
        tell_faults(&faults);
        for (size_t i = 0; result == 0 && i < faults.count; i++) {
            bool reopened;
            result = writ_form_reopen(session->form, &faults.items[i], &reopened, session->error);
            *ret_again = *ret_again || reopened;
        }
        if (result == 0 && !*ret_again)
            result = writ_error_set(session->error, WRIT_INPUT_INVALID,
                                    "the input is not what the skill takes, and no answer of the form can change that");
    }
    writ_arena_clear(&arena);
    return result;
}

static void append_word(struct writ_buffer *out, const char *word)
{
    writ_buffer_append_byte(out, ' ');
    cli_shell_quote(out, word, strlen(word));
}

/* The command that makes the same call without a question. */
static int print_command(struct session *session)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer json;
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer printable;
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer command;
    const char *folders[CLI_VALUES_MAX];
    size_t count = cli_option_all(session->arguments, "skills", folders, CLI_VALUES_MAX);
    writ_buffer_init(&json, INPUT_BYTES_MAX);
    writ_buffer_init(&printable, 6 * INPUT_BYTES_MAX);
    writ_buffer_init(&command, 8 * INPUT_BYTES_MAX);
    int result = writ_form_print(session->form, WRIT_FORM_REPEATED, WRIT_JSON_COMPACT, &json, session->error);
    if (result < 0)
        return result;
    cli_json_make_printable(&printable, writ_buffer_text(&json), json.length);
    writ_buffer_append_text(&command, "writ run");
    for (size_t i = 0; i < count; i++) {
        append_word(&command, "--skills");
        append_word(&command, folders[i]);
    }
    append_word(&command, session->arguments->positionals[0]);
    if (cli_option_is_set(session->arguments, "explain"))
        append_word(&command, "--explain");
    append_word(&command, "--input");
    append_word(&command, writ_buffer_text(&printable));
    if (printable.failed || command.failed)
        return writ_error_memory(session->error);
    if (printable.length > COMMAND_BYTES_MAX) {
        (void)fputs("\nTo repeat it, save the input in a file and name that with --input FILE.\n", stderr);
        return 0;
    }
    (void)fputs("\nThe same without questions:\n  ", stderr);
    cli_print_safe_text(stderr, writ_buffer_text(&command));
    (void)fputc('\n', stderr);
    if (writ_form_secret_count(session->form) > 0)
        cli_print_wrapped(stderr, "What is hidden is not in it; it is asked for again when it is required.", 2,
                          cli_keyboard_columns());
    return 0;
}

static int print_input(struct session *session)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer shown;
    writ_buffer_init(&shown, 4 * INPUT_BYTES_MAX);
    int result = writ_form_print(session->form, WRIT_FORM_SHOWN, WRIT_JSON_INDENTED, &shown, session->error);
    if (result < 0)
        return result;
    (void)fputs("\nThe input:\n", stderr);
    cli_print_safe(stderr, writ_buffer_text(&shown), shown.length);
    (void)fputc('\n', stderr);
    return print_command(session);
}

/* Shows what will be run.  `*ret_again`: the person went back. */
static int confirm(struct session *session, bool *ret_again)
{
    const struct cli_keyboard_line wanted = {.prompt = "Run it? [Y/n] "};
    int result = print_input(session);
    *ret_again = false;
    if (result < 0 || cli_option_is_set(session->arguments, "explain"))
        return result;
    (void)fputc('\n', stderr);
    for (;;) {
        WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer line;
        writ_buffer_init(&line, PROMPT_BYTES_MAX);
        enum cli_reading reading = cli_keyboard_read(&session->keyboard, &wanted, &line);
        const char *said = writ_buffer_text(&line);
        if ((reading != CLI_READ_LINE && reading != CLI_READ_OVERFLOWED) || strcmp(said, "\\q") == 0 ||
            strcasecmp(said, "n") == 0 || strcasecmp(said, "no") == 0)
            return leave(session);
        if (reading == CLI_READ_LINE && (!said[0] || strcasecmp(said, "y") == 0 || strcasecmp(said, "yes") == 0))
            return 0;
        if (strcmp(said, "<") == 0) {
            result = writ_form_back(session->form, ret_again, session->error);
            if (result < 0 || *ret_again)
                return result;
        }
        (void)fputs("  y or Enter runs it, n does not, < goes back to the last question.\n", stderr);
    }
}

static int go_through(struct session *session)
{
    bool again = true;
    while (again) {
        int result = 0;
        while (result == 0 && writ_form_question(session->form))
            result = ask_question(session);
        if (result == 0)
            result = check_whole(session, &again);
        if (result == 0 && !again)
            result = confirm(session, &again);
        if (result < 0)
            return result;
    }
    return 0;
}

static void print_opening(const struct writ_contract *contract, bool only_missing)
{
    unsigned columns = cli_keyboard_columns();
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer line;
    writ_buffer_init(&line, (size_t)64 << 10);
    writ_buffer_printf(&line, "%s %s - %s", contract->id, contract->version_text, contract->name);
    cli_print_cut(stderr, writ_buffer_text(&line), columns - 1, 0);
    (void)fputc('\n', stderr);
    cli_print_wrapped(stderr,
                      only_missing
                          ? "Required fields are missing. Enter takes what stands in brackets; < goes back, \\? "
                            "tells more, \\q leaves."
                          : "Enter takes what stands in brackets, or leaves an optional field out; < goes back, "
                            "\\? tells more, \\q leaves.",
                      0, columns);
}

/* Whether asking can help.  What is given and does not fit at all is for the call to tell, before anything is asked. */
static bool can_help(const struct writ_schema_faults *faults, bool only_missing)
{
    bool lacks = false, strange = false;
    for (size_t i = 0; i < faults->count; i++) {
        const char *keyword = faults->items[i].keyword;
        bool missing = strcmp(keyword, "required") == 0 || strcmp(keyword, "dependentRequired") == 0;
        lacks = lacks || missing;
        strange = strange || strcmp(keyword, "additionalProperties") == 0 ||
                  strcmp(keyword, "unevaluatedProperties") == 0 || (only_missing && !missing);
    }
    return !strange && (lacks || !only_missing);
}

/* The input as it is, with its defaults, against the schema.  False also when there is none that could be added to. */
static int judge(const struct writ_contract *contract, const struct writ_buffer *input, bool only_missing,
                 struct writ_arena *arena, const struct writ_json **ret_before, bool *ret_asks,
                 struct writ_error *error)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer filled;
    const struct writ_json *document;
    struct writ_schema_faults faults;
    *ret_asks = false;
    writ_buffer_init_secret(&filled, 2 * INPUT_BYTES_MAX);
    int result = writ_json_parse(arena, writ_buffer_text(input), input->length, ret_before, error);
    if (result < 0 || (*ret_before)->kind != WRIT_JSON_OBJECT)
        return result == WRIT_INTERNAL_MEMORY ? result : 0; /* the call says what it is */
    result = writ_contract_apply_defaults(contract, *ret_before, &filled, error);
    if (result == 0)
        result = writ_json_parse(arena, writ_buffer_text(&filled), filled.length, &document, error);
    if (result == 0)
        result = writ_schema_explain(contract->input, document, 0, arena, &faults, error);
    *ret_asks = result == 0 && can_help(&faults, only_missing);
    return result;
}

/* What is typed is in memory, and a core file is memory.  Where cores go to a program the kernel takes no notice of the
 * limit 0, but of 1 it does. */
static void leave_no_core(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_CORE, &limit) < 0)
        return;
    limit.rlim_cur = limit.rlim_max > 0;
    (void)setrlimit(RLIMIT_CORE, &limit);
}

static int ask_all(struct session *session, bool only_missing)
{
    if (writ_form_schema_has_secrets(session->contract->input_node))
        leave_no_core();
    int result = cli_keyboard_open(&session->keyboard, session->context->terminal.is_dumb, session->error);
    if (result < 0)
        return result;
    print_opening(session->contract, only_missing);
    result = go_through(session);
    cli_keyboard_close(&session->keyboard);
    return result;
}

int cli_run_form(const struct cli_context *context, const struct cli_arguments *arguments,
                 const struct writ_contract *contract, bool only_missing, struct writ_buffer *input,
                 struct writ_error *error)
{
    struct session session = {.context = context, .arguments = arguments, .contract = contract, .error = error};
    struct writ_arena arena;
    const struct writ_json *before;
    bool asks;
    writ_arena_init_secret(&arena, ARENA_BYTES_MAX);
    int result = judge(contract, input, only_missing, &arena, &before, &asks, error);
    if (asks)
        result = writ_form_new(contract, before, only_missing, &session.form, error);
    asks = asks && result == 0 && (!only_missing || writ_form_question(session.form));
    if (asks)
        result = ask_all(&session, only_missing);
    if (asks && result == 0) {
        writ_buffer_clear(input);
        result = writ_form_print(session.form, WRIT_FORM_WHOLE, WRIT_JSON_COMPACT, input, error);
    }
    writ_form_free(session.form);
    writ_arena_clear(&arena);
    return result;
}
