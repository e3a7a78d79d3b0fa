/*
 * Writes the system call filter as a C array; runs at build time.
 *
 * Why a compiler of our own: the kernel checks, translates and tries a filter against every call number each time a
 * program starts, so its length is start-up time.  Neighbouring numbers with one answer become one range, and the
 * ranges a balanced search: some two hundred instructions where a list of single numbers makes near a thousand.
 *
 * What cannot be decided by the number goes to a block that looks at arguments.  Only the low 32 bits are compared
 * where the kernel itself takes an int or unsigned int, for a program may set the high ones (CVE-2019-10063); pointers
 * cannot be followed, which is why clone3, openat2 and fchmodat2 do not exist.
 */
#include "sandbox/seccomp_rules.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define NUMBERS_MAX 1024u
#define NUMBERS_NEW 424u          /* the first number that all processors share: from here programs expect ENOSYS */
#define FOREIGN_FIRST 0x40000000u /* x32 numbers; no kernel has any others up there */
#define INSTRUCTIONS_MAX 1024u

#define ALLOW SECCOMP_RET_ALLOW
#define ANSWER(number) (SECCOMP_RET_ERRNO | ((number)&SECCOMP_RET_DATA))
#define UNNAMED 0xffffffffu
#define BLOCK_FLAG 0x00ff0000u /* no real action looks like this: the rest is the number of a block */

/* ---- argument checks ---- */

enum test_kind { END = 0, EQUAL, UNEQUAL, ANY_BIT, NO_BIT, MASKED_EQUAL };
struct test {
    enum test_kind kind;
    unsigned argument;
    uint32_t value, action;
    uint32_t mask;  /* MASKED_EQUAL */
    bool high_word; /* of a pointer: both words are looked at */
};
#define TESTS_MAX 24
struct block {
    const char *name;
    struct test tests[TESTS_MAX];
    uint32_t otherwise;
};

#define NEW_NAMESPACES                                                                                                 \
    (CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP)
#define SET_ID (S_ISUID | S_ISGID)
#define CREATES (00000100 | 020000000) /* O_CREAT, and the bit that makes O_TMPFILE of O_DIRECTORY */

enum block_index {
    BLOCK_CLONE,
    BLOCK_SOCKET,
    BLOCK_SENDTO,
    BLOCK_IOCTL,
    BLOCK_PRCTL,
    BLOCK_PERSONALITY,
    BLOCK_PRLIMIT,
    BLOCK_MODE_1,
    BLOCK_MODE_2,
    BLOCK_OPEN,
    BLOCK_OPENAT,
    BLOCK_MKNOD,
    BLOCK_MKNODAT,
    BLOCK_RENAME,
    BLOCK_SETSOCKOPT,
    BLOCK_FCNTL,
    BLOCK_COUNT
};

#define IS(argument, number, answer)                                                                                   \
    {                                                                                                                  \
        EQUAL, argument, number, answer, 0, false                                                                      \
    }
#define IS_NOT(argument, number, answer)                                                                               \
    {                                                                                                                  \
        UNEQUAL, argument, number, answer, 0, false                                                                    \
    }
#define HAS(argument, bits, answer)                                                                                    \
    {                                                                                                                  \
        ANY_BIT, argument, bits, answer, 0, false                                                                      \
    }
#define LACKS(argument, bits, answer)                                                                                  \
    {                                                                                                                  \
        NO_BIT, argument, bits, answer, 0, false                                                                       \
    }
#define MASKED(argument, bits, number, answer)                                                                         \
    {                                                                                                                  \
        MASKED_EQUAL, argument, number, answer, bits, false                                                            \
    }

