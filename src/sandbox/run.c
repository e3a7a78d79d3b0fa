/*
 * One run from plan to result: prepare, clone, hand over the maps, supervise.  See enter.c for how the child works.
 */
#include "sandbox/sandbox.h"

#include "base/descriptor.h"
#include "sandbox/enter.h"
#include "sandbox/idmap.h"
#include "sandbox/prepare.h"
#include "sandbox/raw.h"
#include "sandbox/supervise.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef WRIT_SANDBOX_TRACE
extern uint64_t writ_sandbox_trace_ns[WRIT_TRACE_COUNT]; /* of the benchmark */
#endif

/* The network namespace follows in enter.c. */
#define NAMESPACES (CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP)
#define GUARD_BYTES ((size_t)4096)

/* Everything that the child touches: a page that nothing may touch, two stacks that grow down towards it, the struct.
 */
struct shared {
    char guard[GUARD_BYTES];
    char init_stack[WRIT_ENTER_STACK_BYTES];
    char program_stack[WRIT_ENTER_STACK_BYTES];
    struct writ_enter enter;
};

struct run {
    struct shared *shared;
    struct writ_supervision supervision;
    int child_ends[3]; /* the program's stdin, stdout, stderr; owned until the clone */
    int caller_pidfd;
    int dumpable;
};

static void run_clear(struct run *run)
{
    if (run->shared) {
        writ_prepare_clear(&run->shared->enter);
        (void)munmap(run->shared, sizeof *run->shared);
    }
    for (size_t i = 0; i < WRIT_COUNT(run->child_ends); i++)
        writ_descriptor_close(&run->child_ends[i]);
    writ_descriptor_close(&run->caller_pidfd);
    writ_descriptor_close(&run->supervision.pidfd);
    writ_descriptor_close(&run->supervision.input_fd);
    writ_descriptor_close(&run->supervision.input_read_fd);
    writ_descriptor_close(&run->supervision.output_fd);
    writ_descriptor_close(&run->supervision.errors_fd);
}

static int share_memory(struct run *run, struct writ_error *error)
{
    void *memory =
        mmap(NULL, sizeof *run->shared, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return writ_error_memory(error);
    run->shared = memory;
    if (mprotect(run->shared->guard, GUARD_BYTES, PROT_NONE) < 0)
        return writ_error_memory(error);
    return 0;
}

/* A caller without stdio of its own must not get a pipe there: the child puts its own ends at 0, 1 and 2. */
static int above_stdio(int *fd)
{
    if (*fd > 2)
        return 0;
    int higher = fcntl(*fd, F_DUPFD_CLOEXEC, 3);
    if (higher < 0)
        return -errno;
    (void)close(*fd);
    *fd = higher;
    return 0;
}

/* Our own end never blocks; the program's does, as every program expects.  The program may open its ends anew through
 * /proc/self/fd, so they belong to its user. */
static int make_pipe(const struct writ_enter *enter, int *ret_child_end, int *ret_own_end, bool child_reads)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return -errno;
    *ret_child_end = ends[child_reads ? 0 : 1];
    *ret_own_end = ends[child_reads ? 1 : 0];
    int answer = above_stdio(ret_child_end);
    if (answer == 0)
        answer = above_stdio(ret_own_end);
    if (answer == 0 && fcntl(*ret_own_end, F_SETFL, O_NONBLOCK) < 0)
        answer = -errno;
    if (answer == 0 && enter->by_root && fchown(*ret_child_end, enter->uid, enter->gid) < 0)
        answer = -errno;
    return answer;
}

static int make_pipes(struct run *run, struct writ_error *error)
{
    struct writ_supervision *supervision = &run->supervision;
    struct writ_enter *enter = &run->shared->enter;
    int answer = make_pipe(enter, &run->child_ends[0], &supervision->input_fd, true);
    if (answer == 0)
        answer = make_pipe(enter, &run->child_ends[1], &supervision->output_fd, false);
    if (answer == 0)
        answer = make_pipe(enter, &run->child_ends[2], &supervision->errors_fd, false);
    if (answer == 0) {
        run->caller_pidfd = (int)syscall(SYS_pidfd_open, getpid(), 0);
        answer = run->caller_pidfd < 0 ? -errno : 0;
    }
    if (answer < 0)
        return writ_error_set_errno(error, WRIT_INTERNAL_SANDBOX, -answer, "making the program's pipes");
    for (size_t i = 0; i < WRIT_COUNT(run->child_ends); i++)
        enter->stdio[i] = run->child_ends[i];
    enter->caller_pidfd = run->caller_pidfd;
    writ_supervise_feed(supervision); /* a small input is in the pipe before the program exists */
    return 0;
}

/* Signals are blocked over the clone, for a handler must not run in a child that shares our memory. */
static long clone_init(struct run *run)
{
    struct writ_enter *enter = &run->shared->enter;
    enter->program_stack = run->shared->program_stack;
    int pidfd = -1;
    struct clone_args args = {.flags = NAMESPACES | CLONE_VM | CLONE_PIDFD | CLONE_CLEAR_SIGHAND,
                              .pidfd = (uint64_t)(uintptr_t)&pidfd,
                              .stack = (uint64_t)(uintptr_t)run->shared->init_stack,
                              .stack_size = sizeof run->shared->init_stack};
    /* exit_signal stays 0: no SIGCHLD for the caller, and no wait of the caller's own finds our child. */
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    long pid = writ_raw_clone3(&args, sizeof args, writ_enter_init, enter);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    run->supervision.pidfd = pidfd;
    run->supervision.init = (pid_t)pid;
    return pid;
}

