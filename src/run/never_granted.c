#include "run/never_granted.h"

#include "base/macros.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

/* Relative to the caller's home; a trailing slash marks a folder. */
static const char *const in_home[] = {
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
    ".docker",
    ".netrc",
    ".pgpass",
    ".my.cnf",
    ".git-credentials",
    ".npmrc",
    ".pypirc",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".config/gcloud",
    ".config/gh",
    ".config/git/credentials",
    ".config/rclone",
    ".password-store",
    ".local/share/keyrings",
    ".mozilla",
    ".config/google-chrome",
    ".config/chromium",
    ".claude/.credentials.json",
    ".codex/auth.json",
    ".gemini/oauth_creds.json",
    ".bash_history",
    ".zsh_history",
};
static const char *const on_system[] = {
    "/etc/shadow",  "/etc/shadow-",   "/etc/gshadow",          "/etc/gshadow-",
    "/etc/sudoers", "/etc/sudoers.d", "/etc/ssl/private",      "/etc/krb5.keytab",
    "/etc/ssh",     "/root/.ssh",     "/etc/security/opasswd", "/proc",
    "/sys",         "/dev",           "/run/secrets",          "/var/run/secrets",
    "/boot",
};
/* Account files that are recognised whatever name a hard link gives them. */
static const char *const by_identity[] = {"/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-",
                                          "/etc/sudoers"};

static bool is_same_or_below(const char *path, const char *place)
{
    size_t length = strlen(place);
    return strncmp(path, place, length) == 0 && (path[length] == '\0' || path[length] == '/');
}

static bool exists(const char *path)
{
    return faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* True when granting `path` would grant `place`. */
static bool touches(const char *path, const char *place, const char *what, char *ret_why, size_t why_bytes)
{
    if (is_same_or_below(path, place)) {
        (void)snprintf(ret_why, why_bytes, "is %s, which no skill is ever granted", what);
        return true;
    }
    bool above = strcmp(path, "/") == 0 || is_same_or_below(place, path);
    if (above && exists(place)) {
        (void)snprintf(ret_why, why_bytes, "holds %s, which no skill is ever granted; name a narrower folder", place);
        return true;
    }
    return false;
}

bool writ_never_granted_path(const struct writ_places *places, const char *path, char *ret_why, size_t why_bytes)
{
    const struct {
        const char *place, *what;
    } own[] = {{places->config, "writ's own configuration"},
               {places->state, "writ's own state"},
               {places->cache, "writ's own cache"},
               {places->runtime, "writ's own runtime folder"}};
    for (size_t i = 0; i < WRIT_COUNT(own); i++)
        if (own[i].place && touches(path, own[i].place, own[i].what, ret_why, why_bytes))
            return true;
    for (size_t i = 0; i < WRIT_COUNT(on_system); i++)
        if (touches(path, on_system[i], "a place of accounts, keys or the kernel", ret_why, why_bytes))
            return true;
    for (size_t i = 0; places->home && i < WRIT_COUNT(in_home); i++) {
        char place[4096];
        int length = snprintf(place, sizeof place, "%s/%s", places->home, in_home[i]);
        if (length > 0 && (size_t)length < sizeof place &&
            touches(path, place, "a place of credentials", ret_why, why_bytes))
            return true;
    }
    return false;
}

bool writ_never_granted_file(const struct writ_places *places, int fd, const struct stat *status, char *ret_why,
                             size_t why_bytes)
{
    (void)places;
    static const uint32_t kernel_file_systems[] = {
        PROC_SUPER_MAGIC,
        SYSFS_MAGIC,
        CGROUP_SUPER_MAGIC,
        CGROUP2_SUPER_MAGIC,
        DEBUGFS_MAGIC,
        TRACEFS_MAGIC,
        SECURITYFS_MAGIC,
        SELINUX_MAGIC,
        BPF_FS_MAGIC,
        DEVPTS_SUPER_MAGIC,
        NSFS_MAGIC,
        PSTOREFS_MAGIC,
        EFIVARFS_MAGIC,
        0x19800202u /* mqueue */,
        0x62656570u /* configfs */,
    };
    struct statfs file_system;
    if (fstatfs(fd, &file_system) < 0) {
        (void)snprintf(ret_why, why_bytes, "could not be examined");
        return true;
    }
    for (size_t i = 0; i < WRIT_COUNT(kernel_file_systems); i++)
        if ((uint32_t)file_system.f_type == kernel_file_systems[i]) {
            (void)snprintf(ret_why, why_bytes, "belongs to the kernel, which no skill is ever granted");
            return true;
        }
    if (S_ISREG(status->st_mode) && status->st_nlink > 1)
        for (size_t i = 0; i < WRIT_COUNT(by_identity); i++) {
            struct stat account;
            if (lstat(by_identity[i], &account) == 0 && account.st_dev == status->st_dev &&
                account.st_ino == status->st_ino) {
                (void)snprintf(ret_why, why_bytes, "is another name of %s, which no skill is ever granted",
                               by_identity[i]);
                return true;
            }
        }
    return false;
}
