#include "cli/trust_question.h"

#include "cli/keyboard.h"

#include <string.h>

#define ANSWER_BYTES_MAX 4096

bool cli_trust_is_the_question(const struct writ_skill *skill)
{
    return skill && skill->source == WRIT_SOURCE_PROJECT && !skill->trusted && skill->folder_fd >= 0;
}

static void print_item(const char *text)
{
    (void)fputs("    ", stderr);
    cli_print_safe_text(stderr, text);
    (void)fputc('\n', stderr);
}

/* What there is to know before answering.  A contract that cannot be read is told of by the call. */
static void print_skill(const struct cli_context *context, const struct writ_skill *skill)
{
    unsigned columns = cli_keyboard_columns();
    struct writ_skill *opened = NULL;
    struct writ_error unused;
    cli_style_begin(&context->terminal, stderr, CLI_BOLD);
    cli_print_safe_text(stderr, skill->id);
    cli_style_end(&context->terminal, stderr, CLI_BOLD);
    (void)fputc('\n', stderr);
    cli_print_wrapped(stderr,
                      "It is in a project that has not been trusted. Whoever can put files there chooses what it does, "
                      "within what its contract may touch.",
                      2, columns);
    (void)fputs("  lies in\n", stderr);
    print_item(skill->folder);
    if (writ_catalog_open_folder(skill->folder, &opened, &unused) == 0) {
        (void)fputs("  may touch\n", stderr);
        for (size_t i = 0; i < opened->contract->permission_count; i++)
            print_item(opened->contract->permissions[i].source);
        if (opened->contract->permission_count == 0)
            print_item("nothing of this machine");
    }
    writ_skill_free(opened);
}

/* 1: yes, 0: no. */
static int read_answer(struct cli_keyboard *keyboard, struct writ_error *error)
{
    const struct cli_keyboard_line wanted = {.prompt = "Trust this folder from now on? [y/N] "};
    for (;;) {
        WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer line;
        writ_buffer_init(&line, ANSWER_BYTES_MAX);
        enum cli_reading reading = cli_keyboard_read(keyboard, &wanted, &line);
        const char *said = writ_buffer_text(&line);
        if (reading == CLI_READ_INTERRUPTED || reading == CLI_READ_END)
            return writ_error_set(error, WRIT_INTERRUPTED, "the question was left; nothing was run");
        if (reading == CLI_READ_LINE && (strcasecmp(said, "y") == 0 || strcasecmp(said, "yes") == 0))
            return 1;
        if (reading == CLI_READ_LINE && (!said[0] || strcasecmp(said, "n") == 0 || strcasecmp(said, "no") == 0))
            return 0;
        (void)fputs("  y trusts it, n or Enter does not.\n", stderr);
    }
}

int cli_ask_trust(const struct cli_context *context, const struct writ_skill *skill, struct writ_error *error)
{
    struct cli_keyboard keyboard;
    const struct writ_error refused = skill->fault;
    bool changed;
    int result = cli_keyboard_open(&keyboard, context->terminal.is_dumb, error);
    if (result < 0)
        return result;
    print_skill(context, skill);
    result = read_answer(&keyboard, error);
    cli_keyboard_close(&keyboard);
    if (result == 1)
        return writ_trust_change(&context->places, skill->folder, true, &changed, error);
    if (result == 0)
        *error = refused;
    return error->code;
}
