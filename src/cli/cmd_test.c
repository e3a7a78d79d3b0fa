/* `writ test`: the contract's own tests, each a real call in the real sandbox (S4.10); once, or at every change. */
#include "base/descriptor.h"
#include "cli/handlers.h"
#include "cli/skill_argument.h"
#include "cli/test_round.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>

static const struct cli_option options[] = {
    {"only", 0, "NAME", "run the one test of this name"},
    {"watch", 'w', NULL, "run them again whenever something in the skill's folder changes"},
    CLI_OPTION_JSON,
    CLI_OPTION_SKILLS,
};

/* ---- watching ---- */

/* The folder that an argument stands for; it may hold no skill that can be used, for it is there to be mended. */
static int find_folder(const struct cli_test_plan *plan, const char *argument, struct writ_arena *arena,
                       const char **ret_folder, struct writ_error *error)
{
    struct cli_skill_argument parsed;
    struct writ_skill *skill = NULL;
    char path[PATH_MAX];
    int result = cli_skill_argument_parse(argument, &parsed, error);
    if (result < 0)
        return result;
    WRIT_CLEANUP(writ_descriptor_close)
    int fd = parsed.folder ? open(parsed.folder, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
    if (fd >= 0 && writ_descriptor_path(fd, path) == 0) {
        *ret_folder = writ_arena_copy(arena, path, strlen(path));
        return *ret_folder ? 0 : writ_error_memory(error);
    }
    result = cli_skill_open(plan->catalog, argument, &skill, error);
    if (skill) {
        *ret_folder = writ_arena_copy(arena, skill->folder, strlen(skill->folder));
        result = *ret_folder ? 0 : writ_error_memory(error);
    }
    writ_skill_free(skill);
    return result;
}

/* The first look comes before the first round, so that what changes during that round is not lost. */
static int begin_watch(struct cli_context *context, struct cli_test_plan *plan, struct writ_error *error)
{
    int result = 0;
    for (size_t i = 0; result == 0 && i < plan->count; i++) {
        struct cli_test_target *target = &plan->targets[i];
        const char *folder;
        result = find_folder(plan, target->argument, &context->arena, &folder, error);
        if (result == 0)
            result = cli_folder_watch_new(folder, &target->watch, error);
        if (result == 0 && cli_folder_watch_is_cut(target->watch) && context->verbosity > CLI_QUIET) {
            (void)fputs("writ: ", stderr);
            cli_print_safe_text(stderr, target->argument);
            (void)fputs(" holds more than can be watched; some changes will not be noticed\n", stderr);
        }
    }
    return result;
}

static int wait_for_change(const struct cli_test_plan *plan, int cancel_fd, struct cli_changes *changes,
                           enum cli_folder_watch_end *ret_end, struct writ_error *error)
{
    struct cli_folder_watch *watches[CLI_POSITIONALS_MAX];
    for (size_t i = 0; i < plan->count; i++)
        watches[i] = plan->targets[i].watch;
    int result = cli_folder_watch_wait(watches, plan->count, cancel_fd, changes, ret_end, error);
    for (size_t i = 0; i < plan->count; i++) {
        plan->targets[i].since = &changes[i];
        plan->targets[i].is_due = changes[i].total > 0;
    }
    return result;
}

/* Ctrl-C is how a watch is meant to end, so its exit status is that of the last whole round. */
static int watch(struct cli_context *context, struct cli_test_plan *plan)
{
    struct writ_error error;
    enum cli_folder_watch_end end = CLI_WATCH_CHANGE;
    bool interrupted = false;
    int last = writ_code_exit_status(WRIT_INTERRUPTED);
    struct cli_changes *changes = writ_arena_zalloc(&context->arena, plan->count, sizeof *changes);
    int result = changes ? begin_watch(context, plan, &error) : writ_error_memory(&error);
    for (size_t round = 1; result == 0 && end == CLI_WATCH_CHANGE; round++) {
        int status = cli_test_round(context, plan, round, &interrupted);
        if (interrupted)
            break;
        last = status;
        if (!context->as_json && context->verbosity > CLI_QUIET)
            cli_print_styled(&context->terminal, stdout, CLI_DIM, "watching for changes; Ctrl-C ends\n");
        if (fflush(stdout) != 0)
            break;
        result = wait_for_change(plan, context->progress->watch.cancel_fd, changes, &end, &error);
    }
    for (size_t i = 0; i < plan->count; i++)
        cli_folder_watch_free(plan->targets[i].watch);
    if (context->terminal.out_is_terminal && (interrupted || end == CLI_WATCH_CANCELLED))
        (void)fputc('\n', stdout); /* behind the terminal's ^C */
    return result < 0 ? cli_report(context, &error) : last;
}

/* ---- the command ---- */

static int handle(struct cli_context *context, const struct cli_arguments *arguments)
{
    const char *folders[CLI_VALUES_MAX];
    struct cli_test_target targets[CLI_POSITIONALS_MAX];
    const struct writ_catalog_options catalog = cli_catalog_options(context, arguments, folders);
    struct cli_test_plan plan = {.catalog = &catalog,
                                 .targets = targets,
                                 .count = arguments->positional_count,
                                 .only = cli_option_text(arguments, "only"),
                                 .is_watched = cli_option_is_set(arguments, "watch")};
    for (size_t i = 0; i < plan.count; i++)
        targets[i] = (struct cli_test_target){.argument = arguments->positionals[i], .is_due = true};
    bool interrupted;
    cli_progress_hold(context->progress);
    int status = plan.is_watched ? watch(context, &plan) : cli_test_round(context, &plan, 1, &interrupted);
    (void)cli_progress_release(context->progress);
    return status;
}

static const struct cli_example examples[] = {
    {"writ test com.example.text.stats", "the tests of a skill by its id"},
    {"writ test ./my-skills/com.example.my.skill", "the tests of one that is being written"},
    {"writ test ./my-skills/com.example.my.skill --watch", "the same at every change, until Ctrl-C"},
    {"writ test com.example.text.stats --only 'Chinese text'", "one test"},
};

const struct cli_command cli_command_test = {
    .name = "test",
    .group = CLI_GROUP_WRITE,
    .usage = "ID|DIR...",
    .summary = "run a skill's own tests",
    .details =
        "Each item of `test:` in skill.yaml and each file in the skill's tests/ folder is a real call in the real "
        "sandbox, offline. Relative paths in inputs start in the skill's folder; for a skill that writes, in "
        "a copy of it for each test. `${{ .state }}` is a fresh folder for each test. Exit status 0: all passed; 1: "
        "not.\n"
        "With --watch it goes on until Ctrl-C, whose exit status is that of the last round; with --json each round is "
        "a "
        "line. What editors, version control and writ's own building of main leave in the folder is no change.",
    .options = options,
    .option_count = WRIT_COUNT(options),
    .examples = examples,
    .example_count = WRIT_COUNT(examples),
    .positionals_min = 1,
    .positionals_max = CLI_POSITIONALS_MAX,
    .handler = handle,
};
