/*
 * What runs inside the sandbox in its tests: each verb tries one thing and prints what the kernel answered, so that a
 * test can tell a refusal from a thing that was never tried.  Linked statically: it needs nothing but itself.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>

extern char **environ;

/* `ok`, or the name of the error. */
static int say(long answer)
{
    if (answer >= 0)
        (void)printf("ok\n");
    else
        (void)printf("%s\n", strerrorname_np(errno));
    return 0;
}

static unsigned long long number(const char *text)
{
    return text ? strtoull(text, NULL, 0) : 0;
}

static int do_print(char **words)
{
    for (; *words; words++)
        (void)printf("%s\n", *words);
    return 0;
}

static int do_exit(char **words)
{
    return (int)number(words[0]);
}

static int do_signal(char **words)
{
    return raise((int)number(words[0])) == 0 ? 77 : 78;
}

static int do_cat(char **words)
{
    char bytes[65536];
    int fd = open(words[0], O_RDONLY);
    ssize_t got;
    if (fd < 0)
        return say(-1);
    while ((got = read(fd, bytes, sizeof bytes)) > 0)
        (void)fwrite(bytes, 1, (size_t)got, stdout);
    return got < 0 ? say(-1) : 0;
}

/* write PATH TEXT [MODE] */
static int do_write(char **words)
{
    int fd = open(words[0], O_WRONLY | O_CREAT | O_TRUNC, words[2] ? (mode_t)number(words[2]) : 0644);
    return say(fd < 0 ? -1 : write(fd, words[1], strlen(words[1])));
}

static int do_mkdir(char **words)
{
    return say(mkdir(words[0], words[1] ? (mode_t)number(words[1]) : 0755));
}

static int do_chmod(char **words)
{
    return say(chmod(words[0], (mode_t)number(words[1])));
}

static int do_symlink(char **words)
{
    return say(symlink(words[0], words[1]));
}

static int do_link(char **words)
{
    return say(link(words[0], words[1]));
}

static int do_rename(char **words)
{
    return say(rename(words[0], words[1]));
}

static int do_unlink(char **words)
{
    return say(unlink(words[0]));
}

/* mknod PATH MODE */
static int do_mknod(char **words)
{
    return say(mknod(words[0], (mode_t)number(words[1]), 0));
}

static int do_list(char **words)
{
    DIR *folder = opendir(words[0]);
    const struct dirent *entry;
    if (!folder)
        return say(-1);
    while ((entry = readdir(folder)))
        if (entry->d_name[0] != '.')
            (void)printf("%s\n", entry->d_name);
    return 0;
}

static int do_execute(char **words)
{
    (void)execv(words[0], words);
    return say(-1);
}

/* call NUMBER [ARGUMENT]...: any system call; `@TEXT` passes a pointer to TEXT. */
static int do_call(char **words)
{
    long numbers[7] = {0};
    for (size_t i = 0; i < 7 && words[i]; i++)
        numbers[i] = words[i][0] == '@' ? (long)(words[i] + 1) : (long)number(words[i]);
    errno = 0;
    return say(syscall(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], numbers[6]));
}

/* A system call by its 32-bit number: dies where foreign calls are not let through. */
static int do_foreign(char **words)
{
#if defined(__x86_64__)
    if (strcmp(words[0], "i386") == 0) {
        long answer;
        __asm__ volatile("int $0x80" : "=a"(answer) : "a"(20L) : "memory", "r8", "r9", "r10", "r11");
        (void)printf("%ld\n", answer);
        return 0;
    }
    return say(syscall(0x40000000L | SYS_getpid));
#else
    (void)words;
    return 79;
#endif
}

static int do_descriptors(char **words)
{
    (void)words;
    for (int fd = 0; fd < 65536; fd++)
        if (fcntl(fd, F_GETFD) >= 0)
            (void)printf("%d\n", fd);
    return 0;
}

