#include "cli/keyboard.h"

#include "base/descriptor.h"
#include "cli/line_editor.h"
#include "cli/terminal.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#define MARK_PASTES "\033[?2004h"
#define MARK_NO_PASTES "\033[?2004l"
#define COLUMNS_MIN 20
#define COLUMNS_MAX 500
#define LISTING_BYTES_MAX ((size_t)64 << 10)

unsigned cli_keyboard_columns(void)
{
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col == 0)
        return 80;
    return size.ws_col < COLUMNS_MIN ? COLUMNS_MIN : size.ws_col > COLUMNS_MAX ? COLUMNS_MAX : size.ws_col;
}

/* ---- the terminal's settings ---- */

/* Single keys without echo; signals, flow control and output stay as they are. */
static int set_keys(const struct cli_keyboard *keyboard)
{
    struct termios keys = keyboard->before;
    keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO | IEXTEN);
    keys.c_lflag |= ISIG;
    keys.c_cc[VMIN] = 1;
    keys.c_cc[VTIME] = 0;
    if (keyboard->marks_pastes)
        (void)fputs(MARK_PASTES, stderr);
    return tcsetattr(STDIN_FILENO, TCSADRAIN, &keys);
}

static void set_back(const struct cli_keyboard *keyboard)
{
    if (keyboard->marks_pastes)
        (void)fputs(MARK_NO_PASTES, stderr);
    (void)fflush(stderr);
    (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &keyboard->before);
}

