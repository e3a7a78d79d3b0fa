/*
 * The system calls of a program in the sandbox.  What is not named here is refused: with ENOSYS where the number is
 * new, for that is what programs expect of a call they may do without.
 *
 * Lists of X(name); a name that a processor does not have stands under its own #ifdef.  Read by seccomp_generate.c at
 * build time only.  Numbers newer than the build machine's headers fall under ENOSYS, which every program that tries a
 * new call expects.
 */
#ifndef WRIT_SANDBOX_SECCOMP_RULES_H
#define WRIT_SANDBOX_SECCOMP_RULES_H

#define WRIT_CALLS_ALLOWED(X)                                                                                          \
    /* files: what may be touched is decided by mounts and Landlock */                                                 \
    X(read)                                                                                                            \
    X(write)                                                                                                           \
    X(readv)                                                                                                           \
    X(writev)                                                                                                          \
    X(pread64)                                                                                                         \
    X(pwrite64)                                                                                                        \
    X(preadv)                                                                                                          \
    X(pwritev)                                                                                                         \
    X(preadv2)                                                                                                         \
    X(pwritev2)                                                                                                        \
    X(close)                                                                                                           \
    X(close_range)                                                                                                     \
    X(lseek)                                                                                                           \
    X(dup)                                                                                                             \
    X(dup3)                                                                                                            \
    X(flock)                                                                                                           \
    X(fsync)                                                                                                           \
    X(fdatasync) X(sync_file_range) X(fallocate) X(ftruncate) X(truncate) X(fadvise64) X(readahead) X(sendfile)        \
        X(copy_file_range) X(splice) X(tee) X(pipe2) X(getdents64) X(getcwd) X(chdir) X(fchdir) X(fstat) X(newfstatat) \
            X(statx) X(statfs) X(fstatfs) X(faccessat) X(faccessat2) X(readlinkat) X(unlinkat) X(renameat) X(linkat)   \
                X(symlinkat) X(fchown) X(fchownat) X(utimensat) X(umask) X(getxattr) X(lgetxattr) X(fgetxattr)         \
                    X(listxattr) X(llistxattr) X(flistxattr) X(setxattr) X(lsetxattr) X(fsetxattr) X(removexattr)      \
                        X(lremovexattr) X(fremovexattr) /* waiting */                                                  \
        X(ppoll) X(pselect6) X(epoll_create1) X(epoll_ctl) X(epoll_pwait) X(epoll_pwait2) X(eventfd2) X(signalfd4)     \
            X(timerfd_create) X(timerfd_settime) X(timerfd_gettime) X(futex) X(futex_waitv) /* memory */               \
        X(mmap) X(munmap) X(mremap) X(mprotect) X(madvise) X(brk) X(mincore) X(msync) X(mlock) X(mlock2) X(mlockall)   \
            X(munlock) X(munlockall) X(membarrier) X(pkey_alloc) X(pkey_free) X(pkey_mprotect)                         \
                X(get_mempolicy) /* processes, all within the sandbox's own process namespace */                       \
        X(execve) X(execveat) X(exit) X(exit_group) X(wait4) X(waitid) X(kill) X(tkill) X(tgkill) X(pidfd_open)        \
            X(pidfd_send_signal) X(getpid) X(getppid) X(gettid) X(getuid) X(geteuid) X(getgid) X(getegid) X(getresuid) \
                X(getresgid) X(getgroups) X(setuid) X(setgid) X(setreuid) X(setregid) X(setresuid) X(setresgid)        \
                    X(setfsuid) X(setfsgid) X(setpgid) X(getpgid) X(getsid) X(setsid) X(getrusage) X(times)            \
                        X(getpriority) X(setpriority) X(ioprio_get) X(ioprio_set) X(sched_yield) X(sched_getaffinity)  \
                            X(sched_getscheduler) X(sched_getparam) X(sched_setscheduler) X(sched_setparam)            \
                                X(sched_getattr) X(sched_setattr) X(sched_get_priority_max) X(sched_get_priority_min)  \
                                    X(sched_rr_get_interval) X(set_tid_address) X(set_robust_list) X(get_robust_list)  \
                                        X(rseq) X(restart_syscall) X(capget) X(capset) X(getcpu) X(uname) X(sysinfo)   \
                                            X(getrandom) /* signals and time */                                        \
        X(rt_sigaction) X(rt_sigprocmask) X(rt_sigreturn) X(rt_sigpending) X(rt_sigtimedwait) X(rt_sigqueueinfo)       \
            X(rt_tgsigqueueinfo) X(rt_sigsuspend) X(sigaltstack) X(clock_gettime) X(clock_getres) X(clock_nanosleep)   \
                X(nanosleep) X(gettimeofday) X(getitimer) X(setitimer) X(timer_create) X(timer_settime)                \
                    X(timer_gettime) X(timer_getoverrun) X(timer_delete) /* sockets that come in connected pairs */    \
        X(recvfrom) X(recvmsg) X(recvmmsg) X(sendmsg) X(sendmmsg) X(shutdown) X(getsockname) X(getpeername)            \
            X(getsockopt)

