#include "core/lots.h"
#include "litmus/scheduler.h"

/* --- which instances are led, and what starts --- */

static bool is_led(const struct scheduler *scheduler, uint32_t instance)
{
    return scheduler->all[instance].target != PLAN_NONE;
}

static bool has_room(const struct scheduler *scheduler, uint32_t instance, unsigned target)
{
    const struct trap_shape *shape = &scheduler->map->shapes[target];
    const unsigned begins = shape->ways[scheduler->all[instance].state];

    return begins < WAY_THERE &&
           scheduler_may_start(scheduler, scheduler_group(scheduler, instance, begins), shape->peak);
}

/* Leads another instance, to the shape that the plan has for it or to one that there is room for. */
static bool lead_another(struct scheduler *scheduler)
{
    if (scheduler->device->resident == 0 || scheduler->device->model == LITMUS_LOBE)
        return false;
    for (; scheduler->led < scheduler->instances; ++scheduler->led) {
        const uint32_t instance = scheduler->order[scheduler->led];
        unsigned target = scheduler->led == 0 ? scheduler->plan.first : scheduler->plan.rest;
        if (target == PLAN_NONE)
            return false;
        if (scheduler->all[instance].state != 0)
            continue;
        for (unsigned other = 0; !has_room(scheduler, instance, target) && other < scheduler->map->shape_count; ++other)
            target = other;
        if (!has_room(scheduler, instance, target))
            return false;
        scheduler->all[instance].target = (uint8_t)target;
        ++scheduler->led;
        scheduler_enqueue(scheduler, instance);
        return true;
    }
    return false;
}

/* An instance that waits for a place, and may have one now. */
static bool resume_another(struct scheduler *scheduler)
{
    for (uint32_t instance = 0; instance < scheduler->instances; ++instance) {
        if (!is_led(scheduler, instance))
            continue;
        const unsigned way = scheduler_way(scheduler, instance);
        if (way >= WAY_THERE || !scheduler_may_start(scheduler, scheduler_group(scheduler, instance, way), 1))
            continue;
        scheduler_enqueue(scheduler, instance);
        return true;
    }
    return false;
}

/* Starts a group; its instance goes the way on which it is led only if that begins so. */
static void start(struct scheduler *scheduler, uint32_t group)
{
    const uint32_t instance = scheduler->places[group] / scheduler->threads;
    const unsigned rank = scheduler->places[group] % scheduler->threads;
    struct scheduler_instance *at = &scheduler->all[instance];

    if (at->target == PLAN_NONE && scheduler->device->model == LITMUS_HSA_OBE && scheduler->plan.first != PLAN_NONE)
        at->target = (uint8_t)scheduler->plan.first;
    if (is_led(scheduler, instance) && scheduler_way(scheduler, instance) != rank)
        at->target = PLAN_NONE;
    scheduler_step(scheduler, instance, rank);
    scheduler_enqueue(scheduler, instance);
}

/* The group whose start helps others least: in an instance that is not led, if there is one. */
static uint32_t least_helpful(const struct scheduler *scheduler)
{
    uint32_t chosen = scheduler->groups;

    for (uint32_t group = scheduler->next; group < scheduler->groups; ++group) {
        if (scheduler_has_started(scheduler, group))
            continue;
        if (!is_led(scheduler, scheduler->places[group] / scheduler->threads))
            return group;
        if (chosen == scheduler->groups)
            chosen = group;
    }
    return chosen;
}

/*
 * The first whose start leads its instance on, if it is led, and leaves places for those with lower ids; or the first.
 */
static uint32_t first_that_leads(const struct scheduler *scheduler)
{
    for (uint32_t group = scheduler->next; group < scheduler->groups && scheduler_may_start(scheduler, group, 1);
         ++group) {
        const uint32_t place = scheduler->places[group], instance = place / scheduler->threads;
        if (!scheduler_has_started(scheduler, group) &&
            (!is_led(scheduler, instance) || scheduler_way(scheduler, instance) == place % scheduler->threads))
            return group;
    }
    return scheduler->next;
}

/* Starts a group if there is a place for one, which is not left free for ever. */
static bool start_another(struct scheduler *scheduler)
{
    const uint32_t lowest = scheduler->lowest;
    uint32_t group = scheduler->next;

    if (scheduler->device->resident == 0 || group == scheduler->groups)
        return false;
    if (scheduler->device->model == LITMUS_HSA_OBE && !scheduler_has_started(scheduler, lowest))
        group = lowest;
    else if (scheduler->device->model == LITMUS_LOBE)
        group = first_that_leads(scheduler);
    else
        group = least_helpful(scheduler);
    if (!scheduler_may_start(scheduler, group, 1))
        return false;
    start(scheduler, group);
    return true;
}

