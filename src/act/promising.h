/* Measuring promises, in the worker. */
#pragma once

#include "device/enqueuer.h"
#include "device/session.h"
#include "promise/options.h"

enum { PROMISE_TRIES = 5, PROMISE_BUFFERS = 3 };

/* Words that are an argument of a kernel, and the host's copy of them. */
struct buffer {
    cl_mem memory;
    size_t count;
    uint32_t *words;
    int fill; /* each byte of the words before a launch */
};

/* A promise that is being measured. */
struct promising {
    struct session *session;
    const struct promise *promise;
    struct finding finding;
    uint32_t tries;                         /* how often is tried what is tried several times */
    struct promise_search search;           /* of an act that costs workers */
    uint64_t amount;                        /* of memory, in bytes, for which a kernel is built */
    bool unordered;                         /* kernels are built without the order that is promised */
    struct program *program;                /* that was built last; its kernel is launched */
    struct buffer buffers[PROMISE_BUFFERS]; /* arguments of that kernel; they are released when the act has ended */
    struct launch_end end;                  /* of the last launch */
    char failure[240];                      /* what was wrong with a launch, in words; or "" */
    bool spent;                             /* a kernel did not come back: the worker is of no more use */
    bool lost;                              /* a launch failed as if the device were gone */
    /* Takes what is found so far: it counts if the driver does not survive what comes next. */
    int (*tell)(void *context, const struct finding *finding, const struct promise_search *search);
    void *context;
};

/* Measures it; promising->finding has what it came to. -1: it is not decided, and *error says what failed. */
int promise_measure(struct promising *promising, struct error *error);

/* --- for acts: what is found --- */

/* From now on the driver does what it has promised: if it dies of that, the promise is broken. */
int promising_begins(struct promising *promising, struct error *error);

/* What was found so far holds, whatever the driver does of what comes next, which it has not promised. */
int promising_decided(struct promising *promising, struct error *error);

/* What this try came to (promise_try) holds, whatever the driver does of what is left to clean up. */
int promising_tried(struct promising *promising, int outcome, struct error *error);

/*
 * What is tried several times. 1: as promised. 0: not so, which is told in the finding. 2: this try says nothing.
 * -1: it could not be made.
 */
typedef int promise_try(void *context, struct error *error);

/* Tries what is promised as a yes, which is offered, `tries` times. Without any try that says something: undecided. */
int promising_try(struct promising *promising, promise_try *once, void *context, struct error *error);

/* How often of these it is so, which nobody promises; `what` says what is so in them. */
int promising_count(struct promising *promising, promise_try *once, void *context, const char *what,
                    struct error *error);

/* Tries it as often, each of which says something; the finding says how often, and how often it failed. */
int promising_repeat(struct promising *promising, promise_try *once, void *context, struct error *error);

/* The same for what is promised as a yes: it is offered, and kept if no try fails. */
int promising_settle(struct promising *promising, promise_try *once, void *context, struct error *error);

/* What the finding says, as a sentence; returns 0. */
int promising_says(struct promising *promising, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What was wrong with a launch, for such a sentence; returns 0. */
int promising_notes(struct promising *promising, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Notes which call of OpenCL, kernel or function did not do as promised: the last one that is told. */
void promising_failed_in(struct promising *promising, const char *name);

/* Returns 0: the driver refuses what it has promised. */
int promising_refused(struct promising *promising, const char *call, cl_int code);

/* Nothing can be said, for a reason that is a sentence. Returns 0. */
int promising_undecided(struct promising *promising, const char *reason);

/* --- what the device has --- */

/*
 * Whether the device may have atomics with orders and scopes, and says in an answer that it has those of the promise.
 */
bool promising_has_atomics(struct promising *promising, cl_device_info what);

/* Whether the device has an extension, by the list that its driver gives. */
bool promising_has_extension(const struct promising *promising, const char *name);

/* Whether the device has sub-groups, which is then what is promised. */
bool promising_has_sub_groups(struct promising *promising);

/* A number of the device; 0: the driver does not answer. */
uint64_t promising_ask(const struct promising *promising, cl_device_info what);

/* The most work-items of a group of the kernel, as the driver says; 0: it does not answer. */
uint64_t promising_group_size(const struct promising *promising);

/* --- its kernel --- */

/* Builds a kernel that the binary carries, with the options of the promise (promise/options.h). */
int promising_build(struct promising *promising, const char *kernel, struct error *error);

/*
 * Builds it where the driver may refuse, since the promise is that this can be built. Returns 1 if it is built, or 0
 * if it is refused, and the finding says so.
 */
int promising_compile(struct promising *promising, const char *kernel, struct error *error);

/* Makes promising->buffers[argument] and sets it as that argument, in place of one that was made before. */
int promising_buffer(struct promising *promising, cl_uint argument, size_t count, struct error *error);

/* Releases them all, when the act has ended. */
void promising_drop_buffers(struct promising *promising);

void buffer_fill(struct buffer *buffer, int byte);

/* Copy all words, by calls that block. */
cl_int buffer_write(const struct buffer *buffer, cl_command_queue queue);
cl_int buffer_read(const struct buffer *buffer, cl_command_queue queue);

/* Sets an argument that is a number. */
int promising_set(struct promising *promising, cl_uint argument, uint32_t value, struct error *error);

/* Launches the kernel, whose arguments are set, and waits for its end. True: it ran, as far as the driver says. */
bool promising_launch(struct promising *promising, const size_t global[3], const size_t local[3]);

/*
 * The same for that long at most, in which this thread must have had a processor for half of it. False: the kernel has
 * not ended, and promising->spent is set.
 */
bool promising_launch_within(struct promising *promising, const size_t global[3], const size_t local[3],
                             uint64_t timeout_ns);

/* The last launch ran, as far as the driver says. */
bool promising_ran(const struct promising *promising);

/* "CL_INVALID_WORK_GROUP_SIZE"; of a launch that failed. */
const char *promising_failure(const struct promising *promising);

/*
 * Fills a buffer, launches the kernel, and reads the buffer. 1: it ran. 0: the driver refused it, or it failed, as
 * promising->end says. -1: it could not be tried.
 */
int promising_run(struct promising *promising, const size_t global[3], const size_t local[3], struct buffer *buffer,
                  struct error *error);

/* An event's status; CL_QUEUED where the driver does not answer. */
cl_int event_status(cl_event event);

typedef int promise_act(struct promising *promising, struct error *error);
promise_act promise_group_size, promise_item_sizes;
promise_act promise_concurrent;
promise_act promise_local_memory, promise_kernel_local;
promise_act promise_required_size, promise_uneven_groups, promise_multiple;
promise_act promise_loops, promise_kernel_time;
promise_act promise_buffer_size, promise_parameter_size;
promise_act promise_script; /* by its name */
promise_act promise_times, promise_duration, promise_timer_step, promise_leave, promise_running;
promise_act promise_overlap, promise_beside, promise_units;
promise_act promise_svm_shared;
promise_act promise_atomic_order, promise_atomic_fence, promise_mem_fence, promise_barrier;
promise_act promise_relaxed, promise_atomic_functions, promise_atomic_flag;
promise_act promise_sub_shape, promise_sub_values, promise_sub_more, promise_sub_barrier, promise_sub_progress;
promise_act promise_cuda; /* by its row */