static const struct block blocks[BLOCK_COUNT] = {
    [BLOCK_CLONE] = {"clone", {HAS(0, NEW_NAMESPACES, ANSWER(EPERM))}, ALLOW},
    /* Datagram sockets take an address with each message, which no filter can see: not even in pairs. */
    [BLOCK_SOCKET] = {"socket and socketpair",
                      {IS_NOT(0, AF_UNIX, ANSWER(EAFNOSUPPORT)), MASKED(1, 0xf, SOCK_STREAM, ALLOW),
                       MASKED(1, 0xf, SOCK_SEQPACKET, ALLOW)},
                      ANSWER(EPROTONOSUPPORT)},
    [BLOCK_SENDTO] = {"sendto",
                      {{ANY_BIT, 4, ~0u, ANSWER(EACCES), 0, false}, {ANY_BIT, 4, ~0u, ANSWER(EACCES), 0, true}},
                      ALLOW},
    [BLOCK_IOCTL] = {"ioctl",
                     {IS(1, TCGETS, ALLOW), IS(1, FIOCLEX, ALLOW), IS(1, FIONBIO, ALLOW), IS(1, FIONREAD, ALLOW),
                      IS(1, TIOCGWINSZ, ALLOW), IS(1, FIONCLEX, ALLOW), IS(1, FIOASYNC, ALLOW), IS(1, TCSETS, ALLOW),
                      IS(1, TCSETSW, ALLOW), IS(1, TCSETSF, ALLOW), IS(1, TIOCGPGRP, ALLOW), IS(1, TIOCSPGRP, ALLOW),
                      IS(1, TIOCSTI, ANSWER(EPERM)), IS(1, TIOCLINUX, ANSWER(EPERM)), IS(1, TIOCSETD, ANSWER(EPERM))},
                     ANSWER(ENOTTY)},
    [BLOCK_PRCTL] = {"prctl",
                     {IS(0, PR_SET_NAME, ALLOW),
                      IS(0, PR_GET_NAME, ALLOW),
                      IS(0, 0x53564d41 /* PR_SET_VMA */, ALLOW),
                      IS(0, PR_SET_PDEATHSIG, ALLOW),
                      IS(0, PR_GET_PDEATHSIG, ALLOW),
                      IS(0, PR_GET_DUMPABLE, ALLOW),
                      IS(0, PR_SET_DUMPABLE, ALLOW),
                      IS(0, PR_CAPBSET_READ, ALLOW),
                      IS(0, PR_GET_NO_NEW_PRIVS, ALLOW),
                      IS(0, PR_SET_NO_NEW_PRIVS, ALLOW),
                      IS(0, PR_GET_TIMERSLACK, ALLOW),
                      IS(0, PR_SET_TIMERSLACK, ALLOW),
                      IS(0, PR_SET_CHILD_SUBREAPER, ALLOW),
                      IS(0, PR_GET_CHILD_SUBREAPER, ALLOW),
                      IS(0, PR_GET_SECCOMP, ALLOW),
                      IS(0, PR_SET_THP_DISABLE, ALLOW),
                      IS(0, PR_GET_THP_DISABLE, ALLOW),
                      IS(0, PR_GET_SPECULATION_CTRL, ALLOW),
                      IS(0, PR_SET_KEEPCAPS, ALLOW),
                      IS(0, PR_GET_KEEPCAPS, ALLOW)},
                     ANSWER(EPERM)},
    [BLOCK_PERSONALITY] = {"personality", {IS(0, 0xffffffffu, ALLOW), IS(0, 0, ALLOW)}, ANSWER(EPERM)},
    [BLOCK_PRLIMIT] = {"prlimit64", {IS(0, 0, ALLOW)}, ANSWER(EPERM)},
    [BLOCK_MODE_1] = {"mode in the second argument", {HAS(1, SET_ID, ANSWER(EPERM))}, ALLOW},
    [BLOCK_MODE_2] = {"mode in the third argument", {HAS(2, SET_ID, ANSWER(EPERM))}, ALLOW},
    [BLOCK_OPEN] = {"open", {LACKS(1, CREATES, ALLOW), HAS(2, SET_ID, ANSWER(EPERM))}, ALLOW},
    [BLOCK_OPENAT] = {"openat", {LACKS(2, CREATES, ALLOW), HAS(3, SET_ID, ANSWER(EPERM))}, ALLOW},
    [BLOCK_MKNOD] = {"mknod",
                     {HAS(1, SET_ID, ANSWER(EPERM)), MASKED(1, S_IFMT, 0, ALLOW), MASKED(1, S_IFMT, S_IFREG, ALLOW),
                      MASKED(1, S_IFMT, S_IFIFO, ALLOW), MASKED(1, S_IFMT, S_IFSOCK, ALLOW)},
                     ANSWER(EPERM)},
    [BLOCK_MKNODAT] = {"mknodat",
                       {HAS(2, SET_ID, ANSWER(EPERM)), MASKED(2, S_IFMT, 0, ALLOW), MASKED(2, S_IFMT, S_IFREG, ALLOW),
                        MASKED(2, S_IFMT, S_IFIFO, ALLOW), MASKED(2, S_IFMT, S_IFSOCK, ALLOW)},
                       ANSWER(EPERM)},
    /* RENAME_WHITEOUT leaves a device node behind. */
    [BLOCK_RENAME] = {"renameat2", {HAS(4, 4, ANSWER(EINVAL))}, ALLOW},
    /* What waits in a socket or a pipe is the kernel's memory, which no limit of ours counts. */
    [BLOCK_SETSOCKOPT] = {"setsockopt",
                          {IS_NOT(1, SOL_SOCKET, ALLOW), IS(2, SO_SNDBUF, ANSWER(EPERM)),
                           IS(2, SO_RCVBUF, ANSWER(EPERM)), IS(2, SO_SNDBUFFORCE, ANSWER(EPERM)),
                           IS(2, SO_RCVBUFFORCE, ANSWER(EPERM))},
                          ALLOW},
    [BLOCK_FCNTL] = {"fcntl", {IS(1, F_SETPIPE_SZ, ANSWER(EPERM))}, ALLOW},
};

