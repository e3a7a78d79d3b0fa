/*
 * writ: the command.  Reads the environment once, finds the command's row, hands over.
 *
 * This is the only file that reads the environment; everything below takes what it needs as arguments.
 */
#include "base/descriptor.h"
#include "cli/command.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define ARENA_BYTES_MAX ((size_t)64 << 20)
#define LEVELS_UP 4
#define STACK_BYTES_MIN ((size_t)256 << 10)
#define STACK_BYTES_WANTED ((size_t)8 << 20)

static const char *get_environment(void *context, const char *name)
{
    (void)context;
    return getenv(name);
}

/* The skills shipped with this program: those of the source tree when it runs from a build folder (told by meson's own
 * folder beside it), at most LEVELS_UP above; else the installed place. */
static const char *find_shipped(struct writ_arena *arena)
{
    char path[PATH_MAX], probe[PATH_MAX + 32];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0 || path[0] != '/')
        return WRIT_SHIPPED_SKILLS;
    path[length] = '\0';
    *strrchr(path, '/') = '\0';
    (void)snprintf(probe, sizeof probe, "%s/meson-private", path);
    if (access(probe, F_OK) < 0)
        return WRIT_SHIPPED_SKILLS;
    for (unsigned level = 0; level < LEVELS_UP && strrchr(path, '/'); level++) {
        *strrchr(path, '/') = '\0';
        (void)snprintf(probe, sizeof probe, "%s/meson.build", path);
        if (access(probe, F_OK) < 0)
            continue;
        (void)snprintf(probe, sizeof probe, "%s/skills", path);
        if (access(probe, F_OK) == 0)
            return writ_arena_copy(arena, probe, strlen(probe));
    }
    return WRIT_SHIPPED_SKILLS;
}

static int fill_context(struct cli_context *context, struct writ_error *error)
{
    const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");
    cli_terminal_init(&context->terminal, no_colour && no_colour[0], !term || strcmp(term, "dumb") == 0);
    writ_arena_init(&context->arena, ARENA_BYTES_MAX);
    char working[PATH_MAX];
    int working_errno = getcwd(working, sizeof working) ? 0 : errno;
    if (working_errno)
        working[0] = '\0';
    char *copy = writ_arena_copy(&context->arena, working, strlen(working));
    const char *shipped = find_shipped(&context->arena);
    context->identity_id = writ_arena_printf(&context->arena, "uid-%u", (unsigned)getuid());
    if (!copy || !shipped || !context->identity_id)
        return writ_error_memory(error);
    /* What needs none of the person's folders goes by these. */
    context->places = (struct writ_places){.shipped = shipped, .working = copy};
    int result = writ_places_fill(&context->arena, get_environment, NULL, shipped, copy, &context->places, error);
    if (result == 0)
        result = writ_proc_check(error);
    if (result == 0 && working_errno)
        return writ_error_set_errno(error, WRIT_INTERNAL_IO, working_errno,
                                    "the working directory is gone or has no name; change to another folder");
    return result;
}

/* What the person has set, under what the environment says.  That the file is broken is the commands' affair. */
static void load_settings(struct cli_context *context)
{
    const char *no_colour = getenv("NO_COLOR");
    struct writ_setting_value *colour = &context->settings.values[WRIT_SETTING_COLOR];
    struct writ_error ignored;
    context->settings_fault.code = WRIT_OK;
    if (writ_settings_load(&context->places, &context->settings, &context->settings_fault) < 0)
        writ_settings_init(&context->settings);
    if (no_colour && no_colour[0] && writ_setting_parse(WRIT_SETTING_COLOR, "never", colour, &ignored) == 0)
        colour->source = WRIT_SETTING_FROM_ENVIRONMENT;
    (void)!cli_terminal_set_colour(&context->terminal, colour->text);
}

