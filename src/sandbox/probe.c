#include "sandbox/probe.h"

#include "sandbox/kernel.h"

#include <sys/syscall.h>
#include <unistd.h>

int writ_probe_landlock_abi(void)
{
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, WRIT_LANDLOCK_VERSION);
    return abi > 0 ? (int)abi : 0;
}
