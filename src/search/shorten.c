#include "search/shorten.h"

/* The schedule without `count` of its cuts from this one on. */
static void leave_out(const struct schedule *schedule, uint32_t first, uint32_t count, struct schedule *left)
{
    uint32_t cut = 0;

    schedule_copy(left, schedule->turns, schedule->count);
    for (uint32_t i = 0; i < left->count; ++i) {
        struct schedule_turn *turn = &left->turns[i];
        if (!schedule_is_cut(turn))
            continue;
        if (cut >= first && cut - first < count)
            turn->steps = schedule_steps(turn);
        ++cut;
    }
}

/* Takes what fails as well with fewer cuts. */
static bool can_do_without(struct schedule *schedule, uint32_t first, uint32_t count,
                           const struct shortening *shortening)
{
    struct schedule left, made = {.turns = NULL};

    leave_out(schedule, first, count, &left);
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

    for (uint32_t first = 0; first < schedule_cuts(schedule) && !is_enough(shortening);) {
        if (can_do_without(schedule, first, count, shortening))
            fewer = true;
        else
            first += count;
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