static int do_environment(char **words)
{
    (void)words;
    return do_print(environ);
}

static int do_identity(char **words)
{
    (void)words;
    uid_t real, effective, saved;
    gid_t groups[64];
    struct utsname name;
    (void)getresuid(&real, &effective, &saved);
    (void)printf("uid %u %u %u\n", real, effective, saved);
    gid_t gid, egid, sgid;
    (void)getresgid(&gid, &egid, &sgid);
    (void)printf("gid %u %u %u\ngroups %d\n", gid, egid, sgid, getgroups(64, groups));
    (void)printf("pid %d parent %d session %d\n", getpid(), getppid(), getsid(0));
    (void)uname(&name);
    (void)printf("host %s\n", name.nodename);
    return say(open("/dev/tty", O_RDWR));
}

static int do_limits(char **words)
{
    (void)words;
    static const int which[] = {RLIMIT_CORE, RLIMIT_NOFILE, RLIMIT_NPROC, RLIMIT_FSIZE, RLIMIT_CPU, RLIMIT_MSGQUEUE};
    for (size_t i = 0; i < sizeof which / sizeof which[0]; i++) {
        struct rlimit limit;
        (void)getrlimit((__rlimit_resource_t)which[i], &limit);
        (void)printf("%llu %llu\n", (unsigned long long)limit.rlim_cur, (unsigned long long)limit.rlim_max);
    }
    return 0;
}

/* fork N: how many children could live at the same time. */
static int do_fork(char **words)
{
    unsigned count = 0;
    for (unsigned i = 0; i < number(words[0]); i++) {
        pid_t pid = fork();
        if (pid == 0) {
            (void)pause();
            _exit(0);
        }
        count += pid > 0;
    }
    (void)printf("%u\n", count);
    return 0;
}

static int do_spin(char **words)
{
    (void)words;
    for (volatile unsigned long i = 1; i != 0; i++)
        ;
    return 0;
}

/* balloon MIB [CHILDREN]: touches that much memory, in each of so many children, and waits. */
static int do_balloon(char **words)
{
    size_t bytes = (size_t)number(words[0]) << 20;
    for (unsigned i = 0; i < number(words[1]); i++)
        if (fork() == 0)
            break;
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return say(-1);
    for (size_t i = 0; i < bytes; i += 4096)
        memory[i] = 1;
    (void)printf("touched\n");
    (void)fflush(stdout);
    if (!words[1] || strcmp(words[1], "0") != 0)
        (void)pause();
    return 0;
}

/* hide REGIONS KEPT: so many shared regions of 4 MiB, touched and taken out of the page table; kept mapped whole or by
 * one page only. */
static int do_hide(char **words)
{
    const size_t bytes = (size_t)4 << 20;
    for (unsigned i = 0; i < number(words[0]); i++) {
        char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            return say(-1);
        for (size_t at = 0; at < bytes; at += 4096)
            memory[at] = 1;
        if (strcmp(words[1], "whole") == 0 ? madvise(memory, bytes, MADV_DONTNEED) < 0
                                           : munmap(memory + 4096, bytes - 4096) < 0)
            return say(-1);
    }
    (void)poll(NULL, 0, 500);
    return say(0);
}

/* share MIB CHILDREN: one shared region that all of them touch. */
static int do_share(char **words)
{
    size_t bytes = (size_t)number(words[0]) << 20;
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return say(-1);
    unsigned children = 0;
    while (children < number(words[1]) && fork() != 0)
        children++;
    for (size_t at = 0; at < bytes; at += 4096)
        memory[at] = 1;
    (void)poll(NULL, 0, 500);
    if (children < number(words[1]))
        _exit(0);
    while (wait(NULL) > 0)
        ;
    return say(0);
}

/* flood FD MIB: 0 for without end */
static int do_flood(char **words)
{
    static char bytes[65536];
    memset(bytes, 'x', sizeof bytes);
    unsigned long long left = number(words[1]) * 16;
    for (bool endless = left == 0; endless || left > 0; left--)
        if (write((int)number(words[0]), bytes, sizeof bytes) < 0)
            return say(-1);
    return 0;
}

