/* Launches kernels of the user's as they are, each with several numbers of work-groups. */
#pragma once

#include "engine/runner.h"
#include "engine/subjects.h"
#include "proof/request.h"

struct tries {
    const struct run_settings *settings;
    struct worker_executor *worker; /* whose device launches them */
    const struct subject_request *subjects;
    const uint64_t *groups;              /* each by itself; */
    size_t group_count;                  /* 0: few, and as many as the device has compute units, and one more */
    uint32_t iterations;                 /* launches of each */
    const struct proof_request *request; /* arguments, and perhaps a range, which then is all that is launched */
    uint64_t deadline_ns;
    /* Told when a launch has ended, and how many did not end, or could not be; or NULL. */
    void (*launch_ended)(void *context, uint64_t done, uint64_t own, uint64_t failed);
    void *context;
};

/* Returns 0, or -1 after an error; what came of them is in the store. */
int try_device(struct tries *tries, const struct device_info *device, struct error *error);
