/*
 * What drivers promise of their devices, and what was measured of it. Each promise is a row of promises[], in an .inc
 * file beside this one; what is done to measure it, an act with its parameters, is in act/.
 */
#pragma once

#include "core/naming.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What became of a promise. */
enum keeping {
    KEEPING_KEPT,
    KEEPING_BROKEN,
    KEEPING_EXCEEDED,  /* the device does more than its driver says, which is useful, and no promise */
    KEEPING_SILENT,    /* nothing is promised; what was measured is told all the same */
    KEEPING_UNDECIDED, /* it could not be measured */
    KEEPING_NOT_OFFERED,
    KEEPING_COUNT,
};

/* How a promise is measured. `of` are the parameters of the act. */
enum promise_act {
    ASK_GROUP_SIZE,    /* the largest group that runs; of: enum kernel_kind, whether the kernel's own bound is meant */
    ASK_ITEM_SIZES,    /* the largest size that runs in one dimension; of: the dimension */
    ASK_LOCAL_MEMORY,  /* the most local memory of a group that holds what is written to it; of: enum local_kind */
    ASK_KERNEL_LOCAL,  /* whether the driver says of a kernel what it has; of: enum local_kind */
    ASK_REQUIRED_SIZE, /* reqd_work_group_size; of: enum required_kind */
    ASK_RANGE,         /* each work-item runs once, under its id */
    ASK_UNEVEN_GROUPS, /* non-uniform work-groups */
    ASK_MULTIPLE,      /* the preferred multiple beside the fastest */
    ASK_LOOPS,         /* whether a loop ends where its code does; of: enum loop_kind */
    ASK_KERNEL_TIME,   /* for how long a kernel may run */
    ASK_BUFFER_SIZE,   /* a buffer of that size is one; of: whether it is constant memory */
    ASK_PARAMETER_SIZE,
    ASK_MOVED,   /* bytes at any offset */
    ASK_PRINTED, /* what kernels print */
    /* Of concurrent dispatch. Of: work-items of a group, and whether it has half of the local memory. */
    ASK_CONCURRENT_COUNT,   /* groups over which the device's own barrier passes */
    ASK_CONCURRENT_MORE,    /* whether one group more is refused */
    ASK_CONCURRENT_AGAIN,   /* whether more groups meet after fewer did */
    ASK_CONCURRENT_ATOMICS, /* groups over which a barrier of atomics passes */
    ASK_BARRIER_VALID, /* whether the kernel is told if it may use the barrier; of: it is dispatched concurrently */
    /* Of host and device. */
    ASK_EVENT_TIMES, /* the four times of an event */
    ASK_DURATION,    /* the time from START to END, beside what the host sees */
    ASK_TIMER_STEP,  /* the resolution of these times */
    ASK_USER_EVENT,  /* a command that user events hold back */
    ASK_HELD_MOVES,  /* writes, reads, fills and copies that wait for events */
    ASK_LEAVE,       /* the end of a process; of: whether a user event holds its kernels back */
    ASK_EVENT,       /* what the callback of an event, and its status, tell */
    ASK_BEYOND,      /* a command beyond one that does not end */
    ASK_RUNNING,     /* CL_RUNNING while a kernel runs */
    ASK_ORDER,       /* launches in their order, to their end */
    ASK_OVERLAP,     /* two kernels at the same time; of: enum together */
    ASK_BESIDE,      /* a read while another thread waits; of: whether in clFinish */
    ASK_UNITS,       /* groups at the same time */
    ASK_SVM_COPY,    /* memory that host and kernel share: each sees what the other one wrote */
    ASK_SVM_SHARED,  /* while a kernel runs; of: enum shared */
    /* Atomics, fences and sub-groups. */
    ASK_ATOMIC_ORDER,     /* of: enum atomic_order, enum atomic_scope */
    ASK_ATOMIC_FENCE,     /* of: enum atomic_order, enum atomic_scope */
    ASK_MEM_FENCE,        /* of: whether it is of local memory */
    ASK_BARRIER,          /* of: whether it is of local memory */
    ASK_ATOMIC_FLAG,      /* of: enum atomic_order, enum atomic_scope */
    ASK_ATOMIC_FUNCTIONS, /* of: enum atomic_width; whether they are of local memory */
    ASK_SUB_SHAPE,        /* of: enum sub_shape */
    ASK_SUB_VALUES,       /* of: enum sub_values */
    ASK_SUB_MORE,         /* of: enum sub_family */
    ASK_SUB_BARRIER,      /* of: whether it is of local memory */
    ASK_SUB_PROGRESS,
    ASK_CUDA, /* through CUDA's driver; of: enum cuda_row, and which loop or example it is */
    PROMISE_ACTS,
};

