/*
 * A schedule: which work-item of a launch on a model device had the next turn, and for how many steps. A step ends
 * before an access of memory, at a barrier of the group, or with the work-item. Pure.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SCHEDULE_TURNS = 1 << 20 }; /* a longer one is not kept */

#define SCHEDULE_CUT (UINT32_C(1) << 31)

struct schedule_turn {
    uint32_t group, item; /* of the group */
    uint32_t steps;       /* with SCHEDULE_CUT if it could have gone on; 0: nobody could, but for the host */
};

struct schedule {
    struct schedule_turn *turns; /* owned; free with schedule_fini */
    uint32_t count, room;
    bool too_long; /* it has more turns than are kept, and has none */
};

/* Adds a turn; one that goes on with a turn that was cut becomes a part of that. */
void schedule_add(struct schedule *schedule, const struct schedule_turn *turn);

/* Makes it a copy of these turns. */
void schedule_copy(struct schedule *schedule, const struct schedule_turn *turns, uint32_t count);
void schedule_fini(struct schedule *schedule);

static inline uint32_t schedule_steps(const struct schedule_turn *turn)
{
    return turn->steps & ~SCHEDULE_CUT;
}

static inline bool schedule_is_cut(const struct schedule_turn *turn)
{
    return (turn->steps & SCHEDULE_CUT) != 0;
}

/* How many of its turns were cut. */
uint32_t schedule_cuts(const struct schedule *schedule);

/* Turns before nobody could go on for the first time; all of them, if that never was. */
uint32_t schedule_until_still(const struct schedule *schedule);

/* The first turn in which they differ; SCHEDULE_TURNS if they are the same. */
uint32_t schedule_differs(const struct schedule *a, const struct schedule *b);
