#include "cli/interrupt.h"

#include "base/descriptor.h"

#include <signal.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

static const int wanted[] = {SIGINT, SIGTERM, SIGHUP};

int cli_interrupt_open(void)
{
    sigset_t signals;
    (void)sigemptyset(&signals);
    for (size_t i = 0; i < WRIT_COUNT(wanted); i++) {
        /* nohup and jobs in the background ignore some; blocked, those would come after all. */
        struct sigaction action;
        if (sigaction(wanted[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            (void)sigaddset(&signals, wanted[i]);
    }
    int fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    if (fd >= 0)
        (void)sigprocmask(SIG_BLOCK, &signals, NULL);
    return fd;
}

bool cli_interrupt_close(int *fd)
{
    struct signalfd_siginfo one;
    bool any = false;
    if (*fd < 0)
        return false;
    while (read(*fd, &one, sizeof one) == (ssize_t)sizeof one)
        any = true;
    sigset_t signals;
    (void)sigemptyset(&signals);
    for (size_t i = 0; i < WRIT_COUNT(wanted); i++)
        (void)sigaddset(&signals, wanted[i]);
    (void)sigprocmask(SIG_UNBLOCK, &signals, NULL);
    writ_descriptor_close(fd);
    return any;
}