static int write_maps(const struct writ_enter *enter, pid_t init)
{
    char text[40];
    (void)snprintf(text, sizeof text, "%u %u 1", enter->uid, enter->uid);
    int answer = writ_map_write(init, "uid_map", text);
    /* Root lets the child drop its groups; nobody else may have the choice. */
    if (answer == 0 && !enter->by_root)
        answer = writ_map_write(init, "setgroups", "deny");
    (void)snprintf(text, sizeof text, "%u %u 1", enter->gid, enter->gid);
    return answer == 0 ? writ_map_write(init, "gid_map", text) : answer;
}

static int start(struct run *run, struct writ_error *error)
{
    struct writ_enter *enter = &run->shared->enter;
    run->supervision.started_ns = writ_enter_now_ns();
    long pid = clone_init(run);
    for (size_t i = 0; i < WRIT_COUNT(run->child_ends); i++)
        if (i > 0)
            writ_descriptor_close(&run->child_ends[i]);
    run->supervision.input_read_fd = writ_descriptor_take(&run->child_ends[0]);
    writ_enter_trace(enter, WRIT_TRACE_CLONED);
    if (pid < 0)
        return writ_step_error(error, WRIT_STEP_CLONE, (int)-pid, NULL);
    int answer = write_maps(enter, run->supervision.init);
    writ_enter_trace(enter, WRIT_TRACE_MAPPED);
    if (answer == 0) {
        __atomic_store_n(&enter->maps_written, 1, __ATOMIC_RELEASE);
        (void)WRIT_RAW3(futex, &enter->maps_written, FUTEX_WAKE_PRIVATE, 1);
        return 0;
    }
    (void)syscall(SYS_pidfd_send_signal, run->supervision.pidfd, SIGKILL, NULL, 0);
    while (waitpid(run->supervision.init, NULL, __WALL) < 0 && errno == EINTR)
        ;
    return writ_step_error(error, WRIT_STEP_MAPS, -answer, NULL);
}

/* What the child could not do. */
static int explain_failure(const struct run *run, struct writ_error *error)
{
    const struct writ_enter *enter = &run->shared->enter;
    const char *about =
        enter->failed_mount < enter->mount_count ? enter->mounts[enter->failed_mount].mount->path : NULL;
    if (enter->failed_step == WRIT_STEP_EXEC) {
        about = enter->plan->program;
        if (enter->failed_errno == ENOENT || enter->failed_errno == ENOEXEC || enter->failed_errno == ELIBBAD) {
            (void)writ_error_set_errno(error, WRIT_DEPENDENCY_MISSING, enter->failed_errno,
                                       "%s cannot be executed: it, its interpreter or its dynamic linker is not in the "
                                       "sandbox, or is for another kind of machine",
                                       about);
            return error->code;
        }
    }
    if (enter->failed_step == WRIT_STEP_WORKING_FOLDER)
        about = enter->plan->working_folder;
    return writ_step_error(error, enter->failed_step, enter->failed_errno, about);
}

static int run_plan(struct run *run, const struct writ_plan *plan, struct writ_run_result *result,
                    struct writ_error *error)
{
    int answer = share_memory(run, error);
    if (answer < 0)
        return answer;
    writ_enter_trace(&run->shared->enter, WRIT_TRACE_BEGAN);
    answer = writ_prepare(plan, &run->shared->enter, error);
    if (answer < 0)
        return answer;
    writ_enter_trace(&run->shared->enter, WRIT_TRACE_PREPARED);
    run->supervision.enter = &run->shared->enter;
    run->dumpable = prctl(PR_GET_DUMPABLE);
    answer = make_pipes(run, error);
    writ_enter_trace(&run->shared->enter, WRIT_TRACE_PIPED);
    if (answer == 0)
        answer = start(run, error);
    if (answer == 0)
        answer = writ_supervise(&run->supervision, result, error);
    writ_enter_trace(&run->shared->enter, WRIT_TRACE_ENDED);
#ifdef WRIT_SANDBOX_TRACE
    memcpy(writ_sandbox_trace_ns, run->shared->enter.trace_ns, sizeof writ_sandbox_trace_ns);
#endif
    /* A change of user in memory that we share made us undumpable. */
    if (run->shared->enter.by_root && run->dumpable == 1)
        (void)prctl(PR_SET_DUMPABLE, 1);
    if (answer == 0 && run->shared->enter.failed_step != WRIT_STEP_NONE &&
        (result->ending == WRIT_ENDED_EXIT || result->ending == WRIT_ENDED_SIGNAL))
        answer = explain_failure(run, error);
    if (answer == 0 && run->shared->enter.exec_ns)
        result->setup_us = (run->shared->enter.exec_ns - run->supervision.started_ns) / 1000u;
    return answer;
}

int writ_sandbox_run(const struct writ_plan *plan, const struct writ_sandbox_options *options,
                     struct writ_run_result *ret_result, struct writ_error *error)
{
    *ret_result = (struct writ_run_result){0};
    writ_buffer_init(&ret_result->output, plan->limits.output_bytes < SIZE_MAX ? plan->limits.output_bytes : SIZE_MAX);
    writ_buffer_init(&ret_result->errors, plan->limits.stderr_bytes < SIZE_MAX ? plan->limits.stderr_bytes : SIZE_MAX);
    WRIT_CLEANUP(run_clear)
    struct run run = {.child_ends = {-1, -1, -1},
                      .caller_pidfd = -1,
                      .supervision = {.plan = plan,
                                      .pidfd = -1,
                                      .input_fd = -1,
                                      .input_read_fd = -1,
                                      .output_fd = -1,
                                      .errors_fd = -1,
                                      .cancel_fd = options->cancel_fd}};
    return run_plan(&run, plan, ret_result, error);
}

void writ_run_result_clear(struct writ_run_result *result)
{
    writ_buffer_clear(&result->output);
    writ_buffer_clear(&result->errors);
    *result = (struct writ_run_result){0};
}
