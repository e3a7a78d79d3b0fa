/*
 * Ctrl-C and friends as a descriptor, so that a call ends cleanly: the program dies, the record is written.
 */
#ifndef WRIT_CLI_INTERRUPT_H
#define WRIT_CLI_INTERRUPT_H

/* Blocks SIGINT, SIGTERM and SIGHUP, but those that the caller ignores, for this process and gives a signalfd that
 * becomes readable at the first; -1 when the kernel gives none (the signals then keep their default action).  The
 * caller closes it. */
int cli_interrupt_open(void);

#endif
