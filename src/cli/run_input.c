#include "cli/run_input.h"

#include "base/descriptor.h"
#include "base/file.h"
#include "cli/run_flags.h"
#include "cli/run_form.h"
#include "cli/skill_argument.h"
#include "cli/trust_question.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Error: INPUT_INVALID. */
static int read_input(const char *text, struct writ_buffer *input, struct writ_error *error)
{
    size_t blank = strspn(text, " \t\r\n");
    int result;
    if (text[blank] == '\0')
        return writ_error_set(error, WRIT_INPUT_INVALID,
                              "--input is empty; give the input as JSON, a file that holds it, or - for stdin");
    if (text[blank] == '{' || text[blank] == '[') {
        writ_buffer_append_text(input, text);
        if (input->failed && !input->too_large)
            return writ_error_memory(error);
        return input->failed
                   ? writ_error_set(error, WRIT_INPUT_INVALID, "the input is larger than 16 MiB; name a file in it")
                   : 0;
    }
    if (strcmp(text, "-") == 0) {
        result = writ_descriptor_read_all(STDIN_FILENO, input);
        if (result == 0)
            return 0;
        if (result == -ENOMEM)
            return writ_error_memory(error);
        if (result != -EFBIG)
            return writ_error_set_errno(error, WRIT_INPUT_INVALID, -result, "reading the input from stdin");
        return writ_error_set(error, WRIT_INPUT_INVALID, "the input on stdin is larger than 16 MiB; name a file in it");
    }
    result = writ_file_read(AT_FDCWD, text, false, input, error);
    if (result == 0 || result == WRIT_INTERNAL_MEMORY)
        return result;
    error->code = WRIT_INPUT_INVALID;
    return writ_error_wrap(error, "--input is neither JSON (an object begins with `{`) nor a file that can be read");
}

/* The skill's flags put over what --input gives.  The contract is needed to know what a flag means, so the skill is
 * opened here; the call takes what was opened. */
static int add_flags(const struct writ_catalog_options *catalog, const struct cli_arguments *arguments,
                     struct writ_buffer *input, struct writ_skill **ret_skill, struct writ_error *error)
{
    int result = cli_skill_open(catalog, arguments->positionals[0], ret_skill, error);
    if (result < 0 || arguments->rest_count == 0)
        return result;
    struct writ_arena arena;
    writ_arena_init(&arena, (size_t)256 << 20);
    const struct writ_json *base = NULL;
    if (cli_option_is_set(arguments, "input"))
        result = writ_json_parse(&arena, writ_buffer_text(input), input->length, &base, error);
    if (result < 0 && result != WRIT_INTERNAL_MEMORY) {
        error->code = WRIT_INPUT_INVALID;
        result =
            writ_error_wrap(error, "--input is not one JSON document (line %u, column %u)", error->line, error->column);
    }
    if (result == 0 && base && base->kind != WRIT_JSON_OBJECT) {
        result = writ_error_set(error, WRIT_INPUT_INVALID, "--input must be an object for flags to be put over it");
    } else if (result == 0) {
        WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer merged;
        writ_buffer_init_secret(&merged, CLI_RUN_INPUT_BYTES_MAX);
        result = cli_run_flags_write((*ret_skill)->contract->input_node, base, arguments->rest, arguments->rest_count,
                                     &merged, error);
        if (result == 0) {
            struct writ_buffer old = *input;
            *input = merged;
            merged = old;
        }
    }
    writ_arena_clear(&arena);
    return result;
}

static int check_options(const struct cli_context *context, const struct cli_arguments *arguments,
                         struct writ_error *error)
{
    const char *given[CLI_VALUES_MAX];
    size_t count = cli_option_all(arguments, "input", given, CLI_VALUES_MAX);
    if (count > 1)
        return writ_error_set(error, WRIT_USAGE,
                              "--input is given %zu times; give one, and single fields over it as --NAME VALUE", count);
    if (!cli_option_is_set(arguments, "interactive"))
        return 0;
    if (!cli_run_form_is_possible(context))
        return writ_error_set(
            error, WRIT_USAGE,
            "--interactive asks at a terminal, and stdin or stderr is none; give the fields as --NAME "
            "VALUE or all of them with --input");
    if (count > 0 && strcmp(given[0], "-") == 0)
        return writ_error_set(error, WRIT_USAGE, "--input - and --interactive both read stdin; leave one out");
    return 0;
}

bool cli_run_may_ask(const struct cli_context *context, const struct cli_arguments *arguments)
{
    const char *given = cli_option_text(arguments, "input");
    return cli_option_is_set(arguments, "interactive") ||
           (!context->as_json && cli_run_form_is_possible(context) && !(given && strcmp(given, "-") == 0));
}

int cli_run_input(const struct cli_context *context, const struct cli_arguments *arguments,
                  const struct writ_catalog_options *catalog, struct writ_buffer *input, struct writ_skill **ret_skill,
                  struct writ_error *error)
{
    const char *given = cli_option_text(arguments, "input");
    bool asks = cli_run_may_ask(context, arguments), only_missing = !cli_option_is_set(arguments, "interactive");
    int result = check_options(context, arguments, error);
    if (result == 0 && given)
        result = read_input(given, input, error);
    if (!given)
        writ_buffer_append_text(input, "{}");
    if (result == 0 && (asks || arguments->rest_count > 0))
        result = add_flags(catalog, arguments, input, ret_skill, error);
    if (result == WRIT_SKILL_UNTRUSTED && asks && cli_trust_is_the_question(*ret_skill)) {
        result = cli_ask_trust(context, *ret_skill, error);
        writ_skill_free(*ret_skill);
        *ret_skill = NULL;
        if (result == 0)
            result = add_flags(catalog, arguments, input, ret_skill, error);
    }
    if (result == 0 && asks)
        result = cli_run_form(context, arguments, (*ret_skill)->contract, only_missing, input, error);
    /* A skill that cannot be used has no flags: the call itself is refused for that, and so is on record. */
    if (result == WRIT_SKILL_NOT_FOUND || result == WRIT_SKILL_UNTRUSTED || result == WRIT_CONTRACT_INVALID) {
        writ_skill_free(*ret_skill);
        *ret_skill = NULL;
        result = 0;
    }
    return result;
}

bool cli_run_stdin_waits(const struct cli_arguments *arguments)
{
    struct stat info;
    int waiting = 0;
    if (cli_option_is_set(arguments, "input") || fstat(STDIN_FILENO, &info) < 0)
        return false;
    if (S_ISREG(info.st_mode))
        return lseek(STDIN_FILENO, 0, SEEK_CUR) < info.st_size;
    return (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode)) && ioctl(STDIN_FILENO, FIONREAD, &waiting) == 0 &&
           waiting > 0;
}
