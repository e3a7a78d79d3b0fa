#include "cli/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <sys/signalfd.h>

int cli_interrupt_open(void)
{
    sigset_t signals;
    (void)sigemptyset(&signals);
    (void)sigaddset(&signals, SIGINT);
    (void)sigaddset(&signals, SIGTERM);
    (void)sigaddset(&signals, SIGHUP);
    int fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    if (fd >= 0)
        (void)sigprocmask(SIG_BLOCK, &signals, NULL);
    return fd;
}
