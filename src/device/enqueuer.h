/* The thread that enqueues a kernel and waits for its end. */
#pragma once

#include "base/error.h"
#include "device/calls.h"

#include <stdbool.h>
#include <stdint.h>

struct enqueuer;

/* One launch; its arguments are set. */
struct launch {
    cl_command_queue queue;
    cl_kernel kernel;
    cl_uint dimensions;
    size_t global_size[3];
    size_t global_offset[3]; /* 0 in each dimension: there is none */
    size_t local_size[3];    /* 0: left to the driver */
};

struct launch_end {
    cl_int enqueue_code; /* of clEnqueueNDRangeKernel */
    cl_int finish_code;  /* of the wait for its end, or the event's own error */
    uint64_t began_ns;   /* CLOCK_MONOTONIC, around both */
    uint64_t ended_ns;
    uint64_t device_ns; /* by event profiling; 0: not known */
};

/* Enqueues it, and waits for its end, on the thread that calls it. */
struct launch_end launch_carry_out(const struct launch *launch);

/* NULL with STATUS_HARNESS if no thread can be had. It lives until the process ends. */
struct enqueuer *enqueuer_start(struct error *error);

/* Hands over a launch; the one before must have ended. */
void enqueuer_launch(struct enqueuer *enqueuer, const struct launch *launch);

/* Waits at most `timeout_ns`. True: the launch has ended, and *end says how. */
bool enqueuer_wait(struct enqueuer *enqueuer, uint64_t timeout_ns, struct launch_end *end);
