#include "litmus/scheduler.h"

#include "core/lots.h"

#include <stdlib.h>
#include <string.h>

#define MOST_STEPS (UINT64_C(1) << 26) /* of a launch; only chance could make one that long */

/* --- setting up --- */

static int reserve(struct scheduler *scheduler, uint32_t groups, struct error *error)
{
    if (groups <= scheduler->capacity)
        return 0;
    scheduler_fini(scheduler);
    scheduler->places = malloc(groups * sizeof *scheduler->places);
    scheduler->group_of = malloc(groups * sizeof *scheduler->group_of);
    scheduler->all = malloc(groups * sizeof *scheduler->all);
    scheduler->queue = malloc(groups * sizeof *scheduler->queue);
    scheduler->order = malloc(groups * sizeof *scheduler->order);
    if (scheduler->places == NULL || scheduler->group_of == NULL || scheduler->all == NULL ||
        scheduler->queue == NULL || scheduler->order == NULL)
        return error_set(error, STATUS_HARNESS, "no memory for a launch of %u groups", groups);
    scheduler->capacity = groups;
    return 0;
}

int scheduler_prepare(struct scheduler *scheduler, unsigned threads, uint32_t groups, const uint32_t *slots,
                      const uint8_t order[LITMUS_THREADS], struct error *error)
{
    uint8_t ranks[LITMUS_THREADS];

    if (reserve(scheduler, groups, error) != 0)
        return -1;
    for (unsigned rank = 0; rank < threads; ++rank)
        ranks[order[rank]] = (uint8_t)rank;
    scheduler->threads = threads;
    scheduler->groups = groups;
    scheduler->instances = groups / threads;
    for (uint32_t group = 0; group < groups; ++group) {
        scheduler->places[group] = slots[group] / threads * threads + ranks[slots[group] % threads];
        scheduler->group_of[scheduler->places[group]] = group;
    }
    return 0;
}

void scheduler_fini(struct scheduler *scheduler)
{
    free(scheduler->places);
    free(scheduler->group_of);
    free(scheduler->all);
    free(scheduler->queue);
    free(scheduler->order);
    scheduler->places = scheduler->group_of = scheduler->queue = scheduler->order = NULL;
    scheduler->all = NULL;
    scheduler->capacity = 0;
}

/* --- what is known of groups --- */

static const struct litmus_state *state_of(const struct scheduler *scheduler, uint32_t instance)
{
    return &scheduler->map->judge.space.states[scheduler->all[instance].state];
}

static bool has_started(const struct scheduler *scheduler, uint32_t group)
{
    const uint32_t place = scheduler->places[group];
    return (state_of(scheduler, place / scheduler->threads)->started >> place % scheduler->threads & 1) != 0;
}

static bool has_ended(const struct scheduler *scheduler, uint32_t group)
{
    const uint32_t place = scheduler->places[group];
    return (state_of(scheduler, place / scheduler->threads)->ended >> place % scheduler->threads & 1) != 0;
}

static bool is_fair(const struct scheduler *scheduler, uint32_t group)
{
    if (scheduler->device->unfair || has_ended(scheduler, group))
        return false;
    switch (scheduler->device->model) {
    case LITMUS_HSA:
        return group == scheduler->lowest;
    case LITMUS_OBE:
        return has_started(scheduler, group);
    case LITMUS_HSA_OBE:
        return group == scheduler->lowest || has_started(scheduler, group);
    case LITMUS_LOBE:
        return scheduler->started > 0 && group <= scheduler->highest;
    default:
        return true;
    }
}

/* The threads of an instance that have fair execution in the launch. */
static unsigned fair_threads(const struct scheduler *scheduler, uint32_t instance)
{
    unsigned fair = 0;

    for (unsigned rank = 0; rank < scheduler->threads; ++rank)
        if (is_fair(scheduler, scheduler->group_of[instance * scheduler->threads + rank]))
            fair |= 1u << rank;
    return fair;
}

/* The device has a place for so many more groups, of which this one is the next. */
static bool may_start(const struct scheduler *scheduler, uint32_t group, uint32_t count)
{
    const uint32_t bound = scheduler->device->resident;

    if (bound == 0)
        return true;
    if (scheduler->held + count > bound)
        return false;
    if (scheduler->device->model == LITMUS_LOBE)
        return group == scheduler->next;
    return scheduler->device->model == LITMUS_OBE || group == scheduler->lowest ||
           has_started(scheduler, scheduler->lowest) || scheduler->held + count < bound;
}

