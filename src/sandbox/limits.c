#include "sandbox/prepare.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define STACK_BYTES ((uint64_t)8 * 1024 * 1024)
#define STACK_BYTES_MAX ((uint64_t)64 * 1024 * 1024)
#define LOCKED_BYTES ((uint64_t)64 * 1024)
#define SIGNALS_PENDING 1024u

/* Never above what the caller itself may have: raising a hard limit needs a privilege that is not there. */
static void add(struct writ_enter *enter, int resource, uint64_t soft, uint64_t hard)
{
    struct rlimit own;
    if (getrlimit((__rlimit_resource_t)resource, &own) == 0 && own.rlim_max != RLIM_INFINITY) {
        hard = hard < own.rlim_max ? hard : own.rlim_max;
        soft = soft < hard ? soft : hard;
    }
    enter->limits[enter->limit_count++] = (struct writ_enter_limit){resource, soft, hard};
}

/* How many processors the plan allows, when that is fewer than the caller has. */
static void choose_processors(struct writ_enter *enter, unsigned wanted)
{
    if (wanted == 0 || syscall(SYS_sched_getaffinity, 0, sizeof enter->processors, enter->processors) < 0)
        return;
    unsigned count = 0;
    for (size_t i = 0; i < WRIT_COUNT(enter->processors); i++)
        count += (unsigned)__builtin_popcountll(enter->processors[i]);
    if (wanted < count)
        enter->processors_wanted = wanted;
}

/* RLIMIT_DATA stands behind the sampling of memory (supervise.c): it stops a process that takes memory faster than it
 * is looked at.  It counts what is mapped, stacks of threads included, so it must leave room. */
static uint64_t data_bytes(uint64_t memory_bytes)
{
    const uint64_t room = (uint64_t)256 * 1024 * 1024;
    return memory_bytes > (UINT64_MAX - room) / 2 ? UINT64_MAX : memory_bytes * 2 + room;
}

int writ_prepare_limits(struct writ_enter *enter, struct writ_error *error)
{
    const struct writ_limits *limits = &enter->plan->limits;
    uint64_t cpu_ms = limits->cpu_ms;
    if (cpu_ms == 0) {
        long online = sysconf(_SC_NPROCESSORS_ONLN);
        uint64_t processors = limits->cpus ? limits->cpus : online > 0 ? (uint64_t)online : 1;
        if (WRIT_MUL_OVERFLOWS(limits->wall_ms, processors, &cpu_ms))
            cpu_ms = UINT64_MAX;
    }
    uint64_t cpu_seconds = cpu_ms / 1000 + (cpu_ms % 1000 != 0);
    /* Processes are counted for each user in its namespace.  The sandbox's init is one of the program's user, unless
     * root started it. */
    uint64_t processes = (uint64_t)limits->processes + (enter->by_root ? 0 : 1);
    add(enter, RLIMIT_CORE, 0, 0);
    add(enter, RLIMIT_NOFILE, limits->open_files, limits->open_files);
    add(enter, RLIMIT_NPROC, processes, processes);
    add(enter, RLIMIT_FSIZE, limits->file_bytes, limits->file_bytes);
    add(enter, RLIMIT_DATA, data_bytes(limits->memory_bytes), data_bytes(limits->memory_bytes));
    add(enter, RLIMIT_CPU, cpu_seconds, cpu_seconds + 1);
    add(enter, RLIMIT_STACK, STACK_BYTES, STACK_BYTES_MAX);
    add(enter, RLIMIT_MEMLOCK, LOCKED_BYTES, LOCKED_BYTES);
    add(enter, RLIMIT_MSGQUEUE, 0, 0);
    add(enter, RLIMIT_SIGPENDING, SIGNALS_PENDING, SIGNALS_PENDING);
    add(enter, RLIMIT_RTPRIO, 0, 0);
    add(enter, RLIMIT_NICE, 0, 0);
    _Static_assert(WRIT_ENTER_LIMITS_MAX == 12, "one place for each limit above");
    choose_processors(enter, limits->cpus);
    if (enter->limit_count > WRIT_ENTER_LIMITS_MAX)
        return writ_error_set(error, WRIT_INTERNAL_SANDBOX, "more limits than places for them");
    return 0;
}
