/* Launches each of which checks what the one before it left (kernels/promise_step.cl). */
#pragma once

#include "act/promising.h"

enum { STEPS_ITEMS = 256 };

struct steps {
    struct promising *promising; /* whose buffers a launch reads and writes, in turns */
    uint32_t turns;              /* of each work-item, which make a launch last */
};

int steps_open(struct steps *steps, struct promising *promising, struct error *error);

/* What the first launch reads is written there, by writes that block. */
int steps_begin(struct steps *steps, cl_command_queue queue, struct error *error);

/* Events that a command waits for. A zeroed struct has no event. */
struct wait_list {
    cl_uint count;
    const cl_event *events;
};

/* Enqueues launch `step`, from 0, which waits for these. 1; or 0: it is refused, as is told. */
int steps_enqueue(struct steps *steps, uint32_t step, cl_command_queue queue, struct wait_list list, cl_event *event,
                  struct error *error);