/* --- steps --- */

static void enqueue(struct scheduler *scheduler, uint32_t instance)
{
    if (scheduler->all[instance].queued)
        return;
    scheduler->all[instance].queued = true;
    scheduler->queue[(scheduler->queue_first + scheduler->queue_count++) % scheduler->instances] = instance;
}

static void note_start(struct scheduler *scheduler, uint32_t group)
{
    const uint32_t before = scheduler->started > 0 ? scheduler->highest + 1 : 0;

    ++scheduler->held;
    ++scheduler->started;
    scheduler->event = scheduler->steps;
    while (scheduler->next < scheduler->groups && has_started(scheduler, scheduler->next))
        ++scheduler->next;
    if (group < before)
        return;
    scheduler->highest = group;
    for (uint32_t other = before; scheduler->device->model == LITMUS_LOBE && other < group; ++other)
        enqueue(scheduler, scheduler->places[other] / scheduler->threads);
}

static void note_end(struct scheduler *scheduler)
{
    --scheduler->held;
    ++scheduler->ended;
    scheduler->event = scheduler->steps;
    while (scheduler->lowest < scheduler->groups && has_ended(scheduler, scheduler->lowest))
        ++scheduler->lowest;
    if (scheduler->lowest < scheduler->groups)
        enqueue(scheduler, scheduler->places[scheduler->lowest] / scheduler->threads);
}

static void take_step(struct scheduler *scheduler, uint32_t instance, unsigned rank)
{
    const uint32_t group = scheduler->group_of[instance * scheduler->threads + rank];
    const struct litmus_state *before = state_of(scheduler, instance);

    if (scheduler->trace != NULL)
        scheduler->trace->step(scheduler->trace->context, group);
    scheduler->all[instance].state =
        litmus_space_step(&scheduler->map->judge.space, scheduler->all[instance].state, rank);
    const struct litmus_state *after = state_of(scheduler, instance);
    ++scheduler->steps;
    if (before->started != after->started)
        note_start(scheduler, group);
    if (before->ended != after->ended)
        note_end(scheduler);
}

static unsigned draw_thread(struct scheduler *scheduler, unsigned threads)
{
    unsigned left = lots_draw_below(&scheduler->lots, (uint32_t)__builtin_popcount(threads));

    while (left-- > 0)
        threads &= threads - 1;
    return (unsigned)__builtin_ctz(threads);
}

/* --- instances --- */

static const uint8_t *ways_to(const struct scheduler *scheduler, unsigned target)
{
    return target == PLAN_ANY ? scheduler->map->any : scheduler->map->shapes[target].ways;
}

/*
 * An instance that is led goes on. False: it has come as far as it can for now. One that has lost its way, or is where it
 * must not stay, is not led any more.
 */
static bool lead(struct scheduler *scheduler, uint32_t instance, unsigned fair)
{
    struct scheduler_instance *at = &scheduler->all[instance];
    const struct litmus_state *state = state_of(scheduler, instance);
    const uint8_t way = ways_to(scheduler, at->target)[at->state];

    if (way == WAY_THERE && (fair & ~state->started) == 0)
        return false;
    if (way == WAY_THERE || way == WAY_NONE) {
        at->target = PLAN_NONE;
        return true;
    }
    if ((state->started >> way & 1) == 0 &&
        !may_start(scheduler, scheduler->group_of[instance * scheduler->threads + way], 1))
        return false;
    take_step(scheduler, instance, way);
    return true;
}

/* Those of the threads that may take a step: they have started, or there is a place for them. */
static unsigned able(const struct scheduler *scheduler, uint32_t instance, unsigned threads)
{
    const unsigned started = state_of(scheduler, instance)->started;

    for (unsigned rank = 0; rank < scheduler->threads; ++rank)
        if ((threads & ~started) >> rank & 1 &&
            !may_start(scheduler, scheduler->group_of[instance * scheduler->threads + rank], 1))
            threads &= ~(1u << rank);
    return threads;
}