static void collect_signals(sigset_t *signals)
{
    static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGWINCH};
    (void)sigemptyset(signals);
    for (size_t i = 0; i < WRIT_COUNT(caught); i++) {
        struct sigaction action;
        if (sigaction(caught[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            (void)sigaddset(signals, caught[i]);
    }
}

int cli_keyboard_open(struct cli_keyboard *keyboard, bool dumb, struct writ_error *error)
{
    sigset_t signals;
    *keyboard = (struct cli_keyboard){.signal_fd = -1, .marks_pastes = !dumb};
    if (tcgetattr(STDIN_FILENO, &keyboard->before) < 0)
        return writ_error_io(error, errno, "the terminal");
    collect_signals(&signals);
    keyboard->signal_fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    if (keyboard->signal_fd < 0)
        return writ_error_io(error, errno, "the terminal's signals");
    (void)sigprocmask(SIG_BLOCK, &signals, &keyboard->mask_before);
    keyboard->is_open = true;
    if (set_keys(keyboard) < 0) {
        int cause = errno;
        cli_keyboard_close(keyboard);
        return writ_error_io(error, cause, "the terminal");
    }
    return 0;
}

void cli_keyboard_close(struct cli_keyboard *keyboard)
{
    if (!keyboard->is_open)
        return;
    set_back(keyboard);
    keyboard->is_open = false;
    writ_descriptor_close(&keyboard->signal_fd);
    explicit_bzero(keyboard->keys, sizeof keyboard->keys);
    (void)sigprocmask(SIG_SETMASK, &keyboard->mask_before, NULL);
}

/* ---- one line ---- */

struct reading {
    struct cli_keyboard *keyboard;
    const struct cli_keyboard_line *wanted;
    struct cli_line line;
};

/* The prompt on a line of its own and behind it what is typed already. */
static void show_afresh(struct reading *reading)
{
    size_t columns = cli_keyboard_columns(),
           width = cli_text_width(reading->wanted->prompt, strlen(reading->wanted->prompt));
    size_t most = columns / 2, used = width < most ? width : most;
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer out;
    writ_buffer_init_secret(&out, CLI_LINE_BYTES_MAX);
    (void)fputc('\r', stderr);
    cli_print_cut(stderr, reading->wanted->prompt, width > most ? most : 0, 0);
    cli_line_draw(&reading->line, columns - used - 1, true, &out);
    (void)fwrite(writ_buffer_text(&out), 1, out.length, stderr);
    (void)fflush(stderr);
}

static void show(struct reading *reading)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer out;
    writ_buffer_init_secret(&out, CLI_LINE_BYTES_MAX);
    cli_line_draw(&reading->line, reading->line.room, false, &out);
    (void)fwrite(writ_buffer_text(&out), 1, out.length, stderr);
    (void)fflush(stderr);
}

/* Lets a signal do what it does to any program, with the terminal as it was. */
static void give_way(struct reading *reading, int number)
{
    sigset_t one;
    (void)fputc('\n', stderr);
    set_back(reading->keyboard);
    (void)sigemptyset(&one);
    (void)sigaddset(&one, number);
    (void)raise(number); /* is held back until it is let through */
    (void)sigprocmask(SIG_UNBLOCK, &one, NULL);
    /* Only a stop comes back.  While it lasted the settings may have been changed for good; in the background those of
     * the shell's own editing are seen instead. */
    (void)sigprocmask(SIG_BLOCK, &one, NULL);
    if (tcgetpgrp(STDIN_FILENO) == getpgrp())
        (void)tcgetattr(STDIN_FILENO, &reading->keyboard->before);
    (void)set_keys(reading->keyboard);
    show_afresh(reading);
}

/* True when the line is not to be read on. */
static bool take_signal(struct reading *reading)
{
    struct signalfd_siginfo info;
    if (read(reading->keyboard->signal_fd, &info, sizeof info) != (ssize_t)sizeof info)
        return false;
    int number = (int)info.ssi_signo;
    if (number == SIGWINCH)
        show_afresh(reading);
    else if (number == SIGTSTP || number == SIGQUIT)
        give_way(reading, number);
    else
        return true;
    return false;
}

/* Waits for keys.  False: there will be none any more. */
static bool take_keys(struct cli_keyboard *keyboard)
{
    ssize_t got;
    do {
        got = read(STDIN_FILENO, keyboard->keys, sizeof keyboard->keys);
    } while (got < 0 && errno == EINTR);
    keyboard->key_at = 0;
    keyboard->key_count = got > 0 ? (size_t)got : 0;
    return got > 0 || (got < 0 && errno == EAGAIN);
}

static void complete(struct reading *reading)
{
    const struct cli_keyboard_line *wanted = reading->wanted;
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer listing;
    writ_buffer_init(&text, LISTING_BYTES_MAX);
    writ_buffer_init(&listing, LISTING_BYTES_MAX);
    if (!wanted->complete)
        return;
    wanted->complete(wanted->context, writ_buffer_text(&reading->line.text), reading->line.cursor, &text, &listing);
    if (text.length > 0) {
        cli_line_insert(&reading->line, text.data, text.length);
    } else if (listing.length > 0) {
        (void)fputc('\n', stderr);
        cli_print_wrapped(stderr, listing.data, 2, cli_keyboard_columns());
        show_afresh(reading);
    }
}

/* Uses up keys; GOES_ON when there are none left. */
static enum cli_line_event feed(struct reading *reading)
{
    struct cli_keyboard *keyboard = reading->keyboard;
    while (keyboard->key_at < keyboard->key_count) {
        char key = keyboard->keys[keyboard->key_at];
        keyboard->keys[keyboard->key_at++] = '\0';
        enum cli_line_event event = cli_line_feed(&reading->line, key);
        if (event == CLI_LINE_TAB)
            complete(reading);
        else if (event == CLI_LINE_REDRAW)
            show_afresh(reading);
        else if (event != CLI_LINE_GOES_ON)
            return event;
    }
    return CLI_LINE_GOES_ON;
}

static enum cli_reading read_line(struct reading *reading)
{
    struct cli_keyboard *keyboard = reading->keyboard;
    for (;;) {
        enum cli_line_event event = feed(reading);
        show(reading);
        if (event == CLI_LINE_DONE)
            return reading->line.overflowed ? CLI_READ_OVERFLOWED : CLI_READ_LINE;
        if (event == CLI_LINE_END)
            return CLI_READ_END;
        struct pollfd watched[] = {{.fd = keyboard->signal_fd, .events = POLLIN},
                                   {.fd = STDIN_FILENO, .events = POLLIN}};
        if (poll(watched, WRIT_COUNT(watched), -1) < 0 && errno != EINTR)
            return CLI_READ_END;
        if (watched[0].revents && take_signal(reading))
            return CLI_READ_INTERRUPTED;
        if (watched[1].revents && !take_keys(keyboard))
            return CLI_READ_END;
    }
}

enum cli_reading cli_keyboard_read(struct cli_keyboard *keyboard, const struct cli_keyboard_line *line,
                                   struct writ_buffer *text)
{
    struct reading reading = {.keyboard = keyboard, .wanted = line};
    cli_line_init(&reading.line, line->hidden);
    show_afresh(&reading);
    enum cli_reading result = read_line(&reading);
    (void)fputc('\n', stderr);
    if (result == CLI_READ_LINE)
        writ_buffer_append(text, writ_buffer_text(&reading.line.text), reading.line.text.length);
    cli_line_clear(&reading.line);
    return result;
}
