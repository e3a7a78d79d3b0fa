/*
 * What the program may no longer do: users, capabilities, Landlock, the system call filter.  Raw system calls only; see
 * enter.c.
 */
#include "sandbox/enter.h"
#include "sandbox/kernel.h"
#include "sandbox/raw.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <linux/securebits.h>
#include <sys/prctl.h>

static int fail(struct writ_enter *enter, enum writ_step step, long answer)
{
    return writ_enter_fail(enter, step, answer, SIZE_MAX);
}

/* Everything that is visible may be read; further rights come with each mount. */
int writ_enter_ruleset(struct writ_enter *enter)
{
    enter->ruleset_fd = -1;
    if (enter->landlock_abi < 1)
        return 0;
    uint64_t files = WRIT_LANDLOCK_REFER - 1;
    if (enter->landlock_abi >= 2)
        files |= WRIT_LANDLOCK_REFER;
    if (enter->landlock_abi >= 3)
        files |= WRIT_LANDLOCK_TRUNCATE;
    if (enter->landlock_abi >= 5)
        files |= WRIT_LANDLOCK_IOCTL_DEV;
    struct writ_landlock_ruleset ruleset = {.files = files,
                                            .network = enter->landlock_abi >= 4 ? WRIT_LANDLOCK_NETWORK : 0,
                                            .scopes = enter->landlock_abi >= 6 ? WRIT_LANDLOCK_SCOPES : 0};
    long fd = WRIT_RAW3(landlock_create_ruleset, &ruleset, sizeof ruleset, 0);
    if (fd < 0)
        return fail(enter, WRIT_STEP_LANDLOCK, fd);
    enter->ruleset_fd = (int)fd;
    return writ_enter_rule(enter, enter->root_fd, WRIT_LANDLOCK_READ_FILE | WRIT_LANDLOCK_READ_DIR);
}

int writ_enter_rule(struct writ_enter *enter, int fd, uint64_t rights)
{
    const struct writ_landlock_beneath rule = {.allowed = rights, .parent_fd = fd};
    long answer = WRIT_RAW4(landlock_add_rule, enter->ruleset_fd, WRIT_LANDLOCK_BENEATH, &rule, 0);
    return answer < 0 ? fail(enter, WRIT_STEP_LANDLOCK, answer) : 0;
}

static long set_capabilities(uint32_t permitted_low, uint32_t permitted_high)
{
    const struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    const struct __user_cap_data_struct data[2] = {{.permitted = permitted_low}, {.permitted = permitted_high}};
    return WRIT_RAW2(capset, &header, data);
}

/* No uid gives capabilities, now and after exec; nothing that is executed can bring any.  What is held stays, for the
 * mounts. */
int writ_enter_become_user(struct writ_enter *enter)
{
    long answer =
        WRIT_RAW5(prctl, PR_SET_SECUREBITS,
                  SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP | SECBIT_NO_SETUID_FIXUP_LOCKED |
                      SECBIT_KEEP_CAPS_LOCKED | SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED,
                  0, 0, 0);
    for (int capability = 0; answer >= 0 && capability < 64; capability++) {
        answer = WRIT_RAW5(prctl, PR_CAPBSET_DROP, capability, 0, 0, 0);
        if (answer == -EINVAL && capability > CAP_AUDIT_READ)
            answer = 0, capability = 64; /* past the last one that this kernel knows */
    }
    if (answer >= 0)
        answer = WRIT_RAW5(prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    if (answer >= 0 && enter->by_root)
        answer = WRIT_RAW2(setgroups, 0, NULL);
    if (answer >= 0 && enter->by_root)
        answer = WRIT_RAW3(setresgid, enter->gid, enter->gid, enter->gid);
    if (answer >= 0 && enter->by_root)
        answer = WRIT_RAW3(setresuid, enter->uid, enter->uid, enter->uid);
    return answer < 0 ? fail(enter, WRIT_STEP_IDENTITY, answer) : 0;
}

int writ_enter_confine(struct writ_enter *enter)
{
    long answer = set_capabilities(0, 0);
    if (answer >= 0)
        answer = WRIT_RAW5(prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (answer < 0)
        return fail(enter, WRIT_STEP_PRIVILEGES, answer);
    writ_enter_trace(enter, WRIT_STEP_PRIVILEGES);
    answer = enter->ruleset_fd >= 0 ? WRIT_RAW2(landlock_restrict_self, enter->ruleset_fd, 0) : 0;
    if (answer < 0)
        return fail(enter, WRIT_STEP_LANDLOCK, answer);
    writ_enter_trace(enter, WRIT_STEP_LANDLOCK);
    return 0;
}

int writ_enter_filter(struct writ_enter *enter)
{
    const struct sock_fprog program = {.len = writ_seccomp_filter_length,
                                       .filter = (struct sock_filter *)(uintptr_t)writ_seccomp_filter};
    long answer = WRIT_RAW3(seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
    return answer < 0 ? fail(enter, WRIT_STEP_SECCOMP, answer) : 0;
}

/* Waking the machine at a time of day: of all capabilities the one that does least, and in a user namespace nothing.
 * That it is permitted here and not to the program is what counts. */
void writ_enter_keep_apart(void)
{
    (void)set_capabilities(0, UINT32_C(1) << (CAP_WAKE_ALARM - 32));
}
