/* cli/hints.h: every class of errors has a next step, with the words of the command line in it. */
#include "cli/handlers.h"
#include "cli/hints.h"
#include "support.h"

#include <string.h>

static struct cli_context context;
static struct cli_arguments arguments;

static int set_up(void **state)
{
    (void)state;
    context = (struct cli_context){.verbosity = CLI_VERBOSE, .command = &cli_command_run, .arguments = &arguments};
    arguments = (struct cli_arguments){.command = &cli_command_run};
    return 0;
}

static const char *hint(enum writ_code code, const char *message)
{
    struct writ_error error;
    (void)writ_error_set(&error, code, "%s", message);
    return cli_hint_of(&context, &error);
}

static void every_class_has_a_next_step(void **state)
{
    (void)state;
    for (int i = 0; i < WRIT_CODE_COUNT; i++) {
        enum writ_code code = (enum writ_code)(-1 - i);
        const char *text = hint(code, "something");
        if (!text)
            fail_msg("%s has no hint in src/cli/hints.c", writ_code_class(code));
        assert_true(strlen(text) > 20 && text[strlen(text) - 1] != '.');
    }
}

/* Each command that a hint names is one, and so is each of its options. */
static void hints_name_commands_that_are_there(void **state)
{
    (void)state;
    for (int i = 0; i < WRIT_CODE_COUNT; i++) {
        const char *text = hint((enum writ_code)(-1 - i), "something");
        while ((text = strstr(text, "`writ ")) != NULL) {
            char words[2][32] = {"", ""};
            char *argv[] = {words[0], words[1]};
            int used = 0;
            text += strlen("`writ ");
            if (strncmp(text, "COMMAND", 7) == 0)
                continue;
            (void)sscanf(text, "%31[a-z] %31[a-z]", words[0], words[1]);
            if (!cli_command_find(2, argv, &used))
                fail_msg("there is no command `%s %s`", words[0], words[1]);
        }
    }
}

static void hints_are_for_those_who_want_them(void **state)
{
    (void)state;
    assert_non_null(hint(WRIT_LIMIT_TIMEOUT, "something"));
    context.verbosity = CLI_NORMAL;
    assert_null(hint(WRIT_LIMIT_TIMEOUT, "something"));
    assert_non_null(hint(WRIT_INTERNAL_SANDBOX, "something"));
    assert_null(hint(WRIT_INTERNAL_SANDBOX, "something; `writ doctor` shows it")); /* said already */
    context.verbosity = CLI_QUIET;
    assert_null(hint(WRIT_INTERNAL_SANDBOX, "something"));
}

static void is_written(const char *text, const char *expected)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer out;
    writ_buffer_init(&out, 4096);
    cli_hint_write(&out, &context, text);
    assert_string_equal(writ_buffer_text(&out), expected);
}

static void the_skill_is_put_in(void **state)
{
    (void)state;
    is_written("`writ show ID` tells more of ID", "`writ show ID` tells more of ID");
    arguments.positionals[arguments.positional_count++] = "com.example.x@1.0";
    is_written("`writ show ID` tells", "`writ show com.example.x@1.0` tells");
    is_written("`writ COMMAND --help` and IDs", "`writ run --help` and IDs");
    arguments.values[arguments.value_count++] =
        (struct cli_value){cli_option_find(&cli_command_run, "skills", 6), "my/skills"};
    is_written("`writ doctor ID` tells", "`writ doctor --skills my/skills com.example.x@1.0` tells");
    /* Names that a shell would not take as they are stay out. */
    arguments.values[0].text = "my skills";
    is_written("`writ doctor ID` tells", "`writ doctor com.example.x@1.0` tells");
    arguments.positionals[0] = "$(reboot)";
    is_written("`writ doctor ID` tells", "`writ doctor ID` tells");
}

static void what_is_no_skill_is_not_put_in(void **state)
{
    (void)state;
    arguments.command = &cli_command_trust;
    arguments.positionals[arguments.positional_count++] = "some/folder";
    is_written("`writ show ID` tells", "`writ show ID` tells");
    context.arguments = NULL;
    context.command = NULL;
    is_written("`writ COMMAND --help` ID", "`writ COMMAND --help` ID");
}

#define TEST(name) cmocka_unit_test_setup(name, set_up)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_class_has_a_next_step),       TEST(hints_name_commands_that_are_there),
        TEST(hints_are_for_those_who_want_them), TEST(the_skill_is_put_in),
        TEST(what_is_no_skill_is_not_put_in),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
