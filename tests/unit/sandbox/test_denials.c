/*
 * What a program in the sandbox cannot do, each beside a control that works (S4.3, S4.4).  Where an attack is known by
 * a number or a name, it stands at its test.
 */
#include "harness.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

static const char *text_of(unsigned long number)
{
    static char texts[16][32];
    static size_t used;
    char *text = texts[used++ % 16];
    (void)snprintf(text, sizeof texts[0], "%lu", number);
    return text;
}

/* Only what the plan names is there. */
static void test_nothing_else_is_visible(void **state)
{
    struct harness *harness = *state;
    harness_expect(harness, "tmp\nproc\n", "list", "/"); /* newest first */
    harness_expect(harness, "ENOENT\n", "cat", "/etc/shadow");
    harness_expect(harness, "ENOENT\n", "list", "/home");
    harness_expect(harness, "ENOENT\n", "list", "/dev/shm");
    harness_expect(harness, "ENOENT\n", "cat", "/proc/sys/kernel/core_pattern");
    harness_expect(harness, "ENOENT\n", "cat", "/proc/keys");
    harness_run(harness, "list", "/.host", NULL); /* where the host was: empty, and soon gone */
    if (strcmp(writ_buffer_text(&harness->result.output), "ENOENT\n") != 0)
        harness_check(harness, "", __FILE__, __LINE__);
    harness_expect(harness, "EROFS\n", "mkdir", "/new");
    harness_expect(harness, "ok\n", "call", text_of(SYS_chdir), "@/proc/self");
}

static void test_read_only_and_writable_grants(void **state)
{
    struct harness *harness = *state;
    harness_need_private_grants(harness);
    const char *data = harness_file(harness, "data", "original", 0644);
    const char *folder = harness_folder(harness, "out", 0755);
    const char *inside = harness_path(harness, "out/file");
    (void)harness_bind(harness, data, false);
    (void)harness_bind(harness, folder, true);
    harness_expect(harness, "original", "cat", data);
    harness_expect(harness, "EROFS\n", "write", data, "changed");
    harness_expect(harness, "EPERM\n", "chmod", data, "04755");
    harness_expect(harness, "ok\n", "write", inside, "written");
    harness_expect(harness, "written", "cat", inside);
    harness_expect(harness, "ok\n", "rename", inside, harness_path(harness, "out/other"));
    harness_expect(harness, "ok\n", "mkdir", harness_path(harness, "out/sub"));
    harness_expect(harness, "ok\n", "rename", harness_path(harness, "out/other"), harness_path(harness, "out/sub/it"));
    struct stat status, own;
    assert_int_equal(stat(harness_path(harness, "out/sub/it"), &status), 0);
    assert_int_equal(stat(folder, &own), 0);
    assert_int_equal(status.st_uid, own.st_uid); /* belongs to the owner of the grant, whoever ran it */
    assert_int_equal(status.st_gid, own.st_gid);
}

/* A file that only its owner may read is readable when it is granted, and its neighbours are not there. */
static void test_private_grant(void **state)
{
    struct harness *harness = *state;
    harness_need_private_grants(harness);
    const char *report = harness_file(harness, "report", "private", 0600);
    const char *folder = harness_folder(harness, "closed", 0700);
    (void)harness_file(harness, "closed/inside", "deep", 0600);
    (void)harness_file(harness, "neighbour", "secret", 0644);
    (void)harness_bind(harness, report, false);
    (void)harness_bind(harness, folder, false);
    harness_expect(harness, "private", "cat", report);
    harness_expect(harness, "deep", "cat", harness_path(harness, "closed/inside"));
    harness_expect(harness, "ENOENT\n", "cat", harness_path(harness, "neighbour"));
    const char *writable = harness_file(harness, "result", "", 0600);
    harness_bind(harness, writable, true)->noexec = true;
    harness_expect(harness, "ok\n", "write", writable, "done");
    harness_expect(harness, "done", "cat", writable);
}

