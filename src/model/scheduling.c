#include "model/scheduling.h"

#include "base/alloc.h"
#include "model/run.h"

#include <stdlib.h>
#include <string.h>

enum {
    TURN = 16,           /* steps of a work-item until the next one goes on, */
    LONG_TURN = 1 << 12, /* and behind a schedule, where one that only turns is to be left in the end */
    NOWHERE = UINT32_MAX,
};

void scheduling_begin(void)
{
    struct scheduling *scheduling = &run.scheduling;

    scheduling->notes = scheduling->asked != NULL || run.turns != MODEL_TURNS_ROUND;
    run.most = run.turns == MODEL_TURNS_LOT ? 1 : TURN;
    if (scheduling->asked == NULL)
        return;
    scheduling->places = xmalloc(run.order.groups * sizeof *scheduling->places);
    for (uint32_t group = 0; group < run.order.groups; ++group)
        scheduling->places[group] = NOWHERE;
}

void scheduling_end(void)
{
    free(run.scheduling.places);
}

void scheduling_place(uint32_t at, uint32_t group)
{
    if (run.scheduling.places != NULL)
        run.scheduling.places[group] = at;
}

/* --- who is next --- */

static bool take(const struct schedule_turn *turn, uint32_t *index)
{
    if (turn->steps == 0 || turn->group >= run.order.groups || turn->item >= run.space.items)
        return false;
    const uint32_t place = run.scheduling.places[turn->group];
    if (place == NOWHERE || run.places[place].group != turn->group)
        return false;
    *index = place * run.space.items + turn->item;
    return ready_take_this(&run.ready, *index);
}

uint32_t scheduling_next(void)
{
    struct scheduling *scheduling = &run.scheduling;
    const struct schedule *asked = scheduling->asked;
    uint32_t index;

    if (asked == NULL)
        return ready_take(&run.ready, &run.lots);
    while (scheduling->next < asked->count) {
        const struct schedule_turn *turn = &asked->turns[scheduling->next++];
        if (!take(turn, &index))
            continue;
        run.most = schedule_steps(turn);
        if (!schedule_is_cut(turn) && run.most < LONG_TURN)
            run.most = LONG_TURN;
        return index;
    }
    run.most = LONG_TURN;
    return ready_take(&run.ready, &run.lots);
}

/* --- what is noted --- */

/* Where the last turn was cut, which may have become a longer one. */
static void note_stop(bool joined, bool cut)
{
    struct scheduling *scheduling = &run.scheduling;

    scheduling->cuts -= joined;
    if (!cut)
        return;
    const void **stop = run.report->stops[scheduling->cuts++ % MACHINE_STOPS];
    memset(stop, 0, sizeof run.report->stops[0]);
    run_frames(run.self, stop);
}

void scheduling_note(bool cut)
{
    struct schedule *made = &run.report->schedule;
    const uint32_t steps = run.turn, before = made->count;

    run.turn = 0;
    if (!run.scheduling.notes || steps == 0 || made->too_long)
        return;
    schedule_add(made, &(struct schedule_turn){run.group, (uint32_t)(run.self - run.items) % run.space.items,
                                               cut ? steps | SCHEDULE_CUT : steps});
    if (!run.scheduling.stood && !made->too_long)
        note_stop(made->count == before, cut);
}

void scheduling_note_still(void)
{
    if (run.scheduling.notes)
        schedule_add(&run.report->schedule, &(struct schedule_turn){0, 0, 0});
    run.scheduling.stood = true;
}
