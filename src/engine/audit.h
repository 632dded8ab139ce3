/* Measures promises on a device: each is a trial. */
#pragma once

#include "engine/runner.h"
#include "promise/promise.h"

struct audit {
    const struct run_settings *settings;
    struct executor executor;
    const struct promise *const *promises; /* those that are asked for */
    size_t count;
    uint32_t iterations; /* of what is tried several times; 0: as often as usual */
    struct known *known;
    const char *quoted; /* what another run found of who may wait for whom, as a sentence; or "" */
    /* Told when one has been measured: so many of this shard's are done, and so many of these were broken; or NULL. */
    void (*promise_ended)(void *context, uint64_t done, uint64_t own, uint64_t broken);
    void *context;
};

/* As campaign_device. */
int audit_device(struct audit *audit, const struct device_info *device, struct error *error);
