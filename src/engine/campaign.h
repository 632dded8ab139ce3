/* A limits campaign: devices, their footprints, and the trials that the search asks for, each stored. */
#pragma once

#include "engine/runner.h"
#include "engine/subjects.h"
#include "search/footprints.h"
#include "search/search.h"

/* How far the campaign is with a device. */
struct campaign_state {
    uint32_t footprint, footprints; /* the present one, from 1, of so many that are this shard's */
    uint64_t trials;                /* that have ended */
    uint64_t surprises;             /* footprints whose limit is one */
};

struct campaign {
    const struct run_settings *settings;
    struct executor executor;
    struct footprint_axes axes;
    const struct subject_request *subjects; /* kernels of the user's instead; or NULL */
    struct search_options options;
    const char *binary_folder; /* write program binaries there, or NULL */
    /* Called with what is planned for a device, before any of it is measured; a failure ends the run. May be NULL. */
    int (*planned)(void *context, const struct device_info *device, const struct footprint *footprints, size_t count,
                   struct error *error);
    /*
     * Called when a device was added, with the footprints that are planned for it in all shards, and when a footprint
     * is finished; may be NULL.
     */
    int (*device_begun)(void *context, const struct footprint *planned, size_t count, struct error *error);
    int (*footprint_ended)(void *context, struct error *error);
    /* Called after each trial; may be NULL. */
    void (*trial_ended)(void *context, const struct campaign_state *state);
    void *context;
};

/* 0 if what was asked for fits the device; else STATUS_USAGE. Runs nothing. */
int campaign_check(const struct campaign *campaign, const struct device_info *device, struct error *error);

/*
 * Measures one device. What goes wrong on the device is stored; -1 only if the tool failed, the
 * arguments do not fit the device (STATUS_USAGE), or the device cannot be used at all
 * (STATUS_UNSUPPORTED, STATUS_NO_DEVICE, STATUS_WEDGED). Ends early, with 0, after a signal.
 */
int campaign_device(struct campaign *campaign, const struct device_info *device, struct error *error);