static int do_stdin(char **words)
{
    char bytes[65536];
    unsigned long long total = 0;
    ssize_t got;
    (void)words;
    while ((got = read(0, bytes, sizeof bytes)) > 0)
        total += (unsigned long long)got;
    (void)printf("%llu\n", total);
    return 0;
}

/* Long enough for the caller to begin something else before the input is read, and all of it is read. */
static int do_slow_stdin(char **words)
{
    (void)poll(NULL, 0, 30);
    return do_stdin(words);
}

static int do_close_stdin(char **words)
{
    (void)words;
    (void)close(0);
    return say(0);
}

/* linger: leaves a grandchild in a session of its own that ignores SIGTERM and keeps stdout open. */
static int do_linger(char **words)
{
    (void)words;
    if (fork() == 0) {
        (void)setsid();
        if (fork() == 0) {
            (void)signal(SIGTERM, SIG_IGN);
            (void)signal(SIGHUP, SIG_IGN);
            for (;;)
                (void)pause();
        }
        _exit(0);
    }
    (void)wait(NULL);
    (void)printf("left behind\n");
    return 0;
}

static int do_linger_and_wait(char **words)
{
    (void)do_linger(words);
    (void)fflush(stdout);
    (void)pause();
    return 0;
}

static void *count_one(void *argument)
{
    __atomic_fetch_add((int *)argument, 1, __ATOMIC_SEQ_CST);
    return NULL;
}

static int do_threads(char **words)
{
    pthread_t threads[4];
    int done = 0;
    (void)words;
    for (size_t i = 0; i < 4; i++)
        if (pthread_create(&threads[i], NULL, count_one, &done) != 0)
            return say(-1);
    for (size_t i = 0; i < 4; i++)
        (void)pthread_join(threads[i], NULL);
    (void)printf("%d\n", done);
    return 0;
}

/* connect PATH: to a socket file; `@NAME` to an abstract one. */
static int do_connect(char **words)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return say(-1);
    (void)snprintf(address.sun_path, sizeof address.sun_path, "%s", words[0]);
    if (words[0][0] == '@')
        address.sun_path[0] = '\0';
    return say(connect(fd, (const struct sockaddr *)&address,
                       (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(words[0]))));
}

static int do_socketpair(char **words)
{
    int ends[2];
    char byte = 'x';
    if (socketpair(AF_UNIX, (int)number(words[0]), 0, ends) < 0)
        return say(-1);
    return say(send(ends[0], &byte, 1, 0) == 1 && recv(ends[1], &byte, 1, 0) == 1 ? 0 : -1);
}

/* sockets PAIRS: each filled one way */
static int do_sockets(char **words)
{
    static char bytes[4096];
    for (unsigned i = 0; i < number(words[0]); i++) {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) < 0)
            return say(-1);
        while (write(ends[0], bytes, sizeof bytes) > 0)
            ;
    }
    (void)poll(NULL, 0, 500);
    return say(0);
}

/* buffers: tries to enlarge those of a socket and of a pipe, once with a number that the kernel cuts short */
static int do_buffers(char **words)
{
    static const int options[] = {SO_SNDBUF, SO_RCVBUF, SO_SNDBUFFORCE, SO_RCVBUFFORCE, SO_PASSCRED};
    int ends[2], size = 1 << 22;
    (void)words;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
        return say(-1);
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        (void)say(setsockopt(ends[0], SOL_SOCKET, options[i], &size, sizeof size));
    (void)say(syscall(SYS_setsockopt, ends[0], SOL_SOCKET | 1UL << 32, SO_SNDBUF | 1UL << 32, &size, sizeof size));
    if (pipe(ends) < 0)
        return say(-1);
    (void)say(fcntl(ends[0], F_SETPIPE_SZ, 1 << 20));
    (void)say(fcntl(ends[0], F_GETPIPE_SZ));
    return say(fcntl(ends[0], F_DUPFD, 0));
}

