#include "sandbox/begin.h"

#include "base/descriptor.h"
#include "sandbox/idmap.h"
#include "sandbox/kernel.h"
#include "sandbox/raw.h"
#include "sandbox/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

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
    struct writ_begun begun; /* the caller's own */
};

static struct shared *shared_of(struct writ_begun *begun)
{
    return (struct shared *)(void *)((char *)begun - offsetof(struct shared, begun));
}

static struct writ_begun *share_memory(void)
{
    struct shared *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (shared == MAP_FAILED)
        return NULL;
    if (mprotect(shared->guard, GUARD_BYTES, PROT_NONE) < 0) {
        (void)munmap(shared, sizeof *shared);
        return NULL;
    }
    shared->begun = (struct writ_begun){.enter = &shared->enter,
                                        .pidfd = -1,
                                        .input_fd = -1,
                                        .input_read_fd = -1,
                                        .output_fd = -1,
                                        .errors_fd = -1,
                                        .trees_fd = -1};
    shared->enter.program_stack = shared->program_stack;
    return &shared->begun;
}

/* ---- descriptors ---- */

/* What the child takes along, closed here once it has: 0 to 2 are the program's stdio. */
struct child_ends {
    int stdio[3];
    int trees_fd, caller_pidfd;
};

static void child_ends_close(struct child_ends *ends)
{
    for (size_t i = 0; i < WRIT_COUNT(ends->stdio); i++)
        writ_descriptor_close(&ends->stdio[i]);
    writ_descriptor_close(&ends->trees_fd);
    writ_descriptor_close(&ends->caller_pidfd);
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

static int make_descriptors(struct writ_begun *begun, struct child_ends *ends)
{
    const struct writ_enter *enter = begun->enter;
    int answer = make_pipe(enter, &ends->stdio[0], &begun->input_fd, true);
    if (answer == 0)
        answer = make_pipe(enter, &ends->stdio[1], &begun->output_fd, false);
    if (answer == 0)
        answer = make_pipe(enter, &ends->stdio[2], &begun->errors_fd, false);
    if (answer == 0 && enter->by_root) {
        int pair[2];
        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
            return -errno;
        begun->trees_fd = pair[0];
        ends->trees_fd = pair[1];
    }
    if (answer == 0) {
        ends->caller_pidfd = (int)syscall(SYS_pidfd_open, getpid(), 0);
        answer = ends->caller_pidfd < 0 ? -errno : 0;
    }
    return answer;
}

/* ---- the clone ---- */

/* Signals are blocked over the clone, for a handler must not run in a child that shares our memory. */
static long clone_init(struct writ_begun *begun)
{
    struct shared *shared = shared_of(begun);
    struct clone_args args = {.flags = NAMESPACES | CLONE_VM | CLONE_PIDFD | CLONE_CLEAR_SIGHAND,
                              .pidfd = (uint64_t)(uintptr_t)&begun->pidfd,
                              .stack = (uint64_t)(uintptr_t)shared->init_stack,
                              .stack_size = sizeof shared->init_stack};
    /* exit_signal stays 0: no SIGCHLD for the caller, and no wait of the caller's own finds our child. */
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    long pid = writ_raw_clone3(&args, sizeof args, writ_enter_init, begun->enter);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (pid > 0)
        begun->init = (pid_t)pid;
    else
        begun->pidfd = -1;
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

static void announce(uint32_t *word)
{
    __atomic_store_n(word, 1, __ATOMIC_RELEASE);
    (void)WRIT_RAW3(futex, word, FUTEX_WAKE_PRIVATE, 2);
}

/* What root is here: the machine's, or that of a user namespace with few users (unshare -r, some containers), which is
 * root in name and runs programs as itself. */
enum root_kind { ROOT_OF_MANY, ROOT_IN_NAME, ROOT_WITHOUT_USERS };

static enum root_kind kind_of_root(void)
{
    enum root_kind kind = ROOT_IN_NAME;
    char text[1024];
    int fd = open("/proc/self/uid_map", O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    writ_descriptor_close(&fd);
    text[length > 0 ? length : 0] = '\0';
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        unsigned inside, outside, count;
        if (sscanf(line, "%u %u %u", &inside, &outside, &count) != 3)
            continue;
        if (inside <= WRIT_SANDBOX_UID && WRIT_SANDBOX_UID - inside < count)
            return ROOT_OF_MANY;
        if (inside == 0 && outside == 0)
            kind = ROOT_WITHOUT_USERS; /* a program must not be the machine's root, however bound */
    }
    return kind;
}

/* 0 when the kernel has none; any other trouble is no reason to do without. */
static int landlock_abi(void)
{
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, WRIT_LANDLOCK_VERSION);
    return abi >= 0 ? (int)abi : errno == ENOSYS || errno == EOPNOTSUPP ? 0 : -errno;
}

static int begin(struct writ_begun *begun, struct writ_error *error)
{
    struct writ_enter *enter = begun->enter;
    struct child_ends ends = {.stdio = {-1, -1, -1}, .trees_fd = -1, .caller_pidfd = -1};
    begun->process = getpid();
    begun->thread = (pid_t)syscall(SYS_gettid);
    begun->uid = geteuid();
    begun->dumpable = prctl(PR_GET_DUMPABLE);
    enum root_kind root = begun->uid == 0 ? kind_of_root() : ROOT_IN_NAME;
    if (root == ROOT_WITHOUT_USERS)
        return writ_error_set(error, WRIT_INTERNAL_SANDBOX,
                              "root's user namespace has no user %d to run programs as; map it, or run writ outside",
                              WRIT_SANDBOX_UID);
    enter->by_root = root == ROOT_OF_MANY;
    enter->uid = enter->by_root ? WRIT_SANDBOX_UID : (uint32_t)begun->uid;
    enter->gid = enter->by_root ? WRIT_SANDBOX_UID : (uint32_t)getegid();
    int abi = landlock_abi();
    if (abi < 0)
        return writ_step_error(error, WRIT_STEP_LANDLOCK, -abi, NULL);
    enter->landlock_abi = abi;
    writ_enter_trace(enter, WRIT_TRACE_BEGAN);
    int answer = make_descriptors(begun, &ends);
    if (answer < 0) {
        child_ends_close(&ends);
        return writ_step_error(error, WRIT_STEP_PIPES, -answer, NULL);
    }
    for (size_t i = 0; i < WRIT_COUNT(ends.stdio); i++)
        enter->stdio[i] = ends.stdio[i];
    enter->trees_fd = ends.trees_fd;
    enter->caller_pidfd = ends.caller_pidfd;
    long pid = clone_init(begun);
    writ_enter_trace(enter, WRIT_TRACE_CLONED);
    begun->input_read_fd = writ_descriptor_take(&ends.stdio[0]);
    child_ends_close(&ends);
    if (pid < 0)
        return writ_step_error(error, WRIT_STEP_CLONE, (int)-pid, NULL);
    answer = write_maps(enter, begun->init);
    if (answer < 0)
        return writ_step_error(error, WRIT_STEP_MAPS, -answer, NULL);
    announce(&enter->maps_written);
    writ_enter_trace(enter, WRIT_TRACE_MAPPED);
    return 0;
}

int writ_begun_new(struct writ_begun **ret_begun, struct writ_error *error)
{
    struct writ_begun *begun = share_memory();
    if (!begun)
        return writ_error_memory(error);
    int result = begin(begun, error);
    if (result < 0)
        writ_begun_free(begun);
    else
        *ret_begun = begun;
    return result;
}

void writ_begun_reap(struct writ_begun *begun, struct rusage *ret_usage)
{
    while (wait4(begun->init, NULL, __WALL, ret_usage) < 0) {
        if (errno == EINTR)
            continue;
        /* Nobody else can have reaped it; but as long as it lives, it runs in memory that is about to go. */
        struct pollfd init = {.fd = begun->pidfd, .events = POLLIN};
        while (poll(&init, 1, -1) < 0 && errno == EINTR)
            ;
        break;
    }
    begun->init = 0;
}

void writ_begun_free(struct writ_begun *begun)
{
    if (!begun)
        return;
    int saved = errno;
    if (begun->init > 0 && begun->process == getpid()) {
        (void)syscall(SYS_pidfd_send_signal, begun->pidfd, SIGKILL, NULL, 0);
        writ_begun_reap(begun, NULL);
    }
    /* A change of user in memory that we share made us undumpable. */
    if (begun->enter->by_root && begun->dumpable == 1)
        (void)prctl(PR_SET_DUMPABLE, 1);
    writ_descriptor_close(&begun->pidfd);
    writ_descriptor_close(&begun->input_fd);
    writ_descriptor_close(&begun->input_read_fd);
    writ_descriptor_close(&begun->output_fd);
    writ_descriptor_close(&begun->errors_fd);
    writ_descriptor_close(&begun->trees_fd);
    (void)munmap(shared_of(begun), sizeof(struct shared));
    errno = saved;
}

bool writ_begun_is_usable(const struct writ_begun *begun)
{
    struct pollfd init = {.fd = begun->pidfd, .events = POLLIN};
    return begun->thread == (pid_t)syscall(SYS_gettid) && begun->uid == geteuid() && poll(&init, 1, 0) == 0;
}

/* ---- handing over ---- */

/* In the order of the entries; the child takes them in the same order. */
static int send_trees(struct writ_begun *begun)
{
    struct writ_enter *enter = begun->enter;
    union {
        char bytes[CMSG_SPACE(sizeof(int) * WRIT_ENTER_TREES_AT_ONCE)];
        struct cmsghdr align;
    } control;
    for (size_t i = 0; i < enter->mount_count;) {
        int trees[WRIT_ENTER_TREES_AT_ONCE];
        size_t count = 0;
        for (; i < enter->mount_count && count < WRIT_ENTER_TREES_AT_ONCE; i++)
            if (enter->mounts[i].tree >= 0)
                trees[count++] = enter->mounts[i].tree;
        if (count == 0)
            break;
        char byte = 'x';
        struct iovec data = {&byte, 1};
        struct msghdr message = {.msg_iov = &data,
                                 .msg_iovlen = 1,
                                 .msg_control = control.bytes,
                                 .msg_controllen = CMSG_SPACE(sizeof(int) * count)};
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int) * count);
        memcpy(CMSG_DATA(header), trees, sizeof(int) * count);
        if (sendmsg(begun->trees_fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT) != 1)
            return -errno;
    }
    return 0;
}

int writ_begun_go(struct writ_begun *begun)
{
    struct writ_enter *enter = begun->enter;
    int answer = begun->trees_fd >= 0 ? send_trees(begun) : 0;
    if (answer < 0)
        return answer;
    enter->mounts_by_init = !__atomic_load_n(&enter->program_ready, __ATOMIC_ACQUIRE);
    announce(&enter->go);
    if (enter->mounts_by_init)
        announce(&enter->init_turn);
    return 0;
}
