#include "sandbox/probe.h"

#include "base/descriptor.h"
#include "sandbox/idmap.h"
#include "sandbox/kernel.h"
#include "sandbox/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

int writ_probe_landlock_abi(void)
{
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, WRIT_LANDLOCK_VERSION);
    return abi > 0 ? (int)abi : 0;
}

/* ---- children that try one thing; each returns 0 or an errno ---- */

static int try_namespaces(int flags)
{
    return unshare(flags) == 0 ? 0 : errno;
}

/* That it may be made is not enough: some systems then give no rights inside. */
static int try_rights(int flags)
{
    if (unshare(flags) < 0 || syscall(SYS_mount, "none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
        return errno;
    return syscall(SYS_mount, "none", "/tmp", "tmpfs", 0, NULL) == 0 ? 0 : errno;
}

static int try_seccomp(int action)
{
    uint32_t wanted = (uint32_t)action;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &wanted) == 0 ? 0 : errno;
}

static int in_child(int (*try)(int), int argument)
{
    pid_t child = fork();
    if (child == 0)
        _exit(try(argument) & 0x7f);
    int status = 0;
    if (child < 0)
        return errno;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return errno;
    return WIFEXITED(status) ? WEXITSTATUS(status) : EPERM;
}

/* ---- layers ---- */

static void describe(struct writ_layer *layer, const char *name, enum writ_layer_state state, const char *found)
{
    *layer = (struct writ_layer){.name = name, .state = state};
    (void)snprintf(layer->found, sizeof layer->found, "%.159s", found);
}

static void lacks(struct writ_layer *layer, const char *lost, const char *mend)
{
    (void)snprintf(layer->lost, sizeof layer->lost, "%s", lost);
    (void)snprintf(layer->mend, sizeof layer->mend, "%s", mend);
}

static const char *errno_name(int number, char *text, size_t size, const char *from)
{
    const char *name = strerrorname_np(number);
    (void)snprintf(text, size, "%s from %s", name ? name : "an error", from);
    return text;
}

static void probe_kernel(struct writ_layer *layer)
{
    struct utsname name;
    char text[160];
    unsigned major = 0, minor = 0;
    if (uname(&name) < 0 || sscanf(name.release, "%u.%u", &major, &minor) != 2)
        (void)snprintf(name.release, sizeof name.release, "unknown");
    (void)snprintf(text, sizeof text, "Linux %.100s", name.release);
    bool old = major < 5 || (major == 5 && minor < 14);
    describe(layer, "kernel", old ? WRIT_LAYER_MISSING : WRIT_LAYER_PRESENT, text);
    if (old)
        lacks(layer, "nothing runs: mounts with their own attributes and limits for each sandbox need Linux 5.14",
              "update the kernel");
}

static void probe_user_namespace(struct writ_layer *layer)
{
    char text[160];
    int reason = in_child(try_namespaces, CLONE_NEWUSER);
    if (reason == 0)
        reason = in_child(try_rights, CLONE_NEWUSER | CLONE_NEWNS);
    if (reason == 0) {
        describe(layer, "user namespace", WRIT_LAYER_PRESENT, "may be made, with rights inside");
        return;
    }
    describe(layer, "user namespace", WRIT_LAYER_MISSING, errno_name(reason, text, sizeof text, "unshare or mount"));
    lacks(layer, "nothing runs: the sandbox is made inside one",
          "sysctl user.max_user_namespaces=10000; kernel.unprivileged_userns_clone=1; "
          "kernel.apparmor_restrict_unprivileged_userns=0; in a container: its seccomp profile");
}

static void probe_namespaces(struct writ_layer *layer)
{
    static const struct {
        int flag;
        const char *name;
    } kinds[] = {{CLONE_NEWNS, "mount"}, {CLONE_NEWPID, "process"}, {CLONE_NEWNET, "network"},
                 {CLONE_NEWIPC, "ipc"},  {CLONE_NEWUTS, "uts"},     {CLONE_NEWCGROUP, "cgroup"}};
    char text[160] = "";
    size_t length = 0;
    for (size_t i = 0; i < WRIT_COUNT(kinds); i++)
        if (in_child(try_namespaces, CLONE_NEWUSER | kinds[i].flag) != 0 && length < sizeof text)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%s",
                                       length ? ", " : "missing: ", kinds[i].name);
    describe(layer, "namespaces", length ? WRIT_LAYER_MISSING : WRIT_LAYER_PRESENT,
             length ? text : "mount, process, network, ipc, uts, cgroup");
    if (length)
        lacks(layer, "nothing runs: each kind hides a part of the machine",
              "use a kernel with all namespaces, and raise the limits under /proc/sys/user");
}

