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
    RUN_LINE = 64,       /* bytes of the processor's cache */
    RUN_KEPT_BYTES = 16, /* of what an access is about to change */
    RUN_QUIET_FIRST = 8, /* accesses of a work-item that changed nothing, after which a circle may have begun, */
    RUN_QUIET_LONG = 64, /* and after which it is idle */
};
#define RUN_SIGN_STEPS (UINT64_C(1) << 16) /* between two signs of life */
#define RUN_STEPS_LONG (UINT64_C(1) << 23) /* after which the host is first asked */

/*
 * A work-item. While it does not run, `self` is where it goes on, with the access that it is about to make; once it has
 * ended, `self` is `top`. What each turn needs comes first, in one line of the processor's cache.
 */
struct run_item {
    _Alignas(RUN_LINE) fiber_pointer self;
    void *top; /* of its stack */
    const volatile void *at;
    size_t bytes;
    struct circle *circle; /* or NULL */
    uint32_t how;
    uint32_t place;
    uint32_t quiet; /* accesses since it last changed memory, */
    uint32_t due;   /* and after how many a circle of it begins; */
    uint16_t id[3];
    bool circles : 1; /* a circle has begun */
    bool begun : 1;
    bool meets : 1;      /* it waits at a barrier of its group, with `meets_flags`, */
    bool meets_team : 1; /* or at one of its sub-group */
    bool held : 1;       /* one that is before it has not ended; of a serial machine */
    bool was_parked : 1; /* and has had no turn since */
    bool idle : 1;       /* it has changed nothing and met nobody for a while */
    bool moved : 1;      /* it had a turn since `hash`, of its stack (recurrence.c), was made */
    uint64_t hash[2];
    uint64_t turned;      /* the step of its last turn, where turns go round */
    uint32_t began;       /* its circle did after so many accesses, */
    uint32_t round;       /* and so many had that which it closed last */
    uint32_t meets_flags; /* GL_MEET_* */
};

/* A sub-group. */
struct run_team {
    uint32_t items;
    uint32_t running; /* work-items that have not ended */
    uint32_t meeting; /* of these, at a barrier of the sub-group, */
    uint32_t away;    /* and at one of the whole group */
};

struct run_place {
    struct space_place parts;
    uint32_t group;
    size_t id[3];
    uint32_t running; /* work-items that have not ended */
    uint32_t meeting; /* of these, at a barrier */
    bool moved;       /* one of them had a turn since `hash`, of all that is the place's, was made */
    uint64_t hash[2];
};

/* The launch that runs; one at a time in a process. */
extern struct run {
    const struct machine_launch *launch;
    struct machine_report *report;
    struct space space;
    struct order order;
    struct run_place *places;
    struct run_item *items;
    struct run_team *teams; /* of each place so many; NULL: there are no sub-groups */
    uint32_t team_count;
    size_t counts[3]; /* work-groups */
    uint32_t item_count;
    struct ready ready;
    struct parking parking;
    struct recurrence recurrence;
    enum model_turns turns;
    uint32_t *ranks;       /* of each work-item: its priority, by lot; in turn the higher has been idle for longer */
    uint32_t idlers;       /* how often a work-item has become idle */
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
    bool used_scratch;             /* a work-item asked for the scratch of its group, */
    uint32_t asked[3];             /* and for these numbers, a bit each (GL_ID_GLOBAL ...), in each dimension */
    uint64_t falls[MODEL_FALLS];   /* steps at which a priority falls */
    uint32_t ended;                /* groups */
    const volatile void *changing; /* what the access that is made now may change; or NULL */
    size_t changing_bytes;
    unsigned char before[RUN_KEPT_BYTES];
} run;

/* Nothing is known of what it did before; `due` as above. */
void run_forget_circle(struct run_item *item, uint32_t due);

/* Lets a group take this free place, if any may. */
void run_fill_place(uint32_t at);

/* Tells where the work-item stands, and where the calls return to that led there. */
void run_frames(const struct run_item *item, const void *frames[MACHINE_FRAMES]);

/* Likewise of the one that runs, and was interrupted. */
void run_frames_interrupted(const struct fiber_interrupted *interrupted, const void *frames[MACHINE_FRAMES]);

/* What fibers call while turns are taken as the launch's device takes them. */
extern const struct fiber_user run_turns;

/* Returns the fiber that goes on next; or the host, where the launch has ended or stands still. */
fiber_pointer run_next(void);
