/*
 * What the child is told, and what it tells: one struct in memory that both share.
 *
 * The parent (prepare.c) decides everything and writes it here; the child (enter.c, enter_mounts.c, enter_confine.c)
 * only carries it out, with raw system calls.  See enter.c for the theory of operation.
 *
 * Threads: the parent writes everything above a futex word before it sets the word, and nothing of it later; the child
 * writes what is its own and its report, which the parent reads when the child is dead (exec_ns also before).  A word
 * is set once, by one side, and never cleared.
 */
#ifndef WRIT_SANDBOX_ENTER_H
#define WRIT_SANDBOX_ENTER_H

#include "sandbox/plan.h"
#include "sandbox/step.h"

#include <linux/filter.h>

#define WRIT_ENTER_LIMITS_MAX 12
#define WRIT_ENTER_PROCESSORS_MAX 1024
#define WRIT_ENTER_STACK_BYTES ((size_t)16 * 1024)
#define WRIT_ENTER_TREES_AT_ONCE 32 /* in one message */
#define WRIT_ENTER_PATHS_MAX 64
/* Of the root's tmpfs, which holds folders, mount points, links and the plan's own files.  As text for the kernel, too.
 */
#define WRIT_ENTER_ROOT_BYTES UINT64_C(16777216)
#define WRIT_ENTER_ROOT_BYTES_TEXT "16777216"
#define WRIT_ENTER_ROOT_FILES_TEXT "16384"

/* The moments that a traced build notes beside the child's steps (bench/bench_sandbox.c). */
enum writ_trace {
    WRIT_TRACE_BEGAN = WRIT_STEP_COUNT,
    WRIT_TRACE_CLONED,
    WRIT_TRACE_MAPPED,
    WRIT_TRACE_PREPARING,
    WRIT_TRACE_PREPARED,
    WRIT_TRACE_REAPED,
    WRIT_TRACE_ENDED,
    WRIT_TRACE_COUNT
};

struct writ_enter_mount {
    const struct writ_mount *mount;
    bool by_parent;    /* a detached mount that the parent made and sends (root); else the child clones it by path */
    int tree;          /* the parent's descriptor of it, or -1 */
    int child_tree;    /* the child's */
    bool ours;         /* every folder on the way was made by us: no link, nothing of the host */
    bool below_bind;   /* lies inside a bound folder: the mount point must exist */
    bool may_lack;     /* a device that the host need not have */
    bool may_be_shown; /* no mount is needed when the place already shows this very file */
    uint64_t device, inode;
    const char *source_path; /* where it lies, when that is not the mount's own path; NULL */
    uint64_t attributes;     /* MOUNT_ATTR_* */
    uint64_t rights;         /* Landlock rights beyond reading; 0: none */
    char options[80];        /* TMPFS */
};

struct writ_enter_limit {
    int resource;
    uint64_t soft, hard;
};

struct writ_enter {
    /* written by the parent before the clone */
    bool by_root;
    uint32_t uid, gid; /* of the program, alike inside and outside */
    int stdio[3];      /* all above 2 */
    int trees_fd;      /* detached mounts come through here; -1: none do */
    int caller_pidfd;
    int landlock_abi;
    char *program_stack; /* WRIT_ENTER_STACK_BYTES */

    uint32_t maps_written; /* futex: the parent has written the maps of users and groups */
    uint32_t go;           /* futex: the parent has written the plan, which is what follows */
    bool mounts_by_init;   /* else by the program's process */

    const struct writ_plan *plan;
    uint64_t processors[WRIT_ENTER_PROCESSORS_MAX / 64]; /* the caller's own */
    unsigned processors_wanted;                          /* how many of them; 0: all */
    size_t limit_count;
    struct writ_enter_limit limits[WRIT_ENTER_LIMITS_MAX];
    size_t mount_count;
    struct writ_mount working_folder; /* stands in `mounts` when no mount of the plan brings it */
    struct writ_enter_mount mounts[WRIT_PLAN_MOUNTS_MAX + 1]; /* parents first */

    size_t path_count;
    char paths[WRIT_ENTER_PATHS_MAX][4096]; /* of `source_path` */

    /* the child's own */
    uint32_t program_ready; /* the program's process needs nothing more than the plan */
    uint32_t tree_begun;    /* futex: the root is there, and entered */
    uint32_t init_turn;     /* futex: init may mount (set by the parent) or detach (by the program's process) */
    uint32_t tree_made;     /* futex: all is mounted, and the root is read-only */
    uint32_t host_gone;     /* futex: the host's mounts are detached */
    int root_fd, root_writer_fd, host_fd, ruleset_fd;
    uint64_t root_device;
    char path[4096];

    /* the child's report */
    int failed_errno;
    enum writ_step failed_step; /* WRIT_STEP_NONE: the program was executed */
    size_t failed_mount;        /* in `mounts`; SIZE_MAX when the step is about none */
    uint64_t exec_ns;           /* CLOCK_MONOTONIC, right before exec */
    bool ended;                 /* the program ended by itself, with: */
    int wait_status;
    uint64_t program_cpu_us;
    uint64_t resident_peak_bytes; /* of the largest process that was waited for */
#ifdef WRIT_SANDBOX_TRACE
    uint64_t trace_ns[WRIT_TRACE_COUNT];
#endif
};

/* Runs as the first process of the sandbox; the argument is the struct above. */
int writ_enter_init(void *argument);

/* What enter.c is made of.  Each returns 0, or -1 with the report's failure filled. */
int writ_enter_fail(struct writ_enter *enter, enum writ_step step, long answer, size_t mount);
void writ_enter_trace(struct writ_enter *enter, unsigned moment); /* nothing, unless WRIT_SANDBOX_TRACE */
uint64_t writ_enter_now_ns(void);
int writ_enter_root(struct writ_enter *enter);
int writ_enter_proc(struct writ_enter *enter);
int writ_enter_receive(struct writ_enter *enter); /* the parent's detached mounts */
int writ_enter_mounts(struct writ_enter *enter);
int writ_enter_seal(struct writ_enter *enter);   /* makes the root read-only */
int writ_enter_detach(struct writ_enter *enter); /* lets go of the host; sets host_gone */
bool writ_enter_host_is_gone(const struct writ_enter *enter);
int writ_enter_become_user(struct writ_enter *enter); /* the program's process; what it holds goes in confine */
int writ_enter_ruleset(struct writ_enter *enter);
int writ_enter_rule(struct writ_enter *enter, int fd, uint64_t rights);
int writ_enter_confine(struct writ_enter *enter); /* capabilities, Landlock */
int writ_enter_filter(struct writ_enter *enter);  /* seccomp: nothing but exec and exit may follow */
void writ_enter_keep_apart(void);                 /* init: drops all but what keeps the program from it */

/* The system call filter of this processor, made at build time by seccomp_generate.c. */
extern const struct sock_filter writ_seccomp_filter[];
extern const unsigned short writ_seccomp_filter_length;

#endif