static void probe_landlock(struct writ_layer *layer)
{
    char text[160];
    int abi = writ_probe_landlock_abi();
    (void)snprintf(text, sizeof text, abi ? "ABI %d" : "not in this kernel, or not enabled", abi);
    describe(layer, "landlock", abi < WRIT_LANDLOCK_ABI_KNOWN ? WRIT_LAYER_DEGRADED : WRIT_LAYER_PRESENT, text);
    if (abi == 0)
        lacks(layer, "which programs may be executed, and what kinds of files may be left in a writable folder",
              "boot with landlock among lsm=");
    else if (abi < WRIT_LANDLOCK_ABI_KNOWN)
        lacks(layer,
              abi < 3 ? "a second wall around truncating, the network, signals and abstract sockets"
                      : "a second wall around signals and abstract sockets; namespaces still hold them",
              "a kernel of 6.12 or later has all of it");
}

static void probe_seccomp(struct writ_layer *layer)
{
    char text[160];
    int reason = in_child(try_seccomp, (int)SECCOMP_RET_KILL_PROCESS);
    if (reason == 0) {
        describe(layer, "seccomp", WRIT_LAYER_PRESENT, "filters, with KILL_PROCESS");
        return;
    }
    describe(layer, "seccomp", WRIT_LAYER_MISSING, errno_name(reason, text, sizeof text, "seccomp"));
    lacks(layer, "nothing runs: system calls could not be filtered", "use a kernel with CONFIG_SECCOMP_FILTER");
}

static int try_idmap(void)
{
    WRIT_CLEANUP(writ_idmap_clear) struct writ_idmap cache = {0};
    struct writ_error error;
    int namespace_fd;
    if (writ_idmap_namespace(&cache, 0, 0, &namespace_fd, &error) < 0)
        return error.sys_errno ? error.sys_errno : EPERM;
    WRIT_CLEANUP(writ_descriptor_close)
    int tree = (int)syscall(SYS_open_tree, AT_FDCWD, "/", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
    struct mount_attr attributes = {.attr_set = MOUNT_ATTR_IDMAP, .userns_fd = (unsigned)namespace_fd};
    if (tree < 0 || syscall(SYS_mount_setattr, tree, "", AT_EMPTY_PATH, &attributes, sizeof attributes) < 0)
        return errno;
    return 0;
}

static void probe_idmap(struct writ_layer *layer)
{
    char text[160];
    int reason = geteuid() == 0 ? try_idmap() : 0;
    if (reason == 0) {
        describe(layer, "idmapped mounts", WRIT_LAYER_PRESENT,
                 geteuid() == 0 ? "on the root file system" : "not needed: programs run as you");
        return;
    }
    describe(layer, "idmapped mounts", WRIT_LAYER_DEGRADED, errno_name(reason, text, sizeof text, "mount_setattr"));
    lacks(layer, "started by root, a program gets only files that everyone may read",
          "keep skills and data on ext4, xfs, btrfs or tmpfs, or run writ as an ordinary user");
}

/* Memory is watched through the lists of children, which a kernel may lack. */
static void probe_limits(struct writ_layer *layer)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    if (access(path, R_OK) == 0) {
        describe(layer, "limits", WRIT_LAYER_PRESENT, "rlimits, and memory by watching the process tree");
        return;
    }
    describe(layer, "limits", WRIT_LAYER_DEGRADED, "rlimits only: no list of children in /proc");
    lacks(layer, "memory is limited for each process, not for all of them together",
          "use a kernel with CONFIG_PROC_CHILDREN");
}

/* All of it at once, up to executing a program that is not there. */
static void probe_whole(struct writ_layer *layer)
{
    struct writ_plan *plan = malloc(sizeof *plan);
    if (!plan) {
        describe(layer, "sandbox", WRIT_LAYER_MISSING, "out of memory");
        return;
    }
    writ_plan_init(plan);
    plan->program = "/none";
    plan->args[0] = "none";
    plan->working_folder = "/";
    plan->limits = (struct writ_limits){.wall_ms = 10000, .memory_bytes = 1 << 24, .processes = 1, .open_files = 16};
    (void)writ_plan_add(plan, WRIT_MOUNT_DEVICE, "/dev/null", "a device");
    const struct writ_sandbox_options options = {.watch = NULL};
    struct writ_run_result result;
    struct writ_error error;
    int answer = writ_sandbox_run(plan, &options, &result, &error);
    writ_run_result_clear(&result);
    free(plan);
    if (answer == WRIT_DEPENDENCY_MISSING) {
        describe(layer, "sandbox", WRIT_LAYER_PRESENT, "was set up in full, up to executing a program");
        return;
    }
    describe(layer, "sandbox", WRIT_LAYER_MISSING, answer < 0 ? error.message : "a program that is not there was run");
    lacks(layer, "nothing runs", "see the layers above");
}

size_t writ_probe_layers(struct writ_layer *layers, size_t layers_max)
{
    static void (*const probes[])(struct writ_layer *) = {
        probe_kernel,  probe_user_namespace, probe_namespaces, probe_landlock,
        probe_seccomp, probe_idmap,          probe_limits,     probe_whole,
    };
    _Static_assert(WRIT_COUNT(probes) <= WRIT_LAYERS_MAX, "room for each layer");
    size_t count = 0;
    for (; count < WRIT_COUNT(probes) && count < layers_max; count++)
        probes[count](&layers[count]);
    return count;
}
