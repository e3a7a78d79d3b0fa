/*
 * Entering the sandbox.  Theory of operation.
 *
 * The parent calls clone3 with CLONE_VM and all namespaces.  The child is process 1 of the sandbox, called init here:
 * it starts the program's process, with CLONE_VM again, makes the root folder, waits for the plan, mounts it, lets go
 * of the host, drops all that it holds and waits.  When the program ends, init writes down how and exits; the kernel
 * then kills whatever else is in the process namespace before the parent's wait returns.  There is an init because the
 * first process of a namespace ignores signals at their default action: a program in its place could not abort(), and
 * would have to reap strangers.
 *
 * Shared memory.  Init and, until its exec, the program run in the caller's memory: nothing is copied, no page is
 * faulted in twice, and the report needs no pipe.  That is as with vfork, with the same duty: whatever runs here may
 * touch only `struct writ_enter`, the plan (reading) and its own stack.  No libc function with state is called, no
 * errno is written, nothing is allocated, no lock is taken; these files are built without sanitizers.
 *
 * Two at a time, and as much as possible ahead.  The network namespace takes the kernel as long to make as all the rest
 * together, so the program's process is started at once and makes it while init makes the root; both then need the
 * plan. Who is there first mounts it: the program's process, when it was ready before the plan came (one wake-up less),
 * else init.  Then init takes down the host's mounts, which waits until every processor has left the kernel once, while
 * the program's process confines itself; that the host is gone from the tree is looked at once more right before exec.
 * Whoever fails says so first and takes the other along: init by its death, the program by being waited for.
 *
 * Init lives as long as the program does and its memory is the caller's, so the program must not get at init:
 *   - init keeps one harmless capability, permitted and not effective, that the program lacks: the kernel's own rule
 *     (cap_ptrace_access_check) then refuses ptrace, /proc/1/mem and process_vm_* on any kernel;
 *   - /proc is mounted with hidepid=invisible, so that /proc/1 is not even there;
 *   - Landlock's domain of the program does not contain init; the system call filter refuses ptrace and its kin;
 *   - started by root, init's real user is another one than the program's.
 * As process 1 init gets no signal from inside, and it holds no descriptor while the program runs.
 *
 * Started by root, setresuid makes the shared memory undumpable; the parent puts that back (begin.c).
 *
 * Order matters: identity before anything is created (files on tmpfs need a mapped owner); pivot_root before the
 * mounts, so that no path, link or `..` can lead to the host; capabilities last among what needs them; Landlock before
 * the filter, which forbids it.
 */
#include "sandbox/enter.h"

#include "sandbox/raw.h"

#include <errno.h>
#include <linux/close_range.h>
#include <linux/futex.h>
#include <linux/keyctl.h>
#include <linux/sched.h>
#include <linux/wait.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define HOST_NAME "writ"

