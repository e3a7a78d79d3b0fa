/* `writ lint`: what is wrong with skills, the mend, and where it is certain, the mending. */
#include "base/descriptor.h"
#include "cli/handlers.h"
#include "cli/lint_output.h"
#include "cli/skill_argument.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#define DOCUMENT_BYTES_MAX ((size_t)256 << 20)

static const struct cli_option options[] = {
    {"fix", 0, NULL, "mend what is certain, where the skill may do no more afterwards than what is written"},
    {"unsafe-fixes", 0, NULL, "with --fix: also what a person should look at, such as a further permission"},
    {"dry-run", 0, NULL, "with --fix: show what would be written, and write nothing"},
    {"format", 0, "text|json|sarif", "sarif is for tools that show findings in code"},
    CLI_OPTION_JSON,
    {"min-severity", 0, "error|warning|note", "show nothing below it"},
    {"strict", 0, NULL, "warnings count for the exit status, too"},
    {"rules", 0, NULL, "list the rules, and which of them --fix can mend"},
    {"skills", 0, "DIR", "look for skills in DIR first (repeatable); without a skill, judge all that are there"},
};

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_SARIF };

static void run_clear(struct cli_lint_run *run)
{
    for (size_t i = 0; i < run->count; i++) {
        writ_lint_report_clear(&run->items[i].report);
        writ_lint_fixes_clear(&run->items[i].fixes);
        writ_skill_free(run->items[i].skill);
    }
    free(run->items);
}

/* ---- which skills ---- */

/* Below the working folder a path is shown from there. */
static const char *shown_path(const struct cli_context *context, const char *folder)
{
    const char *working = context->places.working;
    size_t length = strlen(working);
    if (length > 1 && strncmp(folder, working, length) == 0 && (folder[length] == '/' || folder[length] == '\0'))
        return folder + length + (folder[length] == '/');
    return folder;
}

/* Takes over the skill. */
static int add_skill(struct cli_lint_run *run, struct writ_skill *skill, struct writ_error *error)
{
    if (run->count == run->capacity) {
        size_t capacity = run->capacity ? run->capacity * 2 : 16;
        struct cli_lint_result *items = reallocarray(run->items, capacity, sizeof *items);
        if (!items) {
            writ_skill_free(skill);
            return writ_error_memory(error);
        }
        run->items = items;
        run->capacity = capacity;
    }
    run->items[run->count++] =
        (struct cli_lint_result){.skill = skill, .shown = shown_path(run->context, skill->folder)};
    return 0;
}

static void clear_catalog(struct writ_catalog *catalog)
{
    writ_catalog_clear(catalog);
}

/* Every skill in the folder.  One that cannot be opened is judged as it was listed, with the reason. */
static int add_all(struct cli_lint_run *run, const char *folder, struct writ_error *error)
{
    struct writ_places nowhere = {.working = run->context->places.working[0] ? "/" : ""};
    char path[PATH_MAX];
    if (!realpath(folder, path))
        return writ_error_set(error, WRIT_SKILL_NOT_FOUND, "there is no folder `%.200s`", folder);
    const char *folders[] = {path};
    struct writ_catalog_options only = {.places = &nowhere, .skill_folders = folders, .skill_folder_count = 1};
    WRIT_CLEANUP(clear_catalog) struct writ_catalog catalog = {.count = 0};
    int result = writ_catalog_list(&only, &catalog, error);
    if (result == 0 && catalog.truncated)
        return writ_error_set(error, WRIT_INTERNAL_LIMIT, "`%.200s` holds more than %d folders; name some of them",
                              folder, WRIT_CATALOG_FOLDERS_MAX);
    if (result == 0 && catalog.count == 0)
        return writ_error_set(error, WRIT_SKILL_NOT_FOUND,
                              "there is no skill in `%.200s`: neither it nor a folder in it has a skill.yaml", folder);
    for (size_t i = 0; result == 0 && i < catalog.count; i++) {
        struct writ_skill *skill = NULL;
        struct writ_error unused;
        if (catalog.skills[i]->fault.code == WRIT_SKILL_UNTRUSTED ||
            (writ_catalog_open_folder(catalog.skills[i]->folder, &skill, &unused) < 0 && !skill)) {
            skill = catalog.skills[i];
            catalog.skills[i] = NULL;
        }
        result = add_skill(run, skill, error);
    }
    return result;
}

