/*
 * The steps of setting up a sandbox, each with what it does and what to do when the kernel refuses it.
 */
#ifndef WRIT_SANDBOX_STEP_H
#define WRIT_SANDBOX_STEP_H

#include "base/error.h"

#define WRIT_MEND_NAMESPACES                                                                                           \
    "allow user namespaces (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone, "                       \
    "kernel.apparmor_restrict_unprivileged_userns; in a container also its seccomp profile); `writ doctor` tells "     \
    "which"
#define WRIT_MEND_REPORT "`writ doctor` tells what this kernel allows"
#define WRIT_MEND_SOURCE "it must stay in place, and what it is, while the call runs; try again"

/*    step             what was being done                               mend */
#define WRIT_STEPS(X)                                                                                                  \
    X(NONE, "running the program", "")                                                                                 \
    X(PIPES, "making the program's pipes", WRIT_MEND_REPORT)                                                           \
    X(CLONE, "making the sandbox's namespaces", WRIT_MEND_NAMESPACES)                                                  \
    X(MAPS, "mapping the program's user into the sandbox", WRIT_MEND_NAMESPACES)                                       \
    X(CALLER, "tying the sandbox's life to the caller's", WRIT_MEND_REPORT)                                            \
    X(IDENTITY, "becoming the sandbox's user", WRIT_MEND_NAMESPACES)                                                   \
    X(NAMES, "giving the sandbox its host name", WRIT_MEND_NAMESPACES)                                                 \
    X(ROOT, "making the sandbox's root folder", WRIT_MEND_NAMESPACES)                                                  \
    X(PIVOT, "entering the sandbox's root folder", WRIT_MEND_NAMESPACES)                                               \
    X(SOURCE, "opening what is to be mounted", WRIT_MEND_SOURCE)                                                       \
    X(IDMAP, "making a user namespace for identity-mapped mounts", "raise user.max_user_namespaces")                   \
    X(MOUNT_POINT, "making a mount point", "inside a granted folder it must exist beforehand, and not be a link")      \
    X(MOUNT, "mounting", WRIT_MEND_REPORT)                                                                             \
    X(PROC, "mounting /proc", WRIT_MEND_REPORT)                                                                        \
    X(DETACH, "letting go of the host's folders", WRIT_MEND_REPORT)                                                    \
    X(SEAL, "making the sandbox's root read-only", WRIT_MEND_REPORT)                                                   \
    X(START, "starting the program's process", "raise the limit of processes (ulimit -u)")                             \
    X(SESSION, "leaving the caller's session", WRIT_MEND_REPORT)                                                       \
    X(KEYRING, "leaving the caller's session keyring", "too many keys are in use (/proc/key-users); try again")        \
    X(LIMITS, "setting the program's limits", WRIT_MEND_REPORT)                                                        \
    X(STDIO, "giving the program its stdin, stdout and stderr", WRIT_MEND_REPORT)                                      \
    X(WORKING_FOLDER, "entering the working folder", "it must exist and be searchable by the program's user")          \
    X(NETWORK, "making an empty network", WRIT_MEND_NAMESPACES)                                                        \
    X(PRIVILEGES, "dropping privileges", WRIT_MEND_REPORT)                                                             \
    X(LANDLOCK, "restricting files with Landlock", WRIT_MEND_REPORT)                                                   \
    X(SECCOMP, "filtering system calls", WRIT_MEND_REPORT)                                                             \
    X(EXEC, "executing the program", "it must be granted, executable, and have its interpreter granted")

enum writ_step {
#define X(name, doing, mend) WRIT_STEP_##name,
    WRIT_STEPS(X)
#undef X
        WRIT_STEP_COUNT
};

/* INTERNAL_SANDBOX that names the step, what it was about (may be NULL), the kernel's answer and the mend. */
int writ_step_error(struct writ_error *error, enum writ_step step, int sys_errno, const char *about);

#endif
