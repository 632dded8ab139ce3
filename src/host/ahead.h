/*
 * A second worker that builds what comes next, for the first to find in the driver's cache: a driver that compiles in
 * the process that measures holds up its launches, and what is read of them. Nobody waits for it, and what becomes of
 * it changes nothing.
 */
#pragma once

#include "core/device_info.h"
#include "core/trial.h"
#include "host/supervisor.h"

#include <stddef.h>

/* A zeroed one has built nothing. */
struct ahead {
    struct supervisor *supervisor; /* NULL: not started yet, or ended */
    const struct footprint *until; /* those before it were posted; or NULL */
    bool over;                     /* there is nothing more to build, or nobody who could */
};

/*
 * What is measured next, in its order: has some of it built. To be called again and again with what is left then of
 * the same array. `settings` are those of the worker that measures.
 */
void ahead_build(struct ahead *ahead, const struct supervisor_options *settings, const struct device_info *device,
                 const struct device_probe *probe, const struct footprint *next, size_t count);

/* Ends the worker. */
void ahead_end(struct ahead *ahead);
