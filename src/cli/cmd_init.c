/* `writ init DIR`: a new skill that passes its own tests as it is written (S4.9, S4.10). */
#include "base/descriptor.h"
#include "cli/handlers.h"
#include "cli/progress.h"
#include "cli/shell_quote.h"
#include "data/json.h"
#include "run/never_granted.h"
#include "skill/scaffold_place.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#define ANSWERS_MAX 3
#define COMMANDS_MAX 3
#define SAMPLE "tests/sample.txt"

static const struct cli_option options[] = {
    {"language", 'l', "python|node|sh|c", "what the program is written in; asked for on a terminal"},
    {"id", 0, "ID", "the skill's id; the folder's name when that is one, else com.example.NAME"},
    {"description", 'd', "TEXT", "what the skill will do, in a sentence"},
    {"author", 0, "TEXT", "who answers for it"},
    {"license", 0, "NAME", "its licence, as an SPDX name; MIT when left out"},
    {"dry-run", 'n', NULL, "say what would be made, and make nothing"},
    CLI_OPTION_JSON,
};

/* ---- the language ---- */

static const char *language_of(const char *answer)
{
    const char *name, *title;
    for (size_t i = 0; writ_scaffold_language(i, &name, &title); i++)
        if (strcasecmp(answer, name) == 0 || strcasecmp(answer, title) == 0 ||
            (answer[0] == (char)('1' + (int)i) && !answer[1]))
            return name;
    return NULL;
}

/* The question goes to stderr, so that what stdout brings stays the same. */
static const char *ask_language(const struct cli_terminal *terminal)
{
    const char *name, *title;
    (void)fprintf(stderr, "Which language is the program written in?\n");
    for (size_t i = 0; writ_scaffold_language(i, &name, &title); i++)
        (void)fprintf(stderr, "  %zu  %-8s %s\n", i + 1, name, title);
    for (unsigned asked = 0; asked < ANSWERS_MAX; asked++) {
        char answer[64];
        cli_print_styled(terminal, stderr, CLI_BOLD, "number or name: ");
        (void)fflush(stderr);
        if (!fgets(answer, sizeof answer, stdin))
            return NULL;
        answer[strcspn(answer, "\r\n")] = '\0';
        const char *language = language_of(answer);
        if (language)
            return language;
    }
    return NULL;
}

static int choose_language(const struct cli_context *context, const struct cli_arguments *arguments,
                           const char **ret_language, struct writ_error *error)
{
    *ret_language = cli_option_text(arguments, "language");
    bool asks = !*ret_language && !context->as_json && context->terminal.err_is_terminal && isatty(STDIN_FILENO) == 1;
    if (asks)
        *ret_language = ask_language(&context->terminal);
    if (*ret_language)
        return 0;
    return writ_error_set(error, WRIT_USAGE, "%s; add --language python, node, sh or c",
                          asks ? "none of these languages was named" : "the program's language is missing");
}

/* ---- the commands that come next, as they can be typed where `writ init` was ---- */

struct next {
    const char *commands[COMMANDS_MAX];
    const char *by_id; /* a sentence: how the skill is found by its id */
};

/* A word for a shell; `./` before one that would be an option. */
static const char *quoted(struct writ_arena *arena, const char *text)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer out;
    const char *word = text[0] == '-' ? writ_arena_printf(arena, "./%s", text) : text;
    writ_buffer_init(&out, 5 * (size_t)PATH_MAX);
    if (word)
        cli_shell_quote(&out, word, strlen(word));
    return word && !out.failed ? writ_arena_copy(arena, writ_buffer_text(&out), out.length) : NULL;
}

/* DIR as it was typed, without slashes at its end. */
static const char *trimmed(struct writ_arena *arena, const char *folder)
{
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    return writ_arena_copy(arena, folder, length);
}

/* The folder that holds it, from the same place. */
static const char *holder_of(struct writ_arena *arena, const char *folder)
{
    const char *slash = strrchr(folder, '/'), *last = slash ? slash + 1 : folder;
    if (strcmp(last, ".") == 0 && !slash)
        return "..";
    if (strcmp(last, ".") == 0 || strcmp(last, "..") == 0)
        return writ_arena_printf(arena, "%s/..", folder);
    return !slash ? "." : slash == folder ? "/" : writ_arena_copy(arena, folder, (size_t)(slash - folder));
}

