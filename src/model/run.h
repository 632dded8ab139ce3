/* The launch that runs, as the machine's files share it: machine.c begins and ends it, steps.c takes its steps. */
#pragma once

#include "model/fiber.h"
#include "model/machine.h"
#include "model/order.h"
#include "model/parking.h"
#include "model/ready.h"
#include "model/recurrence.h"
#include "model/scheduling.h"
#include "model/space.h"

enum {
    RUN_KEPT_BYTES = 16, /* of what an access is about to change */
};
#define RUN_SIGN_STEPS (UINT64_C(1) << 16) /* between two signs of life */
#define RUN_STEPS_LONG (UINT64_C(1) << 23) /* after which the host is first asked */

/*
 * A work-item. While it does not run, `self` is where it goes on, with the access that it is about to make; once it has
 * ended, `self` is `top`.
 */
struct run_item {
    fiber_pointer self;
    void *top; /* of its stack */
    const volatile void *at;
    size_t bytes;
    uint32_t how;
    uint32_t place;
    uint16_t id[3];
    bool begun;
    bool meets;            /* it waits at a barrier of its group */
    bool was_parked;       /* and has had no turn since */
    uint32_t quiet;        /* accesses since it last changed memory, */
    uint32_t due;          /* and after how many a circle of it begins */
    uint64_t turned;       /* the step of its last turn */
    struct circle *circle; /* of 0 bytes: none has begun; or NULL */
};

struct run_place {
    struct space_place parts;
    uint32_t group;
    size_t id[3];
    uint32_t running; /* work-items that have not ended */
    uint32_t meeting; /* of these, at a barrier */
};

/* The launch that runs; one at a time in a process. */
extern struct run {
    const struct machine_launch *launch;
    struct machine_report *report;
    struct space space;
    struct order order;
    struct run_place *places;
    struct run_item *items;
    size_t counts[3]; /* work-groups */
    uint32_t item_count;
    struct ready ready;
    struct parking parking;
    struct recurrence recurrence;
    enum model_turns turns;
    uint32_t *ranks;       /* of each work-item: its priority, by lot */
    struct run_item *self; /* runs */
    struct run_place *place;
    uint32_t turn;  /* steps of its turn, which end before an access, at a barrier or with it, */
    uint32_t most;  /* and how many it may have; no matter with priorities */
    uint32_t group; /* of the work-item that runs: its place may have been taken by another one since */
    struct scheduling scheduling;
    uint64_t epoch; /* changes of memory */
    uint64_t steps;
    uint64_t even_from;  /* the step from which no turn is missed where turns go round */
    uint64_t signs_at;   /* the next sign of life */
    uint64_t long_steps; /* a multiple of those between signs: after so many the host is asked */
    uint64_t lots;
    bool watched;                  /* by a host */
    bool mute;                     /* what kernels print is left out */
    bool used_scratch;             /* a work-item asked for the scratch of its group */
    uint64_t falls[MODEL_FALLS];   /* steps at which a priority falls */
    uint32_t ended;                /* groups */
    const volatile void *changing; /* what the access that is made now may change; or NULL */
    size_t changing_bytes;
    unsigned char before[RUN_KEPT_BYTES];
} run;

/* Lets a group take this free place, if any may. */
void run_fill_place(uint32_t at);

/* Tells where the work-item stands, and where the calls return to that led there. */
void run_frames(const struct run_item *item, const void *frames[MACHINE_FRAMES]);

/* What fibers call while turns are taken as the launch's device takes them. */
extern const struct fiber_user run_turns;

/* Returns the fiber that goes on next; or the host, where the launch has ended or stands still. */
fiber_pointer run_next(void);
