/*
 * Commands as data: one row carries name, handler, help, options and examples; help, manual, completion and the checks
 * of the command line are made from it.
 *
 * To add a command: write src/cli/cmd_<name>.c with its handler, option list and examples, add its row in commands.c
 * and its source in meson.build, and run tools/manual.py for docs/cli.md and the manual pages.  Words that stand for a
 * value (`DIR`, `ID`) are those of placeholder.h: from them the shells know what to offer.  tests/cli runs the examples
 * and checks that the help is complete.
 */
#ifndef WRIT_CLI_COMMAND_H
#define WRIT_CLI_COMMAND_H

#include "base/arena.h"
#include "base/error.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "run/prepared.h"
#include "skill/catalog.h"
#include "skill/settings.h"

#define CLI_OPTIONS_MAX 32
#define CLI_VALUES_MAX 64
#define CLI_POSITIONALS_MAX 64
#define CLI_REST_MAX 512

struct cli_option {
    const char *name;  /* without the dashes */
    char letter;       /* 0: none */
    const char *value; /* what the value is called, in the words of placeholder.h; NULL: a switch */
    const char *help;
};

struct cli_example {
    const char *line; /* as it is typed; it must work in the folder that tests/cli/examples.py lays out */
    const char *meaning;
};

/* Sections of the overview and of the manual. */
enum cli_group { CLI_GROUP_USE, CLI_GROUP_WRITE, CLI_GROUP_ANSWER_FOR, CLI_GROUP_WRIT };
#define CLI_GROUP_COUNT 4

struct cli_arguments;
struct cli_context;
/* Returns the exit status.  What it prints goes to the context's terminal. */
typedef int cli_handler(struct cli_context *context, const struct cli_arguments *arguments);

struct cli_command {
    const char *name; /* one word, or two: `schema check` */
    enum cli_group group;
    const char *usage;   /* positional arguments: `ID [FLAGS]`, in the words of placeholder.h */
    const char *summary; /* one line */
    const char *details; /* further paragraphs of --help; NULL: none */
    const struct cli_option *options;
    size_t option_count;
    const struct cli_example *examples;
    size_t example_count;
    unsigned positionals_min, positionals_max;
    bool takes_rest;        /* unknown flags are the handler's affair (`run`) */
    bool gives_envelope;    /* under --json a failure is the envelope of a call that was refused */
    bool hidden;            /* for programs alone: in no overview */
    bool works_anywhere;    /* works when neither a home nor a working folder is known, by itself or for a
                             skill that is named by its folder */
    bool needs_no_settings; /* works when the configuration file is broken: uses none of it that matters */
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

enum cli_verbosity { CLI_QUIET = -1, CLI_NORMAL = 0, CLI_VERBOSE = 1 };

struct cli_context {
    struct writ_arena arena;
    struct writ_places places;
    struct cli_terminal terminal;
    struct writ_error places_fault; /* code 0, or why `places` is not filled: seen by what works_anywhere alone */
    struct writ_settings settings;
    struct writ_error settings_fault;      /* code 0, or why the settings are defaults alone */
    const char *identity_id;               /* the person at this command line */
    const struct cli_command *command;     /* that was found; NULL: none yet */
    const struct cli_arguments *arguments; /* once they are understood; NULL before */
    bool as_json;                          /* --json is given, so failures are told as JSON too */
    struct cli_progress *progress;         /* what is told of long work; hidden before anything is printed */
    enum cli_verbosity verbosity;          /* -q: no notes, hints and progress; -v: more of what is done and why */
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

/* What the person's settings allow any skill at most. */
struct writ_ceilings cli_ceilings(const struct cli_context *context);

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
/* Options that every command takes, before its name or after it. */
extern const struct cli_option cli_common_options[];
extern const size_t cli_common_option_count;
extern const char *const cli_group_titles[CLI_GROUP_COUNT];
/* The command that argv begins with, and of how many words; argc is at least 1. */
const struct cli_command *cli_command_find(int argc, char *const *argv, int *ret_words);
/* An option of the command or one common to all, by its name (of `length` bytes) or its letter; or NULL. */
const struct cli_option *cli_option_find(const struct cli_command *command, const char *name, size_t length);
const struct cli_option *cli_option_find_letter(const struct cli_command *command, char letter);
void cli_print_overview(const struct cli_terminal *terminal);
void cli_print_help(const struct cli_terminal *terminal, const struct cli_command *command);
/* USAGE: no command has this name; with the words that go on from it, or the nearest name. */
int cli_command_unknown(const char *name, struct writ_error *error);

/* Tells a failure and returns the exit status of the error's class: `writ: class: message` with place and hint on
 * stderr, or, where --json is given, {"error": {"class", "message", "details"}} on stdout. */
int cli_report(const struct cli_context *context, const struct writ_error *error);
/* The two halves of cli_report for people, where more is to stand between: the error's line, and what to do next. */
int cli_report_error(const struct cli_context *context, const struct writ_error *error);
void cli_report_hint(const struct cli_context *context, const struct writ_error *error);
/* Prints a document that a command made, and returns `status`; or tells that it could not be made, and returns the exit
 * status of that: a part of a document is never printed. */
int cli_finish_document(const struct cli_context *context, const struct writ_buffer *document,
                        int status) WRIT_MUST_USE;

#endif
