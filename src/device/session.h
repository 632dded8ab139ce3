/*
 * An opened device: context, queues, the board and its channel, and the programs built so far.
 * Used by the worker's main thread; launches are handed to a thread of their own, because some
 * drivers block the thread that enqueues until the kernel has ended.
 */
#pragma once

#include "base/error.h"
#include "core/build_options.h"
#include "core/device_info.h"
#include "core/trial.h"
#include "device/calls.h"
#include "device/memory.h"
#include "judge/samples.h"
#include "judge/standing.h"
#include "wire/wire.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct enqueuer;
struct occupant;
struct subject_ahead;
struct subject_file;
struct subject_kernel;

enum { SESSION_PROGRAMS = 64 };

/* What distinguishes one build of a kernel file from another. */
struct program_key {
    char kernel[48];           /* its file is this with .cl */
    char folder[SUBJECT_PATH]; /* where that file is looked for first, or "" */
    char options[BUILD_OPTIONS];
};

struct program {
    struct program_key key;
    cl_program program;
    cl_kernel kernel;               /* named like its file */
    struct subject_kernel *subject; /* of the session's file of the user's; or NULL */
};

struct session {
    struct device_info info;
    struct device_probe probe;
    const char *kernel_folder; /* or NULL */
    struct mirror *mirror;     /* shared with the supervisor, */
    int shared;                /* and the file that it is */
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_command_queue side_queue; /* for CHANNEL_QUEUE */
    struct enqueuer *enqueuer;
    struct occupant *occupant; /* NULL until it is needed */
    struct board_memory board;
    struct board_memory pages; /* of litmus tests */
    struct standing standing;  /* of the launch that is watched */
    struct samples samples;    /* of that launch, if its trial wants them */
    struct program programs[SESSION_PROGRAMS];
    size_t program_count;
    struct subject_file *subjects; /* files of the user's that were opened, the last one first */
    struct subject_ahead *ahead;   /* makes some of them to be measured; or NULL */
    bool aside;                    /* a thread's beside the worker's own: its stages are not told */
    uint64_t build_ns;             /* spent in building since it was last reset */
    unsigned fuse_shift;           /* by which total fuses turned out to be too short: a power of two */
    uint32_t litmus_looks;         /* fuse of litmus tests that turned out long enough; 0: no test was launched yet */
    uint32_t stood_looks;          /* fuse with which such a test last stood still, */
    uint64_t stood_ns;             /* for so long; 0: no launch has yet */
    uint64_t litmus_look_ns; /* the most that a look of such a test, and the steps before it, were seen to cost; or 0 */
};

/* Opens the device that `info` names. STATUS_NO_DEVICE if it is not there. */
int session_open(struct session *session, const struct device_info *info, const struct device_probe *probe,
                 struct error *error);

/* The supervisor wants the launch to be stopped, and why. */
enum stop_request session_stop_request(const struct session *session);

/* The user wants everything to end. */
bool session_is_interrupted(const struct session *session);

/* A launch whose time was up has ended: the next one has its own. */
void session_end_overdue(struct session *session);

/* The key of a kernel that the binary carries, in the dialect that was probed as best, or is being probed. */
void session_key(const struct session *session, const char *kernel, struct program_key *key);

/*
 * Finds or builds the program and its kernel. On failure returns -1 with the first line of the
 * build log that says something in error; *code is the cl_int.
 */
int session_kernel(struct session *session, const struct program_key *key, struct program **program, cl_int *code,
                   struct error *error);

/* The same for a kernel of the user's, of a program that is retained. NULL and *code: clCreateKernel failed. */
struct program *session_keep_kernel(struct session *session, struct subject_kernel *subject, cl_program from,
                                    const char *name, cl_int *code);

void session_forget_programs(struct session *session);

/* What the compiler said of a program, to be freed; or NULL. */
char *session_build_log(const struct session *session, cl_program program);

/* A number that the driver says of a kernel, or 0. */
uint64_t session_kernel_says(const struct session *session, const struct program *program,
                             cl_kernel_work_group_info what);

/* The same for what a trial launches: a scenario's kernel, or as session_limits_kernel. */
int session_trial_kernel(struct session *session, const struct trial *trial, struct program **program, cl_int *code,
                         struct error *error);

/*
 * The same for limits.cl with a footprint. A driver that allows the kernel fewer work-items than the
 * footprint has gets it built for exactly that many.
 */
int session_limits_kernel(struct session *session, const struct footprint *footprint, bool live,
                          struct program **program, cl_int *code, struct error *error);

/* Writes what the driver built for the footprint's kernel (CL_PROGRAM_BINARIES; PTX on NVIDIA) to a new file. */
int session_save_binary(struct session *session, const struct footprint *footprint, const char *path,
                        struct error *error);

/* Another queue. */
cl_command_queue session_make_queue(struct session *session, cl_command_queue_properties properties, cl_int *code);

typedef cl_int CL_API_CALL concurrent_count(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                            const size_t *offset, const size_t *local, size_t *groups);

/* clGetKernelMaxConcurrentWorkGroupCountINTEL of cl_intel_concurrent_dispatch, or NULL: the driver has none. */
concurrent_count *session_concurrent_count(const struct session *session);

/* Tells the watchdog what the worker does from now on. */
void session_stage(struct session *session, enum stage stage);

/* Tells the supervisor with which text of the user's that is, should the worker not come back. */
void session_text(struct session *session, enum subject_text text);

/* Tells the supervisor what the driver was asked for, should it fail; NULL: nothing. */
void session_tried(struct session *session, const struct subject_tried *tried);

/* Tells the supervisor what is known about the kernel that is launched, should it fail; NULL: nothing yet. */
void session_subject(struct session *session, const struct subject_facts *facts);

/* What the driver has printed so far is not why the worker may die from now on. */
void session_forget_output(const struct session *session);
