/*
 * Who does what a run asks for: the worker of a device, a model device, or what a test puts in their place. What goes
 * wrong on a device is part of a result; -1 with STATUS_HARNESS is returned only if the tool itself failed.
 */
#pragma once

#include "host/ahead.h"
#include "host/remote.h"
#include "litmus/emulate.h"
#include "store/store.h"

/* A trial that is asked for. */
struct asked {
    struct trial trial;
    struct store_prediction prediction;
    /* If the trial is a block of litmus tests, as block_trial makes one: the block, and its tests in text form. */
    const struct block *block;
    const char *const *programs;
    const struct promise *promise;     /* of a trial that measures one */
    const struct proof_request *proof; /* of a launch that is explored, or tried */
};

/* An operation that is NULL has nothing to do; `kernels` and `save_binary`: nobody asks for it. */
struct executor_operations {
    /* Waits until no other run uses the device, and keeps it. As runner_begin. */
    int (*take)(void *self, const struct device_info *device, struct error *error);
    void (*leave)(void *self);
    /* Finds out what the device can do; or is told what was found out before. */
    int (*probe)(void *self, const struct device_info *device, enum probe_depth depth, struct device_probe *probe,
                 struct error *error);
    void (*go_on)(void *self, const struct device_info *device, const struct device_probe *probe);
    /* What kernels are built without, as in struct device_probe. */
    const char *(*left_out)(void *self);
    /* How many groups the device holds; NULL: they have to be counted. */
    uint32_t (*holds)(void *self);
    /* As remote_trial, remote_block, remote_promise, remote_proof or remote_try, whichever is asked for. */
    int (*run)(void *self, const struct asked *asked, struct remote_result *result, struct error *error);
    /* May have built, beside what is measured, what is measured next, as ahead_build. */
    void (*ahead)(void *self, const struct footprint *next, size_t count);
    /* As remote_kernels, remote_canary and remote_save_binary. */
    int (*kernels)(void *self, const struct subject *subject, struct remote_kernels *kernels, struct error *error);
    int (*canary)(void *self, struct supervisor_end *end, struct error *error);
    int (*save_binary)(void *self, const struct footprint *footprint, const char *path, struct error *error);
};

struct executor {
    const struct executor_operations *operations;
    void *self;
};

/* Devices, through a worker. */
struct worker_executor {
    struct remote *remote;
    enum channel channel; /* that is asked for */
    uint64_t wait_ns;     /* for a device that another run uses */
    bool quiet;
    int lock;                           /* on the device */
    const struct remote_looker *looker; /* of kernels that are tried; NULL: nobody looks at them */
    struct ahead ahead;
};

struct executor executor_of_worker(struct worker_executor *worker);

/* A model device, which is emulated. */
struct model_executor {
    struct model_device device;
    uint32_t seed; /* of what is left to chance */
    /* Told many times a second how many tests of a block have come to their end; or NULL. */
    void (*tick)(void *context, uint32_t done);
    void *context;
    struct remote_result *result; /* of the present block */
};

struct executor executor_of_model(struct model_executor *model);

/* What a model device says of itself; what nobody asks one for is 0. */
void executor_describe_model(const struct model_device *model, struct device_info *device);