/* ---- numbers to actions ---- */

static uint32_t actions[NUMBERS_MAX];

static bool is_refusal(uint32_t action)
{
    return action == ANSWER(EPERM) || action == ANSWER(ENOSYS);
}

/* Old calls that nobody names are refused like their neighbour, whichever way, so that both are one range. */
static void answer_unnamed(void)
{
    for (size_t i = 0; i < NUMBERS_NEW; i++) {
        size_t next = i;
        while (actions[next] == UNNAMED)
            next++;
        if (actions[i] == UNNAMED && i > 0 && is_refusal(actions[i - 1]))
            actions[i] = actions[i - 1];
        else if (actions[i] == UNNAMED)
            actions[i] = is_refusal(actions[next]) ? actions[next] : ANSWER(EPERM);
    }
}

static void decide(void)
{
    for (size_t i = 0; i < NUMBERS_MAX; i++)
        actions[i] = i < NUMBERS_NEW ? UNNAMED : ANSWER(ENOSYS);
#define SET_ALLOWED(name) actions[SYS_##name] = ALLOW;
#define SET_FORBIDDEN(name) actions[SYS_##name] = ANSWER(EPERM);
#define SET_NO_ACCESS(name) actions[SYS_##name] = ANSWER(EACCES);
#define SET_MISSING(name) actions[SYS_##name] = ANSWER(ENOSYS);
#define SET_TOO_MANY(name) actions[SYS_##name] = ANSWER(EMFILE);
    WRIT_CALLS_ALLOWED(SET_ALLOWED)
    WRIT_CALLS_FORBIDDEN(SET_FORBIDDEN)
    WRIT_CALLS_NO_ACCESS(SET_NO_ACCESS)
    WRIT_CALLS_TOO_MANY(SET_TOO_MANY)
    WRIT_CALLS_MISSING(SET_MISSING)
    const struct {
        unsigned number;
        enum block_index block;
    } checked[] = {
        {SYS_clone, BLOCK_CLONE},
        {SYS_socket, BLOCK_SOCKET},
        {SYS_socketpair, BLOCK_SOCKET},
        {SYS_sendto, BLOCK_SENDTO},
        {SYS_ioctl, BLOCK_IOCTL},
        {SYS_prctl, BLOCK_PRCTL},
        {SYS_personality, BLOCK_PERSONALITY},
        {SYS_prlimit64, BLOCK_PRLIMIT},
        {SYS_fchmod, BLOCK_MODE_1},
        {SYS_fchmodat, BLOCK_MODE_2},
        {SYS_mkdirat, BLOCK_MODE_2},
        {SYS_openat, BLOCK_OPENAT},
        {SYS_mknodat, BLOCK_MKNODAT},
        {SYS_renameat2, BLOCK_RENAME},
        {SYS_setsockopt, BLOCK_SETSOCKOPT},
        {SYS_fcntl, BLOCK_FCNTL},
#if defined(__x86_64__)
        {SYS_chmod, BLOCK_MODE_1},
        {SYS_mkdir, BLOCK_MODE_1},
        {SYS_creat, BLOCK_MODE_1},
        {SYS_open, BLOCK_OPEN},
        {SYS_mknod, BLOCK_MKNOD},
#endif
    };
    for (size_t i = 0; i < sizeof checked / sizeof checked[0]; i++)
        actions[checked[i].number] = BLOCK_FLAG | (uint32_t)checked[i].block;
#if defined(__x86_64__)
    WRIT_CALLS_ALLOWED_X86(SET_ALLOWED)
    WRIT_CALLS_FORBIDDEN_X86(SET_FORBIDDEN)
    WRIT_CALLS_TOO_MANY_X86(SET_TOO_MANY)
#endif
    answer_unnamed();
}

