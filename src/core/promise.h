/*
 * What drivers promise of their devices, and what was measured of it. Each promise is a row of promises[]; what is done
 * to measure it, an act with its parameters, is in device/promise*.c.
 */
#ifndef GRIDLOCK_CORE_PROMISE_H
#define GRIDLOCK_CORE_PROMISE_H

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
};
enum { KEEPING_COUNT = 6 };

/* How a promise is measured. `of` are the parameters of the act. */
enum promise_act {
    ASK_GROUP_SIZE,    /* the largest group that runs; of: enum kernel_kind, whether the kernel's own bound is meant */
    ASK_ITEM_SIZES,    /* likewise in one dimension; of: the dimension */
    ASK_LOCAL_MEMORY,  /* the most local memory of a group that holds what is written to it */
    ASK_KERNEL_LOCAL,  /* of: whether it is a called kernel that declares the local memory */
    ASK_REQUIRED_SIZE, /* reqd_work_group_size */
    ASK_UNEVEN_GROUPS, /* non-uniform work-groups */
    ASK_MULTIPLE,      /* the preferred multiple beside the fastest */
    ASK_LOOPS,         /* whether a loop ends where its code does; of: turns, in millions */
    ASK_EVENT_TIMES,   /* the four times of an event */
    ASK_DURATION,      /* the time from START to END, beside what the host sees */
    ASK_TIMER_STEP,    /* the resolution of these times */
    ASK_USER_EVENT,    /* of: whether it ends in an error */
    ASK_READ,          /* a read that does not block */
    ASK_RUNNING,       /* CL_RUNNING while a kernel runs */
    ASK_ORDER,         /* launches in their order, to their end; of: enum ordering, enum completing */
    ASK_POLLED,        /* an event's status alone is asked; of: whether the results are meant */
    ASK_OVERLAP,       /* two kernels at the same time; of: enum together */
    ASK_BESIDE,        /* a read while another thread waits; of: whether in clFinish */
    ASK_UNITS,         /* groups at the same time */
    ASK_SVM_COPY,      /* of: whether it is fine-grained */
    ASK_SVM_SHARED,    /* while a kernel runs; of: enum shared */
};
enum { PROMISE_ACTS = 21 };

/* What puts launches in order, and what waits for the last of them. COMPLETE_RESULTS: only their results matter. */
enum ordering { ORDER_QUEUE, ORDER_BARRIERS, ORDER_LISTS, ORDER_QUEUES };
enum completing { COMPLETE_RESULTS, COMPLETE_FINISH, COMPLETE_WAIT, COMPLETE_UNFLUSHED, COMPLETE_READ };

/* Where two kernels are that may overlap. */
enum together { TOGETHER_QUEUE, TOGETHER_QUEUES, TOGETHER_CONTEXTS, TOGETHER_FULL };

/* What is done with memory that host and kernel share while the kernel runs. */
enum shared { SHARED_HOST_SEES, SHARED_KERNEL_SEES, SHARED_ADDS };

enum kernel_kind { KERNEL_LIGHT, KERNEL_REGISTERS, KERNEL_LOCAL };

struct promise {
    const char *name;
    const char *made;     /* where: a query, an extension, a clause of the specification */
    const char *says;     /* what is promised */
    const char *measured; /* how */
    const char *follows;  /* for programs, if it is broken */
    const char *advice;   /* what they can do */
    const char *unit;     /* of amounts; "": it is a yes or a no, 1 or 0 */
    bool silent;          /* nothing is promised */
    bool at_most;         /* less than the amount is better, not more */
    enum promise_act act;
    uint32_t of[2];
};

extern const struct promise promises[];
extern const size_t promise_count;

/* NULL: there is none of that name. */
const struct promise *promise_find(const char *name);

/* What measuring came to. A zeroed one: nothing was found. */
struct finding {
    bool offered;
    bool undecided;
    uint64_t promised; /* amounts, in the promise's unit */
    uint64_t measured;
    uint32_t tries; /* how often it was tried, */
    uint32_t fails; /* and not as promised */
    char text[240]; /* what happened, as a sentence; or "" */
};

enum keeping finding_judge(const struct promise *promise, const struct finding *finding);

/* One sentence of what was promised, and one of what was measured: "1024 work-items", "no". */
void finding_print_amount(const struct promise *promise, uint64_t amount, char *text, size_t size);

NAMING_DECLARE(keeping, enum keeping);

#endif