/* An instance that is not led goes to a trap if it can without a start, or else where chance takes it. */
static bool wander(struct scheduler *scheduler, uint32_t instance, unsigned fair)
{
    const uint32_t at = scheduler->all[instance].state;
    const struct litmus_state *state = state_of(scheduler, instance);
    const bool starts = (fair & ~state->started) != 0;

    if (scheduler->device->resident > 0 && !starts) {
        const uint8_t way = scheduler->map->without_start[at];
        if (way < WAY_THERE)
            take_step(scheduler, instance, way);
        if (way != WAY_NONE)
            return way != WAY_THERE;
    }
    if (fair == 0 || (!starts && scheduler->map->strength[at] == STRONG_TRAP))
        return false;
    fair = able(scheduler, instance, fair);
    if (fair == 0)
        return false;
    take_step(scheduler, instance, draw_thread(scheduler, fair));
    return true;
}

/* All that can go on does, until nothing does. */
static void go_on(struct scheduler *scheduler)
{
    while (scheduler->queue_count > 0) {
        const uint32_t instance = scheduler->queue[scheduler->queue_first];
        bool moves = true;
        scheduler->queue_first = (scheduler->queue_first + 1) % scheduler->instances;
        --scheduler->queue_count;
        scheduler->all[instance].queued = false;
        while (moves && scheduler->steps < MOST_STEPS) {
            const unsigned fair = fair_threads(scheduler, instance);
            moves = scheduler->all[instance].target != PLAN_NONE ? lead(scheduler, instance, fair)
                                                                 : wander(scheduler, instance, fair);
        }
    }
}

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
           may_start(scheduler, scheduler->group_of[instance * scheduler->threads + begins], shape->peak);
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
        enqueue(scheduler, instance);
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
        const unsigned way = ways_to(scheduler, scheduler->all[instance].target)[scheduler->all[instance].state];
        if (way >= WAY_THERE || !may_start(scheduler, scheduler->group_of[instance * scheduler->threads + way], 1))
            continue;
        enqueue(scheduler, instance);
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
    if (is_led(scheduler, instance) && ways_to(scheduler, at->target)[at->state] != rank)
        at->target = PLAN_NONE;
    take_step(scheduler, instance, rank);
    enqueue(scheduler, instance);
}

/* The group whose start helps others least: in an instance that is not led, if there is one. */
static uint32_t least_helpful(const struct scheduler *scheduler)
{
    uint32_t chosen = scheduler->groups;

    for (uint32_t group = scheduler->next; group < scheduler->groups; ++group) {
        if (has_started(scheduler, group))
            continue;
        if (!is_led(scheduler, scheduler->places[group] / scheduler->threads))
            return group;
        if (chosen == scheduler->groups)
            chosen = group;
    }
    return chosen;
}

/* Starts a group if there is a place for one, which is not left free for ever. */
static bool start_another(struct scheduler *scheduler)
{
    const uint32_t lowest = scheduler->lowest;
    uint32_t group = scheduler->next;

    if (scheduler->device->resident == 0 || group == scheduler->groups)
        return false;
    if (scheduler->device->model == LITMUS_HSA_OBE && !has_started(scheduler, lowest))
        group = lowest;
    else if (scheduler->device->model != LITMUS_LOBE)
        group = least_helpful(scheduler);
    if (!may_start(scheduler, group, 1))
        return false;
    start(scheduler, group);
    return true;
}

