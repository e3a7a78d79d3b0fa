#include "skill/closed_places.h"

#include <string.h>

static const char *const granted_in_home[] = {
    /* keys and logins */
    ".ssh",
    ".gnupg",
    ".pki",
    ".cert",
    ".age",
    ".netrc",
    ".authinfo",
    ".authinfo.gpg",
    ".password-store",
    ".vault-token",
    ".Xauthority",
    ".ICEauthority",
    ".local/share/keyrings",
    ".local/share/kwalletd",
    ".config/sops",
    ".config/age",
    ".config/op",
    ".config/1Password",
    ".config/Bitwarden",
    ".config/keepassxc",
    ".config/systemd/credstore",
    /* clouds and clusters */
    ".aws",
    ".azure",
    ".kube",
    ".minikube",
    ".docker",
    ".oci",
    ".fly",
    ".s3cfg",
    ".boto",
    ".rclone.conf",
    ".terraform.d/credentials.tfrc.json",
    ".terraformrc",
    ".config/gcloud",
    ".config/doctl",
    ".config/rclone",
    ".config/containers/auth.json",
    ".config/helm/registry",
    /* databases, sources, packages */
    ".pgpass",
    ".my.cnf",
    ".mylogin.cnf",
    ".git-credentials",
    ".config/git/credentials",
    ".config/gh",
    ".config/hub",
    ".config/glab-cli",
    ".subversion/auth",
    ".npmrc",
    ".yarnrc.yml",
    ".pypirc",
    ".config/pip",
    ".gem/credentials",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".m2/settings.xml",
    ".m2/settings-security.xml",
    ".gradle/gradle.properties",
    ".composer/auth.json",
    ".config/composer/auth.json",
    ".nuget/NuGet",
    /* browsers and mail */
    ".mozilla",
    ".thunderbird",
    ".config/google-chrome",
    ".config/chromium",
    ".config/BraveSoftware",
    ".config/microsoft-edge",
    ".config/vivaldi",
    ".config/opera",
    "snap/firefox",
    "snap/chromium",
    ".var/app/org.mozilla.firefox",
    /* agents */
    ".claude/.credentials.json",
    ".claude.json",
    ".codex/auth.json",
    ".gemini/oauth_creds.json",
    ".config/github-copilot",
    ".local/share/opencode/auth.json",
    ".hermes/.env",
    /* what was typed */
    ".bash_history",
    ".zsh_history",
    ".sh_history",
    ".python_history",
    ".node_repl_history",
    ".psql_history",
    ".mysql_history",
    ".sqlite_history",
    ".local/share/fish/fish_history",
};
static const char *const granted_on_system[] = {
    "/etc/shadow",
    "/etc/shadow-",
    "/etc/gshadow",
    "/etc/gshadow-",
    "/etc/sudoers",
    "/etc/sudoers.d",
    "/etc/security/opasswd",
    "/etc/krb5.keytab",
    "/etc/ssh",
    "/etc/ssl/private",
    "/etc/pki/tls/private",
    "/etc/letsencrypt",
    "/etc/wireguard",
    "/etc/openvpn",
    "/etc/ipsec.secrets",
    "/etc/ppp/chap-secrets",
    "/etc/ppp/pap-secrets",
    "/etc/NetworkManager/system-connections",
    "/etc/kubernetes",
    "/etc/rancher",
    "/etc/credstore",
    "/etc/credstore.encrypted",
    "/var/lib/systemd/credential.secret",
    "/var/lib/sss",
    "/var/lib/kubelet",
    "/run/secrets",
    "/var/run/secrets",
    "/run/credentials",
    "/proc",
    "/sys",
    "/dev",
    "/boot",
};
static const char *const written_on_system[] = {
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/boot", "/var/spool/cron", "/var/spool/at",
};

const struct writ_place_list writ_never_granted_on_system = {granted_on_system, WRIT_COUNT(granted_on_system)};
const struct writ_place_list writ_never_granted_in_home = {granted_in_home, WRIT_COUNT(granted_in_home)};
const struct writ_place_list writ_never_written_on_system = {written_on_system, WRIT_COUNT(written_on_system)};

static const char *find(const struct writ_place_list *list, const char *path, bool more)
{
    for (size_t i = 0; i < list->count; i++) {
        size_t length = strlen(list->paths[i]);
        if (strncmp(path, list->paths[i], length) == 0 && (path[length] == '/' || (path[length] == '\0' && !more)))
            return list->paths[i];
    }
    return NULL;
}

/* What follows the home in a path, or NULL. */
static const char *below_home(const char *path)
{
    if (strncmp(path, "/root/", 6) == 0)
        return path + 6;
    const char *slash = strncmp(path, "/home/", 6) == 0 ? strchr(path + 6, '/') : NULL;
    return slash ? slash + 1 : NULL;
}

const char *writ_never_granted_by_name(const char *path, bool more)
{
    const char *inner = below_home(path);
    const char *place = inner ? find(&writ_never_granted_in_home, inner, more) : NULL;
    return place ? place : find(&writ_never_granted_on_system, path, more);
}

const char *writ_never_written_by_name(const char *path, bool more)
{
    return find(&writ_never_written_on_system, path, more);
}
