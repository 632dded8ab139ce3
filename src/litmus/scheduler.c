#include "litmus/scheduler.h"

#include "base/alloc.h"
#include "core/lots.h"

#include <stdlib.h>

enum { POLL_EVERY = 64 };
#define MOST_STEPS (UINT64_C(1) << 26) /* of a launch; only chance could make one that long */

/* --- setting up --- */

static void reserve(struct scheduler *scheduler, uint32_t groups)
{
    if (groups <= scheduler->capacity)
        return;
    scheduler_fini(scheduler);
    scheduler->all = xmalloc(groups * sizeof *scheduler->all);
    scheduler->places = xmalloc((size_t)groups * 4 * sizeof *scheduler->places);
    scheduler->group_of = scheduler->places + groups;
    scheduler->queue = scheduler->group_of + groups;
    scheduler->order = scheduler->queue + groups;
    scheduler->capacity = groups;
}

int scheduler_prepare(struct scheduler *scheduler, unsigned threads, uint32_t groups, const uint32_t *slots,
                      const uint8_t order[LITMUS_THREADS], struct error *error)
{
    uint8_t ranks[LITMUS_THREADS];

    if (threads == 0)
        return error_set(error, STATUS_HARNESS, "a test without threads");
    reserve(scheduler, groups);
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
    free(scheduler->all);
    free(scheduler->places);
    scheduler->all = NULL;
    scheduler->places = NULL;
    scheduler->capacity = 0;
}

/* --- what is known of groups --- */

static const struct litmus_state *state_of(const struct scheduler *scheduler, uint32_t instance)
{
    return &scheduler->map->judge.space.states[scheduler->all[instance].state];
}

bool scheduler_has_started(const struct scheduler *scheduler, uint32_t group)
{
    const uint32_t place = scheduler->places[group];
    return (state_of(scheduler, place / scheduler->threads)->started >> place % scheduler->threads & 1) != 0;
}

static bool has_ended(const struct scheduler *scheduler, uint32_t group)
{
    const uint32_t place = scheduler->places[group];
    return (state_of(scheduler, place / scheduler->threads)->ended >> place % scheduler->threads & 1) != 0;
}

unsigned scheduler_fair_threads(const struct scheduler *scheduler, uint32_t instance)
{
    const struct litmus_state *at = state_of(scheduler, instance);
    uint32_t running = 0, lowest = 0, reached = 0;

    if (scheduler->device->unfair)
        return 0;
    for (unsigned rank = 0; rank < scheduler->threads; ++rank) {
        const uint32_t group = scheduler_group(scheduler, instance, rank), bit = 1u << rank;
        running |= (uint32_t)~at->ended & bit;
        lowest |= group == scheduler->lowest ? bit : 0;
        reached |= scheduler->started > 0 && group <= scheduler->highest ? bit : 0;
    }
    return litmus_fair_among(scheduler->device->model, running, lowest, at->started, reached);
}

bool scheduler_may_start(const struct scheduler *scheduler, uint32_t group, uint32_t count)
{
    const uint32_t bound = scheduler->device->resident;

    if (bound == 0)
        return true;
    if (scheduler->held + count > bound)
        return false;
    if (scheduler->device->model == LITMUS_LOBE) {
        const uint32_t reached = scheduler->started > 0 && scheduler->highest > group ? scheduler->highest : group;
        return reached + 1 - scheduler->ended <= bound;
    }
    return scheduler->device->model == LITMUS_OBE || group == scheduler->lowest ||
           scheduler_has_started(scheduler, scheduler->lowest) || scheduler->held + count < bound;
}

/* --- steps --- */

void scheduler_enqueue(struct scheduler *scheduler, uint32_t instance)
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
    while (scheduler->next < scheduler->groups && scheduler_has_started(scheduler, scheduler->next))
        ++scheduler->next;
    if (group < before)
        return;
    scheduler->highest = group;
    for (uint32_t other = before; scheduler->device->model == LITMUS_LOBE && other < group; ++other)
        scheduler_enqueue(scheduler, scheduler->places[other] / scheduler->threads);
}

static void note_end(struct scheduler *scheduler)
{
    --scheduler->held;
    ++scheduler->ended;
    scheduler->event = scheduler->steps;
    while (scheduler->lowest < scheduler->groups && has_ended(scheduler, scheduler->lowest))
        ++scheduler->lowest;
    if (scheduler->lowest < scheduler->groups)
        scheduler_enqueue(scheduler, scheduler->places[scheduler->lowest] / scheduler->threads);
}

