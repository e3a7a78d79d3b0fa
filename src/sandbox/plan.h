/*
 * The sandbox plan: one flat piece of data that says everything about one sandboxed process.
 *
 * Built by src/run from contract + input + verdict; printed by `writ run --explain`; applied by sandbox/enter.c after
 * clone3 with raw system calls that neither allocate nor lock.  Nothing is in the sandbox that is not in the plan.
 *
 * /proc is always there (the program's own processes only) and is not part of the plan; neither `/` nor anything below
 * /proc can be a mount's path.
 *
 * A TMPFS may hold links, FIFOs and sockets, unless a writable BIND lies below it: rights reach down.
 *
 * A BIND of a file at a place that an earlier folder already shows (the dynamic linker among the libraries) costs no
 * mount: only its rights differ.  Mount points below a BIND must exist on the host, for nothing is ever created there.
 *
 * All paths are absolute, normalised (no `.`, `..`, `//`, trailing `/`) and paths inside and outside are the same:
 * what is granted appears at its own place.  Strings are borrowed and must outlive the run.
 */
#ifndef WRIT_SANDBOX_PLAN_H
#define WRIT_SANDBOX_PLAN_H

#include "base/error.h"

#include <stdbool.h>
#include <sys/types.h>

#define WRIT_PLAN_MOUNTS_MAX 256
#define WRIT_PLAN_ARGS_MAX 16
#define WRIT_PLAN_ENV_MAX 16

enum writ_mount_kind {
    WRIT_MOUNT_BIND,    /* the host's file or folder `source_fd` at `path`; folders without what is mounted below them
                           (an ordinary user's kernel may not part them: then with it, restricted alike) */
    WRIT_MOUNT_SYMLINK, /* a symbolic link at `path` to `content` */
    WRIT_MOUNT_FILE,    /* a read-only file at `path` holding `content` */
    WRIT_MOUNT_FOLDER,  /* an empty read-only folder at `path` (its parents are made for every kind) */
    WRIT_MOUNT_TMPFS,   /* a private writable tmpfs of size_bytes and files_max */
    WRIT_MOUNT_DEVICE   /* one of null, zero, full, random, urandom, bound from the host at /dev/NAME */
};

struct writ_mount {
    enum writ_mount_kind kind;
    bool writable;   /* BIND only */
    bool executable; /* BIND: Landlock lets execve run files here (a folder: all of them); else nothing runs */
    bool noexec;     /* BIND: no code may be mapped from here either (`noexec`): what is granted as input or output.
                        Never for places of shared libraries.  Writable and not executable implies it. */
    bool is_folder;  /* BIND */
    int source_fd;   /* BIND: O_PATH descriptor, borrowed; what it names is verified again inside by device and inode */
    const char *path; /* where it appears */
    const char *content;
    size_t content_length;
    uint64_t size_bytes; /* TMPFS */
    uint64_t files_max;  /* TMPFS */
    const char
        *reason; /* for --explain: `granted by filesystem:read:${{ .input.file_path }}`, `python loads from here` */
};

struct writ_limits {
    uint64_t wall_ms;      /* 0 is refused: every run ends */
    uint64_t memory_bytes; /* of the whole tree */
    uint64_t cpu_ms;       /* processor time of any one process; 0: wall_ms times cpus */
    unsigned cpus;         /* processors the tree may use at a time; 0: all */
    unsigned processes;    /* threads count */
    uint64_t output_bytes; /* stdout */
    uint64_t stderr_bytes; /* what is kept of stderr; more is read and dropped, and that is said */
    uint64_t file_bytes;   /* largest file a process may write (RLIMIT_FSIZE) */
    unsigned open_files;   /* RLIMIT_NOFILE */
};

struct writ_plan {
    size_t mount_count;
    struct writ_mount mounts[WRIT_PLAN_MOUNTS_MAX]; /* any order; enter sorts parents first */
    const char *program;                            /* path inside that is executed */
    const char *args[WRIT_PLAN_ARGS_MAX + 1];       /* argv, NULL-terminated; args[0] included */
    const char *env[WRIT_PLAN_ENV_MAX + 1];         /* NAME=value, NULL-terminated */
    const char *working_folder;                     /* made (empty) when no mount brings it */
    struct writ_limits limits;
    const char *input; /* written to stdin, then closed */
    size_t input_length;
};

/* Zeroed plan with every descriptor -1. */
void writ_plan_init(struct writ_plan *plan);
/* The next free mount, zeroed but for source_fd = -1; NULL when the plan is full. */
struct writ_mount *writ_plan_add(struct writ_plan *plan, enum writ_mount_kind kind, const char *path,
                                 const char *reason);

#endif
