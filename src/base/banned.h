/*
 * Functions that no file of writ may call; included before every file by the build.  Each has a safer sibling:
 * bounded printing (snprintf, writ_buffer_*), explicit argument vectors instead of a shell, re-entrant time functions.
 * The system headers that declare them come first, for a poisoned name may not even be declared.
 */
#ifndef WRIT_BASE_BANNED_H
#define WRIT_BASE_BANNED_H

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* With _FORTIFY_SOURCE under clang these two are macros, which may not be poisoned as such. */
#undef sprintf
#undef vsprintf

#pragma GCC poison strcpy strcat strncpy strncat stpcpy sprintf vsprintf gets
#pragma GCC poison system popen mktemp tmpnam tempnam
#pragma GCC poison strtok gmtime localtime ctime asctime strerror
#pragma GCC poison atoi atol atoll atof rand srand
#pragma GCC poison sleep usleep

#endif
