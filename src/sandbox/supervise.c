/*
 * One poll loop over init's death, stdin, stdout, stderr, the caller's cancellation and the clock.
 *
 * Limits: wall time by the loop itself; output by what is read; memory by looking at the process tree at 25, 50 and 100
 * ms and every 100 ms from then on (sample.c, held.c), with RLIMIT_DATA behind it and the peak known at the end;
 * processor time, processes, file sizes and descriptors by the kernel (limits.c).  Control groups are not used here
 * yet: joining one costs 10 ms and more (the kernel waits for a grace period), ten times all the rest.
 *
 * Nothing that the program does can block the loop: every descriptor is non-blocking, stderr beyond its bound is read
 * and dropped, and after the first ending nothing more is read but what was written before.
 */
#include "sandbox/supervise.h"

#include "base/descriptor.h"
#include "sandbox/raw.h"
#include "sandbox/sample.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define READ_STEP ((size_t)16 * 1024)
#define FIRST_LOOK_MS 25u
#define LOOK_MS_MAX 100u
#define REFILL_LOOK_NS 150000u /* about what entering takes once it has a plan */

struct watch {
    struct writ_supervision *supervision;
    struct writ_run_result *result;
    enum writ_ending ending; /* the first limit that was passed; UNKNOWN while the program runs on */
    bool is_killed, is_dead;
    int failed_errno; /* of our own work */
    bool wants_refill;
    uint64_t next_look_ns, look_ms, peak_bytes;
};

static uint64_t now_ns(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Init's death takes everything in its namespace along. */
static void stop(struct watch *watch, enum writ_ending ending)
{
    if (watch->ending == WRIT_ENDED_UNKNOWN)
        watch->ending = ending;
    if (!watch->is_killed)
        (void)syscall(SYS_pidfd_send_signal, watch->supervision->begun->pidfd, SIGKILL, NULL, 0);
    watch->is_killed = true;
}

void writ_supervise_feed(struct writ_supervision *supervision)
{
    const struct writ_plan *plan = supervision->plan;
    while (supervision->begun->input_fd >= 0 && supervision->input_written < plan->input_length) {
        ssize_t written = write(supervision->begun->input_fd, plan->input + supervision->input_written,
                                plan->input_length - supervision->input_written);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0 && errno == EAGAIN)
            return;
        if (written < 0)
            break;
        supervision->input_written += (size_t)written;
    }
    writ_descriptor_close(&supervision->begun->input_fd);
}

/* Reads once.  True when there may be more. */
static bool read_into(int *fd, struct writ_buffer *buffer, uint64_t *ret_over)
{
    char scratch[4096];
    size_t left = buffer->bytes_max - buffer->length;
    size_t step = left < READ_STEP ? left : READ_STEP;
    char *room = step ? writ_buffer_reserve(buffer, step) : scratch;
    if (!room)
        return false;
    ssize_t got = read(*fd, room, step ? step : sizeof scratch);
    if (got < 0)
        return errno == EINTR;
    if (got == 0) {
        writ_descriptor_close(fd);
        return false;
    }
    if (step)
        writ_buffer_commit(buffer, (size_t)got);
    else
        *ret_over += (uint64_t)got;
    return true;
}

static void read_output(struct watch *watch)
{
    uint64_t over = 0;
    (void)read_into(&watch->supervision->begun->output_fd, &watch->result->output, &over);
    if (over > 0)
        stop(watch, WRIT_ENDED_OUTPUT);
}

static void check_buffers(struct watch *watch)
{
    if (!watch->failed_errno && (watch->result->output.failed || watch->result->errors.failed)) {
        watch->failed_errno = ENOMEM;
        stop(watch, WRIT_ENDED_UNKNOWN);
    }
}

static void look_at_memory(struct watch *watch, uint64_t now)
{
    if (now < watch->next_look_ns)
        return;
    /* Until it is executed the program's memory is the caller's. */
    uint64_t exec_ns = __atomic_load_n(&watch->supervision->begun->enter->exec_ns, __ATOMIC_RELAXED);
    if (exec_ns == 0 || now < exec_ns + FIRST_LOOK_MS * 1000000u) {
        watch->next_look_ns = now + FIRST_LOOK_MS * 1000000u;
        return;
    }
    uint64_t limit = watch->supervision->plan->limits.memory_bytes;
    uint64_t bytes = writ_sample_memory(watch->supervision->begun->init, limit);
    if (bytes > watch->peak_bytes)
        watch->peak_bytes = bytes;
    if (bytes > limit)
        stop(watch, WRIT_ENDED_MEMORY);
    /* A program with very many mappings makes a look long: three quarters of the time stay for other work. */
    uint64_t took_ns = now_ns() - now, pause_ns = watch->look_ms * 1000000u;
    watch->next_look_ns = now + took_ns + (3 * took_ns > pause_ns ? 3 * took_ns : pause_ns);
    watch->look_ms = watch->look_ms * 2 < LOOK_MS_MAX ? watch->look_ms * 2 : LOOK_MS_MAX;
}

