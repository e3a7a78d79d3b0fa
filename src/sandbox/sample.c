#include "sandbox/sample.h"

#include "base/descriptor.h"
#include "sandbox/held.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

#define PROCESSES_MAX 1024
#define SOCKETS_FREE 64u
#define SOCKET_BYTES ((uint64_t)212992) /* the kernel's own default, where it cannot be read */

struct tree {
    pid_t pids[PROCESSES_MAX];
    size_t count;
};

/* Reads a small file of /proc; what it cannot read is empty. */
static size_t read_small(const char *path, char *text, size_t size)
{
    WRIT_CLEANUP(writ_descriptor_close) int fd = open(path, O_RDONLY | O_CLOEXEC);
    size_t length = 0;
    while (fd >= 0 && length < size - 1) {
        ssize_t got = read(fd, text + length, size - 1 - length);
        if (got <= 0)
            break;
        length += (size_t)got;
    }
    text[length] = '\0';
    return length;
}

static void add_children(struct tree *tree, pid_t pid, const char *thread)
{
    char path[320], text[8192];
    (void)snprintf(path, sizeof path, "/proc/%d/task/%s/children", (int)pid, thread);
    (void)read_small(path, text, sizeof text);
    for (const char *next = text; *next && tree->count < PROCESSES_MAX;) {
        char *end;
        long child = strtol(next, &end, 10);
        if (end == next)
            break;
        tree->pids[tree->count++] = (pid_t)child;
        next = end;
    }
}

/* Breadth first.  A child belongs to the thread that made it, so every thread is asked. */
static void collect(struct tree *tree, pid_t root)
{
    pid_t pid = root;
    for (size_t next = 0;; pid = tree->pids[next++]) {
        char path[32];
        (void)snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
        DIR *tasks = opendir(path);
        const struct dirent *task;
        while (tasks && (task = readdir(tasks)))
            if (task->d_name[0] != '.')
                add_children(tree, pid, task->d_name);
        if (tasks)
            (void)closedir(tasks);
        if (next == tree->count)
            return;
    }
}

static uint64_t resident_bytes(pid_t pid)
{
    char path[32], text[128];
    (void)snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    (void)read_small(path, text, sizeof text);
    const char *second = strchr(text, ' ');
    return second ? strtoull(second, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

/* A program that is slow to be executed still has the caller's memory, and is then still the caller's program. */
static bool is_executed(pid_t pid)
{
    char path[32], ours[256], theirs[256];
    (void)snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
    ssize_t length = readlink(path, theirs, sizeof theirs), own = readlink("/proc/self/exe", ours, sizeof ours);
    return length != own || length <= 0 || memcmp(ours, theirs, (size_t)length) != 0;
}

/* Each page divided by the processes that have it; shared memory that is no file, or one of a tmpfs, apart. */
static void add_proportional(pid_t pid, uint64_t *sum, uint64_t *shared)
{
    char path[40], text[2048];
    (void)snprintf(path, sizeof path, "/proc/%d/smaps_rollup", (int)pid);
    (void)read_small(path, text, sizeof text);
    const char *all = strstr(text, "\nPss:"), *part = strstr(text, "\nPss_Shmem:");
    *sum += all ? strtoull(all + 5, NULL, 10) * 1024 : resident_bytes(pid);
    *shared += all && part ? strtoull(part + 11, NULL, 10) * 1024 : 0;
}

/* How full the sockets of a program are cannot be seen, but how many there are in its network, those on their way from
 * process to process included.  The first ones are free; each further one counts as full, which is what its buffer
 * holds and one message more. */
static uint64_t socket_bytes(pid_t program)
{
    char path[40], text[512];
    (void)snprintf(path, sizeof path, "/proc/%d/net/sockstat", (int)program);
    (void)read_small(path, text, sizeof text);
    const char *used = strstr(text, "sockets: used ");
    uint64_t count = used ? strtoull(used + 14, NULL, 10) : 0;
    if (count <= SOCKETS_FREE)
        return 0;
    (void)read_small("/proc/sys/net/core/wmem_default", text, sizeof text);
    uint64_t each = strtoull(text, NULL, 10);
    return (count - SOCKETS_FREE) * ((each ? each : SOCKET_BYTES) / 4 * 5);
}

uint64_t writ_sample_memory(pid_t root, uint64_t limit_bytes)
{
    struct tree tree;
    struct writ_held held = {0};
    tree.count = 0;
    collect(&tree, root);
    uint64_t sockets = tree.count && is_executed(tree.pids[0]) ? socket_bytes(tree.pids[0]) : 0;
    uint64_t sum = sockets;
    for (size_t i = 0; i < tree.count; i++) {
        sum += resident_bytes(tree.pids[i]);
        if (is_executed(tree.pids[i]))
            writ_held_add(&held, tree.pids[i]);
    }
    if (sum <= limit_bytes && held.bytes == 0)
        return sum;
    uint64_t shared = 0;
    sum = sockets;
    for (size_t i = 0; i < tree.count; i++)
        if (is_executed(tree.pids[i]))
            add_proportional(tree.pids[i], &sum, &shared);
    /* Of shared memory the greater of what is mapped and what is held: the one is a part of the other. */
    return held.bytes > shared ? sum - shared + held.bytes : sum;
}
