/* cli/progress.h: what the line says; when it comes and goes is seen at a real terminal (tests/cli/terminal). */
#include "cli/progress.h"
#include "support.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static void is_line(const struct writ_activity *activity, unsigned turns, unsigned columns, const char *expected)
{
    char text[512];
    cli_progress_print(activity, turns, columns, text, sizeof text);
    assert_string_equal(text, expected);
}

static void the_line_says_what_how_long_and_how_much(void **state)
{
    (void)state;
    is_line(&(struct writ_activity){.what = "preparing"}, 0, 80, "- preparing");
    is_line(&(struct writ_activity){.what = "running", .about = "com.example.x", .done_ms = 3999, .total_ms = 90000}, 1,
            80, "\\ running com.example.x, 3 s of at most 1 min 30 s");
    is_line(&(struct writ_activity){.what = "running", .about = "x", .done_ms = 1000}, 2, 80, "| running x, 1 s");
    is_line(&(struct writ_activity){.what = "verifying", .done = 12300000, .total = 40000000}, 3, 80,
            "/ verifying, 12.3 MB of 40 MB");
    is_line(&(struct writ_activity){.what = "reading", .done = 5}, 4, 80, "- reading, 5 B");
}

static void the_line_stays_one_and_fits(void **state)
{
    (void)state;
    is_line(&(struct writ_activity){.what = "running", .about = "a\nb\033[2J"}, 0, 80, "- running a b?[2J");
    is_line(&(struct writ_activity){.what = "reading", .about = "名字很长的文件夹"}, 0, 15, "- reading 名字…");
    is_line(&(struct writ_activity){.what = "reading", .about = "名字很长的文件夹"}, 0, 16, "- reading 名字…");
    is_line(&(struct writ_activity){.what = "reading", .about = "名字很长的文件夹"}, 0, 17, "- reading 名字很…");
}

static void nothing_is_shown_where_nobody_looks(void **state)
{
    (void)state;
    struct cli_progress progress;
    cli_progress_init(&progress, false);
    assert_null(progress.watch.tick);
    assert_int_equal(progress.watch.cancel_fd, -1);
    cli_progress_hide(&progress);
    cli_progress_hide(NULL);
}

/* Signals that came while they were held end the work, and not the program afterwards. */
static void held_signals_end_the_work(void **state)
{
    (void)state;
    struct cli_progress progress;
    struct writ_error error;
    const struct writ_activity activity = {.what = "working"};
    cli_progress_init(&progress, false);
    cli_progress_hold(&progress);
    assert_int_equal(writ_watch_check(&progress.watch, &activity, &error), 0);
    assert_int_equal(kill(getpid(), SIGINT), 0);
    assert_int_equal(kill(getpid(), SIGTERM), 0);
    assert_int_equal(writ_watch_check(&progress.watch, &activity, &error), WRIT_INTERRUPTED);
    assert_true(cli_progress_release(&progress));
    assert_int_equal(progress.watch.cancel_fd, -1);
    cli_progress_hold(&progress);
    assert_false(cli_progress_release(&progress));
    assert_false(cli_progress_release(&progress));
    sigset_t blocked;
    assert_int_equal(sigprocmask(SIG_BLOCK, NULL, &blocked), 0);
    assert_false(sigismember(&blocked, SIGINT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_line_says_what_how_long_and_how_much),
        cmocka_unit_test(the_line_stays_one_and_fits),
        cmocka_unit_test(nothing_is_shown_where_nobody_looks),
        cmocka_unit_test(held_signals_end_the_work),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
