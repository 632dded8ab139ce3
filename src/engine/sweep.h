/* A sweep: scenarios on devices, point by point, each trial predicted before it runs, and stored. */
#pragma once

#include "engine/runner.h"
#include "engine/wanted.h"

struct sweep {
    const struct run_settings *settings;
    struct executor executor;
    struct scenario **scenarios;
    size_t count;
    struct wanted wanted;                       /* points that are run */
    struct known *known;                        /* lines that say something of a point are marked */
    uint32_t max_fails;                         /* ends early after so many surprises; 0: never */
    uint32_t fails;                             /* surprises so far, on all devices that this process has measured */
    uint32_t (*fails_elsewhere)(void *context); /* returns those of the other processes; may be NULL */
    struct plan_settings plan_settings;
    /* Called when a device was added, and when a scenario is finished; may be NULL. */
    int (*device_begun)(void *context, struct error *error);
    int (*scenario_ended)(void *context, const struct scenario *scenario, struct error *error);
    /* Called after each point: of so many in all, and surprises so far; may be NULL. */
    void (*point_ended)(void *context, uint64_t done, uint64_t total, uint64_t surprises);
    void *context;
};

/*
 * Runs all scenarios on one device. What goes wrong on the device is stored; -1 only if the tool failed,
 * or the device cannot be used at all (STATUS_UNSUPPORTED, STATUS_NO_DEVICE, STATUS_WEDGED). Ends early,
 * with 0, after a signal or max_fails surprises.
 */
int sweep_device(struct sweep *sweep, const struct device_info *device, struct error *error);