/* What is left in a granted folder may be regular files and folders only. */
static void test_no_links_or_nodes_in_grants(void **state)
{
    struct harness *harness = *state;
    harness_need_private_grants(harness);
    harness_need_landlock();
    const char *folder = harness_folder(harness, "out", 0755);
    (void)harness_bind(harness, folder, true);
    harness_add_tmp(harness);
    harness_expect(harness, "EACCES\n", "symlink", "/etc/shadow", harness_path(harness, "out/link"));
    harness_expect(harness, "EACCES\n", "mknod", harness_path(harness, "out/fifo"), text_of(S_IFIFO | 0600));
    harness_expect(harness, "EACCES\n", "mknod", harness_path(harness, "out/socket"), text_of(S_IFSOCK | 0600));
    harness_expect(harness, "EPERM\n", "mknod", harness_path(harness, "out/device"), text_of(S_IFCHR | 0600));
    harness_expect(harness, "ok\n", "mknod", harness_path(harness, "out/file"), text_of(S_IFREG | 0600));
    harness_expect(harness, "ok\n", "write", "/tmp/file", "x");
    struct stat status;
    assert_int_equal(lstat(harness_path(harness, "out/link"), &status), -1);
}

/* In private space they may be, as programs expect of /tmp. */
static void test_links_in_private_space(void **state)
{
    struct harness *harness = *state;
    harness_add_tmp(harness);
    harness_expect(harness, "ok\n", "symlink", "/etc/shadow", "/tmp/link");
    harness_expect(harness, "ok\n", "mknod", "/tmp/fifo", text_of(S_IFIFO | 0600));
    harness_expect(harness, "EPERM\n", "mknod", "/tmp/device", text_of(S_IFBLK | 0600));
    harness_expect(harness, "EPERM\n", "mknod", "/tmp/device", text_of(S_IFCHR | 0600));
}

static void test_no_set_id_files(void **state)
{
    struct harness *harness = *state;
    harness_need_private_grants(harness);
    const char *folder = harness_folder(harness, "out", 0755);
    const char *file = harness_path(harness, "out/file");
    (void)harness_bind(harness, folder, true);
    harness_expect(harness, "EPERM\n", "write", file, "x", "04755");
    harness_expect(harness, "EPERM\n", "write", file, "x", "02755");
    harness_expect(harness, "EPERM\n", "mkdir", harness_path(harness, "out/sub"), "02755");
    harness_expect(harness, "ok\n", "write", file, "x", "0700");
    harness_expect(harness, "EPERM\n", "chmod", file, "04755");
    harness_expect(harness, "EPERM\n", "chmod", file, "06711");
    harness_expect(harness, "ok\n", "chmod", file, "0711");
}

/* Only what is granted as a program runs, by whatever name; a program that was written does not. */
static void test_only_granted_programs_run(void **state)
{
    struct harness *harness = *state;
    harness_need_landlock();
    const char *other = harness_file(harness, "other", "#!/bin/sh\n", 0755);
    (void)harness_bind(harness, other, false);
    harness_add_tmp(harness);
    harness_expect(harness, "EACCES\n", "execute", other);
    harness_expect(harness, "ok\n", "write", "/tmp/program", "#!/bin/sh\n", "0755");
    harness_expect(harness, "EACCES\n", "execute", "/proc/self/mem");
    harness_expect(harness, "here\n", "execute", harness->probe, "print", "here");
    harness_expect(harness, "ENOSYS\n", "call", text_of(SYS_memfd_create), "@name", "0");
}

static void test_nothing_is_inherited(void **state)
{
    struct harness *harness = *state;
    int low = open("/dev/null", O_RDWR), high = fcntl(low, F_DUPFD, 500);
    assert_true(low >= 0 && high >= 500);
    harness_expect(harness, "0\n1\n2\n", "descriptors"); /* cplt#329, nsjail#328, CVE-2024-21626 */
    (void)close(low);
    (void)close(high);
    assert_int_equal(setenv("WRIT_TEST_SECRET", "x", 1), 0);
    harness->plan.env[0] = "LANG=C.UTF-8";
    harness_expect(harness, "LANG=C.UTF-8\n", "environment");
    /* bubblewrap 0.11.1: an inherited ignored SIGCHLD, or a blocked mask */
    sigset_t mask, before;
    (void)sigfillset(&mask);
    assert_int_equal(pthread_sigmask(SIG_BLOCK, &mask, &before), 0);
    void (*was)(int) = signal(SIGTERM, SIG_IGN);
    harness_run(harness, "signals", NULL);
    (void)signal(SIGTERM, was);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    harness_check(harness, "ignored 0 blocked 0\n", __FILE__, __LINE__);
}