static struct timespec wait_time(const struct watch *watch, uint64_t now, uint64_t deadline)
{
    uint64_t until = deadline < watch->next_look_ns ? deadline : watch->next_look_ns;
    uint64_t left = until > now ? until - now : 0;
    if (watch->wants_refill && left > REFILL_LOOK_NS)
        left = REFILL_LOOK_NS;
    return (struct timespec){.tv_sec = (time_t)(left / 1000000000u), .tv_nsec = (long)(left % 1000000000u)};
}

/* Once the program is executed nobody works for this run but the program itself: the time to begin the next. */
static void refill(struct watch *watch)
{
    if (!watch->wants_refill || !__atomic_load_n(&watch->supervision->begun->enter->exec_ns, __ATOMIC_RELAXED))
        return;
    struct writ_sandbox_spare *spare = watch->supervision->spare;
    struct writ_error ignored; /* a run without a spare begins one by itself, and says what is wrong */
    if (writ_sandbox_begin(spare, &ignored) == 0)
        spare->begun->dumpable = watch->supervision->begun->dumpable; /* ours has changed what there was to see */
    watch->wants_refill = false;
}

/* There is a turn at every look at the memory, so ten times a second at least. */
static void tell(const struct watch *watch, uint64_t now)
{
    const struct writ_supervision *supervision = watch->supervision;
    const struct writ_activity activity = {.what = supervision->what,
                                           .about = supervision->about,
                                           .done_ms = (now - supervision->started_ns) / 1000000u,
                                           .total_ms = supervision->plan->limits.wall_ms};
    if (supervision->what)
        writ_watch_tell(supervision->watch, &activity);
}

/* One turn.  Returns false when poll itself failed. */
static bool turn(struct watch *watch, uint64_t deadline)
{
    struct writ_supervision *supervision = watch->supervision;
    uint64_t now = now_ns();
    if (now >= deadline)
        stop(watch, WRIT_ENDED_TIMEOUT);
    if (!watch->is_killed)
        look_at_memory(watch, now);
    tell(watch, now);
    /* Killed: only the death is waited for, however long the kernel takes. */
    bool alive = !watch->is_killed;
    struct pollfd events[] = {{.fd = supervision->begun->pidfd, .events = POLLIN},
                              {.fd = alive ? supervision->begun->output_fd : -1, .events = POLLIN},
                              {.fd = alive ? supervision->begun->errors_fd : -1, .events = POLLIN},
                              {.fd = alive ? supervision->begun->input_fd : -1, .events = POLLOUT},
                              {.fd = alive ? writ_watch_descriptor(supervision->watch) : -1, .events = POLLIN}};
    struct timespec wait = wait_time(watch, now, deadline);
    if (ppoll(events, WRIT_COUNT(events), alive ? &wait : NULL, NULL) < 0)
        return errno == EINTR;
    refill(watch);
    if (events[1].revents)
        read_output(watch);
    if (events[2].revents)
        (void)read_into(&supervision->begun->errors_fd, &watch->result->errors, &watch->result->errors_dropped);
    if (events[3].revents)
        writ_supervise_feed(supervision);
    if (events[4].revents)
        stop(watch, WRIT_ENDED_INTERRUPTED);
    check_buffers(watch);
    watch->is_dead = events[0].revents != 0;
    return true;
}

/* What was written before the death is still in the pipes. */
static void drain(struct watch *watch)
{
    struct writ_supervision *supervision = watch->supervision;
    uint64_t over = 0;
    while (supervision->begun->output_fd >= 0 && over == 0)
        if (!read_into(&supervision->begun->output_fd, &watch->result->output, &over))
            break;
    if (over > 0 && watch->ending == WRIT_ENDED_UNKNOWN)
        watch->ending = WRIT_ENDED_OUTPUT;
    while (supervision->begun->errors_fd >= 0)
        if (!read_into(&supervision->begun->errors_fd, &watch->result->errors, &watch->result->errors_dropped))
            break;
    check_buffers(watch);
}