/* With no place left, an instance that waits for one in no trap must go on without. */
static bool release_another(struct scheduler *scheduler)
{
    for (uint32_t instance = 0; instance < scheduler->instances; ++instance) {
        if (!is_led(scheduler, instance) || scheduler_way(scheduler, instance) == WAY_THERE ||
            scheduler_fair_threads(scheduler, instance) == 0)
            continue;
        scheduler->all[instance].target = PLAN_NONE;
        scheduler_enqueue(scheduler, instance);
        return true;
    }
    return false;
}

/* If no group has fair execution, and none goes around in a trap, the device has to choose one. */
static bool step_any(struct scheduler *scheduler)
{
    if (scheduler->ended == scheduler->groups)
        return false;
    for (uint32_t instance = 0; instance < scheduler->instances; ++instance)
        if (scheduler_fair_threads(scheduler, instance) != 0 ||
            (scheduler->device->unfair && scheduler->map->strength[scheduler->all[instance].state] != NO_TRAP))
            return false;
    const uint32_t instance = scheduler->places[scheduler->lowest] / scheduler->threads;
    scheduler_step(scheduler, instance, scheduler->places[scheduler->lowest] % scheduler->threads);
    scheduler_enqueue(scheduler, instance);
    return true;
}

/* --- beginnings --- */

/* Where the ids are such that most instances have just this many threads among the first groups, or enough of them. */
static uint32_t best_prefix(struct scheduler *scheduler, unsigned threads, uint32_t enough)
{
    uint32_t count = 0, most = 0, best = 0;

    for (uint32_t instance = 0; instance < scheduler->instances; ++instance)
        scheduler->all[instance].fair = 0;
    for (uint32_t group = 0; group < scheduler->groups && most < enough; ++group) {
        const uint16_t seen = ++scheduler->all[scheduler->places[group] / scheduler->threads].fair;
        count += seen == threads;
        count -= seen == threads + 1;
        if (count > most) {
            most = count;
            best = group + 1;
        }
    }
    return best;
}

/* Where all up to some id start, the instances to be led follow from the ids. */
static void lead_by_ids(struct scheduler *scheduler)
{
    const unsigned target = scheduler->plan.rest != PLAN_NONE ? scheduler->plan.rest : scheduler->plan.first;

    if (target == PLAN_NONE)
        return;
    const struct trap_shape *shape = &scheduler->map->shapes[target];
    const unsigned threads = (unsigned)__builtin_popcount(shape->started);
    uint32_t enough = (scheduler->device->resident + shape->held - 1) / shape->held;
    if (scheduler->plan.rest == PLAN_NONE)
        enough = 1;
    if (enough == 1 && scheduler->plan.last) {
        scheduler->all[scheduler->places[scheduler->groups - 1] / scheduler->threads].target = (uint8_t)target;
        return;
    }
    const uint32_t prefix = best_prefix(scheduler, threads, enough);
    for (uint32_t instance = 0; instance < scheduler->instances && enough > 0; ++instance) {
        if (scheduler_group(scheduler, instance, threads - 1) >= prefix ||
            (threads < scheduler->threads && scheduler_group(scheduler, instance, threads) < prefix))
            continue;
        scheduler->all[instance].target = (uint8_t)target;
        --enough;
    }
}

/* Without a bound what others do makes no difference, but under LOBE and OBE they need not start. */
static void lead_without_bound(struct scheduler *scheduler)
{
    const bool all =
        scheduler->device->unfair || scheduler->device->model == LITMUS_HSA || scheduler->device->model == LITMUS_FAIR;

    for (uint32_t i = 0; i < (all ? scheduler->instances : 1); ++i)
        scheduler->all[scheduler->order[i]].target = (uint8_t)scheduler->plan.first;
    for (uint32_t i = 0; i < scheduler->instances; ++i)
        scheduler_enqueue(scheduler, scheduler->order[i]);
}

/* The instance of group 0 is the first to be led, and the others follow from one that is drawn by lot. */
static void draw_order(struct scheduler *scheduler)
{
    const uint32_t first = scheduler->places[0] / scheduler->threads;
    uint32_t count = 1, other = lots_draw_below(&scheduler->lots, scheduler->instances);

    scheduler->order[0] = first;
    for (uint32_t i = 0; i < scheduler->instances; ++i, other = (other + 1) % scheduler->instances)
        if (other != first)
            scheduler->order[count++] = other;
}

void leading_begin(struct scheduler *scheduler)
{
    for (uint32_t instance = 0; instance < scheduler->instances; ++instance)
        scheduler->all[instance] = (struct scheduler_instance){.target = PLAN_NONE};
    scheduler->led = 0;
    draw_order(scheduler);
    if (scheduler->device->resident == 0)
        lead_without_bound(scheduler);
    else if (scheduler->device->model == LITMUS_LOBE)
        lead_by_ids(scheduler);
}

bool leading_go_on(struct scheduler *scheduler)
{
    return lead_another(scheduler) || resume_another(scheduler) || start_another(scheduler) ||
           release_another(scheduler) || step_any(scheduler);
}