/* With no place left, an instance that waits for one in no trap must go on without. */
static bool release_another(struct scheduler *scheduler)
{
    for (uint32_t instance = 0; instance < scheduler->instances; ++instance) {
        const struct scheduler_instance *at = &scheduler->all[instance];
        if (!is_led(scheduler, instance) || ways_to(scheduler, at->target)[at->state] == WAY_THERE ||
            fair_threads(scheduler, instance) == 0)
            continue;
        scheduler->all[instance].target = PLAN_NONE;
        enqueue(scheduler, instance);
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
        if (fair_threads(scheduler, instance) != 0 ||
            (scheduler->device->unfair && scheduler->map->strength[scheduler->all[instance].state] != NO_TRAP))
            return false;
    const uint32_t instance = scheduler->places[scheduler->lowest] / scheduler->threads;
    take_step(scheduler, instance, scheduler->places[scheduler->lowest] % scheduler->threads);
    enqueue(scheduler, instance);
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

/* Where groups start in the order of their ids, the instances to be led follow from the order. */
static void lead_in_order(struct scheduler *scheduler)
{
    const unsigned target = scheduler->plan.rest != PLAN_NONE ? scheduler->plan.rest : scheduler->plan.first;

    if (target == PLAN_NONE)
        return;
    const struct trap_shape *shape = &scheduler->map->shapes[target];
    const unsigned threads = (unsigned)__builtin_popcount(shape->started);
    uint32_t enough = (scheduler->device->resident + shape->held - 1) / shape->held;
    if (scheduler->plan.rest == PLAN_NONE)
        enough = 1;
    const uint32_t prefix = best_prefix(scheduler, threads, enough);
    for (uint32_t instance = 0; instance < scheduler->instances && enough > 0; ++instance) {
        const uint32_t *group_of = &scheduler->group_of[instance * scheduler->threads];
        if (group_of[threads - 1] >= prefix || (threads < scheduler->threads && group_of[threads] < prefix))
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

static void begin(struct scheduler *scheduler)
{
    scheduler->queue_first = scheduler->queue_count = 0;
    scheduler->started = scheduler->ended = scheduler->held = scheduler->led = 0;
    scheduler->lowest = scheduler->next = scheduler->highest = 0;
    scheduler->steps = scheduler->event = 0;
    for (uint32_t instance = 0; instance < scheduler->instances; ++instance)
        scheduler->all[instance] = (struct scheduler_instance){.target = PLAN_NONE};
    draw_order(scheduler);
    if (scheduler->device->resident == 0)
        lead_without_bound(scheduler);
    else if (scheduler->device->model == LITMUS_LOBE)
        lead_in_order(scheduler);
    for (uint32_t i = 0; scheduler->device->resident == 0 && i < scheduler->instances; ++i)
        enqueue(scheduler, scheduler->order[i]);
}

/* --- launches --- */

enum scheduler_end scheduler_launch(struct scheduler *scheduler, struct scheduler_plan plan, uint64_t seed)
{
    scheduler->plan = plan;
    scheduler->lots = seed;
    begin(scheduler);
    do
        go_on(scheduler);
    while (scheduler->steps < MOST_STEPS &&
           (lead_another(scheduler) || resume_another(scheduler) || start_another(scheduler) ||
            release_another(scheduler) || step_any(scheduler)));
    if (scheduler->steps >= MOST_STEPS)
        return LAUNCH_UNDECIDED;
    return scheduler->ended == scheduler->groups ? LAUNCH_ENDED : LAUNCH_STALLED;
}

/* A turn of each of the threads. Under weak fairness they go around such that they never leave. */
static void take_turns(struct scheduler *scheduler, uint32_t instance)
{
    const struct scheduler_instance *at = &scheduler->all[instance];
    const unsigned shift = lots_draw_below(&scheduler->lots, scheduler->threads);

    for (unsigned i = 0; i < scheduler->threads; ++i) {
        const unsigned rank = (i + shift) % scheduler->threads;
        const uint8_t *round = scheduler->map->rounds[rank];
        if ((at->fair >> rank & 1) == 0)
            continue;
        while (scheduler->device->weak && round[at->state] < WAY_THERE)
            take_step(scheduler, instance, round[at->state]);
        take_step(scheduler, instance, rank);
    }
}

/* On an unfair device, any step that stays within the trap. */
static void go_around(struct scheduler *scheduler, uint32_t instance)
{
    unsigned rank = 0;

    while (scheduler->map->rounds[rank][scheduler->all[instance].state] != WAY_THERE)
        ++rank;
    take_step(scheduler, instance, rank);
}

void scheduler_go_on(struct scheduler *scheduler, uint32_t turns)
{
    const uint64_t event = scheduler->event;
    uint32_t count = 0;

    for (uint32_t instance = 0; instance < scheduler->instances; ++instance) {
        struct scheduler_instance *at = &scheduler->all[instance];
        const bool trapped = scheduler->map->strength[at->state] != NO_TRAP;
        at->fair = (uint16_t)fair_threads(scheduler, instance);
        if (scheduler->device->unfair ? trapped : at->fair != 0)
            scheduler->queue[count++] = instance;
    }
    for (uint32_t turn = 0; turn < turns; ++turn)
        for (uint32_t i = 0; i < count; ++i) {
            if (scheduler->device->unfair)
                go_around(scheduler, scheduler->queue[i]);
            else
                take_turns(scheduler, scheduler->queue[i]);
        }
    if (scheduler->event != event)
        abort(); /* it was no trap */
}
