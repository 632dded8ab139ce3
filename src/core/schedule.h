/*
 * A schedule: which work-item of a launch on a model device had the next turn, and for how many steps. A step ends
 * before an access of memory, at a barrier of the group, or with the work-item. Pure.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    SCHEDULE_TURNS = 1 << 20, /* a longer one is not kept */
    SCHEDULE_SHOWN = 512,     /* the last turns, which are shown one by one */
    SCHEDULE_TOLD = 40,       /* turns that were cut of which it is known where, the last ones before it stood still */
};

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

/* The schedule of a launch that failed, as it is kept. */
struct schedule_kept {
    const struct schedule_turn *turns; /* NULL: none was kept */
    uint32_t count;
    uint32_t launch;   /* of the trial */
    uint32_t cuts;     /* before it was shortened; 0: it was not */
    const char *stops; /* where the last SCHEDULE_TOLD were cut: a line each, empty where nobody knows */
};

enum { SCHEDULE_STOPS_TEXT = 4096 };

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

/* A view of its turns; or of those before nobody could go on for the first time, if that ever was. */
struct schedule schedule_of(const struct schedule_kept *kept);
struct schedule schedule_until_still(const struct schedule *schedule);

/* What is shown of a schedule until it stood still. */
struct schedule_view {
    uint32_t turns, cuts;
    uint32_t cuts_before;             /* it was shortened; 0: it was not */
    uint32_t count;                   /* of the last turns, at most SCHEDULE_SHOWN: */
    const struct schedule_turn *last; /* NULL: no schedule was kept */
    const char *stops;                /* as in struct schedule_kept */
};

/* The turns and text are those of `kept`. */
struct schedule_view schedule_view(const struct schedule_kept *kept);

/* Where cut `cut` of the `cuts` before it stood still was, or "": nobody knows. */
enum { SCHEDULE_STOP = 160 };
void schedule_stop(const char *stops, uint32_t cut, uint32_t cuts, char text[SCHEDULE_STOP]);

/* The first turn in which they differ; SCHEDULE_TURNS if they are the same. */
uint32_t schedule_differs(const struct schedule *a, const struct schedule *b);