static bool asks_for_help(int argc, char *const *argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

/* How many tokens at the start are options common to all commands, with their values. */
static int count_common_options(int argc, char *const *argv)
{
    static const struct cli_command none = {.name = ""};
    int count = 0;
    while (count < argc && argv[count][0] == '-' && argv[count][1]) {
        const char *token = argv[count];
        bool is_long = token[1] == '-';
        size_t length = is_long ? strcspn(token + 2, "=") : 0;
        const struct cli_option *option = is_long            ? cli_option_find(&none, token + 2, length)
                                          : token[2] == '\0' ? cli_option_find_letter(&none, token[1])
                                                             : NULL;
        if (!option)
            break;
        count += option->value && !(is_long && token[2 + length]) ? 2 : 1;
    }
    return count < argc ? count : argc;
}

/* As far as it can be told before the command line is understood. */
static bool asks_for_json(const struct cli_command *command, int argc, char *const *argv)
{
    bool known = false;
    for (size_t i = 0; i < command->option_count; i++)
        known = known || strcmp(command->options[i].name, "json") == 0;
    for (int i = 0; known && i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--json") == 0)
            return true;
    return false;
}

/* Help is printed before the command line is understood, in the colours that it asks for. */
static void take_colour(struct cli_context *context, int argc, char *const *argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strncmp(argv[i], "--color=", 8) == 0)
            (void)!cli_terminal_set_colour(&context->terminal, argv[i] + 8);
        else if (strcmp(argv[i], "--color") == 0 && i + 1 < argc)
            (void)!cli_terminal_set_colour(&context->terminal, argv[i + 1]);
}

/* The command's help and, when arguments stand beside --help, what it says of them. */
static int print_help(struct cli_context *context, const struct cli_command *command, int argc, char *const *argv)
{
    take_colour(context, argc, argv);
    cli_print_help(&context->terminal, command);
    char *others[CLI_REST_MAX];
    int count = 0;
    for (int i = 0; i < argc && count < CLI_REST_MAX; i++)
        if (strcmp(argv[i], "--help") != 0 && strcmp(argv[i], "-h") != 0)
            others[count++] = argv[i];
    struct cli_arguments arguments;
    struct writ_error error;
    if (!command->help_below || context->places_fault.code ||
        cli_arguments_parse(command, count, others, &arguments, &error) < 0)
        return 0;
    return command->help_below(context, &arguments);
}

static int unknown_command(const struct cli_context *context, const char *name)
{
    struct writ_error error;
    if (name[0] == '-')
        (void)writ_error_set(&error, WRIT_USAGE,
                             "no option %.100s goes before a command; `writ help` lists the commands", name);
    else
        (void)cli_command_unknown(name, &error);
    return cli_report(context, &error);
}

static int apply_common_options(struct cli_context *context, const struct cli_arguments *arguments,
                                struct writ_error *error)
{
    const char *colour = cli_option_text(arguments, "color");
    bool quiet = cli_option_is_set(arguments, "quiet"), verbose = cli_option_is_set(arguments, "verbose");
    if (colour && !cli_terminal_set_colour(&context->terminal, colour))
        return writ_error_set(error, WRIT_USAGE, "--color takes auto, always or never, not `%.40s`", colour);
    if (colour &&
        writ_setting_parse(WRIT_SETTING_COLOR, colour, &context->settings.values[WRIT_SETTING_COLOR], error) == 0)
        context->settings.values[WRIT_SETTING_COLOR].source = WRIT_SETTING_FROM_OPTION;
    if (quiet && verbose)
        return writ_error_set(error, WRIT_USAGE, "--quiet and --verbose are given both; leave one out");
    cli_progress_init(context->progress,
                      context->terminal.err_is_terminal && !context->terminal.is_dumb && !quiet && !context->as_json &&
                          !context->command->hidden &&
                          context->settings.values[WRIT_SETTING_PROGRESS].number == WRIT_PROGRESS_AUTO);
    context->verbosity = quiet ? CLI_QUIET : verbose ? CLI_VERBOSE : CLI_NORMAL;
    return 0;
}

/* `argv` begins behind the command's words. */
static int run_found(struct cli_context *context, const struct cli_command *command, int argc, char *const *argv)
{
    context->command = command;
    if (!command->hidden && asks_for_help(argc, argv))
        return print_help(context, command, argc, argv);
    struct cli_arguments arguments;
    struct writ_error error;
    context->as_json = asks_for_json(command, argc, argv);
    if (cli_arguments_parse(command, argc, argv, &arguments, &error) < 0)
        return cli_report(context, &error);
    context->as_json = cli_option_is_set(&arguments, "json");
    context->arguments = &arguments;
    if (apply_common_options(context, &arguments, &error) < 0)
        return cli_report(context, &error);
    if (context->places_fault.code && !command->works_anywhere)
        return cli_report(context, &context->places_fault);
    if (context->settings_fault.code && !command->needs_no_settings)
        return cli_report(context, &context->settings_fault);
    int status = command->handler(context, &arguments);
    context->arguments = NULL;
    return status;
}

static int run_command(struct cli_context *context, int argc, char *const *argv)
{
    int common = count_common_options(argc, argv), words = 0;
    if (common == argc) {
        static const struct cli_command none = {.name = ""};
        bool wanted = asks_for_help(argc, argv);
        struct cli_arguments arguments;
        struct writ_error error;
        if (!wanted && cli_arguments_parse(&none, argc, argv, &arguments, &error) < 0)
            return cli_report(context, &error);
        take_colour(context, argc, argv);
        cli_print_overview(&context->terminal);
        return wanted ? 0 : writ_code_exit_status(WRIT_USAGE);
    }
    const struct cli_command *command = cli_command_find(argc - common, argv + common, &words);
    if (!command)
        return unknown_command(context, argv[common]);
    /* The command reads those before its name as if they stood behind it. */
    char **moved = writ_arena_alloc(&context->arena, (size_t)argc * sizeof *moved);
    if (!moved) {
        struct writ_error error;
        (void)writ_error_memory(&error);
        return cli_report(context, &error);
    }
    int after = argc - common - words;
    memcpy(moved, argv, (size_t)common * sizeof *moved);
    memcpy(moved + common, argv + common + words, (size_t)after * sizeof *moved);
    return run_found(context, command, common + after, moved);
}

/* The other end of a pipe or terminal may have been made non-blocking by a caller to which it is the same description:
 * large output would then break off.  We open one of our own rather than change the caller's. */
static void make_blocking(int fd)
{
    struct stat status;
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || !(flags & O_NONBLOCK) || fstat(fd, &status) < 0 ||
        !(S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode)))
        return;
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    /* Opening a pipe could wait, too. */
    int own = open(path, (flags & O_ACCMODE) | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (own < 0)
        return;
    if (fcntl(own, F_SETFL, flags & ~O_NONBLOCK) == 0)
        (void)dup2(own, fd);
    (void)close(own);
}

