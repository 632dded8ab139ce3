/*
 * Runs kernels of programs that model/compile.c has built: each work-item is a fiber, each access of memory a point at which
 * another one may go on, and a model of progress says who must get a turn. Nothing depends on time: the same launch
 * on the same device takes the same steps.
 *
 * A launch stands still once each work-item that may get a turn has come back to a state that it was in, with all memory
 * as it was then, or waits at a barrier of its group: nothing will ever change unless the host changes it.
 */
#pragma once

#include "base/error.h"
#include "litmus/emulate.h"
#include "model/image.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct machine_region {
    void *base;
    size_t bytes;
    bool read_only;
};

struct machine_launch {
    const struct gl_image *image;
    const struct gl_kernel *kernel;
    const void *const *arguments;          /* the value of each; of a local one, NULL */
    const size_t *local_bytes;             /* of each; 0 unless it is local */
    uint32_t dimensions;                   /* 1 to 3 */
    size_t offset[3], global[3], local[3]; /* 1 beyond the dimensions, offsets 0 */
    const struct machine_region
        *regions; /* what the kernel may access, beside local memory and the program's variables */
    size_t region_count;
    struct model_device device;
    uint64_t seed; /* of this launch */
};

enum machine_end {
    MACHINE_ENDED,     /* all work-groups have */
    MACHINE_ABANDONED, /* it stood still, and the host did not change that */
    MACHINE_FAULT,     /* a work-item did what no kernel may */
    MACHINE_SPENT,     /* it neither ended nor stood still within its bound of steps */
};

struct machine_report {
    enum machine_end end;
    char fault[256]; /* one sentence; "" unless it is a fault */
    uint64_t steps;  /* accesses */
};

/*
 * Runs the launch on the calling thread. When it stands still, *still of machine_still is told, and it waits until
 * machine_go_on or machine_abandon is called by another thread. -1 with STATUS_HARNESS if memory for work-items lacks.
 */
int machine_run(const struct machine_launch *launch, struct machine_report *report, struct error *error);

/* A launch stands still, and waits for the host. For any thread. */
bool machine_is_still(void);

/* Lets it go on, for the host has changed memory; or leaves it where it stands. */
void machine_go_on(void);
void machine_abandon(void);