static bool is_folder_of_skills(const char *text)
{
    WRIT_CLEANUP(writ_descriptor_close) int fd = open(text, O_PATH | O_DIRECTORY | O_CLOEXEC);
    return fd >= 0 && faccessat(fd, "skill.yaml", F_OK, AT_SYMLINK_NOFOLLOW) < 0 && errno == ENOENT;
}

static int add_argument(struct cli_lint_run *run, const struct writ_catalog_options *catalog, const char *text,
                        struct writ_error *error)
{
    struct writ_error unused;
    struct writ_skill *skill = NULL;
    /* What is no id can only be a folder, with a slash or without. */
    if (writ_skill_id_check(text, &unused) < 0 && !strchr(text, '@') && is_folder_of_skills(text))
        return add_all(run, text, error);
    int result = cli_skill_open(catalog, text, &skill, error);
    /* A contract with faults is what lint is for. */
    if (result < 0 && !skill)
        return result;
    if (run->fix && !run->dry_run && (skill->source == WRIT_SOURCE_INSTALLED || skill->source == WRIT_SOURCE_SHIPPED)) {
        writ_skill_free(skill);
        return writ_error_set(error, WRIT_USAGE,
                              "`%.200s` is installed, and what is installed is never changed; copy its folder and mend "
                              "that",
                              text);
    }
    return add_skill(run, skill, error);
}

static int add_arguments(struct cli_lint_run *run, const struct cli_arguments *arguments, struct writ_error *error)
{
    const char *folders[CLI_VALUES_MAX];
    struct writ_catalog_options catalog = cli_catalog_options(run->context, arguments, folders);
    int result = 0;
    for (size_t i = 0; result == 0 && i < arguments->positional_count; i++)
        result = add_argument(run, &catalog, arguments->positionals[i], error);
    for (size_t i = 0; result == 0 && arguments->positional_count == 0 && i < catalog.skill_folder_count; i++)
        result = add_all(run, catalog.skill_folders[i], error);
    return result;
}

/* ---- judging and mending ---- */

/* What could not be written was not fixed, and is judged as it is. */
static int write_fixes(struct cli_lint_result *result, struct writ_error *ret_failure, struct writ_error *error)
{
    struct writ_error failure;
    if (writ_lint_fix_write(result->skill, &result->fixes, &failure) == 0)
        return 0;
    if (ret_failure->code == WRIT_OK) {
        *ret_failure = failure;
        (void)writ_error_wrap(ret_failure, "%.200s", result->shown[0] ? result->shown : ".");
    }
    writ_lint_fixes_clear(&result->fixes);
    writ_lint_report_clear(&result->report);
    return writ_lint_skill(result->skill, &result->report, error);
}

/* `ret_failure`: the first thing that could not be written; what could is told all the same. */
static int judge(struct cli_lint_run *run, struct writ_error *ret_failure, struct writ_error *error)
{
    for (size_t i = 0; i < run->count; i++) {
        struct cli_lint_result *result = &run->items[i];
        int code = run->fix ? writ_lint_fix(result->skill, run->with_unsafe, &result->fixes, &result->report, error)
                            : writ_lint_skill(result->skill, &result->report, error);
        if (code == 0 && run->fix && !run->dry_run)
            code = write_fixes(result, ret_failure, error);
        if (code < 0)
            return code;
        run->error_count += result->report.error_count;
        run->warning_count += result->report.warning_count;
    }
    return 0;
}

/* ---- the command ---- */

static int print(const struct cli_lint_run *run, enum format format, int status)
{
    if (format == FORMAT_TEXT) {
        cli_lint_print_text(run);
        return status;
    }
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer out;
    writ_buffer_init(&out, DOCUMENT_BYTES_MAX);
    if (format == FORMAT_JSON)
        cli_lint_print_json(run, &out);
    else
        cli_lint_print_sarif(run, &out);
    return cli_finish_document(run->context, &out, status);
}

static int print_rules(const struct cli_context *context, enum format format)
{
    if (format == FORMAT_TEXT) {
        cli_lint_print_rules(&context->terminal);
        return 0;
    }
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer out;
    writ_buffer_init(&out, DOCUMENT_BYTES_MAX);
    cli_lint_print_rules_json(&out);
    return cli_finish_document(context, &out, 0);
}