#define WRIT_CALLS_ALLOWED_X86(X)                                                                                      \
    X(stat)                                                                                                            \
    X(lstat)                                                                                                           \
    X(access)                                                                                                          \
    X(readlink)                                                                                                        \
    X(rmdir)                                                                                                           \
    X(unlink)                                                                                                          \
    X(rename)                                                                                                          \
    X(link)                                                                                                            \
    X(symlink)                                                                                                         \
    X(chown)                                                                                                           \
    X(lchown)                                                                                                          \
    X(utime)                                                                                                           \
    X(utimes)                                                                                                          \
    X(futimesat)                                                                                                       \
    X(pipe)                                                                                                            \
    X(dup2)                                                                                                            \
    X(poll)                                                                                                            \
    X(select)                                                                                                          \
    X(getdents) X(alarm) X(pause) X(fork) X(vfork) X(time) X(getpgrp) X(epoll_create) X(epoll_wait) X(eventfd)         \
        X(signalfd) X(arch_prctl) X(getrlimit) X(setrlimit)

/* Refused with EPERM instead of ENOSYS: programs are to see that it is forbidden, not missing. */
#define WRIT_CALLS_FORBIDDEN(X)                                                                                        \
    X(ptrace)                                                                                                          \
    X(process_vm_readv)                                                                                                \
    X(process_vm_writev)                                                                                               \
    X(process_madvise)                                                                                                 \
    X(kcmp)                                                                                                            \
    X(pidfd_getfd)                                                                                                     \
    X(unshare)                                                                                                         \
    X(setns)                                                                                                           \
    X(mount)                                                                                                           \
    X(umount2)                                                                                                         \
    X(mount_setattr)                                                                                                   \
    X(open_tree)                                                                                                       \
    X(move_mount)                                                                                                      \
    X(fsopen)                                                                                                          \
    X(fsconfig)                                                                                                        \
    X(fsmount)                                                                                                         \
    X(fspick)                                                                                                          \
    X(pivot_root)                                                                                                      \
    X(chroot) X(keyctl) X(add_key) X(request_key) X(bpf) X(perf_event_open) X(userfaultfd) X(kexec_load)               \
        X(kexec_file_load) X(init_module) X(finit_module) X(delete_module) X(reboot) X(swapon) X(swapoff) X(quotactl)  \
            X(quotactl_fd) X(acct) X(settimeofday) X(clock_settime) X(adjtimex) X(clock_adjtime) X(syslog)             \
                X(sethostname) X(setdomainname) X(open_by_handle_at) X(name_to_handle_at) X(fanotify_init)             \
                    X(fanotify_mark) X(vhangup) X(seccomp) X(setgroups) X(sched_setaffinity) X(migrate_pages)          \
                        X(move_pages) X(mbind) X(set_mempolicy)

#define WRIT_CALLS_FORBIDDEN_X86(X) X(iopl) X(ioperm) X(modify_ldt)

/* As if the kernel had none: there is another way, which programs then take.  Pointers that a filter cannot follow
 * (clone3, openat2), memory that no limit sees and code that no mount shows (memfd), a way around every filter
 * (io_uring).
 */
#define WRIT_CALLS_MISSING(X)                                                                                          \
    X(clone3) X(openat2) X(memfd_create) X(io_uring_setup) X(io_uring_enter) X(io_uring_register)

/* A socket by address reaches the host's own: a socket file in a granted folder is a service outside. */
#define WRIT_CALLS_NO_ACCESS(X) X(connect) X(bind) X(listen) X(accept) X(accept4)

/* Watches are counted against the caller's user, who would run out of them. */
#define WRIT_CALLS_TOO_MANY(X) X(inotify_init1)
#define WRIT_CALLS_TOO_MANY_X86(X) X(inotify_init)

#endif
