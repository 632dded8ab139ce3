/*
 * A GPU of NVIDIA's through CUDA's driver, which is opened where it is there: for what OpenCL cannot reach. Its kernels
 * are our own (programs.ptx), and every wait of theirs has a bound.
 */
#pragma once

#include "base/error.h"
#include "core/device_info.h"
#include "cuda/calls.h"

enum {
    CUDA_WORDS = 1 << 16, /* of memory, for what kernels write */
    CUDA_POLLS = 1 << 20, /* a wait of a kernel: about a second */
    CUDA_STREAMS = 2,
    CUDA_REASON = 200,
    CUDA_WARP = 32,
};

struct cuda {
    struct cuda_calls calls;
    int device;
    uint32_t multiprocessors;
    bool cooperative, clusters;
    void *module;
    uint64_t words;            /* the device's memory, */
    volatile uint32_t *shared; /* and the host's, */
    uint64_t shared_words;     /* as the device has it */
    void *streams[CUDA_STREAMS];
};

/*
 * Opens the GPU that OpenCL calls `info`: the one with its UUID, or without one with its PCI address, or its name. 1;
 * or 0: there is none, for that reason, a sentence. -1 on failure. It stays open until the process ends.
 */
int cuda_open(struct cuda *cuda, const struct device_info *info, char reason[CUDA_REASON], struct error *error);

struct cuda_launch {
    const char *kernel;
    uint32_t groups, items;
    uint32_t cluster; /* groups of a cluster; 0: without */
    bool cooperative;
    bool on_host;   /* its words are those of the host */
    int stream;     /* whose number this is */
    uint32_t of[4]; /* polls, and what its parameters `a`, `b` and `c` say */
};

/* Launches it. The code of the call, and which it was. */
cuda_code cuda_start(const struct cuda *cuda, const struct cuda_launch *launch, const char **call);

/* Returns -1, with that call as the reason. */
int cuda_error(const struct cuda *cuda, const char *call, cuda_code code, struct error *error);

/* So many groups of the kernel are resident on the whole GPU; 0 on failure. */
uint32_t cuda_resident(const struct cuda *cuda, const char *kernel, uint32_t items, struct error *error);

/* Makes all words 0. */
int cuda_clear(struct cuda *cuda, struct error *error);

/* Waits until both streams have done all, so long at most. 1; 0: they have not; -1: a launch failed. */
int cuda_wait(const struct cuda *cuda, uint64_t timeout_ns, struct error *error);

/* Reads the first words of the device. */
int cuda_read(const struct cuda *cuda, uint32_t *words, size_t count, struct error *error);