static void test_identity(void **state)
{
    struct harness *harness = *state;
    char expected[256];
    unsigned uid = geteuid() == 0 ? WRIT_SANDBOX_UID : (unsigned)geteuid();
    unsigned gid = geteuid() == 0 ? WRIT_SANDBOX_UID : (unsigned)getegid();
    int groups = geteuid() == 0 ? 0 : getgroups(0, NULL);
    (void)snprintf(expected, sizeof expected,
                   "uid %u %u %u\ngid %u %u %u\ngroups %d\npid 2 parent 1 session 2\nhost writ\nENOENT\n", uid, uid,
                   uid, gid, gid, gid, groups);
    harness_expect(harness, expected, "identity");
    harness_run(harness, "cat", "/proc/self/status", NULL);
    const char *status = writ_buffer_text(&harness->result.output);
    static const char *const lines[] = {"\nCapInh:\t0000000000000000\n",
                                        "\nCapPrm:\t0000000000000000\n",
                                        "\nCapEff:\t0000000000000000\n",
                                        "\nCapBnd:\t0000000000000000\n",
                                        "\nCapAmb:\t0000000000000000\n",
                                        "\nNoNewPrivs:\t1\n",
                                        "\nSeccomp:\t2\n"};
    for (size_t i = 0; i < WRIT_COUNT(lines); i++)
        assert_non_null(strstr(status, lines[i]));
    harness->plan.limits.processes = 7;
    harness->plan.limits.cpu_ms = 2001;
    harness_expect(harness,
                   geteuid() == 0 ? "0 0\n64 64\n7 7\n67108864 67108864\n3 4\n0 0\n"
                                  : "0 0\n64 64\n8 8\n67108864 67108864\n3 4\n0 0\n",
                   "limits");
}

/* CVE-2017-5226, CVE-2019-10063: typing into the caller's terminal, also with high bits set in the request. */
static void test_terminal_requests(void **state)
{
    struct harness *harness = *state;
    static const unsigned long requests[] = {TIOCSTI, TIOCLINUX, TIOCSETD};
    for (size_t i = 0; i < WRIT_COUNT(requests); i++) {
        harness_expect(harness, "EPERM\n", "ioctl", text_of(requests[i]));
        harness_expect(harness, "EPERM\n", "ioctl", text_of(requests[i] | 1ul << 32));
    }
    harness_expect(harness, "ok\n", "ioctl", text_of(FIONREAD));
    harness_expect(harness, "ENOTTY\n", "ioctl", text_of(0x8901)); /* FIOSETOWN: not on the list */
}

/* CVE-2026-41163: the process that set the sandbox up, whose memory is the caller's. */
static void test_init_is_out_of_reach(void **state)
{
    struct harness *harness = *state;
    harness_expect(harness, "EPERM\n", "call", text_of(SYS_ptrace), "16", "1", "0", "0");
    harness_expect(harness, "EPERM\n", "call", text_of(SYS_process_vm_readv), "1", "0", "0", "0", "0", "0");
    harness_expect(harness, "ENOENT\n", "cat", "/proc/1/mem");
    harness_expect(harness, "ENOENT\n", "cat", "/proc/1/environ");
    harness_expect(harness, "ENOENT\n", "cat", "/proc/1/maps");
    harness_expect(harness, "self\nthread-self\n2\n", "list", "/proc");
    harness_expect(harness, "EPERM\n", "call", text_of(SYS_prlimit64), "1", "0", "0", "0");
    harness_run(harness, "call", text_of(SYS_kill), "1", "9", NULL); /* refused, or without effect on init */
    assert_int_equal(harness->result.ending, WRIT_ENDED_EXIT);
    harness_run(harness, "call", text_of(SYS_kill), "-1", "9", NULL); /* reaches nobody but init, or nobody */
    assert_int_equal(harness->result.ending, WRIT_ENDED_EXIT);
    harness_expect(harness, "ok\n", "call", text_of(SYS_kill), "2", "0");
}

/* sandlock#240 and others: a way to new namespaces is a way to new privileges. */
static void test_no_new_namespaces(void **state)
{
    struct harness *harness = *state;
    static const unsigned long flags[] = {CLONE_NEWUSER, CLONE_NEWNS,  CLONE_NEWPID,   CLONE_NEWNET,
                                          CLONE_NEWIPC,  CLONE_NEWUTS, CLONE_NEWCGROUP};
    for (size_t i = 0; i < WRIT_COUNT(flags); i++) {
        harness_expect(harness, "EPERM\n", "call", text_of(SYS_unshare), text_of(flags[i]));
        harness_expect(harness, "EPERM\n", "call", text_of(SYS_clone), text_of(flags[i] | SIGCHLD), "0", "0", "0", "0");
    }
    harness_expect(harness, "ENOSYS\n", "call", text_of(SYS_clone3), "0", "0");
    harness_expect(harness, "3\n", "fork", "3");
    harness_expect(harness, "4\n", "threads");
}

