/*
 * What the kernel's interface has and the headers of the oldest supported distribution do not.
 */
#ifndef WRIT_SANDBOX_KERNEL_H
#define WRIT_SANDBOX_KERNEL_H

#include <stdint.h>

/* Landlock, ABI 1 to 7.  A kernel accepts the longer struct when what it does not know is zero. */
struct writ_landlock_ruleset {
    uint64_t files, network, scopes;
};
struct writ_landlock_beneath {
    uint64_t allowed;
    int32_t parent_fd;
} __attribute__((packed));

#define WRIT_LANDLOCK_VERSION 1u /* flag of landlock_create_ruleset: answer the ABI */
#define WRIT_LANDLOCK_BENEATH 1  /* rule type */

#define WRIT_LANDLOCK_EXECUTE (UINT64_C(1) << 0)
#define WRIT_LANDLOCK_WRITE_FILE (UINT64_C(1) << 1)
#define WRIT_LANDLOCK_READ_FILE (UINT64_C(1) << 2)
#define WRIT_LANDLOCK_READ_DIR (UINT64_C(1) << 3)
#define WRIT_LANDLOCK_REMOVE_DIR (UINT64_C(1) << 4)
#define WRIT_LANDLOCK_REMOVE_FILE (UINT64_C(1) << 5)
#define WRIT_LANDLOCK_MAKE_CHAR (UINT64_C(1) << 6)
#define WRIT_LANDLOCK_MAKE_DIR (UINT64_C(1) << 7)
#define WRIT_LANDLOCK_MAKE_REG (UINT64_C(1) << 8)
#define WRIT_LANDLOCK_MAKE_SOCK (UINT64_C(1) << 9)
#define WRIT_LANDLOCK_MAKE_FIFO (UINT64_C(1) << 10)
#define WRIT_LANDLOCK_MAKE_BLOCK (UINT64_C(1) << 11)
#define WRIT_LANDLOCK_MAKE_SYM (UINT64_C(1) << 12)
#define WRIT_LANDLOCK_REFER (UINT64_C(1) << 13)     /* ABI 2 */
#define WRIT_LANDLOCK_TRUNCATE (UINT64_C(1) << 14)  /* ABI 3 */
#define WRIT_LANDLOCK_IOCTL_DEV (UINT64_C(1) << 15) /* ABI 5 */
#define WRIT_LANDLOCK_NETWORK UINT64_C(3)           /* ABI 4: TCP bind and connect */
#define WRIT_LANDLOCK_SCOPES UINT64_C(3)            /* ABI 6: abstract sockets and signals */

#endif