/* ---- instructions ---- */

static struct sock_filter code[INSTRUCTIONS_MAX];
static size_t length;

static void fault(const char *what)
{
    (void)fprintf(stderr, "seccomp_generate: %s\n", what);
    exit(1);
}

static size_t emit(unsigned operation, uint32_t value)
{
    if (length == INSTRUCTIONS_MAX)
        fault("the filter is too long");
    code[length] = (struct sock_filter){.code = (uint16_t)operation, .k = value};
    return length++;
}

static uint8_t distance(size_t from, size_t to)
{
    if (to - from - 1 > 255)
        fault("the filter has outgrown its jumps");
    return (uint8_t)(to - from - 1);
}

/* Branches that wait for the place of their answer: many branches share one. */
static struct {
    size_t at;
    bool when_true;
    uint32_t action;
} waiting[NUMBERS_MAX];
static size_t waiting_count;
static size_t block_jumps[BLOCK_COUNT]; /* where the jump to each block stands */

static void wait_for_answer(size_t at, bool when_true, uint32_t action)
{
    if (waiting_count == NUMBERS_MAX)
        fault("too many branches");
    waiting[waiting_count].at = at;
    waiting[waiting_count].when_true = when_true;
    waiting[waiting_count++].action = action;
}

/* Puts one instruction for each different answer here and leads all that wait to it. */
static void emit_answers(void)
{
    for (size_t i = 0; i < waiting_count; i++) {
        uint32_t action = waiting[i].action;
        size_t target = length;
        for (size_t j = 0; j < i; j++)
            if (waiting[j].action == action)
                target = waiting[j].at + 1 + (waiting[j].when_true ? code[waiting[j].at].jt : code[waiting[j].at].jf);
        if (target == length && (action & 0xffff0000u) == BLOCK_FLAG)
            block_jumps[action & 0xffffu] = emit(BPF_JMP | BPF_JA, 0);
        else if (target == length)
            (void)emit(BPF_RET | BPF_K, action);
        if (waiting[i].when_true)
            code[waiting[i].at].jt = distance(waiting[i].at, target);
        else
            code[waiting[i].at].jf = distance(waiting[i].at, target);
    }
    waiting_count = 0;
}

