/*
 * Commands as data: one row carries name, handler, help and options; help, completion and the checks of the command
 * line are made from it.
 *
 * To add a command: write src/cli/cmd_<name>.c with its handler and option list, add its row in commands.c and its
 * source in meson.build; tests/cli checks that its help is complete.
 */
#ifndef WRIT_CLI_COMMAND_H
#define WRIT_CLI_COMMAND_H

#include "base/arena.h"
#include "base/error.h"
#include "cli/terminal.h"
#include "skill/catalog.h"

#define CLI_OPTIONS_MAX 24
#define CLI_VALUES_MAX 64
#define CLI_POSITIONALS_MAX 64
#define CLI_REST_MAX 512

struct cli_option {
    const char *name;  /* without the dashes */
    char letter;       /* 0: none */
    const char *value; /* what the value is called; NULL: a switch */
    const char *help;
};

struct cli_arguments;
struct cli_context;
/* Returns the exit status.  What it prints goes to the context's terminal. */
typedef int cli_handler(struct cli_context *context, const struct cli_arguments *arguments);

struct cli_command {
    const char *name;    /* one word, or two: `schema check` */
    const char *usage;   /* positional arguments: `ID [FLAGS]` */
    const char *summary; /* one line */
    const char *details; /* further paragraphs of --help; NULL: none */
    const struct cli_option *options;
    size_t option_count;
    unsigned positionals_min, positionals_max;
    bool takes_rest;     /* unknown flags are the handler's affair (`run`) */
    bool gives_envelope; /* under --json a failure is the envelope of a call that was refused */
    cli_handler *handler;
    cli_handler *help_below; /* prints what --help can tell of the arguments beside it; NULL: nothing */
};

struct cli_value {
    const struct cli_option *option;
    const char *text; /* NULL for a switch */
};
struct cli_arguments {
    const struct cli_command *command;
    struct cli_value values[CLI_VALUES_MAX];
    size_t value_count;
    const char *positionals[CLI_POSITIONALS_MAX];
    size_t positional_count;
    const char *rest[CLI_REST_MAX]; /* takes_rest: what follows the first positional and is no known option */
    size_t rest_count;
};

struct cli_context {
    struct writ_arena arena;
    struct writ_places places;
    struct cli_terminal terminal;
    const char *identity_id;           /* the person at this command line */
    const struct cli_command *command; /* that was found; NULL: none yet */
    bool as_json;                      /* --json is given, so failures are told as JSON too */
};

/* Value of an option (the last one given), or NULL.  The name must be one of the command's. */
const char *cli_option_text(const struct cli_arguments *arguments, const char *name);
bool cli_option_is_set(const struct cli_arguments *arguments, const char *name);
/* All values of a repeatable option, in order. */
size_t cli_option_all(const struct cli_arguments *arguments, const char *name, const char **texts, size_t texts_max);

/* Reads argv after the command's words.  Error: USAGE with the nearest option. */
int cli_arguments_parse(const struct cli_command *command, int argc, char *const *argv,
                        struct cli_arguments *ret_arguments, struct writ_error *error) WRIT_MUST_USE;

/* The catalog options of a command that has `--skills DIR`. `folders` is the caller's storage. */
struct writ_catalog_options cli_catalog_options(const struct cli_context *context,
                                                const struct cli_arguments *arguments,
                                                const char *folders[CLI_VALUES_MAX]);

#define CLI_OPTION_JSON                                                                                                \
    {                                                                                                                  \
        "json", 0, NULL, "print JSON for programs"                                                                     \
    }
#define CLI_OPTION_SKILLS                                                                                              \
    {                                                                                                                  \
        "skills", 0, "DIR", "look for skills in DIR first (repeatable); naming it trusts it for this call"             \
    }

/* ---- the table (commands.c) ---- */
extern const struct cli_command *const cli_commands[];
extern const size_t cli_command_count;
const struct cli_command *cli_command_find(int argc, char *const *argv, int *ret_words);
void cli_print_overview(const struct cli_terminal *terminal);
void cli_print_help(const struct cli_terminal *terminal, const struct cli_command *command);
/* The nearest command name, or NULL. */
const char *cli_command_nearest(const char *name);

/* Tells a failure and returns the exit status of the error's class: `writ: class: message` with place and hint on
 * stderr, or, where --json is given, {"error": {"class", "message", "details"}} on stdout. */
int cli_report(const struct cli_context *context, const struct writ_error *error);
/* Prints a document that a command made, and returns `status`; or tells that it could not be made, and returns the exit
 * status of that: a part of a document is never printed. */
int cli_finish_document(const struct cli_context *context, const struct writ_buffer *document,
                        int status) WRIT_MUST_USE;

#endif