static int do_socket(char **words)
{
    return say(socket((int)number(words[0]), (int)number(words[1]), (int)number(words[2])));
}

/* ioctl REQUEST: on stdin, as a terminal attack would */
static int do_ioctl(char **words)
{
    char bytes[64] = "\n";
    return say(syscall(SYS_ioctl, 0, number(words[0]), bytes));
}

static int do_signals(char **words)
{
    struct sigaction action;
    sigset_t mask;
    unsigned ignored = 0, blocked = 0;
    (void)words;
    (void)sigprocmask(SIG_BLOCK, NULL, &mask);
    for (int i = 1; i < 65; i++) {
        if (sigaction(i, NULL, &action) == 0)
            ignored += action.sa_handler == SIG_IGN;
        blocked += sigismember(&mask, i) == 1;
    }
    (void)printf("ignored %u blocked %u\n", ignored, blocked);
    return 0;
}

/* fill PATH MIB: how many MiB could be written. */
static int do_fill(char **words)
{
    static char bytes[1 << 20];
    int fd = open(words[0], O_WRONLY | O_CREAT, 0600);
    unsigned written = 0;
    while (written < number(words[1]) && write(fd, bytes, sizeof bytes) == (ssize_t)sizeof bytes)
        written++;
    (void)printf("%u\n", written);
    return 0;
}

/* files FOLDER N: how many files could be made. */
static int do_files(char **words)
{
    unsigned made = 0;
    for (; made < number(words[1]); made++) {
        char path[256];
        (void)snprintf(path, sizeof path, "%s/%u", words[0], made);
        if (open(path, O_WRONLY | O_CREAT | O_EXCL, 0600) < 0)
            break;
        (void)close(3);
    }
    (void)printf("%u\n", made);
    return 0;
}

static int do_sleep(char **words)
{
    struct timespec time = {.tv_nsec = (long)number(words[0]) * 1000000};
    return say(nanosleep(&time, NULL));
}

static const struct {
    const char *name;
    int (*function)(char **words);
} verbs[] = {
    {"print", do_print},
    {"exit", do_exit},
    {"signal", do_signal},
    {"cat", do_cat},
    {"write", do_write},
    {"mkdir", do_mkdir},
    {"chmod", do_chmod},
    {"symlink", do_symlink},
    {"link", do_link},
    {"rename", do_rename},
    {"unlink", do_unlink},
    {"mknod", do_mknod},
    {"list", do_list},
    {"execute", do_execute},
    {"call", do_call},
    {"foreign", do_foreign},
    {"descriptors", do_descriptors},
    {"environment", do_environment},
    {"identity", do_identity},
    {"limits", do_limits},
    {"fork", do_fork},
    {"spin", do_spin},
    {"balloon", do_balloon},
    {"hide", do_hide},
    {"share", do_share},
    {"flood", do_flood},
    {"stdin", do_stdin},
    {"slow-stdin", do_slow_stdin},
    {"close-stdin", do_close_stdin},
    {"linger", do_linger},
    {"linger-and-wait", do_linger_and_wait},
    {"threads", do_threads},
    {"connect", do_connect},
    {"socketpair", do_socketpair},
    {"sockets", do_sockets},
    {"buffers", do_buffers},
    {"socket", do_socket},
    {"ioctl", do_ioctl},
    {"signals", do_signals},
    {"fill", do_fill},
    {"files", do_files},
    {"sleep", do_sleep},
};

int main(int count, char **words)
{
    for (size_t i = 0; count > 1 && i < sizeof verbs / sizeof verbs[0]; i++)
        if (strcmp(verbs[i].name, words[1]) == 0)
            return verbs[i].function(words + 2);
    return 76;
}
