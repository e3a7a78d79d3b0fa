/* A command line is read by its command's row, and whatever is odd in it is named. */
#include "cli/command.h"
#include "support.h"

#include <stdio.h>
#include <string.h>

static const struct cli_option options[] = {
    {"input", 'i', "JSON", "the input"},
    {"skills", 0, "DIR", "a folder"},
    {"follow", 'f', NULL, "a switch"},
    CLI_OPTION_JSON,
};
static const struct cli_command plain = {
    .name = "audit", .usage = "", .options = options, .option_count = WRIT_COUNT(options), .positionals_max = 2};
static const struct cli_command with_rest = {.name = "run",
                                             .usage = "ID",
                                             .options = options,
                                             .option_count = WRIT_COUNT(options),
                                             .positionals_min = 1,
                                             .positionals_max = 1,
                                             .takes_rest = true};

static char storage[16][64];
static char *words[16];

/* Splits at blanks; `~` stands for an empty word. */
static int split(const char *line)
{
    int count = 0;
    while (*line) {
        size_t length = strcspn(line, " ");
        assert_true(count < 16 && length < 64);
        (void)snprintf(storage[count], sizeof storage[count], "%.*s", (int)length, line);
        if (strcmp(storage[count], "~") == 0)
            storage[count][0] = '\0';
        words[count] = storage[count];
        count++;
        line += length + (line[length] == ' ');
    }
    return count;
}

static int parse(const struct cli_command *command, const char *line, struct cli_arguments *arguments,
                 struct writ_error *error)
{
    return cli_arguments_parse(command, split(line), words, arguments, error);
}

static void is_refused(const struct cli_command *command, const char *line, const char *part)
{
    struct cli_arguments arguments;
    struct writ_error error;
    assert_int_equal(parse(command, line, &arguments, &error), WRIT_USAGE);
    if (!strstr(error.message, part))
        fail_msg("`%s`: said %s", line, error.message);
}

static void is_taken(const struct cli_command *command, const char *line, const char *input, const char *positional,
                     const char *rest)
{
    struct cli_arguments arguments;
    struct writ_error error;
    if (parse(command, line, &arguments, &error) < 0)
        fail_msg("`%s`: %s", line, error.message);
    const char *got = cli_option_text(&arguments, "input");
    assert_string_equal(got ? got : "(none)", input ? input : "(none)");
    assert_int_equal(arguments.positional_count, positional ? 1 : 0);
    if (positional)
        assert_string_equal(arguments.positionals[0], positional);
    char joined[512] = "";
    for (size_t i = 0; i < arguments.rest_count; i++)
        (void)snprintf(joined + strlen(joined), sizeof joined - strlen(joined), "%s%s", i ? " " : "",
                       arguments.rest[i]);
    assert_string_equal(joined, rest);
}

static void values_are_joined_or_follow(void **state)
{
    (void)state;
    is_taken(&plain, "--input x", "x", NULL, "");
    is_taken(&plain, "--input=x", "x", NULL, "");
    is_taken(&plain, "--input=a=b", "a=b", NULL, "");
    is_taken(&plain, "-i x", "x", NULL, "");
    is_taken(&plain, "-ix", "x", NULL, "");
    is_taken(&plain, "--input --json", "--json", NULL, "");
    is_taken(&plain, "--input a --input b", "b", NULL, "");
    is_taken(&plain, "-", NULL, "-", "");
    is_taken(&plain, "-i -", "-", NULL, "");
    is_taken(&plain, "-- --input", NULL, "--input", "");
    is_taken(&plain, "~", NULL, "", "");
    is_taken(&plain, "-f", NULL, NULL, "");
}

static void odd_options(void **state)
{
    (void)state;
    is_refused(&plain, "--inptu x", "did you mean --input?");
    is_refused(&plain, "---", "no option ---");
    is_refused(&plain, "--=x", "no option --=x");
    is_refused(&plain, "-x", "no option -x");
    is_refused(&plain, "-fi", "no option -fi");
    is_refused(&plain, "--json=yes", "takes no value");
    is_refused(&plain, "--input", "needs a value");
    is_refused(&plain, "-i", "needs a value");
    is_refused(&plain, "a b c", "takes no");
}

static void flags_of_a_skill_follow_its_name(void **state)
{
    (void)state;
    is_taken(&with_rest, "id --text a", NULL, "id", "--text a");
    is_taken(&with_rest, "id --input x --text a", "x", "id", "--text a");
    is_taken(&with_rest, "--input x id --text=a", "x", "id", "--text=a");
    is_taken(&with_rest, "id -5 -x", NULL, "id", "-5 -x");
    is_taken(&with_rest, "id -- --input x", NULL, "id", "--input x");
    is_refused(&with_rest, "--text a id", "name the skill before");
    is_refused(&with_rest, "--input x", "argument is missing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_joined_or_follow),
        cmocka_unit_test(odd_options),
        cmocka_unit_test(flags_of_a_skill_follow_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
