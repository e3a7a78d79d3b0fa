/*
 * Ctrl-C and friends as a descriptor, so that a call ends cleanly: the program dies, the record is written.
 */
#ifndef WRIT_CLI_INTERRUPT_H
#define WRIT_CLI_INTERRUPT_H

#include <stdbool.h>

/* Blocks SIGINT, SIGTERM and SIGHUP, but those that the caller ignores, for this process and gives a signalfd that
 * becomes readable at the first; -1 when the kernel gives none (the signals then keep their default action).  To be
 * closed by cli_interrupt_close, so that they end the program again once there is nothing left to do with care. */
int cli_interrupt_open(void);
/* Forgets the signals that came, lets them through from now on, and leaves -1.  True when any had come.  -1 is fine. */
bool cli_interrupt_close(int *fd);

#endif