struct range {
    uint32_t first, action;
};
static struct range ranges[NUMBERS_MAX + 2];
static size_t range_count;

static void find_ranges(void)
{
    for (uint32_t i = 0; i < NUMBERS_MAX; i++)
        if (range_count == 0 || ranges[range_count - 1].action != actions[i])
            ranges[range_count++] = (struct range){i, actions[i]};
    ranges[range_count++] = (struct range){FOREIGN_FIRST, SECCOMP_RET_KILL_PROCESS};
    /* -1 is what a tracer leaves behind for "no call"; it is no foreign number. */
    ranges[range_count++] = (struct range){0xffffffffu, ANSWER(ENOSYS)};
}

/* A side of one range alone is an answer, a longer one a search of its own. */
static void emit_search(size_t first, size_t count)
{
    size_t half = count / 2, at = emit(BPF_JMP | BPF_JGE | BPF_K, ranges[first + half].first);
    if (half == 1)
        wait_for_answer(at, false, ranges[first].action);
    else
        emit_search(first, half);
    if (count - half == 1) {
        wait_for_answer(at, true, ranges[first + half].action);
    } else {
        code[at].jt = distance(at, length);
        emit_search(first + half, count - half);
    }
}

static void emit_test(const struct test *test, const struct test *before)
{
    size_t word = offsetof(struct seccomp_data, args) + test->argument * sizeof(uint64_t) + (test->high_word ? 4 : 0);
    if (!before || before->kind == MASKED_EQUAL || before->argument != test->argument ||
        before->high_word != test->high_word)
        (void)emit(BPF_LD | BPF_W | BPF_ABS, (uint32_t)word);
    if (test->kind == MASKED_EQUAL)
        (void)emit(BPF_ALU | BPF_AND | BPF_K, test->mask);
    unsigned compare = test->kind == ANY_BIT || test->kind == NO_BIT ? BPF_JSET : BPF_JEQ;
    size_t at = emit(BPF_JMP | compare | BPF_K, test->value);
    wait_for_answer(at, test->kind != UNEQUAL && test->kind != NO_BIT, test->action);
}

static void emit_block(const struct block *block)
{
    const struct test *before = NULL;
    for (size_t i = 0; i < TESTS_MAX && block->tests[i].kind != END; i++) {
        emit_test(&block->tests[i], before);
        before = &block->tests[i];
    }
    (void)emit(BPF_RET | BPF_K, block->otherwise);
    emit_answers();
}

static void emit_filter(void)
{
    (void)emit(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
    size_t check = emit(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE);
    code[check].jt = 1;
    (void)emit(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    (void)emit(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    emit_search(0, range_count);
    emit_answers();
    for (size_t i = 0; i < BLOCK_COUNT; i++) {
        if (block_jumps[i])
            code[block_jumps[i]].k = (uint32_t)(length - block_jumps[i] - 1);
        if (block_jumps[i])
            emit_block(&blocks[i]);
    }
}

int main(void)
{
    decide();
    find_ranges();
    emit_filter();
    (void)printf("/* Made by seccomp_generate: %zu ranges, %zu instructions. */\n"
                 "#include \"sandbox/enter.h\"\n\n"
                 "const struct sock_filter writ_seccomp_filter[] = {\n",
                 range_count, length);
    for (size_t i = 0; i < length; i++)
        (void)printf("    {0x%04x, %u, %u, 0x%08x},\n", code[i].code, code[i].jt, code[i].jf, code[i].k);
    (void)printf("};\nconst unsigned short writ_seccomp_filter_length = %zu;\n", length);
    return fflush(stdout) == 0 ? 0 : 1;
}