int writ_enter_fail(struct writ_enter *enter, enum writ_step step, long answer, size_t mount)
{
    enum writ_step none = WRIT_STEP_NONE;
    if (__atomic_compare_exchange_n(&enter->failed_step, &none, step, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
        enter->failed_errno = (int)-answer;
        enter->failed_mount = mount;
    }
    return -1;
}

uint64_t writ_enter_now_ns(void)
{
    struct timespec now = {0};
    (void)WRIT_RAW2(clock_gettime, CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void writ_enter_trace(struct writ_enter *enter, unsigned moment)
{
#ifdef WRIT_SANDBOX_TRACE
    enter->trace_ns[moment] = writ_enter_now_ns();
#else
    (void)enter;
    (void)moment;
#endif
}

static int fail(struct writ_enter *enter, enum writ_step step, long answer)
{
    return writ_enter_fail(enter, step, answer, SIZE_MAX);
}

/* The caller's descriptors go before anything else: a sandbox that waits for its plan must not keep a file or a
 * connection open that the caller has closed. */
static int close_the_callers(const struct writ_enter *enter)
{
    int ours[] = {enter->stdio[0], enter->stdio[1], enter->stdio[2], enter->caller_pidfd, enter->trees_fd};
    unsigned next = 0;
    for (size_t turn = 0; turn < WRIT_COUNT(ours); turn++) {
        int lowest = INT32_MAX;
        for (size_t i = 0; i < WRIT_COUNT(ours); i++)
            if (ours[i] >= (int)next && ours[i] < lowest)
                lowest = ours[i];
        if (lowest == INT32_MAX)
            break;
        long answer = (unsigned)lowest > next ? WRIT_RAW3(close_range, next, lowest - 1, 0) : 0;
        if (answer < 0)
            return (int)answer;
        next = (unsigned)lowest + 1;
    }
    return (int)WRIT_RAW3(close_range, next, ~0u, 0);
}

/* Dies with the thread that called us.  The thread may be gone already, which its process's descriptor tells: seen
 * from a new process namespace the parent's id is always 0. */
static int follow_caller(struct writ_enter *enter)
{
    long answer = WRIT_RAW5(prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (answer < 0)
        return fail(enter, WRIT_STEP_CALLER, answer);
    struct pollfd caller = {.fd = enter->caller_pidfd, .events = POLLIN};
    struct timespec at_once = {0};
    answer = WRIT_RAW5(ppoll, &caller, 1, &at_once, NULL, 0);
    if (answer != 0)
        return fail(enter, WRIT_STEP_CALLER, answer < 0 ? answer : -ESRCH);
    return 0;
}

static bool has_failed(const struct writ_enter *enter)
{
    return __atomic_load_n(&enter->failed_step, __ATOMIC_ACQUIRE) != WRIT_STEP_NONE;
}

static void announce(uint32_t *word)
{
    __atomic_store_n(word, 1, __ATOMIC_RELEASE);
    (void)WRIT_RAW3(futex, word, FUTEX_WAKE_PRIVATE, 1);
}

static void wait_for(uint32_t *word)
{
    while (!__atomic_load_n(word, __ATOMIC_ACQUIRE))
        (void)WRIT_RAW4(futex, word, FUTEX_WAIT_PRIVATE, 0, NULL);
}

/* Only the effective user changes: what init can be made to do from inside depends on the real one. */
static int become_user(struct writ_enter *enter)
{
    if (!enter->by_root)
        return 0;
    long answer = WRIT_RAW2(setgroups, 0, NULL);
    if (answer == 0)
        answer = WRIT_RAW3(setresgid, enter->gid, enter->gid, enter->gid);
    if (answer == 0)
        answer = WRIT_RAW3(setresuid, -1, enter->uid, -1);
    if (answer < 0)
        return fail(enter, WRIT_STEP_IDENTITY, answer);
    return follow_caller(enter); /* a change of user clears the death signal */
}

static long default_signal(int number)
{
    static const struct {
        uint64_t handler, flags, restorer, mask;
    } by_default = {0};
    return WRIT_RAW4(rt_sigaction, number, &by_default, NULL, sizeof by_default.mask);
}

/* An ignored SIGCHLD, inherited from the caller, would lose the program's status. */
static void keep_status_of_children(void)
{
    (void)default_signal(SIGCHLD);
}

/* Handlers are gone with CLONE_CLEAR_SIGHAND; what the caller ignores would stay ignored, even through exec. */
static void reset_signals(void)
{
    for (int number = 1; number <= 64; number++)
        if (number != SIGKILL && number != SIGSTOP)
            (void)default_signal(number);
}

static int name_host(struct writ_enter *enter)
{
    long answer = WRIT_RAW2(sethostname, HOST_NAME, sizeof HOST_NAME - 1);
    if (answer == 0)
        answer = WRIT_RAW2(setdomainname, "", 0);
    return answer < 0 ? fail(enter, WRIT_STEP_NAMES, answer) : 0;
}

/* The caller blocked all signals for the clone. */
static void unblock_signals(void)
{
    const uint64_t none = 0;
    (void)WRIT_RAW4(rt_sigprocmask, SIG_SETMASK, &none, NULL, sizeof none);
}

/* stdin, stdout and stderr, and nothing else.  Init goes on with the table that was shared, where any number may be
 * its. */
static int take_stdio(struct writ_enter *enter)
{
    long answer = WRIT_RAW1(unshare, CLONE_FILES);
    for (int fd = 0; answer >= 0 && fd <= 2; fd++)
        answer = WRIT_RAW3(dup3, enter->stdio[fd], fd, 0);
    if (answer >= 0)
        answer = WRIT_RAW3(close_range, 3, ~0u, 0);
    return answer < 0 ? fail(enter, WRIT_STEP_STDIO, answer) : 0;
}

static int leave_session(struct writ_enter *enter)
{
    long answer = WRIT_RAW0(setsid);
    if (answer < 0)
        return fail(enter, WRIT_STEP_SESSION, answer);
    answer = WRIT_RAW2(keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL);
    if (answer < 0 && answer != -ENOSYS) /* a kernel without keys has none to inherit */
        return fail(enter, WRIT_STEP_KEYRING, answer);
    (void)WRIT_RAW1(personality, 0);
    return 0;
}

/* As many of the caller's processors as the plan allows, from the one where we happen to be: the kernel has just chosen
 * it as a free one, and moving would cost more than all limits. */
static int stay_on_processors(struct writ_enter *enter)
{
    uint64_t chosen[WRIT_ENTER_PROCESSORS_MAX / 64] = {0};
    unsigned here = 0, left = enter->processors_wanted;
    (void)WRIT_RAW3(getcpu, &here, NULL, NULL);
    for (unsigned i = 0; i < WRIT_ENTER_PROCESSORS_MAX && left > 0; i++) {
        unsigned number = (here + i) % WRIT_ENTER_PROCESSORS_MAX;
        uint64_t bit = UINT64_C(1) << (number % 64);
        if (enter->processors[number / 64] & bit) {
            chosen[number / 64] |= bit;
            left--;
        }
    }
    long answer = WRIT_RAW3(sched_setaffinity, 0, sizeof chosen, chosen);
    return answer < 0 ? fail(enter, WRIT_STEP_LIMITS, answer) : 0;
}

static int limit(struct writ_enter *enter)
{
    for (size_t i = 0; i < enter->limit_count; i++) {
        const struct writ_enter_limit *one = &enter->limits[i];
        const uint64_t values[2] = {one->soft, one->hard};
        long answer = WRIT_RAW4(prlimit64, 0, one->resource, values, NULL);
        if (answer < 0)
            return fail(enter, WRIT_STEP_LIMITS, answer);
    }
    return enter->processors_wanted ? stay_on_processors(enter) : 0;
}

/* pivot_root has moved us already; that nothing of the host is left under us must not hang on that. */
static int enter_tree(struct writ_enter *enter)
{
    wait_for(&enter->tree_begun);
    long answer = WRIT_RAW1(fchdir, enter->root_fd);
    if (answer == 0)
        answer = WRIT_RAW1(chroot, ".");
    return answer < 0 ? fail(enter, WRIT_STEP_PIVOT, answer) : 0;
}

static int build_tree(struct writ_enter *enter)
{
    (void)WRIT_RAW1(umask, 0);
    if (writ_enter_receive(enter) < 0 || writ_enter_mounts(enter) < 0 || writ_enter_seal(enter) < 0)
        return -1;
    (void)WRIT_RAW1(umask, 022);
    return 0;
}

/* As the program's user: the folder must be searchable for it. */
static int enter_working_folder(struct writ_enter *enter)
{
    long answer = WRIT_RAW1(chdir, enter->plan->working_folder);
    return answer < 0 ? fail(enter, WRIT_STEP_WORKING_FOLDER, answer) : 0;
}

/* What needs no plan. */
static int begin_program(struct writ_enter *enter)
{
    long answer = WRIT_RAW1(unshare, CLONE_NEWNET);
    if (answer < 0)
        return fail(enter, WRIT_STEP_NETWORK, answer);
    writ_enter_trace(enter, WRIT_STEP_NETWORK);
    reset_signals();
    if (leave_session(enter) < 0)
        return -1;
    wait_for(&enter->maps_written);
    if (writ_enter_become_user(enter) < 0)
        return -1;
    if (enter_tree(enter) < 0)
        return -1;
    __atomic_store_n(&enter->program_ready, 1, __ATOMIC_RELEASE);
    return 0;
}

static int finish_program(struct writ_enter *enter)
{
    wait_for(&enter->go);
    if (limit(enter) < 0)
        return -1;
    writ_enter_trace(enter, WRIT_STEP_LIMITS);
    if (enter->mounts_by_init)
        wait_for(&enter->tree_made);
    else if (build_tree(enter) < 0)
        return -1;
    announce(&enter->init_turn);
    if (writ_enter_confine(enter) < 0 || enter_working_folder(enter) < 0 || take_stdio(enter) < 0 ||
        writ_enter_filter(enter) < 0)
        return -1;
    unblock_signals();
    writ_enter_trace(enter, WRIT_STEP_SECCOMP);
    if (!writ_enter_host_is_gone(enter))
        wait_for(&enter->host_gone);
    enter->exec_ns = writ_enter_now_ns();
    writ_enter_trace(enter, WRIT_STEP_EXEC);
    long answer = WRIT_RAW3(execve, enter->plan->program, enter->plan->args, enter->plan->env);
    return fail(enter, WRIT_STEP_EXEC, answer);
}

/* The program's process.  Comes back only when something was refused. */
static int run_program(void *argument)
{
    struct writ_enter *enter = argument;
    writ_enter_trace(enter, WRIT_STEP_START);
    if (begin_program(enter) == 0)
        (void)finish_program(enter);
    announce(&enter->init_turn); /* init may be waiting for a turn that would not come */
    return 1;
}

static void note_peak(struct writ_enter *enter, const struct rusage *usage)
{
    uint64_t bytes = (uint64_t)usage->ru_maxrss * 1024;
    if (bytes > enter->resident_peak_bytes)
        enter->resident_peak_bytes = bytes;
}

static uint64_t microseconds(const struct timeval *time)
{
    return (uint64_t)time->tv_sec * 1000000u + (uint64_t)time->tv_usec;
}

static int wait_for_program(struct writ_enter *enter, long program)
{
    for (;;) {
        struct rusage usage = {0};
        int status = 0;
        long answer = WRIT_RAW4(wait4, -1, &status, __WALL, &usage);
        if (answer < 0 && answer != -EINTR)
            return 1;
        if (answer > 0)
            note_peak(enter, &usage);
        if (answer == program) {
            enter->program_cpu_us = microseconds(&usage.ru_utime) + microseconds(&usage.ru_stime);
            enter->wait_status = status;
            enter->ended = true;
            writ_enter_trace(enter, WRIT_TRACE_REAPED);
            return 0;
        }
    }
}

static int begin_tree(struct writ_enter *enter)
{
    wait_for(&enter->maps_written);
    writ_enter_trace(enter, WRIT_STEP_MAPS);
    if (become_user(enter) < 0 || name_host(enter) < 0 || writ_enter_root(enter) < 0 || writ_enter_proc(enter) < 0 ||
        writ_enter_ruleset(enter) < 0)
        return -1;
    announce(&enter->tree_begun);
    return 0;
}

static int finish_tree(struct writ_enter *enter)
{
    wait_for(&enter->init_turn);
    if (has_failed(enter))
        return -1;
    if (enter->mounts_by_init) {
        if (build_tree(enter) < 0)
            return -1;
        announce(&enter->tree_made);
    }
    return writ_enter_detach(enter);
}

int writ_enter_init(void *argument)
{
    struct writ_enter *enter = argument;
    writ_enter_trace(enter, WRIT_STEP_CLONE);
    if (follow_caller(enter) < 0)
        return 1;
    if (close_the_callers(enter) < 0)
        return fail(enter, WRIT_STEP_STDIO, -EBADF);
    keep_status_of_children();
    struct clone_args args = {.flags = CLONE_VM | CLONE_FILES,
                              .exit_signal = SIGCHLD,
                              .stack = (uint64_t)(uintptr_t)enter->program_stack,
                              .stack_size = WRIT_ENTER_STACK_BYTES};
    long program = writ_raw_clone3(&args, sizeof args, run_program, enter);
    if (program < 0)
        return fail(enter, WRIT_STEP_START, program);
    if (begin_tree(enter) < 0 || finish_tree(enter) < 0)
        return 1;
    long answer = WRIT_RAW3(close_range, 0, ~0u, CLOSE_RANGE_UNSHARE);
    if (answer < 0)
        return fail(enter, WRIT_STEP_STDIO, answer);
    writ_enter_keep_apart();
    return wait_for_program(enter, program);
}
