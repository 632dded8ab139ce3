#include "core/schedule.h"

#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool goes_on(const struct schedule *schedule, const struct schedule_turn *turn)
{
    if (schedule->count == 0)
        return false;
    const struct schedule_turn *last = &schedule->turns[schedule->count - 1];
    return schedule_is_cut(last) && last->group == turn->group && last->item == turn->item &&
           schedule_steps(last) < SCHEDULE_CUT - schedule_steps(turn);
}

void schedule_add(struct schedule *schedule, const struct schedule_turn *turn)
{
    if (schedule->too_long)
        return;
    if (turn->steps != 0 && goes_on(schedule, turn)) {
        struct schedule_turn *last = &schedule->turns[schedule->count - 1];
        last->steps = schedule_steps(last) + turn->steps;
        return;
    }
    if (schedule->count == SCHEDULE_TURNS) {
        schedule_fini(schedule);
        schedule->too_long = true;
        return;
    }
    if (schedule->count == schedule->room) {
        schedule->room = schedule->room == 0 ? 64 : 2 * schedule->room;
        schedule->turns = xrealloc(schedule->turns, schedule->room * sizeof *schedule->turns);
    }
    schedule->turns[schedule->count++] = *turn;
}

void schedule_copy(struct schedule *schedule, const struct schedule_turn *turns, uint32_t count)
{
    *schedule = (struct schedule){xmalloc((count + 1) * sizeof *turns), count, count + 1, false};
    memcpy(schedule->turns, turns, count * sizeof *turns);
}

void schedule_fini(struct schedule *schedule)
{
    free(schedule->turns);
    *schedule = (struct schedule){.turns = NULL};
}

uint32_t schedule_cuts(const struct schedule *schedule)
{
    uint32_t cuts = 0;

    for (uint32_t i = 0; i < schedule->count; ++i)
        cuts += schedule_is_cut(&schedule->turns[i]);
    return cuts;
}

struct schedule schedule_of(const struct schedule_kept *kept)
{
    return (struct schedule){.turns = (struct schedule_turn *)kept->turns, .count = kept->count};
}

struct schedule schedule_until_still(const struct schedule *schedule)
{
    uint32_t turn = 0;

    while (turn < schedule->count && schedule->turns[turn].steps != 0)
        ++turn;
    return (struct schedule){.turns = schedule->turns, .count = turn};
}

void schedule_stop(const char *stops, uint32_t cut, uint32_t cuts, char text[SCHEDULE_STOP])
{
    const uint32_t first = cuts < SCHEDULE_TOLD ? 0 : cuts - SCHEDULE_TOLD;
    const char *line = stops;

    text[0] = '\0';
    if (cut < first || cut >= cuts)
        return;
    for (uint32_t i = first; i < cut && *line != '\0'; ++i)
        line += strcspn(line, "\n") + (strchr(line, '\n') != NULL);
    snprintf(text, SCHEDULE_STOP, "%.*s", (int)strcspn(line, "\n"), line);
}

struct schedule_view schedule_view(const struct schedule_kept *kept)
{
    const struct schedule all = schedule_of(kept), still = schedule_until_still(&all);
    const uint32_t count = still.count < SCHEDULE_SHOWN ? still.count : SCHEDULE_SHOWN;

    if (kept->turns == NULL)
        return (struct schedule_view){.last = NULL};
    return (struct schedule_view){.turns = still.count,
                                  .cuts = schedule_cuts(&still),
                                  .cuts_before = kept->cuts,
                                  .count = count,
                                  .last = kept->turns + (still.count - count),
                                  .stops = kept->stops};
}

uint32_t schedule_differs(const struct schedule *a, const struct schedule *b)
{
    uint32_t turn = 0;

    while (turn < a->count && turn < b->count && memcmp(&a->turns[turn], &b->turns[turn], sizeof *a->turns) == 0)
        ++turn;
    return turn == a->count && turn == b->count ? (uint32_t)SCHEDULE_TURNS : turn;
}