/* The index of the option's value in the words, `otherwise` when it is not given; -1 after an error. */
static int choose_word(const struct cli_arguments *arguments, const char *option, const char *const words[3],
                       int otherwise, struct writ_error *error)
{
    const char *text = cli_option_text(arguments, option);
    for (int i = 0; text && i < 3; i++)
        if (strcmp(text, words[i]) == 0)
            return i;
    if (!text)
        return otherwise;
    (void)writ_error_set(error, WRIT_USAGE, "`%.100s` is no value of --%s; write %s, %s or %s", text, option, words[0],
                         words[1], words[2]);
    return -1;
}

static int read_options(const struct cli_arguments *arguments, struct cli_lint_run *run, int *ret_format,
                        struct writ_error *error)
{
    static const char *const formats[] = {"text", "json", "sarif"};
    static const char *const severities[] = {"error", "warning", "note"};
    bool as_json = cli_option_is_set(arguments, "json");
    bool quiet = run->context->verbosity <= CLI_QUIET;
    int format = choose_word(arguments, "format", formats, as_json ? FORMAT_JSON : FORMAT_TEXT, error);
    int least = choose_word(arguments, "min-severity", severities, quiet ? 1 : 2, error);
    if (format < 0 || least < 0)
        return WRIT_USAGE;
    if (as_json && format != FORMAT_JSON)
        return writ_error_set(error, WRIT_USAGE, "--json and --format %s exclude each other; give one of them",
                              formats[format]);
    run->context->as_json = format == FORMAT_JSON;
    run->least = (enum writ_lint_severity)(WRIT_LINT_ERROR + least);
    run->fix = cli_option_is_set(arguments, "fix");
    run->with_unsafe = cli_option_is_set(arguments, "unsafe-fixes");
    run->dry_run = cli_option_is_set(arguments, "dry-run");
    *ret_format = format;
    if (run->dry_run && !run->fix)
        return writ_error_set(error, WRIT_USAGE, "--dry-run is of --fix; add it");
    return 0;
}

static int handle(struct cli_context *context, const struct cli_arguments *arguments)
{
    WRIT_CLEANUP(run_clear) struct cli_lint_run run = {.context = context};
    struct writ_error error, failure = {.code = WRIT_OK};
    int format = FORMAT_TEXT;
    int result = read_options(arguments, &run, &format, &error);
    if (result == 0 && cli_option_is_set(arguments, "rules"))
        return print_rules(context, format == FORMAT_TEXT ? FORMAT_TEXT : FORMAT_JSON);
    if (result == 0 && arguments->positional_count == 0 && !cli_option_is_set(arguments, "skills"))
        result = writ_error_set(&error, WRIT_USAGE,
                                "a skill is due: its folder (`writ lint .` for the one that you are in), its id, or a "
                                "folder of skills");
    if (result == 0)
        result = add_arguments(&run, arguments, &error);
    if (result == 0)
        result = judge(&run, &failure, &error);
    if (result < 0)
        return cli_report(context, &error);
    bool bad = run.error_count > 0 || (run.warning_count > 0 && cli_option_is_set(arguments, "strict"));
    int status = print(&run, (enum format)format, bad);
    if (failure.code == WRIT_OK)
        return status;
    context->as_json = false; /* the document is out: the failure is for people */
    return cli_report(context, &failure);
}

static const struct cli_example examples[] = {
    {"writ lint ./my-skills/com.example.my.skill", "what is wrong with a skill, and the mend"},
    {"writ lint my-skills", "every skill in a folder"},
    {"writ lint --fix --dry-run ./my-skills/com.example.my.skill", "what --fix would write"},
    {"writ lint --format sarif my-skills", "for tools that show findings in code"},
};

const struct cli_command cli_command_lint = {
    .name = "lint",
    .group = CLI_GROUP_WRITE,
    .usage = "[DIR|ID]...",
    .summary = "check skills, and mend what is certain",
    .details =
        "Judges the contract and the folder, never this machine (`writ doctor ID` does). A DIR without a skill.yaml "
        "is a folder of skills: each is judged.\n"
        "--fix keeps comments and everything else byte for byte, judges what came out again, and keeps no fix that "
        "brings another finding. It never grants more than what is written; --unsafe-fixes may.\n"
        "Exit status 0: no errors; 1: errors (with --strict warnings, too), after the fixes.",
    .options = options,
    .option_count = WRIT_COUNT(options),
    .examples = examples,
    .example_count = WRIT_COUNT(examples),
    .positionals_max = CLI_POSITIONALS_MAX,
    .works_anywhere = true,
    .needs_no_settings = true,
    .handler = handle,
};