/* Whether the id alone finds the skill in `folder`; the result says what stands in its way. */
static int find(const struct cli_context *context, const char *id, const char *folder, bool *ret_found)
{
    const struct writ_catalog_options catalog = {.places = &context->places};
    struct writ_skill *skill = NULL;
    struct writ_error error;
    int result = writ_catalog_find(&catalog, id, NULL, &skill, &error);
    *ret_found = skill && strcmp(skill->folder, folder) == 0;
    writ_skill_free(skill);
    return result;
}

/* A file that the skill can be shown: its own sample, or one of the machine's where the skill lies in a place that
 * nothing is ever granted of (the user's own skills lie in writ's configuration). */
static const char *file_to_show(struct cli_context *context, const char *folder, const char *absolute)
{
    static const char *const others[] = {"/usr/lib/os-release", "/etc/hostname", "/etc/hosts"};
    struct writ_arena *arena = &context->arena;
    struct writ_never_granted never;
    struct writ_error unused;
    struct stat status;
    char why[256];
    bool closed = writ_never_granted_fill(&context->places, arena, &never, &unused) == 0 &&
                  writ_never_granted_path(&never, absolute, why, sizeof why);
    for (size_t i = 0; closed && i < WRIT_COUNT(others); i++)
        if (lstat(others[i], &status) == 0 && S_ISREG(status.st_mode) && access(others[i], R_OK) == 0)
            return others[i];
    const char *below = strcmp(folder, ".") == 0 ? SAMPLE : writ_arena_printf(arena, "%s/" SAMPLE, folder);
    return below ? quoted(arena, below) : NULL;
}

static const char *say_by_id(struct cli_context *context, const char *id, const char *holder, const char *absolute)
{
    struct writ_arena *arena = &context->arena;
    bool found = false;
    int result = find(context, id, absolute, &found);
    if (found && result == 0)
        return writ_arena_printf(arena, "Its id alone will do, wherever you are: writ run %s", id);
    if (found && result == WRIT_SKILL_UNTRUSTED)
        return writ_arena_printf(arena, "In this project its id alone will do once you have said: writ trust %s",
                                 holder);
    return writ_arena_printf(arena,
                             "Its id alone will do with --skills %s, or when the folder is moved to "
                             "~/.config/writ/skills.",
                             holder);
}

/* `absolute` is the skill's folder as the kernel names it. */
static int plan_next(struct cli_context *context, const struct writ_scaffold *scaffold, const char *argument,
                     const char *absolute, struct next *next, struct writ_error *error)
{
    struct writ_arena *arena = &context->arena;
    const char *folder = trimmed(arena, argument), *holder = folder ? holder_of(arena, folder) : NULL;
    const char *named = folder ? quoted(arena, folder) : NULL, *held = holder ? quoted(arena, holder) : NULL;
    const char *file = folder ? file_to_show(context, folder, absolute) : NULL;
    if (!named || !held || !file)
        return writ_error_memory(error);
    /* A word without a slash would be taken for an id. */
    bool is_path = strchr(named, '/') || strcmp(named, ".") == 0 || strcmp(named, "..") == 0;
    const char *mark = is_path ? "" : "./";
    next->commands[0] = writ_arena_printf(arena, "writ lint %s%s", mark, named);
    next->commands[1] = writ_arena_printf(arena, "writ test %s%s", mark, named);
    next->commands[2] = writ_arena_printf(arena, "writ run %s%s --file %s", mark, named, file);
    next->by_id = say_by_id(context, scaffold->id, held, absolute);
    for (size_t i = 0; i < COMMANDS_MAX; i++)
        if (!next->commands[i])
            return writ_error_memory(error);
    return next->by_id ? 0 : writ_error_memory(error);
}

/* ---- telling ---- */

static const char *purpose_of(const struct writ_scaffold *scaffold, const char *path)
{
    if (strcmp(path, scaffold->program) == 0)
        return "the program";
    if (strcmp(path, "SKILL.md") == 0)
        return "what a model reads: when to use the skill, how to call it, what comes back";
    if (strcmp(path, "skill.yaml") == 0)
        return "the contract: what the program takes, gives back and may touch";
    if (strcmp(path, "README.md") == 0)
        return "for whoever works on it";
    if (strcmp(path, SAMPLE) == 0)
        return "a file for it";
    return strncmp(path, "tests/", 6) == 0 ? "a test" : "what git leaves out";
}