/* Where two kernels are that may overlap. */
enum together { TOGETHER_QUEUE, TOGETHER_QUEUES, TOGETHER_CONTEXTS, TOGETHER_FULL };

/* What is done with memory that host and kernel share while the kernel runs. */
enum shared { SHARED_HOST_SEES, SHARED_KERNEL_SEES, SHARED_ADDS };

enum kernel_kind { KERNEL_LIGHT, KERNEL_REGISTERS, KERNEL_LOCAL, KERNEL_ASSEMBLY };
enum { PROMISE_VALUES = 128 }; /* of a work-item of KERNEL_REGISTERS */

/* How a kernel comes by its local memory: it declares it, has it as an argument, or calls a kernel that declares it. */
enum local_kind { LOCAL_DECLARED, LOCAL_ARGUMENT, LOCAL_CALLED };

/* Launches of the required size run, others are refused, and the driver says which size it is. */
enum required_kind { REQUIRED_RUNS, REQUIRED_ALONE, REQUIRED_SAID };

/* kernels/promise_loop.cl has one of each. */
enum loop_kind { LOOP_COUNTED, LOOP_WHILE, LOOP_NESTED };

enum atomic_order { ORDER_RELAXED, ORDER_ACQ_REL, ORDER_SEQ_CST };
enum atomic_scope { SCOPE_GROUP, SCOPE_DEVICE, SCOPE_ALL };
enum sub_shape { SUB_SIZE, SUB_COUNT, SUB_LOCAL_SIZE, SUB_KERNEL_MOST, SUB_DEVICE_MOST };
enum sub_values { SUB_REDUCE, SUB_SCAN, SUB_VOTE, SUB_BROADCAST };
/* Functions of one extension each, as kernels/promise_sub_more.cl numbers them. */
enum sub_family {
    FAMILY_BALLOT,
    FAMILY_SHUFFLE,
    FAMILY_RELATIVE,
    FAMILY_ROTATE,
    FAMILY_VOTE,
    FAMILY_ARITHMETIC,
    FAMILY_CLUSTERED,
    FAMILY_INTEL,
};

enum cuda_row {
    CUDA_COOPERATIVE,      /* all groups of a cooperative launch meet */
    CUDA_COOPERATIVE_MORE, /* one group more is refused */
    CUDA_CLUSTER,          /* the groups of each cluster meet */
    CUDA_PAIRS,            /* two threads of a group wait for each other; of: the bit by which they differ */
    CUDA_LOCK,             /* the threads of a warp take a lock in turns */
    CUDA_CHAIN,            /* each group waits for the one below */
    CUDA_MUTUAL,           /* two kernels in two streams wait for each other */
    CUDA_EXAMPLE_PAIR,     /* the first of two threads waits for the second */
    CUDA_EXAMPLE_LOOP,     /* a loop that the implementation may take to end; of: its kind, as in the document */
    CUDA_EXAMPLE_BARRIER,  /* two threads meet at a barrier */
    CUDA_EXAMPLE_FLAG,     /* the host waits for a kernel; of: the calls that it makes meanwhile, enum cuda_asking */
    CUDA_EXAMPLE_STREAM,   /* a kernel waits for the one before it; of: whether both are in one stream */
    CUDA_ROWS,
};