static void test_refused_calls(void **state)
{
    struct harness *harness = *state;
    static const struct {
        long number;
        const char *answer; /* NULL: EPERM or ENOSYS */
    } calls[] = {
        {SYS_setns, "EPERM\n"},
        {SYS_mount, "EPERM\n"},
        {SYS_umount2, "EPERM\n"},
        {SYS_pivot_root, "EPERM\n"},
        {SYS_chroot, "EPERM\n"},
        {SYS_open_tree, "EPERM\n"},
        {SYS_move_mount, "EPERM\n"},
        {SYS_fsopen, "EPERM\n"},
        {SYS_mount_setattr, "EPERM\n"},
        {SYS_keyctl, "EPERM\n"},
        {SYS_add_key, "EPERM\n"},
        {SYS_request_key, "EPERM\n"},
        {SYS_bpf, "EPERM\n"},
        {SYS_perf_event_open, "EPERM\n"},
        {SYS_userfaultfd, "EPERM\n"},
        {SYS_kexec_load, "EPERM\n"},
        {SYS_init_module, "EPERM\n"},
        {SYS_finit_module, "EPERM\n"},
        {SYS_reboot, "EPERM\n"},
        {SYS_swapon, "EPERM\n"},
        {SYS_quotactl, "EPERM\n"},
        {SYS_acct, "EPERM\n"},
        {SYS_settimeofday, "EPERM\n"},
        {SYS_clock_settime, "EPERM\n"},
        {SYS_adjtimex, "EPERM\n"},
        {SYS_sethostname, "EPERM\n"},
        {SYS_open_by_handle_at, "EPERM\n"},
        {SYS_fanotify_init, "EPERM\n"},
        {SYS_seccomp, "EPERM\n"},
        {SYS_setgroups, "EPERM\n"},
        {SYS_pidfd_getfd, "EPERM\n"},
        {SYS_kcmp, "EPERM\n"},
        {SYS_sched_setaffinity, "EPERM\n"},
        {SYS_syslog, "EPERM\n"},
        {SYS_io_uring_setup, "ENOSYS\n"},
        {SYS_io_uring_enter, "ENOSYS\n"},
        {SYS_openat2, "ENOSYS\n"},
        {SYS_shmget, NULL},
        {SYS_msgget, NULL},
        {SYS_semget, NULL},
        {SYS_mq_open, NULL},
        {SYS_landlock_create_ruleset, "ENOSYS\n"},
        {SYS_inotify_init1, "EMFILE\n"},
        {SYS_vmsplice, NULL},
        {452, "ENOSYS\n"},
        {700, "ENOSYS\n"},
        {SYS_getpid, "ok\n"},
        {SYS_gettid, "ok\n"},
    };
    for (size_t i = 0; i < WRIT_COUNT(calls); i++) {
        harness_run(harness, "call", text_of((unsigned long)calls[i].number), "0", "0", "0", "0", "0", "0", NULL);
        const char *answer = writ_buffer_text(&harness->result.output);
        bool good = calls[i].answer ? strcmp(answer, calls[i].answer) == 0
                                    : strcmp(answer, "EPERM\n") == 0 || strcmp(answer, "ENOSYS\n") == 0;
        if (harness->answer < 0 || !good)
            fail_msg("system call %ld: %s", calls[i].number, writ_buffer_text(&harness->result.output));
    }
    harness_expect(harness, "EPERM\n", "call", text_of(SYS_personality), "0x0040000");
    harness_expect(harness, "ok\n", "call", text_of(SYS_personality), "0xffffffff");
    harness_expect(harness, "EPERM\n", "call", text_of(SYS_prctl), "22", "2", "0"); /* PR_SET_SECCOMP */
    harness_expect(harness, "ok\n", "call", text_of(SYS_prctl), "3");               /* PR_GET_DUMPABLE */
}

