#include "sandbox/idmap.h"

#include "base/descriptor.h"
#include "sandbox/raw.h"
#include "sandbox/sandbox.h"
#include "sandbox/step.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int writ_map_write(pid_t pid, const char *name, const char *text)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    WRIT_CLEANUP(writ_descriptor_close) int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    return writ_descriptor_write_all(fd, text, strlen(text));
}

/* One line for each range that is mapped: the two ids crosswise, the ranges between them to themselves.  A file may be
 * of the sandbox's user and of another group, or the other way round: nothing is crossed then. */
static void print_swap(char *text, size_t size, uint32_t one, uint32_t other)
{
    if (one == other) {
        (void)snprintf(text, size, "0 0 %u\n", UINT32_MAX);
        return;
    }
    uint32_t low = one < other ? one : other, high = one < other ? other : one;
    size_t length = 0;
    const struct {
        uint32_t inside, outside, count;
    } ranges[] = {{0, 0, low},
                  {low, high, 1},
                  {low + 1, low + 1, high - low - 1},
                  {high, low, 1},
                  {high + 1, high + 1, UINT32_MAX - high - 1}};
    text[0] = '\0';
    for (size_t i = 0; i < WRIT_COUNT(ranges); i++)
        if (ranges[i].count > 0 && length < size)
            length += (size_t)snprintf(text + length, size - length, "%u %u %u\n", ranges[i].inside, ranges[i].outside,
                                       ranges[i].count);
}

struct holder {
    uint32_t done;
    pid_t caller;
    _Alignas(16) char stack[4096];
};

/* The process that holds the namespace until a descriptor of it is open.  It shares the caller's memory: raw calls
 * only, as in enter.c. */
static int hold(void *argument)
{
    struct holder *holder = argument;
    (void)WRIT_RAW5(prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    /* The caller may have been killed before that: nobody would ever end us, nor what we hold of its descriptors. */
    if (WRIT_RAW0(getppid) != holder->caller)
        return 0;
    while (!__atomic_load_n(&holder->done, __ATOMIC_ACQUIRE))
        (void)WRIT_RAW4(futex, &holder->done, FUTEX_WAIT_PRIVATE, 0, NULL);
    return 0;
}

static int open_mapped(pid_t pid, uid_t uid, gid_t gid, int *ret_fd)
{
    char text[160], path[64];
    print_swap(text, sizeof text, uid, WRIT_SANDBOX_UID);
    int answer = writ_map_write(pid, "uid_map", text);
    if (answer < 0)
        return answer;
    print_swap(text, sizeof text, gid, WRIT_SANDBOX_UID);
    answer = writ_map_write(pid, "gid_map", text);
    if (answer < 0)
        return answer;
    (void)snprintf(path, sizeof path, "/proc/%d/ns/user", (int)pid);
    *ret_fd = open(path, O_RDONLY | O_CLOEXEC);
    return *ret_fd < 0 ? -errno : 0;
}

static int make_namespace(uid_t uid, gid_t gid, int *ret_fd)
{
    struct holder holder = {.caller = getpid()};
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    struct clone_args args = {.flags = CLONE_VM | CLONE_NEWUSER | CLONE_CLEAR_SIGHAND,
                              .stack = (uint64_t)(uintptr_t)holder.stack,
                              .stack_size = sizeof holder.stack};
    long pid = writ_raw_clone3(&args, sizeof args, hold, &holder);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (pid < 0)
        return (int)pid;
    int answer = open_mapped((pid_t)pid, uid, gid, ret_fd);
    __atomic_store_n(&holder.done, 1, __ATOMIC_RELEASE);
    (void)WRIT_RAW3(futex, &holder.done, FUTEX_WAKE_PRIVATE, 1);
    while (waitpid((pid_t)pid, NULL, __WALL) < 0 && errno == EINTR)
        ;
    return answer;
}

int writ_idmap_namespace(struct writ_idmap *cache, uid_t uid, gid_t gid, int *ret_namespace_fd,
                         struct writ_error *error)
{
    for (size_t i = 0; i < cache->count; i++) {
        if (cache->entries[i].uid == uid && cache->entries[i].gid == gid) {
            *ret_namespace_fd = cache->entries[i].namespace_fd;
            return 0;
        }
    }
    if (cache->count == WRIT_IDMAP_CACHE_MAX)
        return writ_error_set(error, WRIT_INTERNAL_LIMIT,
                              "what is granted belongs to more than %d different users; grant less at a time",
                              WRIT_IDMAP_CACHE_MAX);
    int fd = -1;
    int answer = make_namespace(uid, gid, &fd);
    if (answer < 0)
        return writ_step_error(error, WRIT_STEP_IDMAP, -answer, NULL);
    cache->entries[cache->count].uid = uid;
    cache->entries[cache->count].gid = gid;
    cache->entries[cache->count++].namespace_fd = fd;
    *ret_namespace_fd = fd;
    return 0;
}

void writ_idmap_clear(struct writ_idmap *cache)
{
    for (size_t i = 0; i < cache->count; i++)
        writ_descriptor_close(&cache->entries[i].namespace_fd);
    cache->count = 0;
}
