/*
 * What this kernel and this user's rights allow, for `writ doctor` and for choosing back ends.
 */
#ifndef WRIT_SANDBOX_PROBE_H
#define WRIT_SANDBOX_PROBE_H

#include "base/error.h"

#include <stdbool.h>

enum writ_layer_state { WRIT_LAYER_MISSING = 0, WRIT_LAYER_DEGRADED, WRIT_LAYER_PRESENT };

struct writ_layer {
    const char *name; /* "user namespace", "landlock", "seccomp", "idmapped mounts", "cgroup" … */
    enum writ_layer_state state;
    char found[160]; /* what was found: `ABI 7`, `EPERM from unshare` */
    char lost[200];  /* what is lost without it; "" when present */
    char mend[200];  /* what to do; "" when present */
};
#define WRIT_LAYERS_MAX 16

/* Tries each layer for real in short-lived children.  Returns how many were written. */
size_t writ_probe_layers(struct writ_layer *layers, size_t layers_max);
/* The newest Landlock ABI whose rights the sandbox takes away; what a newer one brings is left as it is. */
#define WRIT_LANDLOCK_ABI_KNOWN 6
/* Landlock ABI, 0 when absent.  Cheap. */
int writ_probe_landlock_abi(void);

#endif