/* celln#30, KiroCrew#7315: calls by another architecture's numbers. */
static void test_foreign_calls(void **state)
{
#if defined(__x86_64__)
    struct harness *harness = *state;
    harness_run(harness, "foreign", "x32", NULL);
    assert_int_equal(harness->result.ending, WRIT_ENDED_SIGNAL);
    assert_int_equal(harness->result.signal_number, SIGSYS);
    harness_run(harness, "foreign", "i386", NULL);
    assert_int_equal(harness->result.ending, WRIT_ENDED_SIGNAL);
    harness_expect(harness, "ENOSYS\n", "call", "0xffffffffffffffff");
#else
    (void)state;
    skip();
#endif
}

/* nono#756, #909, sandlock#12 and PR#103: no family of sockets, datagrams and netlink included. */
static void test_no_sockets(void **state)
{
    struct harness *harness = *state;
    static const int families[] = {AF_INET, AF_INET6, AF_NETLINK, AF_PACKET, AF_VSOCK, AF_ALG, AF_BLUETOOTH};
    for (size_t i = 0; i < WRIT_COUNT(families); i++) {
        harness_expect(harness, "EAFNOSUPPORT\n", "socket", text_of((unsigned long)families[i]), "1", "0");
        harness_expect(harness, "EAFNOSUPPORT\n", "socket", text_of((unsigned long)families[i]), "2", "0");
    }
    harness_expect(harness, "EPROTONOSUPPORT\n", "socket", "1", "2", "0");
    harness_expect(harness, "EPERM\nEPERM\nEPERM\nEPERM\nok\nEPERM\nEPERM\nok\nok\n", "buffers");
    harness_expect(harness, "EPROTONOSUPPORT\n", "socketpair", "2");
    harness_expect(harness, "ok\n", "socketpair", "1"); /* codex#33793: event loops wake themselves by it */
    harness_expect(harness, "ok\n", "socketpair", text_of(SOCK_SEQPACKET | SOCK_CLOEXEC));
}

/* landrun#43, greywall#55: a service's socket in a granted folder; landlock-lsm/linux#57: an abstract one. */
static void test_no_services(void **state)
{
    struct harness *harness = *state;
    const char *folder = harness_folder(harness, "run", 0755);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    (void)snprintf(address.sun_path, sizeof address.sun_path, "%s/run/s", harness->folder);
    int service = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(service, (const struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(service, 4), 0);
    int client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0); /* the control: it does answer */
    assert_int_equal(connect(client, (const struct sockaddr *)&address, sizeof address), 0);
    (void)close(client);
    (void)harness_bind(harness, folder, false);
    harness_expect(harness, "EACCES\n", "connect", harness_path(harness, "run/s"));
    harness_expect(harness, "EACCES\n", "connect", "@writ-test-abstract");
    (void)close(service);
}

/* snekbox and cms#309: private space is bounded in bytes and in files; so is a file in a grant. */
static void test_space_is_bounded(void **state)
{
    struct harness *harness = *state;
    harness_add_tmp(harness);
    harness_expect(harness, "4\n", "fill", "/tmp/file", "10");
    harness_run(harness, "files", "/tmp", "100", NULL);
    unsigned long files = strtoul(writ_buffer_text(&harness->result.output), NULL, 10);
    assert_in_range(files, 40, 50); /* some kernels count more than one for a file's name */
    harness->plan.limits.file_bytes = (uint64_t)2 << 20;
    harness_run(harness, "fill", "/tmp/file", "10", NULL);
    assert_int_equal(harness->result.ending, WRIT_ENDED_SIGNAL);
    assert_int_equal(harness->result.signal_number, SIGXFSZ);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, harness_set_up, harness_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_nothing_else_is_visible),
        TEST(test_read_only_and_writable_grants),
        TEST(test_private_grant),
        TEST(test_no_links_or_nodes_in_grants),
        TEST(test_links_in_private_space),
        TEST(test_no_set_id_files),
        TEST(test_only_granted_programs_run),
        TEST(test_nothing_is_inherited),
        TEST(test_identity),
        TEST(test_terminal_requests),
        TEST(test_init_is_out_of_reach),
        TEST(test_no_new_namespaces),
        TEST(test_refused_calls),
        TEST(test_foreign_calls),
        TEST(test_no_sockets),
        TEST(test_no_services),
        TEST(test_space_is_bounded),
    };
    return cmocka_run_group_tests_name("sandbox/denials", tests, NULL, NULL);
}