enum cuda_asking { CUDA_ASKS_NEVER, CUDA_ASKS_ONCE, CUDA_ASKS_ALWAYS };

/* Functions of the kernel that measures ASK_ATOMIC_FUNCTIONS, in its order. */
enum atomic_function {
    FUNCTION_INCREMENT,
    FUNCTION_ADDITION,
    FUNCTION_DECREMENT,
    FUNCTION_SUBTRACTION,
    FUNCTION_EXCHANGE,
    FUNCTION_COMPARISON,
    FUNCTION_MINIMUM,
    FUNCTION_MAXIMUM,
    FUNCTION_EXCLUSIVE_OR,
    FUNCTION_BITS,
    ATOMIC_FUNCTIONS,
};

enum atomic_width { ATOMIC_32, ATOMIC_64_BASE, ATOMIC_64_EXTENDED };

/* The call that a worker is in when it leaves, as it is told of calls of OpenCL. */
#define PROMISE_LEAVES "exit"

struct promise {
    const char *name;
    const char *made;     /* where: a query, an extension, a clause of the specification */
    const char *says;     /* what is promised */
    const char *measured; /* how */
    const char *follows;  /* for programs, if it is broken */
    const char *advice;   /* what they can do */
    char unit[16];        /* of amounts; "": it is a yes or a no, 1 or 0 */
    bool silent;          /* nothing is promised */
    bool at_most;         /* less than the amount is better, not more */
    bool ends;            /* that a command ends, or a call returns, is what is promised */
    bool of_cuda;         /* it is measured through CUDA's driver, if that is asked for */
    bool of_progress;     /* it is about who may wait for whom, of which litmus tests say more */
    enum promise_act act;
    uint32_t of[2];
};

extern const struct promise promises[];
extern const size_t promise_count;

/* Returns the promise with that name, or NULL. */
const struct promise *promise_find(const char *name);

/* In a finding, where the driver refuses to build what it should build. */
#define PROMISE_BUILD "clBuildProgram"

/* What measuring came to. A zeroed one: nothing was found. */
struct finding {
    bool offered;
    bool undecided;
    uint64_t promised; /* amounts, in the promise's unit */
    uint64_t measured;
    uint32_t tries;     /* how often it was tried, */
    uint32_t fails;     /* and not as promised */
    char text[240];     /* what happened, as a sentence; or "" */
    char failed_in[96]; /* which calls of OpenCL, kernel or function did not do as promised; "": not told */
};

/* A search for the largest amount that goes well, over as many workers as it takes. A zeroed one has not begun. */
struct promise_search {
    uint64_t most;  /* the largest that is tried */
    uint64_t good;  /* the largest amount that has gone well */
    uint64_t bad;   /* the smallest that has not; 0: none yet */
    uint64_t sure;  /* that amount, once it was tried as the next one above `good`, with patience */
    uint64_t tried; /* that the driver is at; 0: none */
};

/* What the driver was at went well; or it did not, or did not even come back. */
void promise_search_passed(struct promise_search *search);
void promise_search_lost(struct promise_search *search);

/*
 * Returns the next amount to try, or 0 at the end: twice the last one while all goes well; then halfway. One next to
 * an amount that went well decides, and deserves patience: what did not come back may only have been slow.
 */
uint64_t promise_search_next(const struct promise_search *search);

enum keeping finding_judge(const struct promise *promise, const struct finding *finding);

/* "1024 work-items", or "yes" or "no". */
void finding_print_amount(const struct promise *promise, uint64_t amount, char *text, size_t size);

NAMING_DECLARE(keeping, enum keeping);
NAMING_DECLARE(atomic_function, enum atomic_function);
