#include "search/shorten.h"

#include "base/alloc.h"

#include <stdlib.h>

/* What becomes of a turn that is not to be cut: it is as long as can be, or one with the next turn of its work-item. */
enum way { WAY_LONGER, WAY_EARLIER, WAY_LATER, WAYS };

enum { NONE = UINT32_MAX };

/* --- the next turn of each work-item --- */

struct place {
    uint32_t group, item, turn;
};

static int compare(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->item != y->item)
        return x->item < y->item ? -1 : 1;
    return x->turn < y->turn ? -1 : 1;
}

/* Of each turn the next one of its work-item, or NONE; allocated. */
static uint32_t *find_next(const struct schedule *schedule)
{
    struct place *places = xmalloc((schedule->count + 1) * sizeof *places);
    uint32_t *next = xmalloc((schedule->count + 1) * sizeof *next);

    for (uint32_t i = 0; i < schedule->count; ++i)
        places[i] = (struct place){schedule->turns[i].group, schedule->turns[i].item, i};
    qsort(places, schedule->count, sizeof *places, compare);
    for (uint32_t i = 0; i < schedule->count; ++i) {
        const struct place *after = &places[i + 1];
        const bool has = i + 1 < schedule->count && after->group == places[i].group && after->item == places[i].item;
        next[places[i].turn] = has ? after->turn : NONE;
    }
    free(places);
    return next;
}

/* --- what is tried --- */

/* Puts turn `from` to turn `to`, which is of the same work-item. */
static void join(struct schedule *schedule, uint32_t to, uint32_t from)
{
    struct schedule_turn *turns = schedule->turns;
    const uint32_t later = to > from ? to : from;

    turns[to].steps = (schedule_steps(&turns[to]) + schedule_steps(&turns[from])) |
                      (schedule_is_cut(&turns[later]) ? SCHEDULE_CUT : 0);
    turns[from].steps = 0; /* and is left out below */
}

/* Turns that were chosen are not to be cut where they are; those that become part of another one have no steps then. */
static void rejoin(struct schedule *schedule, const uint32_t *next, const bool *chosen, enum way way)
{
    struct schedule_turn *turns = schedule->turns;

    for (uint32_t i = 0; i < schedule->count; ++i) {
        const uint32_t at = way == WAY_EARLIER ? schedule->count - 1 - i : i;
        if (!chosen[at])
            continue;
        if (way == WAY_LONGER || next[at] == NONE || turns[next[at]].steps == 0)
            turns[at].steps = schedule_steps(&turns[at]);
        else if (way == WAY_EARLIER)
            join(schedule, at, next[at]);
        else
            join(schedule, next[at], at);
    }
}

/* The schedule without `count` of its cuts from this one on. */
static void leave_out(const struct schedule *schedule, uint32_t first, uint32_t count, enum way way,
                      struct schedule *left)
{
    bool *chosen = xcalloc(schedule->count + 1, sizeof *chosen);
    uint32_t *next = find_next(schedule), cut = 0, kept = 0;

    schedule_copy(left, schedule->turns, schedule->count);
    for (uint32_t i = 0; i < left->count; ++i) {
        chosen[i] = schedule_is_cut(&left->turns[i]) && cut >= first && cut - first < count;
        cut += schedule_is_cut(&left->turns[i]);
    }
    rejoin(left, next, chosen, way);
    for (uint32_t i = 0; i < left->count; ++i)
        if (left->turns[i].steps != 0 || schedule->turns[i].steps == 0)
            left->turns[kept++] = left->turns[i];
    left->count = kept;
    free(next);
    free(chosen);
}

/* Takes what fails as well with fewer cuts. */
static bool can_do_without(struct schedule *schedule, uint32_t first, uint32_t count, enum way way,
                           const struct shortening *shortening)
{
    struct schedule left, made = {.turns = NULL};

    leave_out(schedule, first, count, way, &left);
    const bool better = shortening->fails(shortening->context, &left, &made) && made.count > 0 &&
                        schedule_cuts(&made) < schedule_cuts(schedule);
    schedule_fini(&left);
    if (!better) {
        schedule_fini(&made);
        return false;
    }
    schedule_fini(schedule);
    *schedule = made;
    return true;
}

static bool is_enough(const struct shortening *shortening)
{
    return shortening->enough != NULL && shortening->enough(shortening->context);
}

/* Goes once through its cuts, so many at a time; true if it has fewer then. */
static bool go_through(struct schedule *schedule, uint32_t count, const struct shortening *shortening)
{
    bool fewer = false;

    for (uint32_t first = 0; first < schedule_cuts(schedule);) {
        bool without = false;
        for (int way = 0; way < WAYS && !without && !is_enough(shortening); ++way)
            without = can_do_without(schedule, first, count, (enum way)way, shortening);
        fewer = fewer || without;
        first += without ? 0 : count;
    }
    return fewer;
}

void schedule_shorten(struct schedule *schedule, const struct shortening *shortening)
{
    uint32_t count = schedule_cuts(schedule);

    while (count > 0 && !is_enough(shortening)) {
        const bool fewer = go_through(schedule, count, shortening);
        const uint32_t cuts = schedule_cuts(schedule);
        if (count == 1 && !fewer)
            return;
        count = count > 1 ? count / 2 : 1;
        if (count > cuts)
            count = cuts;
    }
}
