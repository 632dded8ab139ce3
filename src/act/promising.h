/* Measuring promises, in the worker. */
#pragma once

#include "device/enqueuer.h"
#include "device/session.h"
#include "promise/options.h"

/* A promise that is being measured. */
struct promising {
    struct session *session;
    const struct promise *promise;
    struct finding finding;
    struct promise_search search; /* of an act that costs workers */
    uint64_t amount;              /* of memory, in bytes, for which a kernel is built */
    bool spent;                   /* a kernel did not come back: the worker is of no more use */
    bool lost;                    /* a launch failed as if the device were gone */
    /* Takes what is found so far: it counts if the driver does not survive what comes next. */
    int (*tell)(void *context, const struct finding *finding, const struct promise_search *search);
    void *context;
};

/* Measures it; promising->finding has what it came to. -1: it is not decided, and *error says what failed. */
int promise_measure(struct promising *promising, struct error *error);

/* --- for acts --- */

/* From now on the driver does what it has promised: if it dies of that, the promise is broken. */
int promising_begins(struct promising *promising, struct error *error);

/* What was found so far holds, whatever the driver does of what comes next, which it has not promised. */
int promising_decided(struct promising *promising, struct error *error);

/* The same, with what is said if it dies. */
int promising_expects(struct promising *promising, const char *text, struct error *error);

/* What is tried several times. 1: as promised. 0: not so, which is told in the finding. 2: this try says nothing. */
typedef int promise_try(void *context, struct error *error);

/* Tries what is promised as a yes, which is offered, five times. Without any try that says something: undecided. */
int promising_try(struct promising *promising, promise_try *once, void *context, struct error *error);

/* How often of five times it is so, which nobody promises; `what` says what is so in them. */
int promising_count(struct promising *promising, promise_try *once, void *context, const char *what,
                    struct error *error);

/* Returns 0: the driver refuses what it has promised. */
int promising_refused(struct promising *promising, const char *call, cl_int code);

/* Nothing can be said, for a reason that is a sentence. Returns 0. */
int promising_undecided(struct promising *promising, const char *reason);

/* Builds a kernel that the binary carries, with the options of the promise (promise/options.h). */
int promising_build(struct promising *promising, const char *kernel, struct program **program, struct error *error);

/*
 * Likewise, where the driver may refuse, since it is the promise that this can be built. 1: it is built. 0: it is refused,
 * and the finding says so.
 */
int promising_compile(struct promising *promising, const char *kernel, struct program **program, struct error *error);

/* Whether the device may have atomics with orders and scopes, and says in an answer that it has those of the promise. */
bool promising_has_atomics(struct promising *promising, cl_device_info what);

/* Whether the device has an extension, by the list that its driver gives. */
bool promising_has_extension(const struct promising *promising, const char *name);

/* Whether the device has sub-groups, which is then what is promised. */
bool promising_has_sub_groups(struct promising *promising);

/* Launches a kernel, whose arguments are set, and waits for its end; what the driver says of it is in *end. */
void promising_launch(struct promising *promising, cl_kernel kernel, const size_t global[3], const size_t local[3],
                      struct launch_end *end);

/* Likewise, for that long at most. False: it has not ended, and promising->spent is set. */
bool promising_launch_within(struct promising *promising, cl_kernel kernel, const size_t global[3],
                             const size_t local[3], uint64_t timeout_ns, struct launch_end *end);

/* "CL_INVALID_WORK_GROUP_SIZE"; of a launch that failed. */
const char *promising_failure(const struct launch_end *end);

/* An event's status; CL_QUEUED where the driver does not answer. */
cl_int event_status(cl_event event);

/* A number of the device; 0: the driver does not answer. */
uint64_t promising_ask(const struct promising *promising, cl_device_info what);

/* A buffer, set as an argument; to be released with clReleaseMemObject. NULL with *error. */
cl_mem promising_buffer(struct promising *promising, cl_kernel kernel, cl_uint argument, size_t bytes,
                        struct error *error);

typedef int promise_act(struct promising *promising, struct error *error);
promise_act promise_group_size, promise_item_sizes;
promise_act promise_concurrent_count, promise_concurrent_more, promise_concurrent_again, promise_barrier_valid,
    promise_concurrent_atomics;
promise_act promise_local_memory, promise_kernel_local;
promise_act promise_required_size, promise_uneven_groups, promise_multiple;
promise_act promise_loops, promise_kernel_time;
promise_act promise_buffer_size, promise_parameter_size;
promise_act promise_order, promise_times, promise_duration, promise_timer_step, promise_polled, promise_user_event,
    promise_running;
promise_act promise_overlap, promise_beside, promise_units;
promise_act promise_svm_copy, promise_svm_shared;
promise_act promise_atomic_order, promise_atomic_fence, promise_mem_fence, promise_barrier;
promise_act promise_relaxed, promise_atomic_functions;
promise_act promise_sub_shape, promise_sub_values, promise_sub_barrier, promise_sub_progress;
