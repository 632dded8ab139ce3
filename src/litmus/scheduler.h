/* One launch on a model device: which group takes the next step. */
#pragma once

#include "litmus/emulate.h"
#include "litmus/trap.h"

#include <stdbool.h>
#include <stdint.h>

enum { PLAN_NONE = TRAP_SHAPES, PLAN_ANY };

/* Which traps the instances are led to: one of the map's shapes, PLAN_NONE, or PLAN_ANY for any trap. */
struct scheduler_plan {
    unsigned first, rest; /* of the instance that is led first, and of the others */
    bool loose;           /* those that are not led do not go to a trap even if they could without a start */
    bool last;            /* the instance of the last group is led first */
};

struct scheduler_instance {
    uint32_t state;
    uint16_t fair;  /* in a launch that stalled: the threads that take turns */
    uint8_t target; /* as in the plan */
    bool queued;
};

struct scheduler {
    const struct model_device *device;
    const struct trap_map *map;
    const struct emulate_trace *trace; /* or NULL */
    const struct emulate_sink *sink;
    uint32_t polls; /* how often the sink might have been asked */
    bool stopped;   /* it said so: nothing that a launch came to is worth anything */
    struct scheduler_plan plan;
    unsigned threads;
    uint32_t groups, instances;
    struct scheduler_instance *all;
    uint32_t *places;   /* of each group: instance * threads + rank, by which the threads of an instance are in order */
    uint32_t *group_of; /* the other way around */
    uint32_t *queue;    /* instances that may be able to go on; a ring */
    uint32_t *order;    /* in which instances are led */
    uint32_t queue_first, queue_count;
    uint32_t led; /* of `order` were */
    uint32_t capacity;
    uint32_t started, ended, held;
    uint32_t lowest;  /* the first group that has not ended, or `groups` */
    uint32_t next;    /* the first that has not started, or `groups` */
    uint32_t highest; /* the last that has started, if any */
    uint64_t steps;
    uint64_t event; /* the step at which a group last started or ended */
    uint64_t lots;
};

enum scheduler_end { LAUNCH_ENDED, LAUNCH_STALLED, LAUNCH_UNDECIDED };

/*
 * Sets up launches of a test. The slots are those of mapping_fill, and order that of mapping_order. -1 with
 * STATUS_HARNESS if it has no threads.
 */
int scheduler_prepare(struct scheduler *scheduler, unsigned threads, uint32_t groups, const uint32_t *slots,
                      const uint8_t order[LITMUS_THREADS], struct error *error);

/* A launch, until it has ended or stalled, or after very many steps. */
enum scheduler_end scheduler_launch(struct scheduler *scheduler, struct scheduler_plan plan, uint64_t seed);

/* Goes on in a launch that has stalled, so that each group with fair execution takes so many turns. */
void scheduler_go_on(struct scheduler *scheduler, uint32_t turns);

void scheduler_fini(struct scheduler *scheduler);

/* --- for litmus/leading.c: the launch as it stands --- */

static inline uint32_t scheduler_group(const struct scheduler *scheduler, uint32_t instance, unsigned rank)
{
    return scheduler->group_of[instance * scheduler->threads + rank];
}

bool scheduler_has_started(const struct scheduler *scheduler, uint32_t group);

/* The threads of an instance that have fair execution in the launch; a bit for each rank. */
unsigned scheduler_fair_threads(const struct scheduler *scheduler, uint32_t instance);

/* The device has a place for so many more groups, of which this one is the next. */
bool scheduler_may_start(const struct scheduler *scheduler, uint32_t group, uint32_t count);

/* The way from where the instance is to its target: a thread, or WAY_THERE or WAY_NONE; not for PLAN_NONE. */
unsigned scheduler_way(const struct scheduler *scheduler, uint32_t instance);

void scheduler_step(struct scheduler *scheduler, uint32_t instance, unsigned rank);

/* The instance may be able to go on. */
void scheduler_enqueue(struct scheduler *scheduler, uint32_t instance);

/* --- litmus/leading.c: which instances are led to a trap, and which groups start --- */

/* A launch begins. */
void leading_begin(struct scheduler *scheduler);

/* Nothing goes on by itself: lets something. False: nothing may, the launch has ended or stalled. */
bool leading_go_on(struct scheduler *scheduler);
