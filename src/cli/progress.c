#include "cli/progress.h"

#include "cli/interrupt.h"
#include "cli/terminal.h"
#include "data/quantity.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define BEGINS_AFTER_NS UINT64_C(500000000)
#define DRAWN_EVERY_NS UINT64_C(100000000)
#define LINE_BYTES 1024
#define COLUMNS_DEFAULT 80
#define COLUMNS_MAX 200 /* what a line of bytes above surely holds */
#define ERASE "\r\033[K"

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};

static uint64_t now_ns(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* One write, so that nothing comes between. */
static void write_whole(const char *text, size_t length)
{
    int kept = errno;
    (void)!write(STDERR_FILENO, text, length);
    errno = kept;
}

void cli_progress_print(const struct writ_activity *activity, unsigned turns, unsigned columns, char *text,
                        size_t bytes)
{
    static const char sides[] = "-\\|/";
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer line;
    writ_buffer_init(&line, LINE_BYTES);
    writ_buffer_printf(&line, "%c %s", sides[turns % 4], activity->what);
    if (activity->about)
        writ_buffer_printf(&line, " %.300s", activity->about);
    if (activity->done_ms >= 1000 || activity->total_ms > 0)
        writ_buffer_printf(&line, ", %llu s", (unsigned long long)(activity->done_ms / 1000));
    if (activity->total_ms > 0) {
        writ_buffer_append_text(&line, " of at most ");
        writ_duration_print(&line, activity->total_ms);
    }
    if (activity->done > 0) {
        writ_buffer_append_text(&line, ", ");
        writ_size_print(&line, activity->done);
    }
    if (activity->total > 0) {
        writ_buffer_append_text(&line, " of ");
        writ_size_print(&line, activity->total);
    }
    text[0] = '\0';
    FILE *stream = fmemopen(text, bytes, "w");
    if (!stream)
        return;
    cli_print_cut(stream, writ_buffer_text(&line), columns, 0);
    (void)fclose(stream);
}

static unsigned columns_of_stderr(void)
{
    struct winsize size;
    unsigned columns = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : COLUMNS_DEFAULT;
    return columns < COLUMNS_MAX ? columns : COLUMNS_MAX;
}

static void draw(struct cli_progress *progress, const struct writ_activity *activity)
{
    char text[LINE_BYTES * 2] = "\r";
    /* The last column stays free: some terminals go to the next line with it. */
    cli_progress_print(activity, progress->turns++, columns_of_stderr() - 1, text + 1, LINE_BYTES * 2 - 8);
    size_t length = strlen(text);
    memcpy(text + length, "\033[K", 4);
    write_whole(text, length + 3);
    progress->is_shown = true;
}

static void tick(void *context, const struct writ_activity *activity)
{
    struct cli_progress *progress = context;
    uint64_t now = now_ns();
    if (progress->began_ns == 0)
        progress->began_ns = now;
    if (now - progress->began_ns < BEGINS_AFTER_NS || now - progress->drawn_ns < DRAWN_EVERY_NS)
        return;
    progress->drawn_ns = now;
    if (tcgetpgrp(STDERR_FILENO) == getpgrp())
        draw(progress, activity);
}

/* Knows nothing of the line, so that it needs no state: where there is none, an empty one is erased. */
static void erase_and_end(int signal_number)
{
    write_whole(ERASE, strlen(ERASE));
    (void)signal(signal_number, SIG_DFL);
    (void)raise(signal_number); /* comes once this returns */
}

void cli_progress_init(struct cli_progress *progress, bool shows)
{
    *progress = (struct cli_progress){.watch = {.cancel_fd = -1, .context = progress}};
    if (!shows)
        return;
    progress->watch.tick = tick;
    for (size_t i = 0; i < WRIT_COUNT(ending_signals); i++) {
        struct sigaction action;
        if (sigaction(ending_signals[i], NULL, &action) == 0 && action.sa_handler == SIG_DFL)
            (void)signal(ending_signals[i], erase_and_end);
    }
}

void cli_progress_hide(struct cli_progress *progress)
{
    if (!progress)
        return;
    if (progress->is_shown)
        write_whole(ERASE, strlen(ERASE));
    progress->is_shown = false;
    progress->began_ns = 0;
}

void cli_progress_hold(struct cli_progress *progress)
{
    if (progress->watch.cancel_fd < 0)
        progress->watch.cancel_fd = cli_interrupt_open();
}

bool cli_progress_release(struct cli_progress *progress)
{
    cli_progress_hide(progress);
    return cli_interrupt_close(&progress->watch.cancel_fd);
}