void scheduler_step(struct scheduler *scheduler, uint32_t instance, unsigned rank)
{
    const uint32_t group = scheduler_group(scheduler, instance, rank);
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

unsigned scheduler_way(const struct scheduler *scheduler, uint32_t instance)
{
    const struct scheduler_instance *at = &scheduler->all[instance];
    return (at->target == PLAN_ANY ? scheduler->map->any : scheduler->map->shapes[at->target].ways)[at->state];
}

/*
 * An instance that is led goes on. False: it has come as far as it can for now. One that has lost its way, or is
 * where it must not stay, is not led any more.
 */
static bool lead(struct scheduler *scheduler, uint32_t instance, unsigned fair)
{
    const struct litmus_state *state = state_of(scheduler, instance);
    const unsigned way = scheduler_way(scheduler, instance);

    if (way == WAY_THERE && (fair & (unsigned)~state->started) == 0)
        return false;
    if (way == WAY_THERE || way == WAY_NONE) {
        scheduler->all[instance].target = PLAN_NONE;
        return true;
    }
    if ((state->started >> way & 1) == 0 &&
        !scheduler_may_start(scheduler, scheduler_group(scheduler, instance, way), 1))
        return false;
    scheduler_step(scheduler, instance, way);
    return true;
}

/* Those of the threads that may take a step: they have started, or there is a place for them. */
static unsigned able(const struct scheduler *scheduler, uint32_t instance, unsigned threads)
{
    const unsigned started = state_of(scheduler, instance)->started;

    for (unsigned rank = 0; rank < scheduler->threads; ++rank)
        if ((threads & ~started) >> rank & 1 &&
            !scheduler_may_start(scheduler, scheduler_group(scheduler, instance, rank), 1))
            threads &= ~(1u << rank);
    return threads;
}

/* An instance that is not led goes to a trap if it can without a start, or else where chance takes it. */
static bool wander(struct scheduler *scheduler, uint32_t instance, unsigned fair)
{
    const uint32_t at = scheduler->all[instance].state;
    const struct litmus_state *state = state_of(scheduler, instance);
    const bool starts = (fair & (unsigned)~state->started) != 0;

    if (scheduler->device->resident > 0 && !starts && !scheduler->plan.loose) {
        const uint8_t way = scheduler->map->without_start[at];
        if (way < WAY_THERE)
            scheduler_step(scheduler, instance, way);
        if (way != WAY_NONE)
            return way != WAY_THERE;
    }
    if (fair == 0 || (!starts && scheduler->map->strength[at] == STRONG_TRAP))
        return false;
    fair = able(scheduler, instance, fair);
    if (fair == 0)
        return false;
    scheduler_step(scheduler, instance, draw_thread(scheduler, fair));
    return true;
}

/* The launch is to be left: it has taken too many steps, or the sink wants no more. */
static bool is_over(struct scheduler *scheduler)
{
    const struct emulate_sink *sink = scheduler->sink;

    if (sink->stopped != NULL && !scheduler->stopped && ++scheduler->polls % POLL_EVERY == 0)
        scheduler->stopped = sink->stopped(sink->context);
    return scheduler->stopped || scheduler->steps >= MOST_STEPS;
}

/* All that can go on does, until nothing does. */
static void go_on(struct scheduler *scheduler)
{
    while (scheduler->queue_count > 0 && !is_over(scheduler)) {
        const uint32_t instance = scheduler->queue[scheduler->queue_first];
        bool moves = true;
        scheduler->queue_first = (scheduler->queue_first + 1) % scheduler->instances;
        --scheduler->queue_count;
        scheduler->all[instance].queued = false;
        while (moves && !is_over(scheduler)) {
            const unsigned fair = scheduler_fair_threads(scheduler, instance);
            moves = scheduler->all[instance].target != PLAN_NONE ? lead(scheduler, instance, fair)
                                                                 : wander(scheduler, instance, fair);
        }
    }
}

/* --- launches --- */

enum scheduler_end scheduler_launch(struct scheduler *scheduler, struct scheduler_plan plan, uint64_t seed)
{
    scheduler->plan = plan;
    scheduler->lots = seed;
    scheduler->queue_first = scheduler->queue_count = 0;
    scheduler->started = scheduler->ended = scheduler->held = 0;
    scheduler->lowest = scheduler->next = scheduler->highest = 0;
    scheduler->steps = scheduler->event = 0;
    leading_begin(scheduler);
    do
        go_on(scheduler);
    while (!is_over(scheduler) && leading_go_on(scheduler));
    if (scheduler->stopped || scheduler->steps >= MOST_STEPS)
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
            scheduler_step(scheduler, instance, round[at->state]);
        scheduler_step(scheduler, instance, rank);
    }
}

/* On an unfair device, any step that stays within the trap. */
static void go_around(struct scheduler *scheduler, uint32_t instance)
{
    unsigned rank = 0;

    while (scheduler->map->rounds[rank][scheduler->all[instance].state] != WAY_THERE)
        ++rank;
    scheduler_step(scheduler, instance, rank);
}

void scheduler_go_on(struct scheduler *scheduler, uint32_t turns)
{
    const uint64_t event = scheduler->event;
    uint32_t count = 0;

    for (uint32_t instance = 0; instance < scheduler->instances; ++instance) {
        struct scheduler_instance *at = &scheduler->all[instance];
        const bool trapped = scheduler->map->strength[at->state] != NO_TRAP;
        at->fair = (uint16_t)scheduler_fair_threads(scheduler, instance);
        if (scheduler->device->unfair ? trapped : at->fair != 0)
            scheduler->queue[count++] = instance;
    }
    for (uint32_t turn = 0; turn < turns; ++turn)
        for (uint32_t i = 0; i < count && !scheduler->stopped; ++i) {
            is_over(scheduler);
            if (scheduler->device->unfair)
                go_around(scheduler, scheduler->queue[i]);
            else
                take_turns(scheduler, scheduler->queue[i]);
        }
    if (scheduler->event != event)
        abort(); /* it was no trap */
}