static void tell(const struct cli_context *context, const struct writ_scaffold *scaffold, const char *folder,
                 bool own_description, bool dry_run, const struct next *next)
{
    const struct cli_terminal *terminal = &context->terminal;
    if (context->verbosity == CLI_QUIET)
        return;
    (void)printf(dry_run ? "would make " : "made ");
    cli_print_safe_text(stdout, folder);
    (void)printf(", the skill ");
    cli_print_styled(terminal, stdout, CLI_BOLD, scaffold->id);
    (void)printf(":\n");
    for (size_t i = 0; i < scaffold->file_count; i++)
        cli_print_item(stdout, scaffold->files[i].path, purpose_of(scaffold, scaffold->files[i].path), terminal->width);
    (void)printf("\nnext:\n");
    for (size_t i = 0; i < COMMANDS_MAX; i++) {
        (void)printf("  ");
        cli_print_safe_text(stdout, next->commands[i]);
        (void)fputc('\n', stdout);
    }
    (void)printf("\n");
    cli_print_wrapped(stdout, next->by_id, 0, terminal->width);
    if (scaffold->id_is_made_up)
        cli_print_wrapped(stdout,
                          "com.example stands for a domain of yours: change the id in skill.yaml, SKILL.md and "
                          "README.md, or begin with --id.",
                          0, terminal->width);
    if (own_description)
        (void)printf("It counts lines and words until %s does what the description says.\n", scaffold->program);
}

static int tell_json(const struct cli_context *context, const struct writ_scaffold *scaffold, const char *absolute,
                     bool dry_run, const struct next *next)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer out;
    struct writ_json_writer writer;
    writ_buffer_init(&out, (size_t)1 << 20);
    writ_json_writer_init(&writer, &out);
    writ_json_write_object(&writer);
    const struct {
        const char *key, *text;
    } texts[] = {
        {"id", scaffold->id}, {"name", scaffold->name}, {"language", scaffold->language}, {"folder", absolute}};
    for (size_t i = 0; i < WRIT_COUNT(texts); i++) {
        writ_json_write_member_text(&writer, texts[i].key, texts[i].text);
    }
    writ_json_write_member_bool(&writer, "written", !dry_run);
    writ_json_write_key(&writer, "files");
    writ_json_write_array(&writer);
    for (size_t i = 0; i < scaffold->file_count; i++)
        writ_json_write_text(&writer, scaffold->files[i].path);
    writ_json_write_array_end(&writer);
    writ_json_write_key(&writer, "next");
    writ_json_write_array(&writer);
    for (size_t i = 0; i < COMMANDS_MAX; i++)
        writ_json_write_text(&writer, next->commands[i]);
    writ_json_write_array_end(&writer);
    writ_json_write_object_end(&writer);
    return cli_finish_document(context, &out, 0);
}

/* ---- the command ---- */

/* The name of the folder that is, or will be, the skill's. */
static int name_place(struct writ_arena *arena, const struct writ_scaffold_place *place, const char **ret_path,
                      struct writ_error *error)
{
    char base[PATH_MAX];
    int failed = writ_descriptor_path(place->base_fd, base);
    if (failed < 0)
        return writ_error_io(error, -failed, place->name);
    const char *slash = place->missing[0] && base[strlen(base) - 1] != '/' ? "/" : "";
    *ret_path = writ_arena_printf(arena, "%s%s%s", base, slash, place->missing);
    return *ret_path ? 0 : writ_error_memory(error);
}