static uint64_t microseconds(const struct timeval *time)
{
    return (uint64_t)time->tv_sec * 1000000u + (uint64_t)time->tv_usec;
}

/* SIGXCPU at the limit, SIGKILL a second later for a program that does not die of it. */
static bool ran_out_of_cpu(const struct writ_enter *enter, int signal_number)
{
    if (signal_number == SIGXCPU)
        return true;
    for (size_t i = 0; signal_number == SIGKILL && i < enter->limit_count; i++)
        if (enter->limits[i].resource == RLIMIT_CPU)
            return enter->program_cpu_us / 1000000u >= enter->limits[i].hard;
    return false;
}

/* How the program itself ended, unless a limit did it. */
static void conclude(struct watch *watch)
{
    struct writ_run_result *result = watch->result;
    const struct writ_enter *enter = watch->supervision->begun->enter;
    const struct writ_limits *limits = &watch->supervision->plan->limits;
    bool deadly_peak = watch->peak_bytes > limits->memory_bytes;
    result->ending = watch->ending;
    if (result->ending != WRIT_ENDED_UNKNOWN)
        return;
    /* Init died without a word: someone outside, or the kernel out of memory, killed it. */
    int status = enter->ended ? enter->wait_status : SIGKILL;
    if (deadly_peak) {
        result->ending = WRIT_ENDED_MEMORY;
    } else if (WIFEXITED(status)) {
        result->ending = WRIT_ENDED_EXIT;
        result->exit_status = WEXITSTATUS(status);
    } else {
        result->signal_number = WTERMSIG(status);
        result->ending = ran_out_of_cpu(enter, result->signal_number) ? WRIT_ENDED_CPU : WRIT_ENDED_SIGNAL;
    }
}

/* The largest process as the kernel counted it.  A process's peak includes that of the memory it had before its exec,
 * which was the caller's: when it is not above the caller's own peak and no sample was taken, it is only a bound. */
static void measure(struct watch *watch, const struct rusage *usage)
{
    struct writ_run_result *result = watch->result;
    struct rusage own = {0};
    (void)getrusage(RUSAGE_SELF, &own);
    uint64_t floor = (uint64_t)own.ru_maxrss * 1024, peak = watch->supervision->begun->enter->resident_peak_bytes;
    result->cpu_us = microseconds(&usage->ru_utime) + microseconds(&usage->ru_stime);
    if (peak > floor && peak > watch->peak_bytes)
        watch->peak_bytes = peak;
    result->memory_peak_bytes = watch->peak_bytes ? watch->peak_bytes : peak;
    result->memory_measure = watch->peak_bytes ? "largest-process" : "upper-bound";
    result->limits_held_by = "rlimits";
    result->input_taken = watch->supervision->input_written == watch->supervision->plan->input_length;
    int unread = 0;
    if (ioctl(watch->supervision->begun->input_read_fd, FIONREAD, &unread) == 0 && unread > 0)
        result->input_taken = false;
}

int writ_supervise(struct writ_supervision *supervision, struct writ_run_result *result, struct writ_error *error)
{
    struct watch watch = {.supervision = supervision,
                          .result = result,
                          .look_ms = FIRST_LOOK_MS,
                          .wants_refill = supervision->spare && supervision->spare->refill};
    uint64_t wall_ns;
    uint64_t deadline = UINT64_MAX;
    if (!WRIT_MUL_OVERFLOWS(supervision->plan->limits.wall_ms, UINT64_C(1000000), &wall_ns) &&
        WRIT_ADD_OVERFLOWS(supervision->started_ns, wall_ns, &deadline))
        deadline = UINT64_MAX;
    watch.next_look_ns = supervision->started_ns + FIRST_LOOK_MS * 1000000u;
    while (!watch.is_dead) {
        if (!turn(&watch, deadline) && !watch.failed_errno) {
            watch.failed_errno = errno;
            stop(&watch, WRIT_ENDED_UNKNOWN);
            break; /* the wait below needs no poll */
        }
    }
    struct rusage usage = {0};
    writ_begun_reap(supervision->begun, &usage);
    drain(&watch);
    result->duration_us = (now_ns() - supervision->started_ns) / 1000u;
    measure(&watch, &usage);
    if (watch.failed_errno == ENOMEM)
        return writ_error_memory(error);
    if (watch.failed_errno)
        return writ_error_set_errno(error, WRIT_INTERNAL_SANDBOX, watch.failed_errno, "watching the program");
    conclude(&watch);
    return 0;
}
