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
    ASK_EVENT_TIMES,
    ASK_TIMER_STEP,
    ASK_USER_EVENT,
    ASK_READ,    /* of: whether it blocks */
    ASK_RUNNING, /* CL_RUNNING while a kernel runs */

    ASK_ATOMIC_ORDER,     /* of: enum atomic_order, enum atomic_scope */
    ASK_ATOMIC_FENCE,     /* likewise */
    ASK_MEM_FENCE,        /* of: whether it is of local memory */
    ASK_BARRIER,          /* likewise */
    ASK_ATOMIC_FUNCTIONS, /* of: enum atomic_width; whether they are of local memory */
    ASK_SUB_SHAPE,        /* of: enum sub_shape */
    ASK_SUB_VALUES,       /* of: enum sub_values */
    ASK_SUB_BARRIER,      /* of: whether it is of local memory */
    ASK_SUB_PROGRESS,
};
enum { PROMISE_ACTS = 22 };

enum kernel_kind { KERNEL_LIGHT, KERNEL_REGISTERS, KERNEL_LOCAL };
enum atomic_order { ORDER_RELAXED, ORDER_ACQ_REL, ORDER_SEQ_CST };
enum atomic_scope { SCOPE_GROUP, SCOPE_DEVICE, SCOPE_ALL };
enum sub_shape { SUB_SIZE, SUB_COUNT, SUB_LOCAL_SIZE, SUB_KERNEL_MOST, SUB_DEVICE_MOST };
enum sub_values { SUB_REDUCE, SUB_SCAN, SUB_VOTE, SUB_BROADCAST };
enum atomic_width { ATOMIC_32, ATOMIC_64_BASE, ATOMIC_64_EXTENDED };

struct promise {
    const char *name;
    const char *made;     /* where: a query, an extension, a clause of the specification */
    const char *says;     /* what is promised */
    const char *measured; /* how */
    const char *follows;  /* for programs, if it is broken */
    const char *advice;   /* what they can do */
    const char *unit;     /* of amounts; "": it is a yes or a no, 1 or 0 */
    bool silent;          /* nothing is promised */
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