/* Two skills of one id in a folder: the other one would be run. */
static int refuse_taken(const struct cli_context *context, const char *id, const char *absolute,
                        struct writ_error *error)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer holder;
    writ_buffer_init(&holder, PATH_MAX);
    writ_buffer_append(&holder, absolute, (size_t)(strrchr(absolute, '/') - absolute));
    const char *folder = holder.length > 0 ? writ_buffer_text(&holder) : "/";
    const struct writ_catalog_options catalog = {
        .places = &context->places, .skill_folders = &folder, .skill_folder_count = 1};
    struct writ_skill *skill = NULL;
    struct writ_error unused;
    int result = 0;
    (void)!writ_catalog_find(&catalog, id, NULL, &skill, &unused);
    if (skill && skill->source == WRIT_SOURCE_OPTION)
        result = writ_error_set(error, WRIT_USAGE, "`%.300s` has the id `%s` already; give this one another with --id",
                                skill->folder, id);
    writ_skill_free(skill);
    return result;
}

/* Nobody is asked for a language when the skill cannot be made in any. */
static int check_without_language(const struct writ_scaffold_wish *wish, struct writ_error *error)
{
    struct writ_scaffold_wish trial = *wish;
    WRIT_CLEANUP(writ_scaffold_clear) struct writ_scaffold scaffold = {.file_count = 0};
    const char *title;
    (void)writ_scaffold_language(0, &trial.language, &title);
    return writ_scaffold_fill(&trial, &scaffold, error);
}

static int make(struct cli_context *context, const struct cli_arguments *arguments, struct writ_scaffold *scaffold,
                struct writ_error *error)
{
    const char *argument = arguments->positionals[0], *absolute = NULL;
    bool dry_run = cli_option_is_set(arguments, "dry-run");
    WRIT_CLEANUP(writ_scaffold_place_clear) struct writ_scaffold_place place = {.base_fd = -1};
    int result = writ_scaffold_place_open(argument, &place, error);
    struct writ_scaffold_wish wish = {.folder_name = place.name,
                                      .id = cli_option_text(arguments, "id"),
                                      .description = cli_option_text(arguments, "description"),
                                      .author = cli_option_text(arguments, "author"),
                                      .license = cli_option_text(arguments, "license")};
    if (result == 0)
        result = check_without_language(&wish, error);
    if (result == 0)
        result = choose_language(context, arguments, &wish.language, error);
    if (result == 0)
        result = writ_scaffold_fill(&wish, scaffold, error);
    if (result == 0)
        result = name_place(&context->arena, &place, &absolute, error);
    if (result == 0)
        result = refuse_taken(context, scaffold->id, absolute, error);
    if (result == 0 && !dry_run) {
        /* Ctrl-C waits for the few files, so that nothing is left half-way. */
        cli_progress_hold(context->progress);
        result = writ_scaffold_write(scaffold, &place, error);
        (void)cli_progress_release(context->progress);
    }
    struct next next = {.by_id = NULL};
    if (result == 0)
        result = plan_next(context, scaffold, argument, absolute, &next, error);
    if (result < 0)
        return result;
    if (context->as_json)
        return tell_json(context, scaffold, absolute, dry_run, &next);
    tell(context, scaffold, argument, wish.description != NULL, dry_run, &next);
    return 0;
}

static int handle(struct cli_context *context, const struct cli_arguments *arguments)
{
    struct writ_scaffold scaffold = {.file_count = 0};
    struct writ_error error;
    int result = make(context, arguments, &scaffold, &error);
    writ_scaffold_clear(&scaffold);
    return result < 0 ? cli_report(context, &error) : result;
}

static const struct cli_example examples[] = {
    {"writ init hello --language python", "a skill in the new folder hello, with the id com.example.hello"},
    {"writ init skills/com.example.word-count -l sh", "one whose folder bears its id"},
    {"writ init hello -l c -d 'Lists the links of a web page.' --dry-run", "what would be made"},
};

const struct cli_command cli_command_init = {
    .name = "init",
    .group = CLI_GROUP_WRITE,
    .usage = "DIR",
    .summary = "make a new skill that works",
    .details =
        "Makes a skill in DIR, which must not exist or be empty, and prints the commands that come next. It counts the "
        "lines and words of a text file, passes its own tests, and explains itself: change the contract, the program "
        "and SKILL.md step by step.\n"
        "DIR's name is the skill's name (a-z, 0-9 and `-`), or its id (a domain of yours turned round, then the name).",
    .options = options,
    .option_count = WRIT_COUNT(options),
    .examples = examples,
    .example_count = WRIT_COUNT(examples),
    .positionals_min = 1,
    .positionals_max = 1,
    .handler = handle,
};