/* False when there is less than we need, and no more to be had. */
static bool has_stack(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) < 0 || limit.rlim_cur >= STACK_BYTES_MIN)
        return true;
    limit.rlim_cur = limit.rlim_max < STACK_BYTES_WANTED ? limit.rlim_max : STACK_BYTES_WANTED;
    return limit.rlim_cur >= STACK_BYTES_MIN && setrlimit(RLIMIT_STACK, &limit) == 0;
}

/* What a caller may have left us with, made such that nothing below has to think of it. */
static void settle(void)
{
    /* A reader that goes away, and a limit on file sizes, are errors of writing, told where they happen, not a death.
     */
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN);
    /* A file that is opened must never become our stdout.  What stands in can be neither read nor written, which is
     * told as before. */
    for (int fd = open("/", O_PATH | O_DIRECTORY); fd >= 0; fd = open("/", O_PATH | O_DIRECTORY))
        if (fd > STDERR_FILENO) {
            (void)close(fd);
            break;
        }
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        make_blocking(fd);
    /* What is made for the caller alone must be open to the caller. */
    (void)umask(umask(0) & ~(mode_t)S_IRWXU);
}

/* An earlier write may have failed for that, and its reason is long overwritten. */
static bool reader_is_gone(void)
{
    struct pollfd wanted = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&wanted, 1, 0) == 1 && (wanted.revents & POLLERR);
}

int main(int argc, char **argv)
{
    struct cli_progress progress;
    struct cli_context context = {.progress = &progress, .places = {.working = ""}};
    cli_progress_init(&progress, false);
    struct writ_error error;
    settle();
    if (!has_stack()) {
        (void)writ_error_set(&error, WRIT_INTERNAL_LIMIT,
                             "the limit on the stack is too low: raise it to %zu KiB (ulimit -s)",
                             STACK_BYTES_MIN >> 10);
        return cli_report(&context, &error);
    }
    /* Whoever has no home can still be told how to get help. */
    if (fill_context(&context, &context.places_fault) == 0)
        context.places_fault.code = WRIT_OK;
    load_settings(&context);
    int status = run_command(&context, argc > 1 ? argc - 1 : 0, argv + 1);
    context.as_json = false; /* for stdout is what failed, if something does now */
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        if (errno != EPIPE && !reader_is_gone()) {
            (void)writ_error_io(&error, errno ? errno : EIO, "writing to stdout");
            (void)cli_report(&context, &error);
        }
        status = status ? status : writ_code_exit_status(WRIT_INTERNAL_IO);
    }
    writ_arena_clear(&context.arena);
    return status;
}
