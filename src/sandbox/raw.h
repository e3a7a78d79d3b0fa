/*
 * Raw system calls, for code that runs between clone3 and exec and shares its memory with the caller: no errno, no
 * libc state, no cancellation.  Each returns the kernel's answer: negative is -errno.
 *
 * Threads: nothing here has state.
 */
#ifndef WRIT_SANDBOX_RAW_H
#define WRIT_SANDBOX_RAW_H

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

struct clone_args;

static inline long writ_raw_call(long number, long a, long b, long c, long d, long e, long f)
{
#if defined(__x86_64__)
    long answer;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(answer)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return answer;
#elif defined(__aarch64__)
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;
    __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory", "cc");
    return x0;
#else
#error "no system call instruction for this processor"
#endif
}

#define WRIT_RAW0(name) writ_raw_call(SYS_##name, 0, 0, 0, 0, 0, 0)
#define WRIT_RAW1(name, a) writ_raw_call(SYS_##name, (long)(a), 0, 0, 0, 0, 0)
#define WRIT_RAW2(name, a, b) writ_raw_call(SYS_##name, (long)(a), (long)(b), 0, 0, 0, 0)
#define WRIT_RAW3(name, a, b, c) writ_raw_call(SYS_##name, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define WRIT_RAW4(name, a, b, c, d) writ_raw_call(SYS_##name, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
#define WRIT_RAW5(name, a, b, c, d, e)                                                                                 \
    writ_raw_call(SYS_##name, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), 0)

/* clone3 with a stack of its own: the child runs `function(argument)` on it and exits with what that returns.
 * Returns the child's id, or -errno.  args->stack must be set and its end aligned to 16 bytes. */
long writ_raw_clone3(struct clone_args *args, size_t size, int (*function)(void *), void *argument);

#endif
