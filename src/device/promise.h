/* Measuring promises, in the worker. */
#ifndef GRIDLOCK_DEVICE_PROMISE_H
#define GRIDLOCK_DEVICE_PROMISE_H

#include "core/promise.h"
#include "device/enqueuer.h"
#include "device/session.h"

/* A promise that is being measured. */
struct promising {
    struct session *session;
    const struct promise *promise;
    struct finding finding;
    /* Takes what is found so far: it counts if the driver does not survive what comes next. */
    int (*tell)(void *context, const struct finding *finding);
    void *context;
};

/* Measures it; promising->finding has what it came to. -1: it is not decided, and *error says what failed. */
int promise_measure(struct promising *promising, struct error *error);

/* --- for acts --- */

/* From now on the driver does what it has promised: if it dies of that, the promise is broken. */
int promising_begins(struct promising *promising, struct error *error);

/* What was found so far holds, whatever the driver does of what comes next, which it has not promised. */
int promising_decided(struct promising *promising, struct error *error);

/* Builds a kernel that the binary carries, with these options beside those of the device's dialect. */
int promising_build(struct promising *promising, const char *kernel, const char *options, struct program **program,
                    struct error *error);

/* Launches a kernel, whose arguments are set, and waits for its end; what the driver says of it is in *end. */
void promising_launch(struct promising *promising, cl_kernel kernel, const size_t global[3], const size_t local[3],
                      struct launch_end *end);

/* "CL_INVALID_WORK_GROUP_SIZE"; of a launch that failed. */
const char *promising_failure(const struct launch_end *end);

/* A number of the device; 0: the driver does not answer. */
uint64_t promising_ask(const struct promising *promising, cl_device_info what);

/* A buffer, set as an argument; to be released with clReleaseMemObject. NULL with *error. */
cl_mem promising_buffer(struct promising *promising, cl_kernel kernel, cl_uint argument, size_t bytes,
                        struct error *error);

typedef int promise_act(struct promising *promising, struct error *error);
promise_act promise_group_size, promise_item_sizes;
promise_act promise_local_memory, promise_kernel_local;
promise_act promise_required_size, promise_uneven_groups, promise_multiple;
promise_act promise_loops, promise_kernel_time;
promise_act promise_buffer_size, promise_parameter_size;

#endif
